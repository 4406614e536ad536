// The graphs of two runs beside each other, coloured by what became of each node, with one selection.
#pragma once

#include "ui/compare/change_colouring.h"
#include "ui/graph/graph_view.h"
#include "ui/runs/run_service.h"

#include <QCheckBox>
#include <QLabel>
#include <QStackedWidget>

namespace nodewise::ui {

class CompareGraphs : public QWidget {
  Q_OBJECT
public:
  CompareGraphs(JobTracker& jobs, std::shared_ptr<LayoutCache> layouts, QWidget* parent = nullptr);

  /// Reads both graphs and shows them; null: none. A graph that cannot be shown is said in its place.
  void compare(std::shared_ptr<const ComparedRuns> runs);
  /// Selects a row of the table (of the diff's nodes) in both graphs; none: nothing.
  void showRow(std::optional<size_t> row);
  void setDarkTheme(bool dark);

  GraphView& graph(DiffSide side) { return *m_sides[static_cast<size_t>(side)].view; }
  /// Why a side shows no graph; empty: it shows one, or reads it.
  QString problem(DiffSide side) const;
  QCheckBox& together() { return *m_together; }
  QStringList legend() const; ///< of what changed: "+ new 3", ...

Q_SIGNALS:
  /// A node was picked in one of the graphs.
  void rowPicked(qulonglong row);

private:
  struct Side {
    QStackedWidget* stack = nullptr;
    QLabel *title = nullptr, *problem = nullptr;
    QWidget* legend = nullptr; ///< of its outcomes
    std::vector<Category> outcomes;
    GraphView* view = nullptr;
    std::shared_ptr<const SceneSource> source;
    std::vector<int64_t> rowOfNode; ///< the diff's row of each node; -1: none
    std::optional<NodeIndex> node;  ///< that is selected
    bool seen = false;              ///< its first scene was shown
  };
  void makeSide(DiffSide side, QWidget& splitter);
  void leave(Side& side);
  void show(DiffSide side, Result<std::shared_ptr<const SceneSource>> source);
  void colour(DiffSide side);
  void fillLegend();
  void follow(DiffSide moved);
  Side& at(DiffSide side) { return m_sides[static_cast<size_t>(side)]; }

  JobTracker& m_jobs;
  std::shared_ptr<LayoutCache> m_layouts;
  std::shared_ptr<const ComparedRuns> m_runs;
  std::array<Side, 2> m_sides;
  QCheckBox* m_together;
  QWidget* m_legend;
  QStringList m_legendTexts;
  bool m_dark = false, m_moving = false, m_showing = false;
};

} // namespace nodewise::ui
