#include "ui/problems/log_view.h"

#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_setup.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QVBoxLayout>

#include <array>

namespace nodewise::ui {
namespace {

constexpr std::array<const char*, 3> kKinds{QT_TRANSLATE_NOOP("LogView", "information"),
                                            QT_TRANSLATE_NOOP("LogView", "warning"),
                                            QT_TRANSLATE_NOOP("LogView", "error")};

} // namespace

LogView::LogView(QWidget* parent) : QWidget(parent), m_table(new QTableView) {
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Log"));
  setUpTable(*m_table);
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  auto* copy = new QAction(tr("Copy"), this);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, &LogView::copySelected);
  m_table->addAction(copy);
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_table);
  TableData table;
  table.columns = {
      textColumn(
          tr("Time"),
          [this](size_t row) { return m_lines[row].when.time().toString(QStringLiteral("HH:mm:ss")); }),
      textColumn(tr("Kind"),
                 [this](size_t row) { return tr(kKinds[static_cast<size_t>(m_lines[row].kind)]); }),
      textColumn(tr("What"), [this](size_t row) { return m_lines[row].text; }),
      textColumn(tr("What to do"), [this](size_t row) { return m_lines[row].remedy; })};
  m_model.setData(std::move(table));
  constexpr int kWhat = 2;
  new ColumnFit(*m_table, kWhat);
}

void LogView::add(const Message& message) {
  m_lines.push_front({QDateTime::currentDateTime(), message.kind, message.text, message.remedy});
  if (m_lines.size() > kMost) m_lines.pop_back();
  TableData table = m_model.table();
  table.rows = m_lines.size();
  m_model.setData(std::move(table));
}

void LogView::copySelected() const {
  QStringList lines;
  for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
    if (const auto row = m_model.rowOf(index)) {
      const Line& line = m_lines[*row];
      lines.push_back(line.when.toString(Qt::ISODate) + u'\t' + tr(kKinds[static_cast<size_t>(line.kind)]) +
                      u'\t' + line.text +
                      (line.remedy.isEmpty() ? QString() : QStringLiteral(" — ") + line.remedy));
    }
  QApplication::clipboard()->setText(lines.join(u'\n'));
}

} // namespace nodewise::ui
