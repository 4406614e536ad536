// What one node cost, phase by phase, with a total that adds up.
#pragma once

#include "session/session.h"

#include <QAbstractTableModel>

namespace nodewise::ui {

class CostModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Phase, Time, Share, ColumnCount };
  using QAbstractTableModel::QAbstractTableModel;

  /// `shared`: the phases of the node of the same key that was looked up, where this one was served by that.
  void setState(const NodeState& state, const Phases* shared = nullptr);
  void clear();

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
  struct Row {
    QString name;
    int64_t value = 0;
    bool isTime = true, bold = false;
    double share = -1; ///< of the total; negative: not a part of it
    QString doc;
  };
  std::vector<Row> m_rows;
};

} // namespace nodewise::ui
