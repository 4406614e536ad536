// The cache as a whole: what it holds and may hold, how often it hit and what it saved by day, entries by op,
// dtype, target or state, and every setting with where its value comes from.
#pragma once

#include "ui/models/table_model.h"
#include "ui/stats/day_chart.h"
#include "ui/stats/stats_service.h"

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QTabWidget>
#include <QTableView>

namespace nodewise::ui {

TableData groupsTable(const std::shared_ptr<const CachePicture>& picture);
TableData daysTable(const std::shared_ptr<const CachePicture>& picture);
TableData settingsTable(const std::shared_ptr<const CachePicture>& picture);

class StatsView : public QWidget {
  Q_OBJECT
public:
  explicit StatsView(StatsService& service, QWidget* parent = nullptr);

  void setDarkTheme(bool dark);
  /// The cache changed: what is shown is read again, now or when it is looked at.
  void refresh();

  TableModel& groups() { return m_groups; }
  TableModel& days() { return m_days; }
  TableModel& settings() { return m_settings; }
  TableModel& evictions() { return m_evictions; }
  const DayChart& sizeChart() const { return *m_size; }
  QTabWidget& tabs() { return *m_tabs; }
  QComboBox& groupBox() { return *m_groupBox; }
  QTableView& groupsTableView() { return *m_groupsTable; }
  QString summary() const { return m_summary->text(); }

Q_SIGNALS:
  /// A filter term for the cache table: "op:Elemwise".
  void filterPicked(const QString& term);

protected:
  void showEvent(QShowEvent* event) override;

private:
  void ask();
  void show(const std::shared_ptr<const CachePicture>& picture);
  void showDays(const std::vector<DayStats>& days);

  StatsService& m_service;
  TableModel m_groups, m_days, m_settings, m_evictions;
  QLabel* m_summary;
  QProgressBar* m_used;
  DayChart *m_rate, *m_saved, *m_size;
  QComboBox* m_groupBox;
  QTabWidget* m_tabs;
  QTableView *m_groupsTable, *m_daysTable, *m_settingsTable, *m_evictionsTable;
  bool m_stale = true;
};

} // namespace nodewise::ui
