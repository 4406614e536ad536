// The key of a node, part by part, beside that of the nearest entry; what differs is marked.
#pragma once

#include "session/session.h"
#include "ui/theme/status.h"
#include "ui/theme/theme.h"

#include <QAbstractTableModel>

#include <optional>

namespace nodewise::ui {

/// One part of two keys; a value is none where the part is absent.
struct KeyRow {
  QString name;
  std::optional<QString> now, then;
  bool differs = false;
};
/// Parts in the order of the key; parts that only the other key has stand after those before them there.
std::vector<KeyRow> keyRows(std::span<const KeyPart> now, std::span<const KeyPart> then);

class KeyModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Part, Differs, Now, Then, ColumnCount };
  using QAbstractTableModel::QAbstractTableModel;

  void setRows(std::vector<KeyRow> rows, bool hasThen);
  void setDarkTheme(bool dark);
  /// The first part that differs; invalid if none does.
  QModelIndex firstDifference() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
  std::vector<KeyRow> m_rows;
  bool m_hasThen = false;
  Theme m_theme = makeTheme(false);
};

} // namespace nodewise::ui
