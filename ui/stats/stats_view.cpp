#include "ui/stats/stats_view.h"

#include "ui/cache/group_panel.h"
#include "ui/theme/numbers.h"
#include "ui/theme/text.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_setup.h"

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
  new ColumnFit(*table, 0);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  return table;
}

QWidget* page(std::initializer_list<QWidget*> widgets, QWidget* stretched) {
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 8, 0, 0);
  layout->setSpacing(8);
  for (QWidget* widget : widgets) layout->addWidget(widget, widget == stretched ? 1 : 0);
  return page;
}

QLabel* quietLabel(const QString& text) {
  auto* label = new QLabel(text);
  label->setWordWrap(true);
  label->setForegroundRole(QPalette::PlaceholderText);
  return label;
}

/// "3 invalidated, 1 pinned"; empty where all entries are as usual.
QString unusualText(const CacheStats& stats) {
  QStringList words;
  for (const auto& [count, word] : {std::pair(stats.invalidated, StatsView::tr("invalidated")),
                                    std::pair(stats.deleted, StatsView::tr("deleted")),
                                    std::pair(stats.quarantined, StatsView::tr("quarantined")),
                                    std::pair(stats.pinned, StatsView::tr("pinned"))})
    if (count > 0) words.push_back(countText(count) + u' ' + word);
  return words.join(QStringLiteral(", "));
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
          tr("Size"), [p](size_t row) { return p->groups[row].totals.bytes; }, bytesText, true),
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
  rate.exact = [p](size_t row) {
    return tr("%1 of %2").arg(countText(p->days[row].hits), countedText(p->days[row].lookups, tr("lookup")));
  };
  data.columns = {textColumn(tr("Day"), [p](size_t row) { return text(p->days[row].day); }),
                  numberColumn(
                      tr("Runs"), [p](size_t row) { return p->days[row].runs; }, countText),
                  numberColumn(
                      tr("Lookups"), [p](size_t row) { return p->days[row].lookups; }, countText),
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
      m_rate(new DayChart), m_saved(new DayChart), m_size(new DayChart), m_groupBox(new QComboBox),
      m_tabs(new QTabWidget) {
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
  auto* charts = new QWidget;
  auto* chartRow = new QHBoxLayout(charts);
  chartRow->setContentsMargins(0, 0, 0, 0);
  chartRow->setSpacing(8);
  for (DayChart* chart : {m_rate, m_saved, m_size}) chartRow->addWidget(chart, 1);
  constexpr int kChartHeight = 120;
  charts->setMinimumHeight(kChartHeight);
  m_groupBox->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  auto* overTime = page({quietLabel(tr("A bar a day. Saved: compile time that hits did not cost again, as "
                                       "recorded. Size: after the day's last run.")),
                         charts, m_daysTable},
                        m_daysTable);
  static_cast<QVBoxLayout*>(overTime->layout())->setStretchFactor(charts, 1);
  m_tabs->addTab(overTime, tr("Over time"));
  m_tabs->addTab(page({m_groupBox, m_groupsTable}, m_groupsTable), tr("By group"));
  m_tabs->addTab(page({quietLabel(tr("When the size cap needs room: deleted, quarantined and invalidated "
                                     "entries, then the cheapest to compile again and the longest unused; "
                                     "pinned ones never.")),
                       m_evictionsTable},
                      m_evictionsTable),
                 tr("First to go"));
  m_tabs->addTab(page({quietLabel(tr("What counts now, and where each value comes from.")), m_settingsTable},
                      m_settingsTable),
                 tr("Settings"));
  m_tabs->setDocumentMode(true);
  m_tabs->setAccessibleName(tr("Statistics of the cache"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 4);
  layout->setSpacing(4);
  layout->addWidget(m_summary);
  layout->addWidget(m_used);
  layout->addWidget(m_tabs, 1);
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
  QString said = tr("%1\n%2 of %3")
                     .arg(text(picture->file), countedText(s.entries, tr("entry")),
                          countedText(s.contents, tr("content")));
  if (const QString unusual = unusualText(s); !unusual.isEmpty()) said += tr(" (%1)").arg(unusual);
  said += QStringLiteral(" · ") + countedText(s.hits, tr("hit"));
  if (s.compileNs > 0) said += tr(" · compiling the entries took %1").arg(durationText(s.compileNs));
  m_summary->setText(said);
  m_used->setValue(
      s.capBytes > 0 ? static_cast<int>(std::min<int64_t>(1000, s.usedBytes() * 1000 / s.capBytes)) : 0);
  m_used->setFormat(tr("%1 of %2 (objects %3, recipes and keys %4; file %5)")
                        .arg(bytesText(s.usedBytes()), capText(s.capBytes), bytesText(s.objectBytes),
                             bytesText(s.ownBytes), bytesText(s.fileBytes)));
  m_groups.setData(groupsTable(picture));
  m_days.setData(daysTable(picture));
  m_settings.setData(settingsTable(picture));
  m_evictions.setData(evictionsTable(picture));
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
