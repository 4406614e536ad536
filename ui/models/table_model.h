// A table whose columns are described, not programmed: each is a title and functions of the row's number. All
// tables over runs, costs and reasons are made of it, so that they sort, show bars and give exact values
// alike.
#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <QPixmap>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace nodewise::ui {

/// One column. Rows are numbered as the data has them, whatever order they are shown in.
struct TableColumn {
  QString title;
  QString doc; ///< tool tip of the heading
  std::function<QString(size_t)> text;
  std::function<int64_t(size_t)> number; ///< set: sorts by it, stands to the right
  std::function<int64_t(size_t)> order;  ///< of words: sorts by it, not by the words
  std::function<QString(size_t)> exact;  ///< tool tip of a cell; none: its text
  std::function<QPixmap(size_t)> badge;  ///< a small picture before the text; a null one: none
  std::function<QColor(size_t)> background;
  bool bar = false;   ///< shows its share of the column's greatest number
  bool fixed = false; ///< text of one width per character
};

/// A column of words.
inline TableColumn textColumn(const QString& title, std::function<QString(size_t)> words) {
  TableColumn column;
  column.title = title;
  column.text = std::move(words);
  return column;
}

struct TableData {
  std::vector<TableColumn> columns;
  size_t rows = 0;
  size_t pinned = 0;                     ///< so many of the last rows stand above all others, bold: totals
  std::shared_ptr<const void> keepAlive; ///< what the functions look into
};

/// The row's number in the data (qulonglong).
inline constexpr int kRowRole = Qt::UserRole + 10;

class TableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  using QAbstractTableModel::QAbstractTableModel;

  /// Other data, all of it shown; the order of rows stays that of the sorted column.
  void setData(TableData data);
  /// Shows only rows of this data for which it holds; pinned rows always. Null: all.
  void setShown(std::function<bool(size_t)> shown);

  /// The row's number in the data; none for an invalid index.
  std::optional<size_t> rowOf(const QModelIndex& index) const;
  /// The place of a row of the data; invalid where it is not shown.
  QModelIndex indexOf(size_t row) const;
  const TableData& table() const { return m_data; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
  void arrange();
  bool isPinned(size_t row) const { return row + m_data.pinned >= m_data.rows; }

  TableData m_data;
  std::function<bool(size_t)> m_shown;
  std::vector<size_t> m_order;
  std::vector<int> m_place;        ///< by row of the data; -1: not shown
  std::vector<int64_t> m_greatest; ///< by column, of rows that are not pinned
  int m_sortColumn = -1;
  Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace nodewise::ui
