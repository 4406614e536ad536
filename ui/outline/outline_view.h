// Outline and legend: what there is, and what the colours mean.
#pragma once

#include "ui/models/legend_model.h"
#include "ui/models/outline_model.h"
#include "ui/outline/edge_legend.h"

#include <QTableView>
#include <QTreeView>

namespace nodewise::ui {

class OutlineView : public QWidget {
  Q_OBJECT
public:
  explicit OutlineView(QWidget* parent = nullptr);

  OutlineModel& outline() { return m_outline; }
  LegendModel& legend() { return m_legend; }
  EdgeLegend& edgeLegend() { return *m_edges; }
  QTreeView& tree() { return *m_tree; }
  QTableView& legendTable() { return *m_legendTable; }
  void setTree(std::shared_ptr<const OutlineTree> tree);
  void setColouring(const Colouring& colouring);
  void setDarkTheme(bool dark);
  void showNode(NodeIndex node);
  void showGroup(GroupId group);

Q_SIGNALS:
  void nodePicked(int node);
  void groupPicked(int group);
  void groupActivated(int group); ///< to be opened or closed
  void queryPicked(const QString& query);

private:
  void showRow(const QModelIndex& index);

  OutlineModel m_outline;
  LegendModel m_legend;
  QTreeView* m_tree;
  QTableView* m_legendTable;
  EdgeLegend* m_edges;
  QWidget* m_legendPart; ///< with its title; hidden while nothing is coloured
  bool m_showing = false;
};

} // namespace nodewise::ui
