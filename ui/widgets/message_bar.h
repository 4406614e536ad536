// Messages in place, above what they are about: one line each, with what to do, a button where there is one,
// and a cross. None of them blocks.
#pragma once

#include "ui/document/message.h"

#include <QFrame>
#include <QStringList>
#include <QVBoxLayout>

#include <vector>

namespace nodewise::ui {

class MessageBar : public QFrame {
  Q_OBJECT
public:
  explicit MessageBar(QWidget* parent = nullptr);

  void show(const Message& message);
  void dismiss(const QString& topic);
  void setDarkTheme(bool dark);
  /// Texts shown, newest last.
  QStringList texts() const;

Q_SIGNALS:
  void said(const nodewise::ui::Message& message);

private:
  struct Line {
    QWidget* widget = nullptr;
    Message message;
  };
  void remove(QWidget* widget);
  void paintLine(const Line& line) const;

  QVBoxLayout* m_layout;
  std::vector<Line> m_lines;
  bool m_dark = false;
};

} // namespace nodewise::ui
