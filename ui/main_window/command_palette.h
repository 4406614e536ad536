// All commands in one list, found by a few letters of their names.
#pragma once

#include "ui/models/command_list_model.h"

#include <QAction>
#include <QFrame>
#include <QLineEdit>
#include <QListView>

namespace nodewise::ui {

class CommandPalette : public QFrame {
  Q_OBJECT
public:
  explicit CommandPalette(QWidget* window);

  /// Opens over the window with these actions as they are now.
  void open(const QList<QAction*>& actions, const QStringList& texts);
  QLineEdit& box() { return *m_box; }
  CommandListModel& model() { return m_model; }

protected:
  bool eventFilter(QObject* object, QEvent* event) override;

private:
  void use(const QModelIndex& index);

  QList<QAction*> m_actions;
  CommandListModel m_model;
  QLineEdit* m_box;
  QListView* m_list;
};

} // namespace nodewise::ui
