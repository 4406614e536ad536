// The outline as an item model.
#pragma once

#include "ui/models/colouring.h"
#include "ui/models/outline_tree.h"

#include <QAbstractItemModel>
#include <QIcon>

#include <map>
#include <memory>

namespace nodewise::ui {

class OutlineModel : public QAbstractItemModel {
  Q_OBJECT
public:
  using QAbstractItemModel::QAbstractItemModel;

  void setTree(std::shared_ptr<const OutlineTree> tree);
  /// What nodes are shown as: letter and colour before their rows.
  void setColouring(const Colouring& colouring);
  void setDarkTheme(bool dark);
  /// The item behind an index, or null.
  const OutlineItem* item(const QModelIndex& index) const;
  QModelIndex indexOfNode(NodeIndex node) const;
  QModelIndex indexOfGroup(GroupId group) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

  /// What stands at the row's right edge: "×14", "32 nodes", "#43" (the node as the command line has it).
  static constexpr int kCountRole = Qt::UserRole;
  /// What stands before it, and is cut where there is no room.
  static constexpr int kNameRole = Qt::UserRole + 1;
  static constexpr int kIsNodeRole = Qt::UserRole + 2;

private:
  QVariant badgeOf(NodeIndex node) const;
  void lookAgain();
  QModelIndex indexOf(int item) const;
  std::shared_ptr<const OutlineTree> m_tree;
  std::vector<NodeLook> m_looks;
  std::vector<Category> m_categories;
  Theme m_theme = makeTheme(false);
  bool m_isRamp = false;
  mutable std::map<std::pair<uint8_t, QRgb>, QIcon> m_badges; ///< drawn when first shown
};

} // namespace nodewise::ui
