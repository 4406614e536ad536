#include "ui/widgets/empty_text.h"

#include <algorithm>

namespace nodewise::ui {

EmptyText::EmptyText(QWidget* view) : m_view(view) {
  setAlignment(Qt::AlignCenter);
  setWordWrap(true);
  setTextFormat(Qt::PlainText);
  setForegroundRole(QPalette::PlaceholderText);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored); // long words must not widen what it stands in
  hide();
}

void EmptyText::say(const QString& words) {
  setText(words);
  setVisible(!words.isEmpty());
  if (m_view) m_view->setVisible(words.isEmpty());
}

void EmptyText::resizeEvent(QResizeEvent* event) {
  constexpr int kWidest = 520, kAir = 16; // lines as long as are read easily
  const int side = std::max(kAir, (width() - kWidest) / 2);
  if (contentsMargins().left() != side) setContentsMargins(side, kAir, side, kAir);
  QLabel::resizeEvent(event);
}

} // namespace nodewise::ui
