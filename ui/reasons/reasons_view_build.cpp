// Where things stand in the reasons view.
#include "jit/host.h"
#include "ui/reasons/reasons_view.h"
#include "ui/theme/text.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_setup.h"

#include <QAction>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <optional>

namespace nodewise::ui {
namespace {

QLabel* makeLabel() {
  auto* label = new QLabel;
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

/// `stretched`: the column that takes what room is left; none: the caller says how columns share it.
QTableView* makeTable(QAbstractItemModel& model, const QString& name, std::optional<int> stretched) {
  auto* table = new QTableView;
  table->setModel(&model);
  table->setAccessibleName(name);
  setUpTable(*table);
  if (stretched) new ColumnFit(*table, *stretched);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  return table;
}

/// The table, or what stands in its place, takes the room that the others leave.
QWidget* page(std::initializer_list<QWidget*> above, QWidget* table, QWidget* empty) {
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 8, 0, 0);
  layout->setSpacing(4);
  for (QWidget* widget : above) layout->addWidget(widget);
  for (QWidget* widget : {table, empty}) layout->addWidget(widget, 1);
  return page;
}

} // namespace

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
  auto* compare = new QAction(tr("Compare its key"), this);
  compare->setToolTip(tr("Every part of the node's key beside the nearest entry's (double click)"));
  const auto showKey = [this] {
    const CascadeItem* item = m_causes.itemOf(m_tree->currentIndex());
    if (item && item->node) showKeyTab();
  };
  connect(compare, &QAction::triggered, this, showKey);
  connect(m_tree, &QTreeView::doubleClicked, this, showKey);
  m_tree->addAction(compare);
  m_tree->setExpandsOnDoubleClick(false);
  auto* filterTo = new QAction(tr("Filter to this"), this);
  filterTo->setToolTip(tr("All views show only this cause and what follows from it"));
  connect(filterTo, &QAction::triggered, this, &ReasonsView::filterToThis);
  m_tree->addAction(filterTo);
  m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_causesEmpty = new EmptyText(m_tree);
  return page({m_causesText}, m_tree, m_causesEmpty);
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
  m_whatIfTable = makeTable(m_whatIf, tr("What would miss"), 4);
  connect(m_lookUp, &QPushButton::clicked, this, &ReasonsView::askWhatIf);
  onRowPicked(*m_whatIfTable, [this](const QModelIndex& index) {
    if (const auto row = m_whatIf.rowOf(index); row && m_result && !m_showing)
      Q_EMIT nodePicked(m_result->nodes[*row].node);
  });
  m_whatIfEmpty = new EmptyText(m_whatIfTable);
  return page({form, m_whatIfText}, m_whatIfTable, m_whatIfEmpty);
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
  m_keyTable = makeTable(m_key, tr("Two keys, part by part"), {});
  m_keyTable->setSortingEnabled(false);
  m_keyTable->horizontalHeader()->setStretchLastSection(false);
  m_keyTable->horizontalHeader()->setSectionResizeMode(KeyModel::Part, QHeaderView::ResizeToContents);
  m_keyTable->horizontalHeader()->setSectionResizeMode(KeyModel::Differs, QHeaderView::ResizeToContents);
  for (const int side : {KeyModel::Now, KeyModel::Then}) // both share the room
    m_keyTable->horizontalHeader()->setSectionResizeMode(side, QHeaderView::Stretch);
  connect(m_with, &QComboBox::activated, this, &ReasonsView::askForKey);
  connect(m_entry, &QLineEdit::returnPressed, this, [this] {
    m_with->setCurrentIndex(1);
    askForKey();
  });
  m_keyEmpty = new EmptyText(m_keyTable);
  return page({bar, m_keyText}, m_keyTable, m_keyEmpty);
}

QWidget* ReasonsView::makeAudit() {
  m_runAudit = new QPushButton(tr("Audit the cache"));
  m_runAudit->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  m_auditText = makeLabel();
  m_auditTable = makeTable(m_audit, tr("Unsound and over-specific keys"), 4);
  connect(m_runAudit, &QPushButton::clicked, this, [this] {
    m_auditText->clear();
    m_audit.setData({});
    m_auditEmpty->say(tr("Auditing…"));
    m_service.requestAudit();
  });
  m_auditEmpty = new EmptyText(m_auditTable);
  m_auditEmpty->say(
      tr("The audit emits the code of every entry again and compares. The same key with other code is "
         "unsound: it could give wrong results. Other keys with the same code are lost hits."));
  return page({m_runAudit, m_auditText}, m_auditTable, m_auditEmpty);
}

} // namespace nodewise::ui
