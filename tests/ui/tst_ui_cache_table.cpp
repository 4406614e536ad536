// The table of the cache: pages that are fetched as they are needed, sorted and filtered by the database.
#include "ui/models/cache_table_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace nodewise;
using namespace nodewise::ui;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::QtTest;

EntryRow entryOf(int64_t id) {
  EntryRow row;
  row.id = id;
  row.op = "Op" + std::to_string(id);
  row.state = "live";
  return row;
}

EntryPage pageOf(int64_t from, int64_t to, bool more) {
  EntryPage page;
  for (int64_t id = from; id < to; ++id) page.rows.push_back(entryOf(id));
  if (more) page.next = EntryCursor{int64_t{0}, to};
  return page;
}

} // namespace

class TestUiCacheTable : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void cacheTableFetchesPageByPage();
  void cacheTableGrowsAsItsViewFetches();
  void cacheTableDropsAnswersToOlderQuestions();
  void cacheTableSortsInTheDatabase();
  void cacheTableRefreshKeepsRowsOfTheSameEntries();
  void cacheTableReportsAnErrorAndStaysUsable();
};

void TestUiCacheTable::cacheTableFetchesPageByPage() {
  CacheTableModel model; // no model tester here: it fetches by itself
  QSignalSpy wanted(&model, &CacheTableModel::pageWanted);
  model.refresh();
  QCOMPARE(wanted.count(), 1);
  QVERIFY(model.waiting() && !model.canFetchMore({}));
  model.addPage(wanted[0][0].toInt(), pageOf(0, 200, true));
  QCOMPARE(model.rowCount(), 200);
  QVERIFY(model.canFetchMore({}));
  model.fetchMore({});
  model.fetchMore({}); // a view asks more than once
  QCOMPARE(wanted.count(), 2);
  QCOMPARE(wanted[1][1].value<EntryQuery>().after->id, 200);
  model.addPage(wanted[1][0].toInt(), pageOf(200, 250, false));
  QCOMPARE(model.rowCount(), 250);
  QVERIFY(model.complete() && !model.canFetchMore({}));
}

void TestUiCacheTable::cacheTableGrowsAsItsViewFetches() {
  CacheTableModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  QSignalSpy wanted(&model, &CacheTableModel::pageWanted);
  model.refresh();
  model.addPage(wanted[0][0].toInt(), pageOf(0, 20, true));
  QCOMPARE(wanted.count(), 2); // the tester is a view that wants all
  model.addPage(wanted[1][0].toInt(), pageOf(20, 30, false));
  QCOMPARE(model.rowCount(), 30);
  QCOMPARE(model.entry(29).id, 29);
}

void TestUiCacheTable::cacheTableDropsAnswersToOlderQuestions() {
  CacheTableModel model;
  QSignalSpy wanted(&model, &CacheTableModel::pageWanted);
  model.refresh();
  model.setFilter(*parseFilter("op:Sum"));
  model.addPage(wanted[0][0].toInt(), pageOf(0, 100, false));
  QCOMPARE(model.rowCount(), 0);
  model.addPage(wanted[1][0].toInt(), pageOf(0, 3, false));
  QCOMPARE(model.rowCount(), 3);
}

void TestUiCacheTable::cacheTableSortsInTheDatabase() {
  CacheTableModel model;
  QSignalSpy wanted(&model, &CacheTableModel::pageWanted);
  model.sort(CacheTableModel::CompileCost, Qt::DescendingOrder);
  EntryQuery query = wanted.last()[1].value<EntryQuery>();
  QVERIFY(query.sort == EntryColumn::CompileNs && query.descending && !query.after);
  model.sort(CacheTableModel::Age, Qt::AscendingOrder); // youngest first
  query = wanted.last()[1].value<EntryQuery>();
  QVERIFY(query.sort == EntryColumn::Created && query.descending);
}

void TestUiCacheTable::cacheTableRefreshKeepsRowsOfTheSameEntries() {
  CacheTableModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  QSignalSpy wanted(&model, &CacheTableModel::pageWanted), reset(&model, &QAbstractItemModel::modelReset);
  model.refresh();
  model.addPage(wanted[0][0].toInt(), pageOf(0, 10, false));
  QCOMPARE(reset.count(), 1);
  EntryPage again = pageOf(0, 10, false);
  again.rows[3].hits = 7;
  const QPersistentModelIndex kept(model.index(3, CacheTableModel::Hits));
  model.refresh();
  model.addPage(wanted[1][0].toInt(), again);
  QCOMPARE(reset.count(), 1);
  QCOMPARE(kept.data().toString(), "7");
}

void TestUiCacheTable::cacheTableReportsAnErrorAndStaysUsable() {
  CacheTableModel model;
  QSignalSpy wanted(&model, &CacheTableModel::pageWanted), failed(&model, &CacheTableModel::failed);
  model.refresh();
  model.addPage(wanted[0][0].toInt(), Error{"locked", "cache.db", "wait", {}});
  QCOMPARE(failed.count(), 1);
  QVERIFY(!model.waiting());
  model.refresh();
  model.addPage(wanted[1][0].toInt(), pageOf(0, 2, false));
  QCOMPARE(model.rowCount(), 2);
}

QTEST_MAIN(TestUiCacheTable)
#include "tst_ui_cache_table.moc"
