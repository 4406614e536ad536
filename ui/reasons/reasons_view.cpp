#include "ui/reasons/reasons_view.h"

#include "jit/host.h"
#include "ui/theme/numbers.h"
#include "ui/theme/text.h"
#include "ui/widgets/table_setup.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace nodewise::ui {
namespace {

QLabel* makeLabel() {
  auto* label = new QLabel;
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

QTableView* makeTable(QAbstractItemModel& model, const QString& name) {
  auto* table = new QTableView;
  table->setModel(&model);
  table->setAccessibleName(name);
  setUpTable(*table);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  return table;
}

void fit(QTableView& table) {
  table.resizeColumnsToContents();
  for (int c = 0; c < table.model()->columnCount(); ++c)
    table.setColumnWidth(c, std::min(table.columnWidth(c), 360));
}

QWidget* page(std::initializer_list<QWidget*> widgets, QWidget* stretched) {
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 8, 0, 0);
  layout->setSpacing(4);
  for (QWidget* widget : widgets) layout->addWidget(widget, widget == stretched ? 1 : 0);
  return page;
}

TableColumn column(const QString& title, std::function<QString(size_t)> words) {
  TableColumn c;
  c.title = title;
  c.text = std::move(words);
  return c;
}

QString outcomeWords(Outcome outcome) {
  const OutcomeRow& row = outcomeRow(outcome);
  return QChar::fromLatin1(row.letter) + QStringLiteral("  ") + text(row.name);
}

} // namespace

Result<std::map<std::string, int>> parseVersions(const QString& typed) {
  std::map<std::string, int> versions;
  static const QRegularExpression kSeparators(QStringLiteral("[,\\s]+"));
  static const QRegularExpression kPair(QStringLiteral("^([^=]+)=(\\d{1,6})$"));
  for (const QString& word : typed.split(kSeparators, Qt::SkipEmptyParts)) {
    const QRegularExpressionMatch match = kPair.match(word);
    if (!match.hasMatch())
      return Error{"\"" + word.toStdString() + "\" is not OP=VERSION", {}, "as in exp=2, Elemwise=3", {}};
    versions[match.captured(1).toStdString()] = match.captured(2).toInt();
  }
  return versions;
}

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
    labels[m_tabs->currentIndex()]->setText(said);
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
  connect(m_tabs, &QTabWidget::currentChanged, this, &ReasonsView::askForCauses);
  listRuns();
  refresh();
}

QWidget* ReasonsView::makeCauses() {
  m_causesText = makeLabel();
  m_tree = new QTreeView;
  m_tree->setModel(&m_causes);
  m_tree->setAccessibleName(tr("Root causes"));
  setUpTree(*m_tree);
  m_tree->header()->setStretchLastSection(false);
  m_tree->header()->setSectionResizeMode(CascadeModel::Cause, QHeaderView::Stretch);
  onRowPicked(*m_tree, [this](const QModelIndex& index) {
    const CascadeItem* item = m_causes.itemOf(index);
    if (item && item->node && !m_showing) Q_EMIT nodePicked(*item->node);
  });
  auto* filterTo = new QAction(tr("Filter to this"), this);
  filterTo->setToolTip(tr("All views show only this cause and what follows from it"));
  connect(filterTo, &QAction::triggered, this, &ReasonsView::filterToThis);
  m_tree->addAction(filterTo);
  m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
  return page({m_causesText, m_tree}, m_tree);
}

QWidget* ReasonsView::makeWhatIf() {
  const TargetSpec host = hostTarget();
  m_cpu = new QLineEdit;
  m_cpu->setPlaceholderText(tr("this one: %1").arg(text(host.cpu)));
  m_llvm = new QLineEdit;
  m_llvm->setPlaceholderText(tr("the present one; as 20.1.0"));
  m_versions = new QLineEdit;
  m_versions->setPlaceholderText(tr("as they are; as exp=2, Elemwise=3"));
  m_level = new QComboBox;
  m_level->addItem(tr("as it is"), -1);
  for (int level = 0; level <= 3; ++level) m_level->addItem(QStringLiteral("O%1").arg(level), level);
  m_lookUp = new QPushButton(tr("Look up what would miss"));
  auto* form = new QWidget;
  auto* layout = new QFormLayout(form);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
  for (QLineEdit* edit : {m_cpu, m_llvm, m_versions}) {
    edit->setMinimumWidth(280);
    connect(edit, &QLineEdit::returnPressed, this, &ReasonsView::askWhatIf);
  }
  layout->addRow(tr("C&PU"), m_cpu);
  layout->addRow(tr("&LLVM version"), m_llvm);
  layout->addRow(tr("Op &versions"), m_versions);
  layout->addRow(tr("&Optimisation level"), m_level);
  layout->addRow({}, m_lookUp);
  m_whatIfText = makeLabel();
  m_whatIfText->setText(
      tr("Suppose another machine, LLVM or version of an op: nothing is compiled and nothing is changed."));
  m_whatIfTable = makeTable(m_whatIf, tr("What would miss"));
  connect(m_lookUp, &QPushButton::clicked, this, &ReasonsView::askWhatIf);
  onRowPicked(*m_whatIfTable, [this](const QModelIndex& index) {
    if (const auto row = m_whatIf.rowOf(index); row && m_result && !m_showing)
      Q_EMIT nodePicked(m_result->nodes[*row].node);
  });
  return page({form, m_whatIfText, m_whatIfTable}, m_whatIfTable);
}

QWidget* ReasonsView::makeKey() {
  m_with = new QComboBox;
  m_with->setAccessibleName(tr("Compare the key with"));
  m_with->setMinimumContentsLength(36);
  m_entry = new QLineEdit;
  m_entry->setPlaceholderText(tr("first digits of a key"));
  m_entry->setAccessibleName(tr("Key of an entry"));
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(new QLabel(tr("Compare with")));
  row->addWidget(m_with);
  row->addWidget(m_entry);
  row->addStretch(1);
  m_keyText = makeLabel();
  m_keyTable = makeTable(m_key, tr("Two keys, part by part"));
  m_keyTable->setSortingEnabled(false);
  connect(m_with, &QComboBox::activated, this, &ReasonsView::askForKey);
  connect(m_entry, &QLineEdit::returnPressed, this, [this] {
    m_with->setCurrentIndex(1);
    askForKey();
  });
  return page({bar, m_keyText, m_keyTable}, m_keyTable);
}

QWidget* ReasonsView::makeAudit() {
  m_runAudit = new QPushButton(tr("Audit the cache"));
  m_runAudit->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  m_auditText = makeLabel();
  m_auditText->setText(tr(
      "Emits the code of every entry again and compares: the same key with other code is unsound (it could "
      "give wrong results); other keys with the same code are lost hits."));
  m_auditTable = makeTable(m_audit, tr("Unsound and over-specific keys"));
  connect(m_runAudit, &QPushButton::clicked, this, [this] {
    m_auditText->setText(tr("Auditing…"));
    m_service.requestAudit();
  });
  return page({m_runAudit, m_auditText, m_auditTable}, m_auditTable);
}

void ReasonsView::refresh() {
  m_stale = true;
  if (!m_document.isOpen()) {
    m_causes.setItems({});
    m_causesText->setText(tr("No graph open."));
    m_result.reset();
    m_whatIf.setData({});
  }
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
  m_causesText->setText(tr("Looking for root causes…"));
  m_service.requestCauses(m_document.summary() ? m_document.summary()->runId : 0);
}

void ReasonsView::showCauses(const std::vector<CascadeItem>& items, bool recorded) {
  int64_t nodes = 0, cost = 0, roots = 0;
  for (const CascadeItem& item : items)
    if (item.parent < 0) {
      ++roots;
      nodes += item.nodes;
      cost += item.costNs;
    }
  m_causes.setItems(items);
  m_tree->expandToDepth(nodes > 500 ? 0 : 2);
  m_tree->header()->setSectionResizeMode(CascadeModel::Nodes, QHeaderView::ResizeToContents);
  m_tree->header()->setSectionResizeMode(CascadeModel::Cost, QHeaderView::ResizeToContents);
  if (nodes == 0) {
    m_causesText->setText(recorded ? tr("No node missed in the last compile.")
                                   : tr("Every node would hit now."));
    return;
  }
  const QString sum =
      tr("%1 from %2; compiling %3 took %4, as recorded")
          .arg(countedText(nodes, tr("miss")), countedText(roots, tr("cause")),
               nodes == 1 ? tr("it") : tr("them"), cost > 0 ? durationText(cost) : tr("an unknown time"));
  m_causesText->setText((recorded ? tr("In the last compile: %1.") : tr("Looked up now: %1.")).arg(sum));
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
  m_whatIfText->setText(tr("Looking up…"));
  m_service.requestWhatIf(pretend);
}

void ReasonsView::showWhatIf(const std::shared_ptr<const WhatIf>& result) {
  m_result = result;
  const WhatIf* r = result.get();
  TableData tableData;
  tableData.rows = r->nodes.size();
  tableData.keepAlive = result;
  const auto nodes = m_document.nodes();
  const auto info = [nodes, r](size_t row) -> const NodeInfo* {
    const auto n = static_cast<size_t>(r->nodes[row].node);
    return n < nodes.size() ? &nodes[n] : nullptr;
  };
  const auto infoText = [info](size_t row, std::string NodeInfo::*field) {
    const NodeInfo* i = info(row);
    return i ? text(i->*field) : QString();
  };
  TableColumn cost = column(tr("Compile, recorded"), [r](size_t row) {
    return r->nodes[row].costNs > 0 ? durationText(r->nodes[row].costNs) : tr("none of its own");
  });
  cost.number = [r](size_t row) { return r->nodes[row].costNs; };
  cost.exact = [r](size_t row) { return exactDurationText(r->nodes[row].costNs); };
  cost.bar = true;
  tableData.columns = {
      column(tr("Then"), [r](size_t row) { return outcomeWords(r->nodes[row].then); }),
      column(tr("Now"), [r](size_t row) { return outcomeWords(r->nodes[row].now); }),
      column(tr("Op"), [infoText](size_t row) { return infoText(row, &NodeInfo::op); }),
      column(tr("Detail"), [infoText](size_t row) { return infoText(row, &NodeInfo::detail); }),
      cost,
      column(tr("Reason"), [r](size_t row) { return text(r->nodes[row].reason); }),
      column(tr("Path"), [infoText](size_t row) { return infoText(row, &NodeInfo::path); })};
  m_whatIf.setData(std::move(tableData));
  m_whatIf.setShown([r](size_t row) { return r->nodes[row].then != Outcome::Hit; });
  fit(*m_whatIfTable);
  QString said =
      tr("%1 of %2 would miss, %3 of them hit now. Compiling them took %4, as recorded when they were "
         "compiled; it is not measured for what is supposed.")
          .arg(countText(r->misses), countedText(r->hits + r->misses, tr("kernel")), countText(r->newMisses),
               r->costNs > 0 ? durationText(r->costNs) : tr("an unknown time"));
  if (r->unknownCosts > 0) said += tr(" The cost of %1 is not recorded.").arg(countText(r->unknownCosts));
  m_whatIfText->setText(said);
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
  if (m_node < 0)
    m_keyText->setText(tr("Pick a node to see its key beside another."));
  else if (m_now.parts.empty())
    m_keyText->setText(tr("This node has no key: there is nothing to compile."));
  else if (m_then.parts.empty())
    m_keyText->setText(tr("Nothing comparable."));
  else
    m_keyText->setText(tr("Now against %1: %2.")
                           .arg(m_then.title, differing == 0 ? tr("the same key")
                                                             : countedText(static_cast<int64_t>(differing),
                                                                           tr("difference"))));
  fit(*m_keyTable);
}

void ReasonsView::showAudit(const std::shared_ptr<const AuditReport>& report) {
  struct Row {
    bool unsound;
    QString key, what, reason;
    int64_t keys;
  };
  auto rows = std::make_shared<std::vector<Row>>();
  int64_t lost = 0;
  for (const UnsoundKey& u : report->unsound)
    rows->push_back(
        {true, text(u.entry.key.shortHex()), text(u.entry.op + " " + u.entry.label), text(u.reason), 1});
  for (const SharedContent& s : report->overSpecific) {
    lost += static_cast<int64_t>(s.entries.size()) - 1;
    QStringList parts;
    for (const PartDiff& d : s.examples)
      parts.push_back(tr("%1: %2 / %3").arg(text(d.name), text(d.oldValue), text(d.newValue)));
    rows->push_back({false, text(s.content.shortHex()), text(s.entries[0].op + " " + s.entries[0].label),
                     parts.join(QStringLiteral("; ")), static_cast<int64_t>(s.entries.size())});
  }
  const auto* r = rows.get();
  TableData tableData;
  tableData.rows = rows->size();
  tableData.keepAlive = rows;
  TableColumn keys = column(tr("Keys"), [r](size_t row) { return countText((*r)[row].keys); });
  keys.number = [r](size_t row) { return (*r)[row].keys; };
  tableData.columns = {
      column(tr("Finding"),
             [r](size_t row) {
               return (*r)[row].unsound ? tr("!  unsound: same key, other code")
                                        : tr("over-specific: other keys, same code");
             }),
      keys, column(tr("Key or content"), [r](size_t row) { return (*r)[row].key; }),
      column(tr("What"), [r](size_t row) { return (*r)[row].what; }),
      column(tr("Reason, or in what the keys differ"), [r](size_t row) { return (*r)[row].reason; })};
  tableData.columns[2].fixed = true;
  m_audit.setData(std::move(tableData));
  fit(*m_auditTable);
  QString said = tr("%1 made anew: %2, %3 over-specific.")
                     .arg(countedText(report->entries - report->foreign, tr("entry")),
                          report->unsound.empty()
                              ? tr("no key is unsound")
                              : tr("%1 unsound").arg(countText(static_cast<int64_t>(report->unsound.size()))),
                          countedText(lost, tr("key")));
  if (report->foreign > 0)
    said += tr(" %1 for another target or toolchain cannot be made here.").arg(countText(report->foreign));
  m_auditText->setText(said);
}

void ReasonsView::showNode(NodeIndex node) {
  m_node = node;
  m_now = m_then = {};
  showKeys();
  m_showing = true;
  if (const QModelIndex index = m_causes.indexOfNode(node); index.isValid()) {
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
  } else {
    m_tree->clearSelection();
  }
  m_showing = false;
  if (node >= 0 && m_with->currentIndex() > 0) {
    m_document.explain(node); // for this side; the other is asked for beside it
    askForKey();
  }
}

void ReasonsView::setDarkTheme(bool dark) {
  m_dark = dark;
  m_key.setDarkTheme(dark);
}

} // namespace nodewise::ui
