#include "ui/stats/stats_view.h"

#include "ui/cache/group_panel.h"
#include "ui/theme/numbers.h"
#include "ui/theme/text.h"
#include "ui/widgets/table_setup.h"

#include <QGridLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

namespace nodewise::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("StatsView", text); }

struct GroupBy {
  EntryColumn column;
  const char* name;
};
constexpr GroupBy kGroupBy[] = {{EntryColumn::Op, QT_TRANSLATE_NOOP("StatsView", "op")},
                                {EntryColumn::Dtype, QT_TRANSLATE_NOOP("StatsView", "dtype")},
                                {EntryColumn::Created, QT_TRANSLATE_NOOP("StatsView", "age")},
                                {EntryColumn::OptLevel, QT_TRANSLATE_NOOP("StatsView", "optimisation level")},
                                {EntryColumn::Cpu, QT_TRANSLATE_NOOP("StatsView", "target")},
                                {EntryColumn::LlvmVersion, QT_TRANSLATE_NOOP("StatsView", "LLVM version")},
                                {EntryColumn::State, QT_TRANSLATE_NOOP("StatsView", "state")}};

TableColumn numberColumn(const QString& title, std::function<int64_t(size_t)> number,
                         QString (*words)(int64_t), bool bar = false) {
  TableColumn column;
  column.title = title;
  column.number = std::move(number);
  column.text = [number = column.number, words](size_t row) { return words(number(row)); };
  column.bar = bar;
  return column;
}

double rateOf(const DayStats& day) {
  return day.lookups > 0 ? static_cast<double>(day.hits) / static_cast<double>(day.lookups) : 0;
}
QString percent(double share) { return QStringLiteral("%1 %").arg(share * 100, 0, 'f', 1); }

QTableView* makeTable(QAbstractItemModel& model, const QString& name) {
  auto* table = new QTableView;
  table->setModel(&model);
  table->setAccessibleName(name);
  setUpTable(*table);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
  return table;
}

QWidget* titled(const QString& title, std::initializer_list<QWidget*> widgets) {
  auto* box = new QGroupBox(title);
  auto* layout = new QVBoxLayout(box);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->setSpacing(4);
  for (QWidget* widget : widgets) layout->addWidget(widget, qobject_cast<QComboBox*>(widget) ? 0 : 1);
  return box;
}

} // namespace

TableData groupsTable(const std::shared_ptr<const CachePicture>& picture) {
  const CachePicture* p = picture.get();
  TableData data;
  data.rows = p->groups.size();
  data.keepAlive = picture;
  data.columns = {
      textColumn(tr("Value"), [p](size_t row) { return text(p->groups[row].value); }),
      numberColumn(
          tr("Entries"), [p](size_t row) { return p->groups[row].totals.entries; }, countText, true),
      numberColumn(
          tr("Bytes"), [p](size_t row) { return p->groups[row].totals.bytes; }, bytesText, true),
      numberColumn(
          tr("Compile"), [p](size_t row) { return p->groups[row].totals.compileNs; }, durationText, true),
      numberColumn(
          tr("Hits"), [p](size_t row) { return p->groups[row].hits; }, countText, true)};
  return data;
}

TableData evictionsTable(const std::shared_ptr<const CachePicture>& picture) {
  const CachePicture* p = picture.get();
  TableData data;
  data.rows = p->evictions.size();
  data.keepAlive = picture;
  const auto entry = [p](size_t row) -> const EntryRow& { return p->evictions[row]; };
  data.columns = {numberColumn(
                      tr("Order"), [](size_t row) { return static_cast<int64_t>(row) + 1; }, countText),
                  textColumn(tr("Op"), [entry](size_t row) { return text(entry(row).op); }),
                  textColumn(tr("Detail"), [entry](size_t row) { return text(entry(row).label); }),
                  textColumn(tr("State"), [entry](size_t row) { return text(entry(row).state); }),
                  numberColumn(
                      tr("Size"), [entry](size_t row) { return entry(row).objectBytes; }, bytesText),
                  numberColumn(
                      tr("Compile"), [entry](size_t row) { return entry(row).compileNs; }, durationText),
                  numberColumn(
                      tr("Hits"), [entry](size_t row) { return entry(row).hits; }, countText)};
  return data;
}

TableData daysTable(const std::shared_ptr<const CachePicture>& picture) {
  const CachePicture* p = picture.get();
  TableData data;
  data.rows = p->days.size();
  data.keepAlive = picture;
  TableColumn rate = numberColumn(
      tr("Hit rate"), [p](size_t row) { return static_cast<int64_t>(rateOf(p->days[row]) * 1e6); },
      countText);
  rate.text = [p](size_t row) {
    return p->days[row].lookups > 0 ? percent(rateOf(p->days[row])) : QString();
  };
  data.columns = {textColumn(tr("Day"), [p](size_t row) { return text(p->days[row].day); }),
                  numberColumn(
                      tr("Runs"), [p](size_t row) { return p->days[row].runs; }, countText),
                  numberColumn(
                      tr("Lookups"), [p](size_t row) { return p->days[row].lookups; }, countText),
                  numberColumn(
                      tr("Hits"), [p](size_t row) { return p->days[row].hits; }, countText),
                  rate,
                  numberColumn(
                      tr("Compiled"), [p](size_t row) { return p->days[row].compileNs; }, durationText, true),
                  numberColumn(
                      tr("Saved"), [p](size_t row) { return p->days[row].savedNs; }, durationText, true),
                  numberColumn(
                      tr("Entries"), [p](size_t row) { return p->days[row].entries; }, countText),
                  numberColumn(
                      tr("Size"), [p](size_t row) { return p->days[row].bytes; }, bytesText)};
  return data;
}

TableData settingsTable(const std::shared_ptr<const CachePicture>& picture) {
  const CachePicture* p = picture.get();
  TableData data;
  data.rows = p->settings.size();
  data.keepAlive = picture;
  data.columns = {
      textColumn(tr("Setting"), [p](size_t row) { return text(p->settings[row].name); }),
      textColumn(tr("From"), [p](size_t row) { return text(originName(p->settings[row].origin)); }),
      textColumn(tr("Value"), [p](size_t row) { return text(p->settings[row].value); })};
  return data;
}

StatsView::StatsView(StatsService& service, QWidget* parent)
    : QWidget(parent), m_service(service), m_summary(new QLabel), m_used(new QProgressBar),
      m_rate(new DayChart), m_saved(new DayChart), m_size(new DayChart), m_groupBox(new QComboBox) {
  m_summary->setWordWrap(true);
  m_summary->setTextFormat(Qt::PlainText);
  m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_used->setRange(0, 1000);
  m_used->setAccessibleName(tr("Share of the size cap that is used"));
  for (const GroupBy& by : kGroupBy) m_groupBox->addItem(tr("Group by %1").arg(tr(by.name)));
  m_groupBox->setAccessibleName(tr("Group entries by"));
  m_groupsTable = makeTable(m_groups, tr("Entries by group"));
  m_daysTable = makeTable(m_days, tr("Days"));
  m_evictionsTable = makeTable(m_evictions, tr("Entries in the order of eviction"));
  m_settingsTable = makeTable(m_settings, tr("Settings"));
  m_evictionsTable->setToolTip(
      tr("When the size cap needs room: deleted, quarantined and invalidated entries, then the cheapest to "
         "compile again and the longest unused; pinned ones never"));
  auto* charts = new QWidget;
  auto* chartRow = new QHBoxLayout(charts);
  chartRow->setContentsMargins(0, 0, 0, 0);
  chartRow->setSpacing(8);
  for (DayChart* chart : {m_rate, m_saved, m_size}) chartRow->addWidget(chart, 1);
  QWidget* overTime = titled(
      tr("Over time, a bar a day: compile time saved as recorded, size after the day's last run"), {charts});
  auto* grid = new QGridLayout;
  grid->addWidget(titled(tr("Entries"), {m_groupBox, m_groupsTable}), 0, 0);
  grid->addWidget(titled(tr("First to go at the size cap"), {m_evictionsTable}), 0, 1);
  grid->addWidget(titled(tr("Settings, and where each comes from"), {m_settingsTable}), 0, 2);
  grid->addWidget(titled(tr("By day"), {m_daysTable}), 1, 0);
  grid->addWidget(overTime, 1, 1, 1, 2);
  for (const auto& [column, share] : {std::pair(0, 5), std::pair(1, 6), std::pair(2, 4)}) // by what they hold
    grid->setColumnStretch(column, share);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 4);
  layout->setSpacing(4);
  layout->addWidget(m_summary);
  layout->addWidget(m_used);
  layout->addLayout(grid, 1);
  connect(&m_service, &StatsService::ready, this, &StatsView::show);
  connect(&m_service, &StatsService::failed, this,
          [this](const Error& error) { m_summary->setText(QString::fromStdString(error.text())); });
  connect(m_groupBox, &QComboBox::activated, this, [this] {
    m_stale = true;
    ask();
  });
  connect(m_groupsTable, &QTableView::activated, this, [this](const QModelIndex& index) {
    const GroupBy& by = kGroupBy[static_cast<size_t>(m_groupBox->currentIndex())];
    const auto row = m_groups.rowOf(index);
    if (!row) return;
    const QString term = groupTerm(by.column, m_groups.table().columns[0].text(*row).toStdString());
    if (!term.isEmpty()) Q_EMIT filterPicked(term);
  });
}

void StatsView::refresh() {
  m_stale = true;
  if (isVisible()) ask();
}

void StatsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  ask();
}

void StatsView::ask() {
  if (!m_stale) return;
  m_stale = false;
  m_service.request(kGroupBy[static_cast<size_t>(m_groupBox->currentIndex())].column);
}

void StatsView::show(const std::shared_ptr<const CachePicture>& picture) {
  const CacheStats& s = picture->stats;
  m_summary->setText(
      tr("%1\n%2 of %3: %4 invalidated, %5 deleted, %6 quarantined, %7 pinned · %8 · %9 of compile time kept")
          .arg(text(picture->file), countedText(s.entries, tr("entry")),
               countedText(s.contents, tr("content")), countText(s.invalidated), countText(s.deleted),
               countText(s.quarantined), countText(s.pinned), countedText(s.hits, tr("hit")),
               durationText(s.compileNs)));
  m_used->setValue(
      s.capBytes > 0 ? static_cast<int>(std::min<int64_t>(1000, s.usedBytes() * 1000 / s.capBytes)) : 0);
  m_used->setFormat(tr("%1 of %2 (objects %3, recipes and keys %4; file %5)")
                        .arg(bytesText(s.usedBytes()), capText(s.capBytes), bytesText(s.objectBytes),
                             bytesText(s.ownBytes), bytesText(s.fileBytes)));
  const bool first = m_settings.columnCount() == 0;
  m_groups.setData(groupsTable(picture));
  m_days.setData(daysTable(picture));
  m_settings.setData(settingsTable(picture));
  m_evictions.setData(evictionsTable(picture));
  if (first)
    for (QTableView* table : {m_groupsTable, m_daysTable, m_settingsTable, m_evictionsTable})
      table->resizeColumnsToContents();
  showDays(picture->days);
}

void StatsView::showDays(const std::vector<DayStats>& days) {
  int64_t mostSaved = 0, mostBytes = 0;
  for (const DayStats& day : days) {
    mostSaved = std::max(mostSaved, day.savedNs);
    mostBytes = std::max(mostBytes, day.bytes);
  }
  const auto bar = [](const DayStats& day, int64_t value, int64_t most, const QString& words) {
    const double height = most > 0 ? static_cast<double>(value) / static_cast<double>(most) : 0;
    return DayBar{text(day.day), height, text(day.day) + QStringLiteral(": ") + words};
  };
  std::vector<DayBar> rates, saved, sizes;
  for (const DayStats& day : days) {
    rates.push_back(bar(day, day.hits, day.lookups, percent(rateOf(day))));
    saved.push_back(bar(day, day.savedNs, mostSaved, durationText(day.savedNs)));
    sizes.push_back(bar(day, day.bytes, mostBytes,
                        day.entries > 0
                            ? tr("%1 in %2").arg(bytesText(day.bytes), countedText(day.entries, tr("entry")))
                            : tr("not recorded")));
  }
  m_rate->setBars(tr("Hit rate"), tr("top: 100 %"), std::move(rates));
  m_saved->setBars(tr("Time saved"), tr("top: %1").arg(durationText(mostSaved)), std::move(saved));
  m_size->setBars(tr("Size"), tr("top: %1").arg(bytesText(mostBytes)), std::move(sizes));
}

void StatsView::setDarkTheme(bool dark) {
  m_rate->setDarkTheme(dark);
  m_saved->setDarkTheme(dark);
  m_size->setDarkTheme(dark);
}

} // namespace nodewise::ui
