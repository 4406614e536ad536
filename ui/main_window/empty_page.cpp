#include "ui/main_window/empty_page.h"

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
  constexpr size_t kMost = 20; // all that come with the program
  QString text = tr("<p style='font-size:large'><b>No graph open.</b></p><p><a href=\"open\">Open one</a> "
                    "(Ctrl+O), or drop one here.</p>");
  if (!samples.empty()) {
    QStringList links;
    for (size_t k = 0; k < std::min(kMost, samples.size()); ++k)
      links.push_back(link(samples[k].path, samples[k].title));
    text += tr("<p>Or try a sample: %1</p>").arg(links.join(QStringLiteral(" · ")));
  }
  if (!recent.isEmpty()) {
    QStringList links;
    for (const QString& path : recent.first(std::min<qsizetype>(5, recent.size())))
      links.push_back(link(path, QFileInfo(path).fileName()));
    text += tr("<p>Recent: %1</p>").arg(links.join(QStringLiteral("<br>")));
  }
  m_text->setText(text);
}

} // namespace nodewise::ui
