#include "ui/timeline/time_dock.h"

#include "ui/runs/run_tables.h"
#include "ui/theme/text.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace nodewise::ui {

TimeDock::TimeDock(RunService& service, NodeFilter& filter, QWidget* parent)
    : QWidget(parent), m_timeline(new TimelineView(service, filter)), m_flame(new FlameView(service, filter)),
      m_tabs(new QTabWidget), m_kind(new QComboBox) {
  for (const CostKindRow& row : costKindTable()) {
    m_kind->addItem(tr("Cost: %1").arg(text(row.name)));
    m_kind->setItemData(m_kind->count() - 1, text(row.doc), Qt::ToolTipRole);
  }
  m_kind->setAccessibleName(tr("Cost that the icicle shows"));
  auto* icicle = new QWidget;
  auto* icicleLayout = new QVBoxLayout(icicle);
  icicleLayout->setContentsMargins(0, 4, 0, 0);
  icicleLayout->addWidget(m_kind, 0, Qt::AlignLeft);
  auto* scroll = new QScrollArea; // deep graphs have more rows than the dock has room
  scroll->setWidget(m_flame);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  icicleLayout->addWidget(scroll, 1);
  m_tabs->setAccessibleName(tr("Time of the run"));
  m_tabs->addTab(m_timeline, tr("Timeline"));
  m_tabs->addTab(icicle, tr("Icicle"));
  m_tabs->setDocumentMode(true);
  auto* title = new QLabel;
  title->setObjectName(QStringLiteral("runTitle"));
  title->setAccessibleName(tr("The run that is shown"));
  title->setTextFormat(Qt::PlainText);
  title->setContentsMargins(8, 0, 8, 6);
  m_tabs->setCornerWidget(title);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(m_tabs, 1);
  connect(m_timeline, &TimelineView::nodePicked, this, &TimeDock::nodePicked);
  connect(m_flame, &FlameView::nodePicked, this, &TimeDock::nodePicked);
  connect(m_kind, &QComboBox::activated, this,
          [this](int row) { m_flame->setKind(costKindTable()[static_cast<size_t>(row)].kind); });
  connect(&service, &RunService::shown, this, [title, &service] {
    const auto run = service.current();
    title->setText(run ? runTitle(run->record.run, QDateTime::currentDateTime()) : QString());
    title->setToolTip(run ? runLine(run->record) : QString());
    // A corner that was laid out while it was empty stays so.
    title->setVisible(run != nullptr);
    title->adjustSize();
  });
}

void TimeDock::setDarkTheme(bool dark) {
  m_timeline->setDarkTheme(dark);
  m_flame->setDarkTheme(dark);
}

void TimeDock::showNode(std::optional<size_t> node) {
  m_timeline->showNode(node);
  m_flame->showNode(node);
}

} // namespace nodewise::ui
