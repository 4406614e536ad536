#include "ui/models/cost_model.h"

#include "ui/models/node_table_model.h"
#include "ui/theme/numbers.h"

#include <QFont>

#include <array>

namespace nodewise::ui {
namespace {

struct PhaseRow {
  const char* name;
  int64_t Phases::*time;
  const char* doc;
};
constexpr std::array<PhaseRow, 6> kPhases{{
    {QT_TRANSLATE_NOOP("nodewise::ui::CostModel", "lookup"), &Phases::lookup,
     "Asking the cache, and checking what it gave."},
    {QT_TRANSLATE_NOOP("nodewise::ui::CostModel", "build"), &Phases::build, "Writing LLVM IR."},
    {QT_TRANSLATE_NOOP("nodewise::ui::CostModel", "optimise"), &Phases::optimise,
     "LLVM's passes over the IR."},
    {QT_TRANSLATE_NOOP("nodewise::ui::CostModel", "emit"), &Phases::emit, "From IR to machine code."},
    {QT_TRANSLATE_NOOP("nodewise::ui::CostModel", "link"), &Phases::link, "From object code to an address."},
    {QT_TRANSLATE_NOOP("nodewise::ui::CostModel", "store"), &Phases::store,
     "Writing the entry to the cache."},
}};

/// A share that rounds to nothing is still not nothing.
QString shareText(double share) {
  if (share < 0) return {};
  if (share > 0 && share < 0.005) return QStringLiteral("<1 %");
  return QStringLiteral("%1 %").arg(share * 100, 0, 'f', 0);
}

} // namespace

void CostModel::setState(const NodeState& state, const Phases* shared) {
  beginResetModel();
  m_rows.clear();
  const Phases& phases = shared ? *shared : state.phases;
  const int64_t total = phases.total();
  for (const PhaseRow& phase : kPhases) {
    const int64_t time = phases.*phase.time;
    const double share = time > 0 ? static_cast<double>(time) / static_cast<double>(total) : -1;
    m_rows.push_back({tr(phase.name), time, true, false, share, tr(phase.doc)});
  }
  m_rows.push_back({shared ? tr("total, shared") : tr("total"), total, true, true, total > 0 ? 1.0 : -1.0,
                    tr("The sum of the phases, in this session.")});
  if (state.recordedCompileNs > 0)
    m_rows.push_back({tr("compile, recorded"), state.recordedCompileNs, true, false, -1,
                      tr("What build, optimise and emit took when the entry was made.")});
  if (state.runCalls > 0) {
    m_rows.push_back({tr("run, all calls"), state.runNs, true, false, -1, {}});
    m_rows.push_back({tr("run, each call"), state.runNs / state.runCalls, true, false, -1, {}});
    m_rows.push_back({tr("calls"), state.runCalls, false, false, -1, {}});
  }
  endResetModel();
}

void CostModel::clear() {
  beginResetModel();
  m_rows.clear();
  endResetModel();
}

int CostModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CostModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant CostModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = m_rows[static_cast<size_t>(index.row())];
  if (role == Qt::FontRole && row.bold) {
    QFont font;
    font.setBold(true);
    return font;
  }
  if (role == Qt::ToolTipRole)
    return index.column() != Time || !row.isTime ? row.doc
           : row.value > 0                       ? exactDurationText(row.value)
                                                 : tr("It did not happen in this session.");
  if (role == Qt::TextAlignmentRole)
    return QVariant((index.column() == Phase ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == kBarRole && index.column() == Share && row.share >= 0 && !row.bold) return row.share;
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
  case Phase:
    return row.name;
  case Time:
    return !row.isTime ? countText(row.value) : row.value > 0 ? durationText(row.value) : QString();
  case Share:
    return shareText(row.share);
  default:
    return {};
  }
}

QVariant CostModel::headerData(int section, Qt::Orientation orientation, int role) const {
  static const std::array<const char*, ColumnCount> kTitles{QT_TR_NOOP("Phase"), QT_TR_NOOP("Time"),
                                                            QT_TR_NOOP("Share")};
  if (orientation == Qt::Horizontal && role == Qt::DisplayRole && section < ColumnCount)
    return tr(kTitles[static_cast<size_t>(section)]);
  if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
    return QVariant((section == Phase ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  return {};
}

} // namespace nodewise::ui
