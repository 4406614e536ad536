// What a check found, of the database or of entries that were compiled again; and the repair.
#pragma once

#include "ui/cache/cache_service.h"
#include "ui/models/table_model.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

namespace nodewise::ui {

class DoctorPanel : public QFrame {
  Q_OBJECT
public:
  explicit DoctorPanel(CacheService& service, QWidget* parent = nullptr);

  QString summary() const { return m_summary->text(); }
  TableModel& model() { return m_model; }
  QPushButton& repairButton() { return *m_repair; }

private:
  void show(Repair repair, const Result<DoctorReport>& report);
  void showProblems(const QString& summary, const std::vector<EntryProblem>& problems);
  void showFindings(TableData findings, bool canRepair);

  CacheService& m_service;
  TableModel m_model;
  QLabel* m_summary;
  QTableView* m_table;
  QPushButton *m_repair, *m_close;
};

} // namespace nodewise::ui
