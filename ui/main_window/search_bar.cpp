#include "ui/main_window/search_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>

#include <algorithm>

namespace nodewise::ui {
namespace {

constexpr int kTypingMs = 120;

} // namespace

SearchBar::SearchBar(QWidget* parent)
    : QWidget(parent), m_box(new QLineEdit), m_count(new QLabel), m_problem(new QueryProblem(*m_box)),
      m_previous(new QToolButton), m_next(new QToolButton) {
  m_box->setPlaceholderText(tr("Find: exp  op:Elemwise  rank=2  state:miss  cost>5ms"));
  m_box->setClearButtonEnabled(true);
  m_box->setMinimumWidth(220);
  m_box->setMaximumWidth(420);
  m_box->setAccessibleName(tr("Find nodes"));
  m_box->installEventFilter(this);
  m_previous->setText(QStringLiteral("↑"));
  m_previous->setToolTip(tr("Previous (Shift+F3)"));
  m_previous->setAccessibleName(tr("Previous match"));
  m_next->setText(QStringLiteral("↓"));
  m_next->setToolTip(tr("Next (F3, Enter)"));
  m_next->setAccessibleName(tr("Next match"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(4, 0, 4, 0);
  layout->setSpacing(4);
  layout->addWidget(m_box, 1);
  layout->addWidget(m_count);
  layout->addWidget(m_previous);
  layout->addWidget(m_next);
  m_typing.setSingleShot(true);
  m_typing.setInterval(kTypingMs);
  connect(m_box, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
  connect(&m_typing, &QTimer::timeout, this, [this] { Q_EMIT queryChanged(m_box->text()); });
  connect(m_next, &QToolButton::clicked, this, [this] { next(1); });
  connect(m_previous, &QToolButton::clicked, this, [this] { next(-1); });
  showCount();
}

void SearchBar::setQuery(const QString& query) {
  m_box->setText(query);
  m_typing.stop();
  Q_EMIT queryChanged(query);
}

void SearchBar::clear() {
  if (!m_box->text().isEmpty()) setQuery({});
}

void SearchBar::setFound(std::vector<NodeIndex> found) {
  // Where the one that was gone to is still found, one goes on from there.
  const NodeIndex current = m_stepped && m_at < m_found.size() ? m_found[m_at] : -1;
  m_found = std::move(found);
  const auto again = std::ranges::lower_bound(m_found, current);
  m_stepped = current >= 0 && again != m_found.end() && *again == current;
  m_at = m_stepped ? static_cast<size_t>(again - m_found.begin()) : 0;
  m_box->setToolTip({});
  m_problem->hide();
  showCount();
}

void SearchBar::showNode(NodeIndex node) {
  const auto at = std::ranges::lower_bound(m_found, node);
  if (node < 0 || at == m_found.end() || *at != node) return;
  m_at = static_cast<size_t>(at - m_found.begin());
  m_stepped = true;
  showCount();
}

void SearchBar::setProblem(const Error& error, FilterPlace place) {
  const QString problem = QString::fromStdString(error.text());
  m_problem->say(error, place);
  m_found.clear();
  m_count->setText(tr("cannot be read"));
  m_count->setToolTip(problem);
  m_box->setToolTip(problem);
  m_next->setEnabled(false);
  m_previous->setEnabled(false);
}

void SearchBar::showCount() {
  const bool any = !m_found.empty();
  m_next->setEnabled(any);
  m_previous->setEnabled(any);
  m_count->setToolTip({});
  if (m_box->text().isEmpty())
    m_count->clear();
  else if (!any)
    m_count->setText(tr("none"));
  else
    m_count->setText(tr("%1 of %2").arg(m_stepped ? m_at + 1 : 0).arg(m_found.size()));
}

void SearchBar::settle() {
  if (!m_typing.isActive()) return;
  m_typing.stop();
  Q_EMIT queryChanged(m_box->text());
}

void SearchBar::next(int step) {
  settle();
  if (m_found.empty()) return;
  if (m_stepped)
    m_at = (m_at + m_found.size() + static_cast<size_t>(step + static_cast<int>(m_found.size()))) %
           m_found.size();
  else
    m_at = step > 0 ? 0 : m_found.size() - 1;
  m_stepped = true;
  showCount();
  Q_EMIT nodePicked(m_found[m_at]);
}

bool SearchBar::eventFilter(QObject* object, QEvent* event) {
  if (object == m_box && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape) {
      clear();
      return true;
    }
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
      if (key->modifiers() & Qt::ControlModifier) {
        settle();
        Q_EMIT filterRequested();
        return true;
      }
      next(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
      return true;
    }
  }
  return QWidget::eventFilter(object, event);
}

} // namespace nodewise::ui
