#include "ui/reasons/reasons_view.h"

#include "jit/host.h"
#include "ui/reasons/reason_tables.h"
#include "ui/theme/numbers.h"
#include "ui/theme/text.h"

#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace nodewise::ui {
ReasonsView::ReasonsView(ReasonService& service, Document& document, RunService& runs, NodeFilter& filter,
                         QWidget* parent)
    : QWidget(parent), m_service(service), m_document(document), m_runs(runs), m_filter(filter),
      m_tabs(new QTabWidget) {
  m_tabs->setAccessibleName(tr("Causes and keys"));
  m_tabs->addTab(makeCauses(), tr("Root causes"));
  m_tabs->addTab(makeWhatIf(), tr("What if"));
  m_tabs->addTab(makeKey(), tr("Keys"));
  m_tabs->addTab(makeAudit(), tr("Audit"));
  m_tabs->setDocumentMode(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 4);
  layout->addWidget(m_tabs);
  connect(&m_service, &ReasonService::causesReady, this, &ReasonsView::showCauses);
  connect(&m_service, &ReasonService::whatIfReady, this, &ReasonsView::showWhatIf);
  connect(&m_service, &ReasonService::auditReady, this, &ReasonsView::showAudit);
  connect(&m_service, &ReasonService::keyReady, this, [this](const KeySide& key) {
    m_then = key;
    showKeys();
  });
  connect(&m_service, &ReasonService::failed, this, [this](const Error& error) {
    const QString said = QString::fromStdString(error.text());
    QLabel* labels[] = {m_causesText, m_whatIfText, m_keyText, m_auditText};
    EmptyText* waiting[] = {m_causesEmpty, m_whatIfEmpty, m_keyEmpty, m_auditEmpty};
    labels[m_tabs->currentIndex()]->setText(said);
    waiting[m_tabs->currentIndex()]->say({}); // what it waited for does not come
  });
  connect(&m_document, &Document::explained, this, [this](int node, const Result<Explanation>& explanation) {
    if (node != m_node || !explanation.ok()) return;
    m_now = {tr("now"), explanation->key.parts};
    if (m_with->currentIndex() == 0) {
      m_then = {explanation->answer.nearest
                    ? tr("nearest entry %1").arg(text(explanation->answer.nearest->shortHex()))
                    : tr("its entry"),
                explanation->nearestParts};
    }
    showKeys();
  });
  connect(&m_runs, &RunService::listed, this, &ReasonsView::listRuns);
  connect(&m_filter, &NodeFilter::changed, this, &ReasonsView::follow);
  connect(m_tabs, &QTabWidget::currentChanged, this, &ReasonsView::askForCauses);
  listRuns();
  clear();
}

void ReasonsView::clear() {
  m_causes.setItems({});
  m_causesText->clear();
  m_causesEmpty->say(
      m_document.isOpen() ? QString() : tr("No graph is open. Open one with Ctrl+O, or drop a file here."));
  m_result.reset();
  m_whatIf.setData({});
  m_whatIfText->setText(
      tr("Suppose another machine, LLVM or version of an op: nothing is compiled and nothing is changed."));
  m_whatIfEmpty->say(m_document.isOpen()
                         ? tr("Fill in what to suppose, and look up what would miss.")
                         : tr("No graph is open. Open one with Ctrl+O, or drop a file here."));
  showKeys();
  refresh();
}

void ReasonsView::refresh() {
  m_stale = true;
  m_lookUp->setEnabled(m_document.isOpen());
  if (isVisible()) askForCauses();
}

void ReasonsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  askForCauses();
}

/// Only when it is looked at: a large graph takes a second.
void ReasonsView::askForCauses() {
  if (!m_stale || !m_document.isOpen() || m_tabs->currentIndex() != CausesTab) return;
  m_stale = false;
  m_causesText->clear();
  m_causesEmpty->say(tr("Looking for root causes…"));
  m_service.requestCauses(m_document.summary() ? m_document.summary()->runId : 0);
}

void ReasonsView::showCauses(const std::vector<CascadeItem>& items, bool recorded) {
  m_recorded = recorded;
  m_causes.setItems(items);
  tellCauses();
}

/// What the model shows, in a sentence and opened as far as can be overlooked.
void ReasonsView::tellCauses() {
  int64_t nodes = 0, cost = 0, roots = 0;
  for (const CascadeItem& item : m_causes.items())
    if (item.parent < 0) {
      ++roots;
      nodes += item.nodes;
      cost += item.costNs;
    }
  constexpr int64_t kOverlooked = 500;
  m_tree->expandToDepth(nodes > kOverlooked ? 0 : 2);
  m_tree->header()->setSectionResizeMode(CascadeModel::Nodes, QHeaderView::ResizeToContents);
  m_tree->header()->setSectionResizeMode(CascadeModel::Cost, QHeaderView::ResizeToContents);
  m_causesText->clear();
  m_causesEmpty->say(nodes > 0               ? QString()
                     : m_causes.isFiltered() ? tr("None of the nodes that the filters leave missed.")
                     : m_recorded ? tr("Nothing missed in the last compile: every kernel was in the cache.")
                                  : tr("Nothing would miss now: every kernel is in the cache."));
  if (nodes == 0) return;
  const QString sum = tr("%1 from %2; compiling %3 took %4, as recorded")
                          .arg(countedText(nodes, tr("miss")), countedText(roots, tr("cause")),
                               !m_recorded  ? tr("the entries nearest to them")
                               : nodes == 1 ? tr("it")
                                            : tr("them"),
                               cost > 0 ? durationText(cost) : tr("an unknown time"));
  const QString said = (m_recorded ? tr("In the last compile: %1.") : tr("Looked up now: %1.")).arg(sum);
  m_causesText->setText(m_causes.isFiltered() ? said + tr(" Others are filtered out.") : said);
}

void ReasonsView::filterToThis() {
  const CascadeItem* item = m_causes.itemOf(m_tree->currentIndex());
  if (!item) return;
  std::vector<bool> nodes(m_document.nodes().size());
  for (const NodeIndex n : m_causes.nodesBelow(m_tree->currentIndex())) nodes[static_cast<size_t>(n)] = true;
  const QString name = item->node && static_cast<size_t>(*item->node) < nodes.size()
                           ? text(m_document.nodes()[static_cast<size_t>(*item->node)].op)
                           : text(item->text);
  m_filter.push(
      graphFilter(item->node ? tr("follows %1").arg(name) : tr("cause: %1").arg(name), std::move(nodes)));
}

void ReasonsView::askWhatIf() {
  const auto versions = parseVersions(m_versions->text());
  if (!versions.ok()) return m_whatIfText->setText(QString::fromStdString(versions.error().text()));
  Pretend pretend;
  pretend.versions = *versions;
  if (!m_cpu->text().trimmed().isEmpty()) {
    pretend.target = hostTarget();
    pretend.target->cpu = m_cpu->text().trimmed().toStdString();
  }
  if (!m_llvm->text().trimmed().isEmpty()) pretend.llvmVersion = m_llvm->text().trimmed().toStdString();
  if (const int level = m_level->currentData().toInt(); level >= 0) pretend.optLevel = level;
  if (!pretend.anything())
    return m_whatIfText->setText(tr("Suppose something first: fill in one of the fields."));
  m_whatIfText->clear();
  m_whatIfEmpty->say(tr("Looking up…"));
  m_service.requestWhatIf(pretend);
}

void ReasonsView::showWhatIf(const std::shared_ptr<const WhatIf>& result) {
  m_result = result;
  const WhatIf* r = result.get();
  m_whatIf.setData(whatIfTable(result, m_document.nodes(), makeTheme(m_dark)));
  showKeptOfWhatIf();
  if (r->misses == 0)
    return m_whatIfText->setText(tr("Of %1 none would miss.").arg(countedText(r->hits, tr("kernel"))));
  QString said =
      tr("%1 of %2 would miss, %3 of them hit now. Compiling them took %4, as recorded when they were "
         "compiled; it is not measured for what is supposed.")
          .arg(countText(r->misses), countedText(r->hits + r->misses, tr("kernel")), countText(r->newMisses),
               r->costNs > 0 ? durationText(r->costNs) : tr("an unknown time"));
  if (r->unknownCosts > 0) said += tr(" The cost of %1 is not recorded.").arg(countText(r->unknownCosts));
  m_whatIfText->setText(said);
}

void ReasonsView::showKeptOfWhatIf() {
  m_whatIf.setShown([result = m_result, kept = m_causes.shown()](size_t row) {
    if (!result || row >= result->nodes.size() || result->nodes[row].then == Outcome::Hit) return false;
    const auto node = static_cast<size_t>(result->nodes[row].node);
    return !kept || (node < kept->size() && (*kept)[node]);
  });
  if (!m_result) return;
  m_whatIfEmpty->say(m_whatIf.rowCount() > 0 ? QString()
                     : m_result->misses == 0 ? tr("Nothing would miss: no key holds what is supposed.")
                                             : tr("None of the nodes that the filters leave would miss."));
}

void ReasonsView::follow() {
  m_causes.setShown(m_filter.keptInGraph(m_document.nodes().size()));
  if (!m_stale) tellCauses();
  showKeptOfWhatIf();
  showInTree(m_node);
}

void ReasonsView::listRuns() {
  const QSignalBlocker quiet(m_with);
  const QVariant kept = m_with->currentData();
  m_with->clear();
  m_with->addItem(tr("the nearest entry"), 0);
  m_with->addItem(tr("the entry of the key beside"), -1);
  for (const RunRow& run : m_runs.runs())
    m_with->addItem(tr("run %1 · %2").arg(run.id).arg(text(run.file).section(u'/', -1)),
                    QVariant::fromValue<qlonglong>(run.id));
  m_with->setCurrentIndex(std::max(m_with->findData(kept), 0));
}

void ReasonsView::showKeyTab() {
  m_tabs->setCurrentIndex(KeyTab);
  askForKey();
  m_keyTable->setFocus();
}

void ReasonsView::askForKey() {
  m_then = {};
  showKeys();
  if (m_node < 0) return;
  const qlonglong with = m_with->currentData().toLongLong();
  if (with == 0)
    m_document.explain(m_node);
  else if (with < 0 && m_entry->text().trimmed().isEmpty())
    m_keyText->setText(tr("Type the first digits of a key; the Cache page lists keys."));
  else if (with < 0)
    m_service.requestEntry(m_entry->text());
  else
    m_service.requestRunKey(with, text(m_document.nodes()[static_cast<size_t>(m_node)].path));
}

void ReasonsView::showKeys() {
  m_key.setRows(keyRows(m_now.parts, m_then.parts), !m_then.parts.empty());
  const auto differing = diffParts(m_then.parts, m_now.parts).size();
  m_keyEmpty->say(!m_document.isOpen()  ? tr("No graph is open. Open one with Ctrl+O, or drop a file here.")
                  : m_node < 0          ? tr("Pick a node to see its key beside another.")
                  : m_now.parts.empty() ? tr("This node has no key: there is nothing to compile.")
                                        : QString());
  m_keyText->setText(m_now.parts.empty() ? QString() : tr("Nothing in the cache is comparable."));
  if (!m_now.parts.empty() && !m_then.parts.empty())
    m_keyText->setText(tr("Now against %1: %2.")
                           .arg(m_then.title, differing == 0 ? tr("the same key")
                                                             : countedText(static_cast<int64_t>(differing),
                                                                           tr("difference"))));
}

void ReasonsView::showAudit(const std::shared_ptr<const AuditReport>& report) {
  m_audit.setData(auditTable(*report));
  int64_t lost = 0;
  for (const SharedContent& s : report->overSpecific) lost += static_cast<int64_t>(s.entries.size()) - 1;
  QString said = tr("%1 made anew: %2, %3 over-specific.")
                     .arg(countedText(report->entries - report->foreign, tr("entry")),
                          report->unsound.empty()
                              ? tr("no key is unsound")
                              : tr("%1 unsound").arg(countText(static_cast<int64_t>(report->unsound.size()))),
                          countedText(lost, tr("key")));
  if (report->foreign > 0)
    said += tr(" %1 for another target or toolchain cannot be made here.").arg(countText(report->foreign));
  m_auditText->setText(said);
  m_auditEmpty->say(m_audit.rowCount() > 0 ? QString()
                    : report->entries == 0
                        ? tr("The cache is empty: there is nothing to audit.")
                        : tr("All is well: no key is unsound, and no two keys stand for the same code."));
}

QString ReasonsView::emptyText(Tab tab) const {
  const EmptyText* texts[] = {m_causesEmpty, m_whatIfEmpty, m_keyEmpty, m_auditEmpty};
  return texts[tab]->text();
}

void ReasonsView::showNode(NodeIndex node) {
  m_node = node;
  m_now = m_then = {};
  showKeys();
  showInTree(node);
  if (node >= 0 && m_with->currentIndex() > 0) {
    m_document.explain(node); // for this side; the other is asked for beside it
    askForKey();
  }
}

void ReasonsView::showInTree(NodeIndex node) {
  m_showing = true;
  if (const QModelIndex index = m_causes.indexOfNode(node); node >= 0 && index.isValid()) {
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
  } else {
    m_tree->clearSelection();
  }
  m_showing = false;
}

void ReasonsView::setDarkTheme(bool dark) {
  m_dark = dark;
  m_key.setDarkTheme(dark);
  if (!m_result) return;
  m_whatIf.setData(whatIfTable(m_result, m_document.nodes(), makeTheme(dark)));
  showKeptOfWhatIf();
}

} // namespace nodewise::ui
