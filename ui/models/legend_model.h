// The legend: the categories that nodes are coloured by, with their counts.
#pragma once

#include "ui/models/colouring.h"

#include <QAbstractTableModel>

namespace nodewise::ui {

class LegendModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Name, Count };
  using QAbstractTableModel::QAbstractTableModel;

  /// Categories that have no nodes are left out.
  void setColouring(const Colouring& colouring);
  void setDarkTheme(bool dark);
  /// The query that finds the nodes of a row ("state:miss"), or empty where none does.
  QString queryOf(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
  ColourBy m_by = ColourBy::Outcome;
  bool m_isRamp = false;
  std::vector<Category> m_shown;
  Theme m_theme = makeTheme(false);
};

} // namespace nodewise::ui
