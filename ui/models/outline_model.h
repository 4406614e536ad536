// The outline as an item model.
#pragma once

#include "ui/models/outline_tree.h"

#include <QAbstractItemModel>

#include <memory>

namespace nodewise::ui {

class OutlineModel : public QAbstractItemModel {
  Q_OBJECT
public:
  using QAbstractItemModel::QAbstractItemModel;

  void setTree(std::shared_ptr<const OutlineTree> tree);
  /// The item behind an index, or null.
  const OutlineItem* item(const QModelIndex& index) const;
  QModelIndex indexOfNode(NodeIndex node) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
  QModelIndex indexOf(int item) const;
  std::shared_ptr<const OutlineTree> m_tree;
};

} // namespace nodewise::ui
