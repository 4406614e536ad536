// What a view says while it has nothing to show.
#pragma once

#include <QLabel>

namespace nodewise::ui {

/// Stands in a view's place: in the middle, quiet, wrapped to a readable width, and says what to do. Both are
/// to be added to the layout, with the same stretch.
class EmptyText : public QLabel {
  Q_OBJECT
public:
  /// Null: it stands for nothing, and is shown and hidden by its text alone.
  explicit EmptyText(QWidget* view = nullptr);

  /// Shows these words instead of the view; none: the view.
  void say(const QString& words);

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  QWidget* m_view;
};

} // namespace nodewise::ui
