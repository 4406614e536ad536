// What the keys do, over the window until the next key or click.
#pragma once

#include <QFrame>

namespace nodewise::ui {

class KeyHelp : public QFrame {
  Q_OBJECT
public:
  explicit KeyHelp(QWidget* window);
  void open();

protected:
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
};

} // namespace nodewise::ui
