#include "ui/main_window/empty_page.h"

#include <QEvent>
#include <QFileInfo>
#include <QUrl>
#include <QVBoxLayout>

namespace nodewise::ui {
namespace {

QString link(const QString& path, const QString& text) {
  return QStringLiteral("<a href=\"%1\">%2</a>")
      .arg(QUrl::fromLocalFile(path).toString().toHtmlEscaped(), text.toHtmlEscaped());
}

} // namespace

EmptyPage::EmptyPage(QWidget* parent) : QWidget(parent), m_text(new QLabel) {
  m_text->setAlignment(Qt::AlignCenter);
  m_text->setTextFormat(Qt::RichText);
  m_text->setWordWrap(true);
  m_text->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(m_text);
  connect(m_text, &QLabel::linkActivated, this, [this](const QString& target) {
    if (target == QStringLiteral("open"))
      Q_EMIT openRequested();
    else
      Q_EMIT fileRequested(QUrl(target).toLocalFile());
  });
  setFiles({}, {});
}

void EmptyPage::setFiles(const std::vector<Sample>& samples, const QStringList& recent) {
  m_samples = samples;
  m_recent = recent;
  write();
}

void EmptyPage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) write(); // links keep the colour that they were written in
}

void EmptyPage::write() {
  constexpr size_t kMost = 20; // all that come with the program
  QString text = tr("<p style='font-size:large'><b>No graph open.</b></p><p><a href=\"open\">Open one</a> "
                    "(Ctrl+O), or drop one here.</p>");
  if (!m_samples.empty()) {
    QStringList links;
    for (size_t k = 0; k < std::min(kMost, m_samples.size()); ++k)
      links.push_back(link(m_samples[k].path, m_samples[k].title));
    text += tr("<p>Or try a sample: %1</p>").arg(links.join(QStringLiteral(" · ")));
  }
  if (!m_recent.isEmpty()) {
    QStringList links;
    for (const QString& path : m_recent.first(std::min<qsizetype>(5, m_recent.size())))
      links.push_back(link(path, QFileInfo(path).fileName()));
    text += tr("<p>Recent: %1</p>").arg(links.join(QStringLiteral("<br>")));
  }
  m_text->setText({}); // an equal text would not be laid out again
  m_text->setText(text);
}

} // namespace nodewise::ui
