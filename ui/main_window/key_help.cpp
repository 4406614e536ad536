#include "ui/main_window/key_help.h"

#include "ui/cache/cache_actions.h"
#include "ui/main_window/commands.h"

#include <QKeyEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace nodewise::ui {
namespace {

struct KeyRow {
  const char *keys, *text;
};
/// Keys of the graph, which are no commands.
constexpr std::array kGraphKeys{
    KeyRow{"Wheel, +, -", "Zoom"},
    KeyRow{"Space, F", "Show the whole graph"},
    KeyRow{"Drag, Space and drag", "Move"},
    KeyRow{"Shift+arrows", "Move"},
    KeyRow{"Arrows", "Pick the next box or open group"},
    KeyRow{"Ctrl+Up, Ctrl+Down", "Along an edge, up or down"},
    KeyRow{"Ctrl+Left, Ctrl+Right", "The other ends of these edges"},
    KeyRow{"Enter, double click", "Open or close a group"},
    KeyRow{"Ctrl+Enter, Backspace", "Show only a group or inner graph, and back"},
    KeyRow{"Alt+1 … Alt+9", "Set a bookmark"},
    KeyRow{"1 … 9", "Go to a bookmark"},
    KeyRow{"Esc", "Pick nothing; leave the focus"},
};

QString row(const QString& keys, const QString& text) {
  return QStringLiteral("<tr><td style='padding-right:16px'><b>%1</b></td><td>%2</td></tr>")
      .arg(keys.toHtmlEscaped(), text.toHtmlEscaped());
}

QString helpText() {
  const auto translated = [](const char* text) {
    return QCoreApplication::translate("nodewise::ui::KeyHelp", text);
  };
  QString graph;
  QStringList commands;
  for (const KeyRow& key : kGraphKeys) graph += row(translated(key.keys), translated(key.text));
  for (const CommandRow& command : commandTable()) {
    if (!*command.keys) continue;
    commands += row(QString::fromLatin1(command.keys), fullText(command));
  }
  QString table = row(QStringLiteral("Ctrl+A"), translated("Select all that match, loaded or not"));
  qsizetype tableRows = 1;
  for (const CacheActionRow& action : cacheActions())
    if (*action.keys) {
      table += row(QString::fromLatin1(action.keys), translated(action.text));
      ++tableRows;
    }
  // Two columns of about the same height.
  const auto above = static_cast<qsizetype>(kGraphKeys.size()) + tableRows;
  const qsizetype left = std::max<qsizetype>(0, (commands.size() - above) / 2);
  return QStringLiteral("<table><tr><td style='padding-right:40px'><p><b>%1</b></p><table>%2</table>"
                        "<p><b>%3</b></p><table>%4</table><p><b>%5</b></p><table>%6</table></td>"
                        "<td><p>&nbsp;</p><table>%7</table></td></tr></table>")
      .arg(translated("In the graph"), graph, translated("In the cache table"), table,
           translated("Everywhere"), commands.first(left).join(QString()),
           commands.sliced(left).join(QString()));
}

} // namespace

KeyHelp::KeyHelp(QWidget* window) : QFrame(window) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Keys"));
  auto* text = new QLabel(helpText());
  text->setTextFormat(Qt::RichText);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(24, 16, 24, 16);
  layout->addWidget(text);
  auto* hint = new QLabel(tr("Any key closes this."));
  hint->setForegroundRole(QPalette::PlaceholderText);
  layout->addWidget(hint, 0, Qt::AlignRight);
  hide();
}

void KeyHelp::open() {
  adjustSize();
  move((parentWidget()->width() - width()) / 2, std::max(0, (parentWidget()->height() - height()) / 2));
  show();
  raise();
  setFocus();
}

void KeyHelp::keyPressEvent(QKeyEvent*) { hide(); }
void KeyHelp::mousePressEvent(QMouseEvent*) { hide(); }
void KeyHelp::focusOutEvent(QFocusEvent* event) {
  QFrame::focusOutEvent(event);
  hide();
}

} // namespace nodewise::ui
