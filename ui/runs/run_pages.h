// All views of recorded runs, wired with each other: the window adds them as pages and docks, and links their
// selection with its own.
#pragma once

#include "ui/compare/compare_view.h"
#include "ui/cost/cost_view.h"
#include "ui/document/document.h"
#include "ui/passes/passes_view.h"
#include "ui/reasons/reasons_view.h"
#include "ui/runs/node_filter.h"
#include "ui/runs/run_service.h"
#include "ui/runs/runs_view.h"
#include "ui/stats/stats_view.h"
#include "ui/timeline/time_dock.h"
#include "ui/values/values_view.h"

namespace nodewise::ui {

class RunPages : public QObject {
  Q_OBJECT
public:
  RunPages(JobTracker& jobs, Document& document, CacheSettings settings, QObject* parent = nullptr);

  RunService& service() { return m_service; }
  NodeFilter& filter() { return m_filter; }
  RunsView& runsView() { return *m_runs; }
  CompareView& compareView() { return *m_compare; }
  CostView& costView() { return *m_cost; }
  ReasonsView& reasonsView() { return *m_reasons; }
  PassesView& passesView() { return *m_passes; }
  StatsView& statsView() { return *m_stats; }
  ValuesView& valuesView() { return *m_values; }
  TimeDock& timeDock() { return *m_time; }

  /// The window's selection; -1: none.
  void showNode(NodeIndex node);
  void setDarkTheme(bool dark);
  /// What the last run with Values had, of the open graph; null: there was none.
  const ValueReport* values() const { return m_lastValues.get(); }

  /// By node of the open graph: whether it missed in the last compile only because another node did. Empty:
  /// none did.
  const std::vector<bool>& followers() const { return m_followers; }

Q_SIGNALS:
  /// followers() are others.
  void followersKnown();
  /// A node of the open graph was picked in one of the views.
  void nodePicked(int node);
  /// Other nodes of the open graph are kept by filter() than before.
  void filtered();
  /// values() are others.
  void valuesKnown();
  /// A view is to be brought to the front.
  void pageWanted(QWidget* page);
  /// A report of a recorded run is to be written.
  void reportWanted(qlonglong run);
  void message(const nodewise::ui::Message& message);

private:
  void setFollowers(const std::vector<CascadeItem>& items);
  void pickRunNode(size_t node);
  void pickPath(const QString& path);
  FilterScope filterScope() const;
  /// The node of the open graph that a node of the current run is; -1: another graph is open.
  NodeIndex nodeOf(size_t runNode) const;
  std::optional<size_t> runNodeOf(NodeIndex node) const;

  Document& m_document;
  RunService m_service;
  NodeFilter m_filter;
  RunsView* m_runs;
  CompareView* m_compare;
  CostView* m_cost;
  TimeDock* m_time;
  ReasonService m_reasonService;
  ReasonsView* m_reasons;
  NodeService m_nodeService;
  PassesView* m_passes;
  ValuesView* m_values;
  std::shared_ptr<const ValueReport> m_lastValues;
  std::vector<bool> m_followers;
  NodeIndex m_node = -1; ///< that is selected
  StatsService m_statsService;
  StatsView* m_stats;
};

} // namespace nodewise::ui
