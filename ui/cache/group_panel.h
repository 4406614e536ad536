// Entries by the value of a column, beside the table: picking a group keeps only its entries.
#pragma once

#include "cache/list.h"
#include "ui/models/table_model.h"

#include <QTableView>
#include <QToolButton>
#include <QWidget>

#include <span>

namespace nodewise::ui {

/// What entries can be grouped by.
struct GroupByRow {
  EntryColumn column;
  const char* name;
  const char* field; ///< of the query language
};
std::span<const GroupByRow> groupByTable();
/// A group as a term of the query language: op="Sum", age<1d. Empty where a value is.
QString groupTerm(EntryColumn column, const std::string& value);

class GroupPanel : public QWidget {
  Q_OBJECT
public:
  explicit GroupPanel(QWidget* parent = nullptr);

  void setGroups(EntryColumn column, std::vector<EntryGroup> groups);
  QTableView& table() { return *m_table; }
  TableModel& model() { return m_model; }
  /// The term of the picked group; empty: all entries.
  const QString& term() const { return m_term; }
  void clear();

Q_SIGNALS:
  void termChanged();

private:
  void setTerm(const QString& term);

  EntryColumn m_column = EntryColumn::Op;
  TableModel m_model;
  QTableView* m_table;
  QToolButton* m_all;
  QString m_term;
  bool m_showing = false;
};

} // namespace nodewise::ui
