#include "ui/cache/group_panel.h"

#include "ui/theme/numbers.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_setup.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace nodewise::ui {
namespace {

constexpr std::array kGroupBy{GroupByRow{EntryColumn::Op, "op", "op"},
                              GroupByRow{EntryColumn::Dtype, "dtype", "dtype"},
                              GroupByRow{EntryColumn::Cpu, "target", "cpu"},
                              GroupByRow{EntryColumn::Created, "age", "age"},
                              GroupByRow{EntryColumn::Used, "last use", "unused"},
                              GroupByRow{EntryColumn::State, "state", "state"}};

/// The bounds that groupEntries() has, as the query language writes them.
struct AgeTerm {
  const char *group, *least, *below;
};
constexpr std::array kAges{AgeTerm{"today", "", "1d"}, AgeTerm{"this week", "1d", "7d"},
                           AgeTerm{"this month", "7d", "31d"}, AgeTerm{"this year", "31d", "365d"},
                           AgeTerm{"earlier", "365d", ""}};

QString ageTerm(const QString& field, const std::string& group) {
  const auto age = std::ranges::find(kAges, std::string_view(group), &AgeTerm::group);
  if (age == kAges.end()) return {};
  QStringList terms;
  if (*age->least) terms.push_back(field + QStringLiteral(">=") + QLatin1String(age->least));
  if (*age->below) terms.push_back(field + u'<' + QLatin1String(age->below));
  return terms.join(u' ');
}

TableData groupsData(std::vector<EntryGroup> list, const QString& by) {
  const auto groups = std::make_shared<const std::vector<EntryGroup>>(std::move(list));
  const auto* g = groups.get();
  TableData data;
  data.rows = groups->size();
  data.keepAlive = groups;
  const auto add = [&](const QString& title, const QString& doc, auto number, QString (*words)(int64_t)) {
    TableColumn column;
    column.title = title;
    column.doc = doc;
    column.number = [g, number](size_t row) { return number((*g)[row]); };
    column.text = [number = column.number, words](size_t row) { return words(number(row)); };
    column.bar = true;
    data.columns.push_back(std::move(column));
  };
  TableColumn value;
  value.title = by;
  value.text = [g](size_t row) {
    return (*g)[row].value.empty() ? QStringLiteral("—") : QString::fromStdString((*g)[row].value);
  };
  data.columns.push_back(std::move(value));
  add(
      QObject::tr("Entries"), {}, [](const EntryGroup& e) { return e.totals.entries; }, countText);
  add(
      QObject::tr("Size"), {}, [](const EntryGroup& e) { return e.totals.bytes; }, bytesText);
  add(
      QObject::tr("Compile"), QObject::tr("What compiling them took when they were made"),
      [](const EntryGroup& e) { return e.totals.compileNs; }, durationText);
  add(
      QObject::tr("Hits"), {}, [](const EntryGroup& e) { return e.hits; }, countText);
  return data;
}

} // namespace

std::span<const GroupByRow> groupByTable() { return kGroupBy; }

QString groupTerm(EntryColumn column, const std::string& value) {
  const auto row = std::ranges::find(kGroupBy, column, &GroupByRow::column);
  if (row == kGroupBy.end() || value.empty()) return {};
  const QString field = QLatin1String(row->field);
  if (column == EntryColumn::Created || column == EntryColumn::Used) return ageTerm(field, value);
  QString quoted = QString::fromStdString(value);
  quoted.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
  return QStringLiteral("%1=\"%2\"").arg(field, quoted);
}

GroupPanel::GroupPanel(QWidget* parent) : QWidget(parent), m_table(new QTableView), m_all(new QToolButton) {
  m_all->setText(tr("All groups"));
  m_all->setToolTip(tr("Show the entries of all groups"));
  m_all->setCheckable(true);
  m_all->setChecked(true);
  m_all->setFocusPolicy(Qt::TabFocus);
  m_all->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Groups of entries"));
  setUpTable(*m_table);
  new ColumnFit(*m_table, 0);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(m_all);
  layout->addWidget(m_table, 1);
  connect(m_all, &QToolButton::clicked, this, &GroupPanel::clear);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) {
            const auto row = m_model.rowOf(index);
            if (m_showing || !row) return;
            setTerm(groupTerm(m_column, m_model.table().columns[0].text(*row).toStdString()));
          });
}

void GroupPanel::setGroups(EntryColumn column, std::vector<EntryGroup> groups) {
  const auto by = std::ranges::find(kGroupBy, column, &GroupByRow::column);
  QString title = by == kGroupBy.end() ? QString() : tr(by->name);
  if (!title.isEmpty()) title[0] = title[0].toUpper();
  if (m_column != column) m_term.clear();
  m_column = column;
  size_t picked = groups.size();
  for (size_t g = 0; g < groups.size(); ++g)
    if (!m_term.isEmpty() && groupTerm(column, groups[g].value) == m_term) picked = g;
  m_showing = true;
  m_model.setData(groupsData(std::move(groups), title));
  if (const QModelIndex index = m_model.indexOf(picked); index.isValid()) m_table->selectRow(index.row());
  m_showing = false;
  m_all->setChecked(m_term.isEmpty());
}

void GroupPanel::clear() {
  m_table->clearSelection();
  m_table->setCurrentIndex({});
  setTerm({});
}

void GroupPanel::setTerm(const QString& term) {
  m_all->setChecked(term.isEmpty());
  if (term == m_term) return;
  m_term = term;
  Q_EMIT termChanged();
}

} // namespace nodewise::ui
