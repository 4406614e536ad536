#include "ui/passes/passes_view.h"

#include "ui/theme/numbers.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_setup.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollBar>
#include <QSplitter>
#include <QSyntaxHighlighter>
#include <QTextBlock>
#include <QVBoxLayout>

namespace nodewise::ui {
namespace {

/// Lines that came or went; the mark in front says the same without colour.
class DifferenceColours : public QSyntaxHighlighter {
public:
  using QSyntaxHighlighter::QSyntaxHighlighter;
  void highlightBlock(const QString& text) override {
    if (!text.startsWith(u'+') && !text.startsWith(u'-')) return;
    QTextCharFormat format;
    QColor colour(text.startsWith(u'+') ? 0xff009e73 : 0xffd55e00);
    colour.setAlphaF(0.28F);
    format.setBackground(colour);
    setFormat(0, static_cast<int>(text.size()), format);
  }
};

/// What a pass changed is rarely at the top: scrolls to a little above the first line that came or went.
void showFirstChange(QPlainTextEdit& difference) {
  constexpr int kAbove = 2;
  QTextBlock block = difference.document()->begin();
  while (block.isValid() && !block.text().startsWith(u'+') && !block.text().startsWith(u'-'))
    block = block.next();
  if (!block.isValid()) return;
  difference.setTextCursor(QTextCursor(block));
  difference.verticalScrollBar()->setValue(std::max(0, block.blockNumber() - kAbove));
}

} // namespace

PassesView::PassesView(NodeService& service, Document& document, QWidget* parent)
    : QWidget(parent), m_service(service), m_document(document), m_summary(new QLabel),
      m_tabs(new QTabWidget), m_empty(new EmptyText(m_tabs)), m_table(new QTableView),
      m_assembly(new QTableView), m_difference(new QPlainTextEdit),
      m_unchanged(new QCheckBox(tr("Also what changed nothing"))), m_search(new QLineEdit) {
  const auto setUp = [](QTableView& table, TableModel& model, const QString& name, int stretched) {
    table.setModel(&model);
    table.setAccessibleName(name);
    setUpTable(table);
    new ColumnFit(table, stretched);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
  };
  setUp(*m_table, m_passes, tr("LLVM passes"), 1);
  setUp(*m_assembly, m_instructions, tr("Assembly with costs"), 5);
  m_assembly->setSortingEnabled(false);
  m_search->setPlaceholderText(tr("Find a pass, or IR that it changed"));
  m_search->setClearButtonEnabled(true);
  m_search->setAccessibleName(tr("Find a pass"));
  m_difference->setReadOnly(true);
  m_difference->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_difference->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_difference->setAccessibleName(tr("IR before and after the pass"));
  m_difference->setPlaceholderText(tr("Pick a pass to see what it changed."));
  m_difference->setTabChangesFocus(true);
  new DifferenceColours(m_difference->document());
  m_summary->setWordWrap(true);
  m_summary->setTextFormat(Qt::PlainText);

  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(0, 0, 0, 0);
  bar->addWidget(m_search, 1);
  bar->addWidget(m_unchanged);
  auto* left = new QWidget;
  auto* leftLayout = new QVBoxLayout(left);
  leftLayout->setContentsMargins(0, 4, 0, 0);
  leftLayout->setSpacing(4);
  leftLayout->addLayout(bar);
  leftLayout->addWidget(m_table, 1);
  auto* split = new QSplitter(Qt::Horizontal);
  split->addWidget(left);
  split->addWidget(m_difference);
  split->setStretchFactor(1, 1);
  split->setSizes({420, 800}); // the table's columns, whole
  m_tabs->setAccessibleName(tr("Passes and assembly"));
  m_tabs->addTab(split, tr("Passes"));
  m_tabs->addTab(m_assembly, tr("Assembly"));
  m_tabs->setDocumentMode(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->setSpacing(4);
  layout->addWidget(m_summary);
  layout->addWidget(m_tabs, 1);
  layout->addWidget(m_empty, 1);

  connect(&m_service, &NodeService::passesReady, this,
          [this](int node, const std::shared_ptr<const NodePasses>& passes) {
            if (node == m_node) show(passes);
          });
  connect(&m_service, &NodeService::passesFailed, this, [this](int node, const Error& error) {
    if (node == m_node) m_empty->say(QString::fromStdString(error.text()));
  });
  connect(m_unchanged, &QCheckBox::toggled, this, &PassesView::filterRows);
  connect(m_search, &QLineEdit::textChanged, this, &PassesView::filterRows);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &PassesView::showDifference);
  showNode(-1);
}

void PassesView::showNode(NodeIndex node) {
  m_node = node;
  m_asked = -1;
  m_recorded.reset();
  m_passes.setData({});
  m_instructions.setData({});
  m_difference->clear();
  m_summary->clear();
  m_summary->hide();
  if (!m_document.isOpen())
    m_empty->say(tr("No graph is open. Open one with Ctrl+O, or drop a file here."));
  else if (node < 0)
    m_empty->say(tr("Pick a node: its LLVM passes are recorded when you look at them here."));
  else if (m_document.nodes()[static_cast<size_t>(node)].kind != NodeKind::Kernel)
    m_empty->say(tr("This node has no code of its own: there is nothing to compile."));
  else
    m_empty->say(tr("Recording passes…"));
  if (isVisible()) ask();
}

void PassesView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  ask();
}

/// Only for a node that is looked at: keeping the IR around every pass costs many times the compile.
void PassesView::ask() {
  if (m_node < 0 || m_asked == m_node) return;
  if (m_document.nodes()[static_cast<size_t>(m_node)].kind != NodeKind::Kernel) return;
  m_asked = m_node;
  m_empty->say(tr("Recording passes…"));
  m_service.requestPasses(m_node);
}

void PassesView::show(const std::shared_ptr<const NodePasses>& passes) {
  m_recorded = passes;
  m_passes.setData(passesTable(passes));
  m_instructions.setData(instructionsTable(passes));
  int64_t sum = 0, changing = 0;
  for (const PassRecord& pass : passes->passes) {
    sum += pass.ns;
    changing += pass.changed;
  }
  m_summary->setText(
      tr("Build IR %1 · %2 %3, %4 of them changed something · code generation %5%6")
          .arg(durationText(passes->buildNs),
               countedText(static_cast<int64_t>(passes->passes.size()), tr("pass")), durationText(sum),
               countText(changing), durationText(passes->codegenNs),
               passes->costs.hasModel ? QString() : tr(" · LLVM has no scheduling model of this CPU")));
  m_summary->show();
  m_empty->say({});
  filterRows();
}

void PassesView::filterRows() {
  const bool all = m_unchanged->isChecked();
  const std::string wanted = m_search->text().trimmed().toStdString();
  const auto p = m_recorded;
  m_passes.setShown([p, all, wanted](size_t row) {
    if (!p) return false;
    if (row >= p->passes.size())
      return wanted.empty() || std::string_view("code generation").find(wanted) != std::string::npos;
    const PassRecord& pass = p->passes[row];
    if (!pass.changed && !all) return false;
    return wanted.empty() || pass.name.find(wanted) != std::string::npos ||
           (pass.changed && (pass.irAfter.find(wanted) != std::string::npos) !=
                                (pass.irBefore.find(wanted) != std::string::npos));
  });
  if (m_passes.rowCount() > 0 && !m_table->currentIndex().isValid())
    m_table->setCurrentIndex(m_passes.index(0, 0));
}

void PassesView::showDifference() {
  m_difference->clear();
  const auto row = m_passes.rowOf(m_table->currentIndex());
  if (!row || !m_recorded || *row >= m_recorded->passes.size()) return;
  const PassRecord& pass = m_recorded->passes[*row];
  constexpr size_t kLines = 1500; // more is neither read nor laid out at once
  m_difference->setPlainText(pass.changed
                                 ? QString::fromStdString(textDifference(pass.irBefore, pass.irAfter, kLines))
                                 : QString::fromStdString(pass.irAfter.substr(0, 200'000)));
  if (pass.changed) showFirstChange(*m_difference);
}

} // namespace nodewise::ui
