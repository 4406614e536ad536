#include "ui/inspector/inspector.h"

#include "cache/words.h"
#include "ui/inspector/group_text.h"
#include "ui/inspector/node_text.h"
#include "ui/theme/numbers.h"
#include "ui/theme/text.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_setup.h"

#include <QDateTime>
#include <QFontDatabase>
#include <QHeaderView>
#include <QVBoxLayout>

namespace nodewise::ui {
namespace {

QLabel* wrappingLabel(const QString& name) {
  auto* label = new QLabel;
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setObjectName(name);
  // Long words (paths, hashes) must not widen the dock.
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  return label;
}

/// Laying out megabytes of text would hold the window up; nobody reads on from there.
QString shownCode(const std::string& code) {
  constexpr size_t kMost = 200'000;
  if (code.size() <= kMost) return QString::fromStdString(code);
  return QString::fromUtf8(code.data(), kMost) +
         QStringLiteral("\n\n… cut here: %1 in all").arg(bytesText(static_cast<int64_t>(code.size())));
}

void setBold(QLabel* label, int pointsMore) {
  QFont font = label->font();
  font.setBold(true);
  if (font.pointSize() > 0) font.setPointSize(font.pointSize() + pointsMore);
  label->setFont(font);
}

} // namespace

Inspector::Inspector(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_title(wrappingLabel(QStringLiteral("inspectorTitle"))),
      m_quiet(wrappingLabel(QStringLiteral("inspectorQuiet"))), m_outcome(new QLabel),
      m_reason(wrappingLabel(QStringLiteral("inspectorReason"))),
      m_keyNote(wrappingLabel(QStringLiteral("keyNote"))),
      m_costNote(wrappingLabel(QStringLiteral("costNote"))), m_tabs(new QTabWidget),
      m_keyTable(new QTableView), m_costTable(new QTableView) {
  setAccessibleName(tr("Inspector"));
  setBold(m_title, 1);
  setBold(m_outcome, 0);
  m_outcome->setObjectName(QStringLiteral("inspectorOutcome"));
  m_outcome->setAutoFillBackground(true);
  m_outcome->setContentsMargins(8, 2, 8, 2);
  m_outcome->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  m_quiet->setForegroundRole(QPalette::PlaceholderText);
  m_compare = new QToolButton;
  m_compare->setText(tr("Compare its key…"));
  m_compare->setToolTip(tr("Every part of its key beside another entry's, or that of a run"));
  m_compare->setFocusPolicy(Qt::TabFocus);
  connect(m_compare, &QToolButton::clicked, this, &Inspector::keyWanted);
  m_reason->installEventFilter(this);

  m_keyTable->setModel(&m_key);
  m_keyTable->setAccessibleName(tr("Key parts"));
  setUpTable(*m_keyTable);
  m_keyTable->setSortingEnabled(false);
  m_keyTable->horizontalHeader()->setStretchLastSection(false); // both share the room
  m_keyTable->horizontalHeader()->setSectionResizeMode(KeyModel::Now, QHeaderView::Stretch);
  m_keyTable->horizontalHeader()->setSectionResizeMode(KeyModel::Then, QHeaderView::Stretch);
  m_costTable->setModel(&m_cost);
  m_costTable->setAccessibleName(tr("Costs by phase"));
  setUpTable(*m_costTable);
  m_costTable->setSortingEnabled(false);
  new ColumnFit(*m_costTable, CostModel::Phase);

  auto* keyPage = new QWidget;
  auto* keyLayout = new QVBoxLayout(keyPage);
  keyLayout->setContentsMargins(0, 4, 0, 0);
  keyLayout->addWidget(m_keyNote);
  keyLayout->addWidget(m_keyTable, 1);
  keyLayout->addStretch(0); // keeps the note at the top where there is no table
  m_tabs->addTab(keyPage, tr("Key"));
  auto* costPage = new QWidget;
  auto* costLayout = new QVBoxLayout(costPage);
  costLayout->setContentsMargins(0, 4, 0, 0);
  costLayout->addWidget(m_costNote);
  costLayout->addWidget(m_costTable, 1);
  m_tabs->addTab(costPage, tr("Cost"));
  m_ir = addCodeTab(tr("IR"), tr("LLVM IR as built"));
  m_optimised = addCodeTab(tr("Optimised"), tr("LLVM IR after optimisation"));
  m_asm = addCodeTab(tr("Asm"), tr("Assembly"));
  m_tabs->setDocumentMode(true);
  m_tabs->setAccessibleName(tr("The node's key, cost and code"));

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->setSpacing(4);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_title, m_outcome, m_reason, m_quiet, m_compare})
    layout->addWidget(widget);
  layout->addSpacing(4);
  layout->addWidget(m_tabs, 1);
  m_empty = new EmptyText(m_tabs);
  layout->addWidget(m_empty, 1);
  connect(m_tabs, &QTabWidget::currentChanged, this, &Inspector::askForCode);
  connect(&m_document, &Document::explained, this, &Inspector::showExplanation);
  connect(&m_document, &Document::coded, this, &Inspector::showCode);
  showNode(-1);
}

QPlainTextEdit* Inspector::addCodeTab(const QString& title, const QString& name) {
  auto* text = new QPlainTextEdit;
  text->setReadOnly(true);
  text->setLineWrapMode(QPlainTextEdit::NoWrap);
  text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  text->setAccessibleName(name);
  text->setTabChangesFocus(true);
  m_tabs->addTab(text, title);
  m_tabs->setTabToolTip(m_tabs->count() - 1, name);
  return text;
}

void Inspector::showGroup(GroupId group) {
  m_group = group;
  showNode(-1);
}

void Inspector::showNode(NodeIndex node) {
  m_node = node;
  if (node >= 0) m_group = -1;
  m_codeAsked = false;
  m_key.setRows({}, false);
  m_cost.clear();
  for (QPlainTextEdit* text : {m_ir, m_optimised, m_asm}) text->clear();
  m_keyNote->clear();
  showHead();
  const bool compiled = node >= 0 && m_document.nodes()[static_cast<size_t>(node)].kind == NodeKind::Kernel;
  if (node >= 0)
    for (const Tab tab : {IrTab, OptimisedTab, AsmTab}) m_tabs->setTabVisible(tab, compiled);
  m_keyTable->setVisible(compiled);
  if (node < 0) return;
  if (!compiled) return m_keyNote->setText(noKeyText(m_document.nodes()[static_cast<size_t>(node)].kind));
  m_keyNote->setText(tr("Reading the key…"));
  m_document.explain(node);
  askForCode();
}

void Inspector::refresh() {
  if (m_node < 0 && m_group >= 0 && !m_document.isWorking()) showHead();
  if (m_node < 0) return;
  showHead();
  const NodeInfo& info = m_document.nodes()[static_cast<size_t>(m_node)];
  // While it works, the session has no time to explain; the last state says what there is to know.
  if (info.kind == NodeKind::Kernel && !m_document.isWorking()) m_document.explain(m_node);
}

void Inspector::showHead() {
  if (m_node < 0 && m_group >= 0 && m_document.isOpen()) return showGroupHead();
  const bool any = m_node >= 0 && m_document.isOpen();
  for (QLabel* label : {m_title, m_outcome, m_reason, m_quiet}) label->setVisible(any);
  const bool hasKey = any && m_document.nodes()[static_cast<size_t>(m_node)].kind == NodeKind::Kernel;
  m_compare->setVisible(hasKey);
  m_reason->setCursor(hasKey ? Qt::PointingHandCursor : Qt::ArrowCursor);
  m_empty->say(any                   ? QString()
               : m_document.isOpen() ? tr("Pick a node: click it in the graph, or find it with Ctrl+F.")
                                     : tr("No graph is open. Open one with Ctrl+O, or drop a file here."));
  if (!any) {
    for (QLabel* label : {m_title, m_outcome, m_reason, m_quiet}) label->clear();
    return;
  }
  const NodeInfo& info = m_document.nodes()[static_cast<size_t>(m_node)];
  const NodeState& state = m_document.states()[static_cast<size_t>(m_node)];
  m_title->setText(text(nodeTitle(info.op, info.detail)));
  const StatusRow& status = statusRow(statusOf(info, state));
  m_outcome->setText(QStringLiteral("%1  %2").arg(QChar(status.letter)).arg(text(status.name).toUpper()));
  const Theme theme = makeTheme(m_dark);
  QPalette palette = m_outcome->palette();
  palette.setColor(QPalette::Window, status.colour == 0 ? theme.frame : theme.fill(status.colour));
  palette.setColor(QPalette::WindowText,
                   status.colour == 0 ? theme.text : Theme::textOn(theme.fill(status.colour)));
  m_outcome->setPalette(palette);
  m_reason->setText(reasonText(info, state, QDateTime::currentSecsSinceEpoch()));
  QString quiet = signatureText(info);
  for (const std::string* more : {&info.name, &info.scope, &info.origin, &info.path})
    if (!more->empty()) quiet += QStringLiteral("\n") + QString::fromStdString(*more);
  m_quiet->setText(quiet);
  showCost();
}

/// Nodes of one key are looked up and compiled once: the times are those of the node that was the first.
void Inspector::showCost() {
  const auto nodes = m_document.nodes();
  const auto states = m_document.states();
  const NodeInfo& info = nodes[static_cast<size_t>(m_node)];
  const NodeState& state = states[static_cast<size_t>(m_node)];
  const Phases* shared = nullptr;
  m_costNote->clear();
  if (info.kind == NodeKind::Kernel && state.outcome && state.phases.total() == 0) {
    for (const NodeIndex other : m_document.nodesOfKeys(std::span(&info.key, 1)))
      if (states[static_cast<size_t>(other)].phases.total() > 0) {
        const NodeInfo& first = nodes[static_cast<size_t>(other)];
        shared = &states[static_cast<size_t>(other)].phases;
        m_costNote->setText(
            tr("Shared with %1 (%2), which has the same key: both were looked up at once. These "
               "are the times of that.")
                .arg(text(nodeTitle(first.op, first.detail)), text(first.path)));
        break;
      }
  }
  if (!shared && state.phases.total() == 0)
    m_costNote->setText(info.kind == NodeKind::Kernel ? tr("Not compiled in this session.")
                                                      : tr("Nothing is compiled for this node."));
  m_costNote->setVisible(!m_costNote->text().isEmpty());
  m_cost.setState(state, shared);
}

/// A click on the reason, not the end of a selection in it.
bool Inspector::eventFilter(QObject* object, QEvent* event) {
  if (object == m_reason && event->type() == QEvent::MouseButtonRelease && !m_compare->isHidden() &&
      !m_reason->hasSelectedText())
    Q_EMIT keyWanted();
  return QWidget::eventFilter(object, event);
}

void Inspector::showGroupHead() {
  const SceneSource& source = *m_document.source();
  const GroupSummary summary =
      groupSummary(source.grouping, m_group, m_document.nodes(), m_document.states());
  m_outcome->setVisible(false);
  m_compare->setVisible(false);
  m_reason->setCursor(Qt::ArrowCursor);
  for (QLabel* label : {m_title, m_reason, m_quiet}) label->setVisible(true);
  m_empty->say(groupHint()); // where a node's tabs stand
  m_title->setText(QString::fromStdString(source.grouping.groups[static_cast<size_t>(m_group)].title));
  m_reason->setText(groupText(summary));
  m_quiet->setText(groupDetails(summary, m_document.nodes()));
}

void Inspector::showExplanation(NodeIndex node, const Result<Explanation>& explanation) {
  if (node != m_node) return;
  if (!explanation.ok()) return m_keyNote->setText(QString::fromStdString(explanation.error().text()));
  const Explanation& e = *explanation;
  m_key.setRows(keyRows(e.key.parts, e.nearestParts), !e.nearestParts.empty());
  QString note = tr("Key %1").arg(QString::fromStdString(e.key.hash.shortHex()));
  if (e.nearestParts.empty())
    note += tr(" · nothing comparable in the cache");
  else if (e.differences.empty())
    note += tr(" · in the cache");
  else
    note += tr(" · %1 from the nearest entry")
                .arg(countedText(static_cast<int64_t>(e.differences.size()), tr("difference")));
  m_keyNote->setText(note);
  // Two equal columns say nothing: the other key is shown where something differs.
  const bool differs = !e.differences.empty();
  m_keyTable->setColumnHidden(KeyModel::Differs, !differs);
  m_keyTable->setColumnHidden(KeyModel::Then, !differs);
  m_keyTable->resizeColumnToContents(KeyModel::Part);
  m_keyTable->resizeColumnToContents(KeyModel::Differs);
  m_keyTable->scrollTo(m_key.firstDifference());
}

void Inspector::askForCode() {
  if (m_node < 0 || m_codeAsked || m_tabs->currentIndex() < IrTab) return;
  if (m_document.nodes()[static_cast<size_t>(m_node)].kind != NodeKind::Kernel) return;
  m_codeAsked = true;
  for (QPlainTextEdit* text : {m_ir, m_optimised, m_asm}) text->setPlainText(tr("Making IR and assembly…"));
  m_document.requestCode(m_node);
}

void Inspector::showCode(NodeIndex node, const Result<NodeCode>& code) {
  if (node != m_node) return;
  if (!code.ok()) {
    for (QPlainTextEdit* text : {m_ir, m_optimised, m_asm})
      text->setPlainText(QString::fromStdString(code.error().text()));
    return;
  }
  m_ir->setPlainText(shownCode(code->ir));
  m_optimised->setPlainText(shownCode(code->optimisedIr));
  m_asm->setPlainText(shownCode(code->assembly));
}

QString Inspector::codeText(int tab) const {
  const QPlainTextEdit* text = tab == IrTab ? m_ir : tab == OptimisedTab ? m_optimised : m_asm;
  return text->toPlainText();
}

void Inspector::setDarkTheme(bool dark) {
  m_dark = dark;
  m_key.setDarkTheme(dark);
  showHead();
}

} // namespace nodewise::ui
