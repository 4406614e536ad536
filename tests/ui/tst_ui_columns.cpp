// How columns share a table's width, and what stands in a view's place while it is empty.
#include "ui/models/table_model.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/empty_text.h"
#include "ui/widgets/table_setup.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTest>

#include <numeric>

using namespace nodewise;
using namespace nodewise::ui;

namespace {

using Widths = std::vector<int>;

TableColumn words(const QString& title, const QStringList& rows) {
  return textColumn(title, [rows](size_t row) { return rows[static_cast<qsizetype>(row)]; });
}

TableColumn numbers(const QString& title, const QStringList& rows) {
  TableColumn column = words(title, rows);
  column.number = [](size_t row) { return static_cast<int64_t>(row); };
  return column;
}

TableData dataOf(std::vector<TableColumn> columns, size_t rows) {
  TableData data;
  data.columns = std::move(columns);
  data.rows = rows;
  return data;
}

/// A table as the views make them; the second column stretches.
struct Shown {
  TableModel model;
  QTableView table;
  ColumnFit* fit = nullptr;

  explicit Shown(ColumnFit::Empty empty = ColumnFit::Empty::Goes) {
    table.setModel(&model);
    setUpTable(table);
    fit = new ColumnFit(table, 1, empty);
  }
  bool show(int width) {
    table.resize(width, 300);
    table.show();
    return QTest::qWaitForWindowExposed(&table);
  }
  int width(int column) const { return table.columnWidth(column); }
  bool fills() const { return table.horizontalHeader()->length() == table.viewport()->width(); }
  bool scrolls() const { return table.horizontalScrollBar()->maximum() > 0; }
};

const QString kLong = QStringLiteral("composite: log, add, mul, exp, sub, true_div, sqr, neg, switch, gt");

} // namespace

class TestUiColumns : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void widthIsShared_data() {
    QTest::addColumn<std::vector<ColumnNeed>>("needs");
    QTest::addColumn<int>("width");
    QTest::addColumn<std::vector<int>>("widths");
    const ColumnNeed number{60, 60, 60}, text{300, 300, 80}, other{200, 200, 80}, none{50, 50, 50, true},
        byHand{250, 250, 250, false, true}, arrow{90, 60, 60};
    const auto row = [](const char* name, std::vector<ColumnNeed> needs, int width, Widths widths) {
      QTest::newRow(name) << std::move(needs) << width << std::move(widths);
    };
    row("the stretched column takes what is left", {number, other, text}, 700, {60, 340, 300});
    row("the widest text is cut first", {number, other, text}, 500, {60, 200, 240});
    row("texts are cut to one width", {number, other, text}, 360, {60, 150, 150});
    row("numbers are never cut: the table scrolls", {number, other, text}, 100, {60, 80, 80});
    row("room for arrows goes first", {arrow, other, none}, 310, {60, 200, 50});
    row("empty columns go where room is short", {number, other, none}, 270, {60, 210, 0});
    row("and stay where it is not", {number, other, none}, 400, {60, 290, 50});
    row("what was dragged is kept", {byHand, other, text}, 450, {250, 100, 100});
    row("a dragged column does not stretch", {number, byHand, other}, 900, {60, 250, 200});
    row("no columns", {}, 100, {});
  }
  void widthIsShared() {
    QFETCH(std::vector<ColumnNeed>, needs);
    QFETCH(int, width);
    QFETCH(std::vector<int>, widths);
    QCOMPARE(shareWidth(needs, width, 1), widths);
  }

  void textsAreWholeWhereThereIsRoom() {
    Shown shown;
    shown.model.setData(
        dataOf({words("Op", {"Elemwise"}), words("Reason", {""}), words("Detail", {kLong})}, 1));
    QVERIFY(shown.show(1200));
    QVERIFY(shown.width(2) > shown.table.fontMetrics().horizontalAdvance(kLong));
    QVERIFY(shown.fills());
  }

  void tablesFitWhateverTheirWidth() {
    Shown shown;
    shown.model.setData(dataOf({words("Op", {"Elemwise"}), words("Reason", {kLong}),
                                numbers("Time", {"999 ms"}), numbers("Failed", {""}), words("Path", {kLong})},
                               1));
    QVERIFY(shown.show(1600));
    QVERIFY(!shown.table.isColumnHidden(3));
    for (const int width : {1600, 900, 500, 1600}) {
      shown.table.resize(width, 300);
      QTRY_VERIFY(shown.fills());
      QVERIFY(!shown.scrolls());
    }
  }

  void anEmptyColumnComesBackWithItsFirstValue() {
    Shown shown;
    const auto data = [](const QString& failed) {
      return dataOf({words("Op", {kLong}), words("Reason", {kLong}), numbers("Failed", {failed})}, 1);
    };
    shown.model.setData(data({}));
    QVERIFY(shown.show(400));
    QVERIFY(shown.table.isColumnHidden(2));
    shown.model.setData(data("1"));
    QTRY_VERIFY(!shown.table.isColumnHidden(2));
    QVERIFY(shown.width(2) > 0);
    QVERIFY(!shown.scrolls());
  }

  void emptyColumnsThatPeopleChoseStay() {
    Shown shown(ColumnFit::Empty::Stays);
    shown.model.setData(dataOf({words("Op", {kLong}), words("Detail", {kLong}), words("CPU", {""})}, 1));
    QVERIFY(shown.show(300));
    QVERIFY(!shown.table.isColumnHidden(2));
  }

  void draggedWidthsAreKeptAndRemembered() {
    Shown shown, next;
    const TableData data =
        dataOf({words("Op", {"Sum"}), words("Detail", {"axis 0"}), words("Key", {"3f2a"})}, 1);
    for (Shown* one : {&shown, &next}) one->model.setData(data);
    QVERIFY(shown.show(800));
    shown.table.horizontalHeader()->resizeSection(0, 222); // as a drag does
    QCOMPARE(shown.width(0), 222);
    QVERIFY(shown.fills()); // the stretched column gave way
    shown.table.setColumnHidden(2, true);
    shown.model.setData(data);
    shown.table.resize(600, 300);
    QTRY_VERIFY(shown.fills());
    QCOMPARE(shown.width(0), 222);
    QVERIFY(next.fit->restore(shown.fit->save()));
    QVERIFY(next.show(700));
    QCOMPARE(next.width(0), 222);
    QVERIFY(next.table.isColumnHidden(2));
    QVERIFY(next.fills());
  }

  void statesOfEarlierVersionsGiveOrderAndChoice() {
    Shown shown, next;
    const TableData data =
        dataOf({words("Op", {"Sum"}), words("Detail", {"axis 0"}), words("Key", {"3f2a"})}, 1);
    for (Shown* one : {&shown, &next}) one->model.setData(data);
    shown.table.setColumnHidden(0, true);
    shown.table.horizontalHeader()->moveSection(2, 1);
    QVERIFY(next.fit->restore(shown.table.horizontalHeader()->saveState()));
    QVERIFY(!next.fit->restore("neither of them"));
    QVERIFY(next.show(700));
    QVERIFY(next.table.isColumnHidden(0));
    QCOMPARE(next.table.horizontalHeader()->visualIndex(2), 1);
    QVERIFY(next.fills());
  }

  void ofManyRowsAFewAreMeasured() {
    Shown shown;
    size_t asked = 0;
    TableData data;
    data.rows = 1'000'000;
    data.columns = {textColumn("Op", [&asked](size_t) { return ++asked, QString("Sum"); }),
                    textColumn("Detail", [&asked](size_t) { return ++asked, QString("axis"); }),
                    textColumn("Note", [&asked](size_t) { return ++asked, QString(); })};
    shown.model.setData(data);
    shown.fit->fit();
    QVERIFY2(asked < 5000, qPrintable(QString::number(asked)));
  }

  void emptyTextStandsInTheViewsPlace() {
    QWidget view;
    EmptyText empty(&view);
    empty.say("Open a graph.");
    QVERIFY(view.isHidden());
    QVERIFY(!empty.isHidden());
    empty.say({});
    QVERIFY(!view.isHidden());
    QVERIFY(empty.isHidden());
  }
};

QTEST_MAIN(TestUiColumns)
#include "tst_ui_columns.moc"
