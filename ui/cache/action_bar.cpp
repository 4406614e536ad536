#include "ui/cache/action_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>

namespace nodewise::ui {

ActionBar::ActionBar(CacheService& service, QWidget* parent)
    : QFrame(parent), m_service(service), m_title(new QLabel), m_text(new QLabel), m_doIt(new QPushButton),
      m_cancel(new QPushButton(tr("Cancel"))) {
  setFrameShape(QFrame::StyledPanel);
  setAccessibleName(tr("What the action would do"));
  QFont bold = font();
  bold.setBold(true);
  m_title->setFont(bold);
  m_text->setWordWrap(true);
  m_doIt->setText(tr("Do it")); // until there is something to do
  m_text->setTextFormat(Qt::PlainText);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->addWidget(m_title);
  layout->addWidget(m_text, 1);
  layout->addWidget(m_doIt);
  layout->addWidget(m_cancel);
  hide();
  connect(m_doIt, &QPushButton::clicked, this, &ActionBar::agree);
  connect(m_cancel, &QPushButton::clicked, this, &ActionBar::dismiss);
  connect(&m_service, &CacheService::previewed, this, &ActionBar::show);
}

void ActionBar::offer(const CacheRequest& request) { m_service.preview(request); }

void ActionBar::show(const CacheRequest& request, const Result<ActionReport>& report) {
  if (!report.ok() && report.error().what == "cancelled") return;
  m_request = request;
  const CacheActionRow& row = actionRow(request.action);
  const QString name = tr(row.text).remove(u'…');
  m_title->setText(request.about.isEmpty() ? name : tr("%1: %2").arg(name, request.about));
  const bool possible =
      report.ok() && (report->entries > 0 || (request.action == CacheAction::Vacuum && report->bytes > 0));
  if (!report.ok())
    m_text->setText(QString::fromStdString(report.error().text()));
  else if (!possible)
    m_text->setText(tr("Nothing to do. %1").arg(tr(row.idle)));
  else
    m_text->setText(sentence(report->summary));
  m_doIt->setText(tr(row.text));
  m_doIt->setVisible(possible);
  m_cancel->setText(possible ? tr("Cancel") : tr("Close"));
  m_doIt->setAccessibleDescription(m_title->text() + u' ' + m_text->text());
  QFrame::show();
  (possible && !row.careful ? m_doIt : m_cancel)->setFocus(Qt::OtherFocusReason);
}

void ActionBar::agree() {
  const CacheRequest request = m_request;
  dismiss();
  if (request.action == CacheAction::Export && request.file.empty())
    Q_EMIT fileWanted(request);
  else
    m_service.perform(request);
}

void ActionBar::dismiss() {
  m_service.dropPreview();
  const bool hadFocus = isAncestorOf(window()->focusWidget());
  hide();
  if (hadFocus && m_back) m_back->setFocus(Qt::OtherFocusReason);
}

void ActionBar::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
  case Qt::Key_Escape:
    return dismiss();
  case Qt::Key_Return:
  case Qt::Key_Enter:
    // A push button outside a dialog knows only the space bar.
    return m_doIt->isVisible() && !m_cancel->hasFocus() ? agree() : dismiss();
  default:
    QFrame::keyPressEvent(event);
  }
}

} // namespace nodewise::ui
