// Where in the graph one is: the groups around what is shown, and what of it is left out.
#pragma once

#include "ui/graph/scene.h"

#include <QHBoxLayout>
#include <QWidget>

namespace nodewise::ui {

class Breadcrumb : public QWidget {
  Q_OBJECT
public:
  explicit Breadcrumb(QWidget* parent = nullptr);

  /// Hides itself where everything is shown.
  void setPlace(const SceneSource& source, const Extent& extent, const QString& title);
  /// The words of the path, outermost first.
  QStringList texts() const { return m_texts; }

Q_SIGNALS:
  void groupPicked(int group);
  void focusLeft();

private:
  void addButton(const QString& text, const QString& toolTip, const std::function<void()>& action);

  QHBoxLayout* m_layout;
  QStringList m_texts;
};

} // namespace nodewise::ui
