// Root causes of misses as a tree: cause, followers, with counts and recorded cost.
#pragma once

#include "session/cascade.h"

#include <QAbstractItemModel>

#include <optional>

namespace nodewise::ui {

class CascadeModel : public QAbstractItemModel {
  Q_OBJECT
public:
  enum Column { Cause, Nodes, Cost, ColumnCount };
  using QAbstractItemModel::QAbstractItemModel;

  void setItems(std::vector<CascadeItem> items);
  /// Of the graph's nodes those that are to be seen, with what they follow from; none: all. Counts and costs
  /// are those of the nodes that are seen.
  void setShown(std::optional<std::vector<bool>> nodes);
  const std::optional<std::vector<bool>>& shown() const { return m_shown; }
  bool isFiltered() const { return m_items.size() != m_all.size(); }
  /// What is shown; an item stands after its parent.
  const std::vector<CascadeItem>& items() const { return m_items; }
  const CascadeItem* itemOf(const QModelIndex& index) const;
  QModelIndex indexOfNode(NodeIndex node) const;
  /// The nodes of an item and of all that follows from it.
  std::vector<NodeIndex> nodesBelow(const QModelIndex& index) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
  const std::vector<int32_t>& childrenOf(const QModelIndex& parent) const;

  void arrange();

  std::vector<CascadeItem> m_all; ///< whatever is shown
  std::optional<std::vector<bool>> m_shown;
  std::vector<CascadeItem> m_items;
  std::vector<int32_t> m_roots;
  std::vector<int> m_rowOf; ///< of each item among its siblings
};

} // namespace nodewise::ui
