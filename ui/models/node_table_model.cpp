#include "ui/models/node_table_model.h"

#include "ui/models/swatch.h"
#include "ui/theme/numbers.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <numeric>

namespace nodewise::ui {
namespace {

QString exactBytes(int64_t n) { return countText(n) + QStringLiteral(" B"); }

} // namespace

const NodeTableModel::ColumnRow& NodeTableModel::columnRow(int column) {
  static const std::array<ColumnRow, ColumnCount> kColumns{{
      {QT_TR_NOOP("State"), nullptr, nullptr, nullptr},
      {QT_TR_NOOP("Op"), nullptr, nullptr, nullptr},
      {QT_TR_NOOP("Detail"), nullptr, nullptr, nullptr},
      {QT_TR_NOOP("Dtype"), nullptr, nullptr, nullptr},
      {QT_TR_NOOP("Compile"), [](const NodeState& s) { return s.recordedCompileNs; }, durationText,
       exactDurationText},
      {QT_TR_NOOP("Run"), [](const NodeState& s) { return s.runNs; }, durationText, exactDurationText},
      {QT_TR_NOOP("Size"), [](const NodeState& s) { return s.objectBytes; }, bytesText, exactBytes},
      {QT_TR_NOOP("Hits"), [](const NodeState& s) { return s.hits; }, countText, countText},
      {QT_TR_NOOP("Reason"), nullptr, nullptr, nullptr},
      {QT_TR_NOOP("Path"), nullptr, nullptr, nullptr},
  }};
  return kColumns[static_cast<size_t>(column)];
}

void NodeTableModel::setNodes(std::span<const NodeInfo> nodes, std::span<const NodeState> states,
                              std::shared_ptr<const void> keepAlive) {
  beginResetModel();
  m_keepAlive = std::move(keepAlive);
  m_nodes = nodes;
  m_states = states;
  m_rows.resize(nodes.size());
  std::iota(m_rows.begin(), m_rows.end(), 0);
  findGreatest();
  sortRows();
  endResetModel();
}

void NodeTableModel::setStates(std::span<const NodeState> states) {
  m_states = states.size() == m_nodes.size() ? states : m_states;
  findGreatest();
  if (!m_rows.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void NodeTableModel::setDarkTheme(bool dark) {
  m_theme = makeTheme(dark);
  m_swatches.clear();
  if (!m_rows.empty()) Q_EMIT dataChanged(index(0, State), index(rowCount() - 1, State));
}

void NodeTableModel::setShown(const std::vector<NodeIndex>* shown) {
  beginResetModel();
  if (shown) {
    m_rows = *shown;
  } else {
    m_rows.resize(m_nodes.size());
    std::iota(m_rows.begin(), m_rows.end(), 0);
  }
  sortRows();
  endResetModel();
}

void NodeTableModel::findGreatest() {
  m_greatest = {};
  for (int c = 0; c < ColumnCount; ++c)
    if (const auto number = columnRow(c).number)
      for (const NodeState& state : m_states)
        m_greatest[static_cast<size_t>(c)] = std::max(m_greatest[static_cast<size_t>(c)], number(state));
}

std::string_view NodeTableModel::sortTextOf(NodeIndex node, int column) const {
  const NodeInfo& info = m_nodes[static_cast<size_t>(node)];
  switch (column) {
  case State:
    return statusRow(statusOf(info, m_states[static_cast<size_t>(node)])).name;
  case Op:
    return info.op;
  case Detail:
    return info.detail;
  case Dtype:
    return info.dtype;
  case Reason:
    return info.kind == NodeKind::Unsupported ? info.reason : m_states[static_cast<size_t>(node)].reason;
  case Path:
    return info.path;
  default:
    return {};
  }
}

void NodeTableModel::sortRows() {
  if (m_sortColumn >= 0 && m_sortColumn != Path) {
    const auto number = columnRow(m_sortColumn).number;
    const auto less = [&](NodeIndex a, NodeIndex b) {
      if (number) return number(m_states[static_cast<size_t>(a)]) < number(m_states[static_cast<size_t>(b)]);
      return sortTextOf(a, m_sortColumn) < sortTextOf(b, m_sortColumn);
    };
    std::ranges::sort(m_rows); // equal ones in the graph's order
    if (m_sortOrder == Qt::AscendingOrder)
      std::ranges::stable_sort(m_rows, less);
    else
      std::ranges::stable_sort(m_rows, [&](NodeIndex a, NodeIndex b) { return less(b, a); });
  } else if (m_sortColumn == Path && m_sortOrder == Qt::DescendingOrder) {
    std::ranges::sort(m_rows, std::greater{});
  } else if (!std::ranges::is_sorted(m_rows)) { // as they mostly are: whole graphs open faster so
    std::ranges::sort(m_rows);                  // by place in the graph: the order of paths
  }
  m_rowOfNode.assign(m_nodes.size(), -1);
  for (size_t row = 0; row < m_rows.size(); ++row)
    m_rowOfNode[static_cast<size_t>(m_rows[row])] = static_cast<int>(row);
}

void NodeTableModel::sort(int column, Qt::SortOrder order) {
  if (column == m_sortColumn && order == m_sortOrder) return;
  Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  const QModelIndexList before = persistentIndexList();
  std::vector<NodeIndex> nodes;
  for (const QModelIndex& index : before) nodes.push_back(nodeOf(index));
  m_sortColumn = column;
  m_sortOrder = order;
  sortRows();
  QModelIndexList after;
  for (qsizetype k = 0; k < before.size(); ++k)
    after.push_back(
        index(m_rowOfNode[static_cast<size_t>(nodes[static_cast<size_t>(k)])], before[k].column()));
  changePersistentIndexList(before, after);
  Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

NodeIndex NodeTableModel::nodeOf(const QModelIndex& index) const {
  return index.isValid() ? m_rows[static_cast<size_t>(index.row())] : -1;
}

QModelIndex NodeTableModel::indexOfNode(NodeIndex node) const {
  if (node < 0 || static_cast<size_t>(node) >= m_rowOfNode.size()) return {};
  const int row = m_rowOfNode[static_cast<size_t>(node)];
  return row < 0 ? QModelIndex() : index(row, 0);
}

int NodeTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int NodeTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(ColumnCount);
}

QString NodeTableModel::textOf(NodeIndex node, int column) const {
  if (const auto number = columnRow(column).number) {
    const int64_t value = number(m_states[static_cast<size_t>(node)]);
    return value == 0 ? QString() : columnRow(column).text(value);
  }
  return text(sortTextOf(node, column));
}

const QIcon& NodeTableModel::swatch(Status status) const {
  QIcon& made = m_swatches[status];
  if (made.isNull()) made = decoration(swatchOf(categoryOf(statusRow(status)), m_theme, false));
  return made;
}

QVariant NodeTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const NodeIndex node = nodeOf(index);
  const int column = index.column();
  const auto number = columnRow(column).number;
  const NodeState& state = m_states[static_cast<size_t>(node)];
  switch (role) {
  case Qt::DisplayRole:
    return textOf(node, column);
  case Qt::ToolTipRole:
    return number ? columnRow(column).exact(number(state)) : textOf(node, column);
  case Qt::TextAlignmentRole:
    return QVariant((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  case Qt::DecorationRole:
    if (column != State) return {};
    return swatch(statusOf(m_nodes[static_cast<size_t>(node)], state));
  case kBarRole: {
    const int64_t greatest = m_greatest[static_cast<size_t>(column)];
    if (!number || greatest == 0 || column == Hits) return {};
    return static_cast<double>(number(state)) / static_cast<double>(greatest);
  }
  case kNodeRole:
    return node;
  default:
    return {};
  }
}

QVariant NodeTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Horizontal && role == Qt::DisplayRole && section < ColumnCount)
    return tr(columnRow(section).title);
  if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section < ColumnCount)
    return QVariant((columnRow(section).number != nullptr ? Qt::AlignRight : Qt::AlignLeft) |
                    Qt::AlignVCenter);
  return {};
}

} // namespace nodewise::ui
