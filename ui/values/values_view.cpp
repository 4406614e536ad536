#include "ui/values/values_view.h"

#include "cache/words.h"
#include "ui/theme/numbers.h"
#include "ui/theme/status.h"
#include "ui/theme/text.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_setup.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <cmath>

namespace nodewise::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("ValuesView", text); }

/// Numbers sort by size although columns hold whole numbers: the bits of a double, in order.
int64_t sortable(double value) {
  const auto bits = std::bit_cast<int64_t>(value);
  return bits >= 0 ? bits : std::numeric_limits<int64_t>::min() - bits;
}

/// With the sign that all views have for minus.
QString numberText(double value, int digits) {
  return QString::number(value, 'g', digits).replace(u'-', QStringLiteral("−"));
}

using Field = double ValueStats::*;

TableColumn numberColumn(const QString& title, const ValueRows* r, Field field) {
  TableColumn column;
  column.title = title;
  column.number = [r, field](size_t row) {
    const ValueStats& stats = *r->rows[row].stats;
    return stats.finite > 0 ? sortable(stats.*field) : std::numeric_limits<int64_t>::min();
  };
  column.text = [r, field](size_t row) {
    const ValueStats& stats = *r->rows[row].stats;
    return stats.finite > 0 ? numberText(stats.*field, 5) : QString();
  };
  column.exact = [r, field](size_t row) {
    const ValueStats& stats = *r->rows[row].stats;
    return stats.finite > 0 ? numberText(stats.*field, 17) : QString();
  };
  return column;
}

TableColumn countColumn(const QString& title, const ValueRows* r, int64_t ValueStats::*field) {
  TableColumn column;
  column.title = title;
  column.number = [r, field](size_t row) { return r->rows[row].stats->*field; };
  column.text = [r, field](size_t row) {
    const int64_t count = r->rows[row].stats->*field;
    return count == 0 ? QString() : countText(count);
  };
  return column;
}

} // namespace

std::shared_ptr<const ValueRows> valueRows(const std::shared_ptr<const ValueReport>& report) {
  auto rows = std::make_shared<ValueRows>();
  rows->report = report;
  if (!report) return rows;
  for (const NodeValues& node : report->nodes) {
    const bool first = report->firstNan == node.node || report->firstInf == node.node;
    for (size_t k = 0; k < node.in.size(); ++k)
      rows->rows.push_back({node.node, false, k, &node.in[k], first});
    for (size_t k = 0; k < node.out.size(); ++k)
      rows->rows.push_back({node.node, true, k, &node.out[k], first});
  }
  return rows;
}

TableData valuesTable(const std::shared_ptr<const ValueRows>& rows, std::span<const NodeInfo> nodes,
                      const Theme& theme) {
  TableData data;
  if (!rows) return data;
  const ValueRows* r = rows.get();
  data.rows = rows->rows.size();
  data.keepAlive = rows;
  const auto info = [r, nodes](size_t row) -> const NodeInfo* {
    const auto n = static_cast<size_t>(r->rows[row].node);
    return n < nodes.size() ? &nodes[n] : nullptr;
  };
  QColor mark = theme.fill(statusRow(Status::Failed).colour);
  mark.setAlphaF(0.35F);
  const auto background = [r, mark](size_t row) { return r->rows[row].first ? mark : QColor(); };
  TableColumn node, value, type, shape;
  node.title = tr("Node");
  node.text = [info](size_t row) {
    const NodeInfo* i = info(row);
    if (!i) return QString();
    return text(nodeTitle(i->op, i->detail));
  };
  node.exact = [info](size_t row) {
    const NodeInfo* i = info(row);
    return i ? text(nodeTitle(i->op, i->detail) + "\n" + i->path) : QString();
  };
  value.title = tr("Value");
  value.text = [r](size_t row) {
    const ValueRow& v = r->rows[row];
    QString words = (v.output ? tr("out %1") : tr("in %1")).arg(v.position);
    if (v.first && v.output && v.stats->nans > 0)
      words += tr("  ← first nan");
    else if (v.first && v.output && v.stats->infs > 0)
      words += tr("  ← first inf");
    return words;
  };
  type.title = tr("Dtype");
  type.text = [r](size_t row) { return text(r->rows[row].stats->dtype); };
  shape.title = tr("Shape");
  shape.text = [r](size_t row) {
    const ValueStats& stats = *r->rows[row].stats;
    if (!stats.numeric) return QString();
    QStringList lengths;
    for (const int64_t length : stats.shape) lengths.push_back(QString::number(length));
    return u'[' + lengths.join(u',') + u']';
  };
  TableColumn path;
  path.title = tr("Path");
  path.text = [info](size_t row) {
    const NodeInfo* i = info(row);
    return i ? text(i->path) : QString();
  };
  data.columns = {node,
                  value,
                  type,
                  shape,
                  numberColumn(tr("Least"), r, &ValueStats::min),
                  numberColumn(tr("Greatest"), r, &ValueStats::max),
                  numberColumn(tr("Mean"), r, &ValueStats::mean),
                  countColumn(tr("nan"), r, &ValueStats::nans),
                  countColumn(tr("inf"), r, &ValueStats::infs),
                  countColumn(tr("Elements"), r, &ValueStats::elements),
                  path};
  for (TableColumn& column : data.columns) column.background = background;
  return data;
}

ValuesView::ValuesView(NodeService& service, Document& document, QWidget* parent)
    : QWidget(parent), m_service(service), m_document(document),
      m_run(new QPushButton(tr("Run and look at values"))), m_badOnly(new QCheckBox(tr("Only nan and inf"))),
      m_summary(new QLabel), m_table(new QTableView), m_empty(new EmptyText(m_table)) {
  m_run->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  m_summary->setWordWrap(true);
  m_summary->setTextFormat(Qt::PlainText);
  m_table->setModel(&m_model);
  m_table->setAccessibleName(tr("Values of the nodes"));
  setUpTable(*m_table);
  new ColumnFit(*m_table, 0);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  auto* bar = new QHBoxLayout;
  bar->addWidget(m_run);
  bar->addWidget(m_summary, 1);
  bar->addWidget(m_badOnly);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->setSpacing(4);
  layout->addLayout(bar);
  layout->addWidget(m_table, 1);
  layout->addWidget(m_empty, 1);
  connect(m_run, &QPushButton::clicked, this, [this] {
    m_summary->setText(tr("Running…"));
    m_service.requestValues(0);
  });
  connect(&m_service, &NodeService::valuesReady, this, &ValuesView::show);
  connect(&m_service, &NodeService::valuesFailed, this,
          [this](const Error& error) { m_summary->setText(QString::fromStdString(error.text())); });
  connect(m_badOnly, &QCheckBox::toggled, this, &ValuesView::filterRows);
  onRowPicked(*m_table, [this](const QModelIndex& index) {
    if (const auto row = m_model.rowOf(index); row && m_rows && !m_showing)
      Q_EMIT nodePicked(m_rows->rows[*row].node);
  });
  clear();
}

void ValuesView::clear() {
  m_rows.reset();
  m_run->setEnabled(m_document.isOpen() && m_document.session().whyNotRunnable().empty());
  m_summary->clear();
  fill();
}

void ValuesView::show(const std::shared_ptr<const ValueReport>& report) {
  m_rows = valueRows(report);
  fill();
  const auto nodes = m_document.nodes();
  const auto nameOf = [&](NodeIndex n) {
    const NodeInfo& info = nodes[static_cast<size_t>(n)];
    return text(nodeTitle(info.op, info.detail) + " (" + info.path + ")");
  };
  QStringList said;
  if (report->error)
    said.push_back(tr("The run failed: %1").arg(QString::fromStdString(report->error->text())));
  if (report->firstNan)
    said.push_back(tr("The first nan comes from %1: its inputs have none.").arg(nameOf(*report->firstNan)));
  if (report->firstInf)
    said.push_back(tr("The first inf comes from %1: its inputs have none.").arg(nameOf(*report->firstInf)));
  if (said.isEmpty())
    said.push_back(tr("%1 looked at; none makes nan or inf.")
                       .arg(countedText(static_cast<int64_t>(report->nodes.size()), tr("node"))));
  m_summary->setText(said.join(u' '));
  const auto first = report->firstNan ? report->firstNan : report->firstInf;
  if (first) Q_EMIT nodePicked(*first);
}

void ValuesView::fill() {
  m_model.setData(valuesTable(m_rows, m_document.nodes(), makeTheme(m_dark)));
  filterRows();
}

void ValuesView::filterRows() {
  m_model.setShown(!m_badOnly->isChecked() ? std::function<bool(size_t)>() : [rows = m_rows](size_t row) {
    return rows && row < rows->rows.size() &&
           (rows->rows[row].stats->nans > 0 || rows->rows[row].stats->infs > 0);
  });
  m_badOnly->setVisible(m_rows != nullptr);
  m_empty->say(
      m_model.rowCount() > 0 ? QString()
      : !m_document.isOpen() ? tr("No graph is open. Open one with Ctrl+O, or drop a file here.")
      : m_rows               ? tr("No value has nan or inf in it.")
      : m_run->isEnabled()
          ? tr("Run and look at values: the recorded case is run once, or invented inputs, and every "
               "value on the way is looked at.")
          : text(m_document.session().whyNotRunnable()));
}

void ValuesView::showNode(NodeIndex node) {
  m_showing = true;
  m_table->clearSelection();
  if (m_rows)
    for (size_t row = 0; row < m_rows->rows.size(); ++row)
      if (m_rows->rows[row].node == node) {
        if (const QModelIndex index = m_model.indexOf(row); index.isValid()) {
          m_table->setCurrentIndex(index);
          // Its outputs stand below its inputs.
          m_table->scrollTo(index, QAbstractItemView::PositionAtTop);
        }
        break;
      }
  m_showing = false;
}

void ValuesView::setDarkTheme(bool dark) {
  m_dark = dark;
  fill();
}

} // namespace nodewise::ui
