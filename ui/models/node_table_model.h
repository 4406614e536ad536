// All nodes as a table, sorted by any column.
#pragma once

#include "ui/theme/status.h"
#include "ui/theme/theme.h"

#include <QAbstractTableModel>

#include <QIcon>

#include <functional>
#include <map>
#include <memory>

namespace nodewise::ui {

/// Share of a column's greatest value, for a bar in the cell (double, 0 to 1).
inline constexpr int kBarRole = Qt::UserRole + 1;
/// A number's exact form, for tool tips.
inline constexpr int kNodeRole = Qt::UserRole + 2;

class NodeTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { State, Op, Detail, Dtype, CompileCost, RunCost, Size, Hits, Reason, Path, ColumnCount };
  using QAbstractTableModel::QAbstractTableModel;

  /// `keepAlive` owns the nodes; the states are the caller's, who gives them anew by setStates() when they
  /// move.
  void setNodes(std::span<const NodeInfo> nodes, std::span<const NodeState> states,
                std::shared_ptr<const void> keepAlive);
  /// New states of the same nodes.
  void setStates(std::span<const NodeState> states);
  void setDarkTheme(bool dark);
  /// Shows only these nodes; null: all.
  void setShown(const std::vector<NodeIndex>* shown);

  /// Of the graph, whether they are shown or not.
  size_t nodeCount() const { return m_nodes.size(); }
  NodeIndex nodeOf(const QModelIndex& index) const;
  QModelIndex indexOfNode(NodeIndex node) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
  struct ColumnRow {
    const char* title;
    int64_t (*number)(const NodeState&); ///< null: a text column
    QString (*text)(int64_t);            ///< of the number
    QString (*exact)(int64_t);
  };
  static const ColumnRow& columnRow(int column);
  QString textOf(NodeIndex node, int column) const;
  std::string_view sortTextOf(NodeIndex node, int column) const;
  void sortRows();
  void findGreatest();
  const QIcon& swatch(Status status) const;

  std::shared_ptr<const void> m_keepAlive;
  std::span<const NodeInfo> m_nodes;
  std::span<const NodeState> m_states;
  std::vector<NodeIndex> m_rows; ///< in the order shown
  std::vector<int> m_rowOfNode;  ///< -1: not shown
  std::array<int64_t, ColumnCount> m_greatest{};
  Theme m_theme = makeTheme(false);
  mutable std::map<Status, QIcon> m_swatches; ///< drawn when first shown
  int m_sortColumn = -1;
  Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace nodewise::ui
