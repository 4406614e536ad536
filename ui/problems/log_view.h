// All that the window has said since it was opened, newest first: messages go from their bar after a while,
// here they stay.
#pragma once

#include "ui/document/message.h"
#include "ui/models/table_model.h"

#include <QDateTime>
#include <QTableView>

#include <deque>

namespace nodewise::ui {

class LogView : public QWidget {
  Q_OBJECT
public:
  explicit LogView(QWidget* parent = nullptr);

  void add(const Message& message);
  TableModel& model() { return m_model; }
  QTableView& table() { return *m_table; }

  static constexpr size_t kMost = 1000; ///< older ones go

private:
  struct Line {
    QDateTime when;
    MessageKind kind = MessageKind::Info;
    QString text, remedy;
  };
  void copySelected() const;

  std::deque<Line> m_lines; ///< newest first
  TableModel m_model;
  QTableView* m_table;
};

} // namespace nodewise::ui
