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

QWidget* legendRow() {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(16);
  return row;
}

void clearRow(QWidget& row) {
  while (QLayoutItem* item = row.layout()->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
}

void addEntry(QWidget& row, const Category& category, const QPixmap& swatch, const QString& text) {
  auto* entry = new QWidget;
  auto* layout = new QHBoxLayout(entry);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  auto* mark = new QLabel;
  mark->setPixmap(swatch);
  layout->addWidget(mark);
  layout->addWidget(new QLabel(text));
  entry->setToolTip(category.name + QStringLiteral(": ") + category.doc);
  row.layout()->addWidget(entry);
}

} // namespace

CompareGraphs::CompareGraphs(JobTracker& jobs, std::shared_ptr<LayoutCache> layouts, QWidget* parent)
    : QWidget(parent), m_jobs(jobs), m_layouts(std::move(layouts)),
      m_together(new QCheckBox(tr("Move together"))), m_legend(legendRow()) {
  m_together->setToolTip(tr("Both graphs are zoomed and moved at once"));
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->setChildrenCollapsible(false);
  for (const DiffSide side : kSides) makeSide(side, *splitter);
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
  auto* top = new QHBoxLayout;
  made.legend = legendRow();
  made.legend->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // cut in a narrow window
  top->setSpacing(16);
  top->addWidget(made.title);
  top->addWidget(made.legend, 1);
  layout->addLayout(top);
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
    s.outcomes.clear();
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
  if (!s.node) return; // picked while it was read
  m_showing = true;
  s.view->canvas().select(*s.node);
  m_showing = false;
}

void CompareGraphs::colour(DiffSide side) {
  Side& s = at(side);
  if (!s.source || !m_runs) return;
  Colouring colouring = changeColouring(m_runs->diff, m_runs->before, m_runs->after, side, s.source->nodes);
  s.outcomes = colouring.categories;
  s.view->canvas().setColouring(std::move(colouring));
  fillLegend();
}

/// One legend of the changes for both, and of each side its outcomes: of each how many nodes.
void CompareGraphs::fillLegend() {
  clearRow(*m_legend);
  for (Side& s : m_sides) clearRow(*s.legend);
  m_legendTexts.clear();
  if (!m_runs) return;
  const Theme theme = makeTheme(m_dark);
  for (const Category& mark : changeMarks(m_runs->diff, m_runs->before, m_runs->after)) {
    if (mark.count == 0) continue;
    const QString text = mark.name + u' ' + countText(mark.count);
    addEntry(*m_legend, mark, markSwatch(mark, theme), text);
    m_legendTexts.push_back(mark.letter + u' ' + text);
  }
  for (Side& s : m_sides)
    for (const Category& outcome : s.outcomes)
      if (outcome.count > 0) // the letters are those of the outline's legend
        addEntry(*s.legend, outcome, swatchOf(outcome, theme, false), countText(outcome.count));
  for (Side& s : m_sides) static_cast<QHBoxLayout*>(s.legend->layout())->addStretch(1);
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
