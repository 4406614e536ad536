#include "ui/graph/breadcrumb.h"

#include "ui/graph/focus.h"
#include "ui/theme/numbers.h"

#include <QLabel>
#include <QToolButton>

namespace nodewise::ui {

Breadcrumb::Breadcrumb(QWidget* parent) : QWidget(parent), m_layout(new QHBoxLayout(this)) {
  m_layout->setContentsMargins(8, 4, 8, 4);
  m_layout->setSpacing(4);
  setAccessibleName(tr("Place in the graph"));
  hide();
}

void Breadcrumb::addButton(const QString& text, const QString& toolTip, const std::function<void()>& action) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(toolTip);
  button->setAutoRaise(true);
  // Later: the click takes this button away.
  connect(button, &QToolButton::clicked, this, action, Qt::QueuedConnection);
  m_layout->addWidget(button);
  m_texts.push_back(text);
}

void Breadcrumb::setPlace(const SceneSource& source, const Extent& extent, const QString& title) {
  while (QLayoutItem* item = m_layout->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  m_texts.clear();
  std::vector<GroupId> path;
  for (GroupId id = extent.root; id >= 0; id = source.grouping.groups[static_cast<size_t>(id)].parent)
    path.insert(path.begin(), id);
  for (size_t k = 0; k < path.size(); ++k) {
    const QString name =
        k == 0 ? title : QString::fromStdString(source.grouping.groups[static_cast<size_t>(path[k])].title);
    if (k > 0) m_layout->addWidget(new QLabel(QStringLiteral("›")));
    addButton(name, tr("Show all of %1").arg(name), [this, id = path[k]] { Q_EMIT groupPicked(id); });
  }
  if (extent.focus) {
    m_layout->addWidget(new QLabel(QStringLiteral("›")));
    addButton(tr("%1: %2  ✕").arg(extent.focus->title, countedText(sizeOf(*extent.focus), tr("node"))),
              tr("Show everything again (Esc)"), [this] { Q_EMIT focusLeft(); });
  }
  m_layout->addStretch(1);
  setVisible(path.size() > 1 || extent.focus);
}

} // namespace nodewise::ui
