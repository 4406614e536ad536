#include "ui/compare/compare_graphs.h"

#include "ui/compare/run_graph.h"
#include "ui/models/swatch.h"
#include "ui/theme/numbers.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>

namespace nodewise::ui {
namespace {

using Source = Result<std::shared_ptr<const SceneSource>>;
constexpr std::array<DiffSide, 2> kSides{DiffSide::Before, DiffSide::After};

const RunRecord& recordOf(const ComparedRuns& runs, DiffSide side) {
  return side == DiffSide::Before ? runs.before : runs.after;
}
const std::optional<size_t>& nodeOf(const NodeDiff& diff, DiffSide side) {
  return side == DiffSide::Before ? diff.before : diff.after;
}

} // namespace

CompareGraphs::CompareGraphs(JobTracker& jobs, std::shared_ptr<LayoutCache> layouts, QWidget* parent)
    : QWidget(parent), m_jobs(jobs), m_layouts(std::move(layouts)),
      m_together(new QCheckBox(tr("Move together"))), m_legend(new QWidget) {
  m_together->setToolTip(tr("Both graphs are zoomed and moved at once"));
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->setChildrenCollapsible(false);
  for (const DiffSide side : kSides) makeSide(side, *splitter);
  auto* legend = new QHBoxLayout(m_legend);
  legend->setContentsMargins(0, 0, 0, 0);
  legend->setSpacing(16);
  auto* top = new QHBoxLayout;
  top->addWidget(m_legend);
  top->addStretch(1);
  top->addWidget(m_together);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addLayout(top);
  layout->addWidget(splitter, 1);
}

void CompareGraphs::makeSide(DiffSide side, QWidget& splitter) {
  Side& made = at(side);
  made.title = new QLabel;
  made.title->setTextFormat(Qt::PlainText);
  made.problem = new QLabel;
  made.problem->setAlignment(Qt::AlignCenter);
  made.problem->setWordWrap(true);
  made.problem->setMargin(16);
  made.problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
  made.view = new GraphView(m_jobs, {}, m_layouts);
  made.view->setLane(QStringLiteral("layout %1").arg(static_cast<int>(side)));
  made.view->canvas().setAccessibleName(side == DiffSide::Before ? tr("Graph of the earlier run")
                                                                 : tr("Graph of the later run"));
  made.stack = new QStackedWidget;
  made.stack->addWidget(made.view);
  made.stack->addWidget(made.problem);
  auto* page = new QWidget(&splitter);
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(made.title);
  layout->addWidget(made.stack, 1);
  connect(&made.view->canvas(), &GraphCanvas::nodePicked, this, [this, side](int node) {
    if (m_showing || !m_runs) return;
    const Side& from = at(side);
    const int64_t row = node >= 0 && static_cast<size_t>(node) < from.rowOfNode.size()
                            ? from.rowOfNode[static_cast<size_t>(node)]
                            : -1;
    if (row >= 0) Q_EMIT rowPicked(static_cast<qulonglong>(row));
  });
  connect(&made.view->canvas(), &GraphCanvas::viewChanged, this, [this, side] { follow(side); });
  connect(made.view, &GraphView::sceneShown, this, [this, side] {
    // At first all of it: what changed may be anywhere.
    if (!std::exchange(at(side).seen, true)) at(side).view->canvas().fit();
    if (const auto node = at(side).node) at(side).view->canvas().select(*node);
  });
}

/// Taking a large graph apart takes time: on a worker.
void CompareGraphs::leave(Side& side) {
  side.view->setSource(nullptr);
  if (!side.source) return;
  auto held = std::make_shared<std::shared_ptr<const SceneSource>>(std::move(side.source));
  side.source.reset();
  m_jobs.start(
      {tr("Closing"), QStringLiteral("release"), {}, true},
      [held](JobContext&) {
        held->reset();
        return true;
      },
      [](bool) {});
}

void CompareGraphs::compare(std::shared_ptr<const ComparedRuns> runs) {
  m_runs = std::move(runs);
  for (const DiffSide side : kSides) {
    Side& s = at(side);
    s.node.reset();
    s.seen = false;
    leave(s);
    s.rowOfNode.clear();
    s.problem->clear();
    s.stack->setCurrentWidget(s.view);
    s.title->clear();
    if (!m_runs) continue;
    const RunRecord& record = recordOf(*m_runs, side);
    s.title->setText(side == DiffSide::Before ? tr("Before: run %1").arg(record.run.id)
                                              : tr("After: run %1").arg(record.run.id));
    s.title->setToolTip(QString::fromStdString(record.run.file));
    const QString slot = QStringLiteral("run graph %1").arg(static_cast<int>(side));
    m_jobs.start(
        {tr("Reading the graph of run %1").arg(record.run.id), slot, slot, false},
        [kept = m_runs, side, measure = TextMeasure(font())](JobContext&) {
          return graphOfRun(recordOf(*kept, side), measure);
        },
        [this, side](Source source) { show(side, std::move(source)); });
  }
  fillLegend();
}

void CompareGraphs::show(DiffSide side, Source source) {
  Side& s = at(side);
  if (!source.ok()) {
    const Error& error = source.error();
    s.problem->setText(
        error.type == "Changed"
            ? QString::fromStdString(error.what + ".\nThe table above shows what was recorded.")
            : tr("The graph of this run is not at hand: %1\nThe table above shows what was recorded.")
                  .arg(QString::fromStdString(error.text())));
    s.stack->setCurrentWidget(s.problem);
    return;
  }
  s.source = std::move(source).value();
  s.rowOfNode.assign(s.source->nodes.size(), -1);
  const RunRecord& record = recordOf(*m_runs, side);
  for (size_t row = 0; row < m_runs->diff.nodes.size(); ++row)
    if (const auto& node = nodeOf(m_runs->diff.nodes[row], side)) {
      const auto position = static_cast<size_t>(record.nodes[*node].position);
      if (position < s.rowOfNode.size()) s.rowOfNode[position] = static_cast<int64_t>(row);
    }
  s.view->setSource(s.source, QFileInfo(QString::fromStdString(record.run.file)).fileName());
  colour(side);
}

void CompareGraphs::colour(DiffSide side) {
  Side& s = at(side);
  if (s.source && m_runs)
    s.view->canvas().setColouring(
        changeColouring(m_runs->diff, m_runs->before, m_runs->after, side, s.source->nodes.size()));
}

/// One legend for both: of each kind of change how many nodes.
void CompareGraphs::fillLegend() {
  auto* layout = static_cast<QHBoxLayout*>(m_legend->layout());
  while (QLayoutItem* item = layout->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  m_legendTexts.clear();
  if (!m_runs) return;
  Colouring colouring = changeColouring(m_runs->diff, m_runs->before, m_runs->after, DiffSide::After, 0);
  for (const NodeDiff& diff : m_runs->diff.nodes)
    ++colouring.categories[static_cast<size_t>(changeLook(diff, m_runs->before, m_runs->after))].count;
  const Theme theme = makeTheme(m_dark);
  for (const Category& category : colouring.categories) {
    if (category.count == 0) continue;
    auto* entry = new QWidget;
    auto* row = new QHBoxLayout(entry);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    auto* mark = new QLabel;
    mark->setPixmap(swatchOf(category, theme, false));
    row->addWidget(mark);
    const QString text = category.name + u' ' + countText(category.count);
    row->addWidget(new QLabel(text));
    entry->setToolTip(category.doc);
    layout->addWidget(entry);
    m_legendTexts.push_back(category.letter + u' ' + text);
  }
}

void CompareGraphs::showRow(std::optional<size_t> row) {
  if (!m_runs) return;
  m_showing = true;
  for (const DiffSide side : kSides) {
    Side& s = at(side);
    s.node.reset();
    if (row && *row < m_runs->diff.nodes.size())
      if (const auto& node = nodeOf(m_runs->diff.nodes[*row], side))
        s.node = static_cast<NodeIndex>(recordOf(*m_runs, side).nodes[*node].position);
    if (!s.source) continue;
    s.view->canvas().select(s.node.value_or(-1));
    if (s.node) s.view->show(*s.node);
  }
  m_showing = false;
}

void CompareGraphs::follow(DiffSide moved) {
  if (m_moving || m_showing || !m_together->isChecked()) return;
  m_moving = true;
  at(moved == DiffSide::Before ? DiffSide::After : DiffSide::Before)
      .view->canvas()
      .setView(at(moved).view->canvas().view());
  m_moving = false;
}

QString CompareGraphs::problem(DiffSide side) const {
  const Side& s = m_sides[static_cast<size_t>(side)];
  return s.problem->text();
}

QStringList CompareGraphs::legend() const { return m_legendTexts; }

void CompareGraphs::setDarkTheme(bool dark) {
  m_dark = dark;
  for (const DiffSide side : kSides) at(side).view->setDarkTheme(dark);
  fillLegend();
}

} // namespace nodewise::ui
