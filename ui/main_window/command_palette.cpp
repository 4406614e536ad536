#include "ui/main_window/command_palette.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace nodewise::ui {
namespace {

constexpr int kWidth = 560, kRows = 12, kRowHeight = 28;

/// The keys of a command at the right, quietly.
class CommandDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const bool selected = option.state & QStyle::State_Selected;
    painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
    painter->drawText(option.rect.adjusted(8, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
                      index.data(CommandListModel::KeysRole).toString());
  }
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return {QStyledItemDelegate::sizeHint(option, index).width(), kRowHeight};
  }
};

} // namespace

CommandPalette::CommandPalette(QWidget* window)
    : QFrame(window), m_box(new QLineEdit), m_list(new QListView) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setAccessibleName(tr("Commands"));
  m_box->setPlaceholderText(tr("What do you want to do?"));
  m_box->setAccessibleName(tr("Find a command"));
  m_box->installEventFilter(this);
  m_list->setModel(&m_model);
  m_list->setItemDelegate(new CommandDelegate(m_list));
  m_list->setUniformItemSizes(true);
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setAccessibleName(tr("Commands found"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->setSpacing(4);
  layout->addWidget(m_box);
  layout->addWidget(m_list);
  connect(m_box, &QLineEdit::textChanged, this, [this](const QString& letters) {
    m_model.setLetters(letters);
    m_list->setCurrentIndex(m_model.index(0));
  });
  connect(m_list, &QListView::clicked, this, &CommandPalette::use);
  hide();
}

void CommandPalette::open(const QList<QAction*>& actions, const QStringList& texts) {
  m_actions = actions;
  std::vector<ListedCommand> commands;
  for (qsizetype k = 0; k < actions.size(); ++k) {
    const QAction* action = actions[k];
    commands.push_back({texts[k], action->shortcut().toString(QKeySequence::NativeText), action->toolTip(),
                        action->isEnabled()});
  }
  m_box->clear();
  m_model.setCommands(std::move(commands));
  const int width = std::min(kWidth, parentWidget()->width() - 32);
  const int height = std::min(kRows * kRowHeight + 56, parentWidget()->height() - 96);
  setGeometry((parentWidget()->width() - width) / 2, 64, width, height);
  show();
  raise();
  m_list->setCurrentIndex(m_model.index(0));
  m_box->setFocus();
}

void CommandPalette::use(const QModelIndex& index) {
  const int k = m_model.commandOf(index);
  if (k < 0 || !m_actions[k]->isEnabled()) return;
  hide();
  parentWidget()->setFocus();
  m_actions[k]->trigger();
}

bool CommandPalette::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::FocusOut) hide();
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(object, event);
  const int rows = m_model.rowCount(), row = m_list->currentIndex().row();
  switch (static_cast<QKeyEvent*>(event)->key()) {
  case Qt::Key_Escape:
    hide();
    parentWidget()->setFocus();
    return true;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    use(m_list->currentIndex());
    return true;
  case Qt::Key_Down:
    m_list->setCurrentIndex(m_model.index(std::min(row + 1, rows - 1)));
    return true;
  case Qt::Key_Up:
    m_list->setCurrentIndex(m_model.index(std::max(row - 1, 0)));
    return true;
  default:
    return QFrame::eventFilter(object, event);
  }
}

} // namespace nodewise::ui
