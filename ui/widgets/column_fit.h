// How the columns of a table share its width.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QSet>
#include <QTableView>

#include <span>
#include <vector>

namespace nodewise::ui {

/// What one column asks for; in pixels.
struct ColumnNeed {
  int wanted = 0;       ///< what its heading and the cells that were looked at need
  int tight = 0;        ///< the same without the room for a sort arrow, where nothing is sorted by it
  int least = 0;        ///< it may be cut down to this; numbers are never cut
  bool mayGo = false;   ///< it is hidden where room is short: no row has anything in it
  bool isFixed = false; ///< its width was chosen by hand
};

/// Widths of columns that have `width` together; 0: hidden. All get what they want if they can, and
/// `stretched` what is left. Else they stand tight, and empty ones go, the last first; then the widest texts
/// are cut to one width, which is as great as it can be. What does not fit even so is wider than `width`: the
/// table scrolls.
std::vector<int> shareWidth(std::span<const ColumnNeed> columns, int width, int stretched);

/// Keeps the columns of a table fitted: to their contents, by a sample of rows however many there are, and to
/// the table's width. Widths that were dragged are kept, and the others give way to them. Fits when rows
/// come, when they change and when the table is resized; not while it is hidden. The table's child.
class ColumnFit : public QObject {
  Q_OBJECT
public:
  enum class Empty { Goes, Stays };

  /// The table must have its model. `stretched` is the column of text that takes what room is left; `empty`
  /// says whether columns with nothing in them may be hidden (not where people choose columns themselves).
  ColumnFit(QTableView& table, int stretched, Empty empty = Empty::Goes);

  /// Order, choice and dragged widths of the columns, for the next session.
  QByteArray save() const;
  /// What save() gave; false: it is something else, and nothing was changed.
  bool restore(const QByteArray& state);

  /// Fits now: tests, and callers that cannot wait for the event loop.
  void fit();

protected:
  bool eventFilter(QObject* object, QEvent* event) override;

private:
  enum class Growth { Any, OnlyWider };
  void fitSoon(Growth growth);
  void measure();
  ColumnNeed needOf(int column) const;
  bool hasTextIn(int column) const;
  void share();
  void onResized(int column, int before, int now);
  QString titleOf(int column) const;

  QTableView& m_table;
  int m_stretched;
  Empty m_empty;
  std::vector<ColumnNeed> m_needs; ///< by column; hidden ones want nothing
  QHash<QString, int> m_dragged;   ///< widths by heading: the columns may be others the next time
  QSet<int> m_gone;                ///< hidden by share()
  bool m_setting = false, m_waiting = false, m_stale = true;
  Growth m_growth = Growth::Any;
};

} // namespace nodewise::ui
