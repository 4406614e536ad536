#include "ui/widgets/query_problem.h"

#include <QEvent>

#include <algorithm>

namespace nodewise::ui {

QString queryProblemText(const QString& query, const Error& error, FilterPlace place) {
  const QByteArray bytes = query.toUtf8();
  const auto from = static_cast<qsizetype>(std::min(place.from, static_cast<size_t>(bytes.size())));
  const QString before = QString::fromUtf8(bytes.first(from)),
                bad = QString::fromUtf8(bytes.sliced(from).first(
                    std::min(static_cast<qsizetype>(place.length), bytes.size() - from))),
                after = query.sliced(before.size() + bad.size());
  QString text = QStringLiteral("%1<b><u>%2</u></b>%3<br>%4")
                     .arg(before.toHtmlEscaped(), bad.toHtmlEscaped(), after.toHtmlEscaped(),
                          QString::fromStdString(error.what).toHtmlEscaped());
  if (!error.remedy.empty())
    text += QStringLiteral("<br>") + QString::fromStdString(error.remedy).toHtmlEscaped();
  return text;
}

QueryProblem::QueryProblem(QLineEdit& field) : QLabel(&field), m_field(field) {
  setTextFormat(Qt::RichText);
  setWordWrap(true);
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  setForegroundRole(QPalette::ToolTipText);
  setMargin(8);
  setFocusPolicy(Qt::NoFocus);
  hide();
  m_field.installEventFilter(this);
}

void QueryProblem::say(const Error& error, FilterPlace place) {
  setText(queryProblemText(m_field.text(), error, place));
  if (parentWidget() != m_field.window()) {
    setParent(m_field.window());
    m_field.window()->installEventFilter(this);
  }
  this->place();
  show();
  raise();
}

void QueryProblem::place() {
  if (!parentWidget()) return;
  const QPoint corner = m_field.mapTo(parentWidget(), QPoint(0, m_field.height() + 2));
  constexpr int kWidth = 420, kMargin = 4;
  const int width = std::min(kWidth, parentWidget()->width() - 2 * kMargin);
  setFixedWidth(width);
  setFixedHeight(heightForWidth(width));
  move(std::max(kMargin, std::min(corner.x(), parentWidget()->width() - width - kMargin)), corner.y());
}

bool QueryProblem::eventFilter(QObject* object, QEvent* event) {
  if (isVisible() && (event->type() == QEvent::Resize || event->type() == QEvent::Move)) place();
  if (object == &m_field && event->type() == QEvent::Hide) hide();
  return QLabel::eventFilter(object, event);
}

} // namespace nodewise::ui
