#include "ui/widgets/message_bar.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace nodewise::ui {
namespace {

constexpr size_t kMaxLines = 3;
constexpr int kInfoMs = 12000; // what needs no answer goes by itself

struct KindRow {
  const char* mark;
  const char* name;
  const char *light, *dark; ///< backgrounds
};
constexpr std::array<KindRow, 3> kKinds{{{"i", "Information", "#e3f1ea", "#1f3a30"},
                                         {"!", "Warning", "#fdf0d5", "#453713"},
                                         {"‼", "Error", "#fbe3e4", "#4a2226"}}};

} // namespace

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), m_layout(new QVBoxLayout(this)) {
  m_layout->setContentsMargins(0, 0, 0, 0);
  m_layout->setSpacing(1);
  hide();
}

void MessageBar::show(const Message& message) {
  Q_EMIT said(message);
  if (!message.topic.isEmpty()) dismiss(message.topic);
  while (m_lines.size() >= kMaxLines) remove(m_lines.front().widget);
  auto* line = new QFrame;
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(12, 4, 4, 4);
  const KindRow& kind = kKinds[static_cast<size_t>(message.kind)];
  auto* mark = new QLabel(QString::fromUtf8(kind.mark));
  mark->setAccessibleName(tr(kind.name));
  const QString full =
      message.remedy.isEmpty() ? message.text : message.text + QStringLiteral(" — ") + message.remedy;
  auto* text = new QLabel(full.toHtmlEscaped());
  text->setTextFormat(Qt::RichText);
  text->setWordWrap(true);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  text->setAccessibleName(full);
  row->addWidget(mark);
  row->addWidget(text, 1);
  if (!message.actionText.isEmpty()) {
    auto* button = new QToolButton;
    button->setText(message.actionText);
    button->setObjectName(QStringLiteral("messageAction"));
    connect(button, &QToolButton::clicked, this, [this, line, action = message.action] {
      remove(line);
      if (action) action();
    });
    row->addWidget(button);
  }
  auto* close = new QToolButton;
  close->setText(QStringLiteral("✕"));
  close->setAutoRaise(true);
  close->setToolTip(tr("Dismiss"));
  close->setAccessibleName(tr("Dismiss"));
  connect(close, &QToolButton::clicked, this, [this, line] { remove(line); });
  row->addWidget(close);
  m_layout->addWidget(line);
  m_lines.push_back({line, message});
  paintLine(m_lines.back());
  if (message.kind == MessageKind::Info) QTimer::singleShot(kInfoMs, line, [this, line] { remove(line); });
  setVisible(true);
}

void MessageBar::paintLine(const Line& line) const {
  const KindRow& kind = kKinds[static_cast<size_t>(line.message.kind)];
  QPalette palette = line.widget->palette();
  palette.setColor(QPalette::Window, QColor(QString::fromLatin1(m_dark ? kind.dark : kind.light)));
  palette.setColor(QPalette::WindowText, makeTheme(m_dark).text);
  line.widget->setPalette(palette);
  line.widget->setAutoFillBackground(true);
}

void MessageBar::remove(QWidget* widget) {
  std::erase_if(m_lines, [&](const Line& line) { return line.widget == widget; });
  m_layout->removeWidget(widget);
  widget->hide();
  widget->deleteLater();
  setVisible(!m_lines.empty());
}

void MessageBar::dismiss(const QString& topic) {
  const std::vector<Line> lines = m_lines;
  for (const Line& line : lines)
    if (line.message.topic == topic) remove(line.widget);
}

void MessageBar::setDarkTheme(bool dark) {
  m_dark = dark;
  for (const Line& line : m_lines) paintLine(line);
}

QStringList MessageBar::texts() const {
  QStringList texts;
  for (const Line& line : m_lines) texts.push_back(line.message.text);
  return texts;
}

} // namespace nodewise::ui
