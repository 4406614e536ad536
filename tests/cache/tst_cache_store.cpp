// Storing, content shared by keys, runs and counters.
#include "support.h"

#include "cache/actions.h"
#include "cache/audit.h"
#include "cache/runs.h"
#include "cache/show.h"
#include "cache/stats.h"

using namespace nodewise;
using namespace nodewise::test;

class TestCacheStore : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void everythingOfAnEntryComesBack() {
    Store store = need(Store::open(inMemory()));
    NewEntry entry = entryOf(1);
    entry.runId = need(beginRun(store, {0, "graph.nwg.json", "compile", "abc"}));
    QVERIFY(storeEntry(store, entry).ok());
    const EntryDetail detail = need(showEntry(store, entry.key.hash));
    QVERIFY(detail.damage.empty());
    QCOMPARE(detail.parts, entry.key.parts);
    QCOMPARE(detail.recipe, entry.recipe);
    QCOMPARE(detail.ir, entry.ir);
    QCOMPARE(detail.symbol, entry.symbol);
    QCOMPARE(detail.phases, entry.phases);
    QCOMPARE(detail.runId, entry.runId);
    QCOMPARE(detail.environment.options.vectorLibrary, std::string("libmvec"));
    QCOMPARE(detail.row.cpu, std::string("znver4"));
    QCOMPARE(detail.row.optLevel, 2);
    QCOMPARE(detail.row.objectBytes, int64_t{3000});
    QCOMPARE(need(findEntries(store, entry.key.hash.shortHex())).size(), size_t{1});
    QCOMPARE(need(entryObject(store, detail.row.id)).object, entry.object);
    QVERIFY(!showEntry(store, int64_t{99}).ok());
  }

  void keysWithTheSameCodeShareOneObject() {
    Store store = need(Store::open(inMemory()));
    const NewEntry first = entryOf(1);
    QVERIFY(storeEntry(store, first).ok());
    NewEntry second = first;
    second.key = keyOf(2);
    second.object.clear();
    QCOMPARE(storeEntry(store, second).stored, Stored::Shared);
    QCOMPARE(need(cacheStats(store)).contents, int64_t{1});
    QCOMPARE(lookupOne(store, second.key).object->object, first.object);
    const auto shared = need(overSpecificKeys(store));
    QCOMPARE(shared.size(), size_t{1});
    QCOMPARE(shared[0].entries.size(), size_t{2});
    QCOMPARE(shared[0].partNames, std::vector<std::string>{"constants"});
    // One goes, the other keeps the object; both go, and it goes too.
    sql(store, "DELETE FROM entry WHERE id = 1");
    QCOMPARE(lookupOne(store, second.key).outcome, Outcome::Hit);
    sql(store, "DELETE FROM entry");
    QCOMPARE(need(cacheStats(store)).contents, int64_t{0});
    QCOMPARE(sqlInteger(store, "SELECT count(*) FROM part"), int64_t{0});
  }

  void storingAgainIsSaid_data() {
    QTest::addColumn<int>("how");
    QTest::addColumn<QString>("text");
    QTest::newRow("the same") << 0 << "already stored";
    QTest::newRow("after invalidation") << 1 << "stored anew";
    QTest::newRow("after deletion") << 2 << "stored anew";
    QTest::newRow("damaged") << 3 << "stored anew";
    QTest::newRow("other code") << 4 << "stored in place of other code: something is missing from the key";
    QTest::newRow("invalidated, object known") << 5 << "stored anew";
  }
  void storingAgainIsSaid() {
    QFETCH(int, how);
    QFETCH(QString, text);
    Store store = need(Store::open(inMemory()));
    NewEntry entry = entryOf(1);
    QVERIFY(storeEntry(store, entry).ok());
    if (how == 1 || how == 5) need(invalidate(store, Selection::all(), DryRun::No));
    if (how == 2) need(remove(store, Selection::all(), DryRun::No));
    if (how == 3) sql(store, "UPDATE object SET bytes = zeroblob(size)");
    if (how == 4) entry = entryOf(entry.key, 5);
    const auto wanted = entry.object;
    if (how == 5) entry.object.clear();
    QCOMPARE(QString::fromStdString(storeEntry(store, entry).text), text);
    QCOMPARE(lookupOne(store, entry.key).object->object, wanted);
    QCOMPARE(need(cacheStats(store)).entries, int64_t{1});
    QCOMPARE(need(cacheStats(store)).contents, int64_t{1});
  }

  void objectWithoutItsSymbolIsRefused() {
    Store store = need(Store::open(inMemory()));
    NewEntry entry = entryOf(1);
    std::ranges::fill(entry.object, std::byte{0});
    QVERIFY(storeEntry(store, entry).text.starts_with("not stored: its object does not contain the symbol"));
    entry.object.clear();
    QCOMPARE(storeEntry(store, entry).text,
             std::string("not stored: the object of its content is no longer in the cache"));
    entry.symbol.clear();
    QCOMPARE(storeEntry(store, entry).text, std::string("not stored: it has no symbol"));
    QCOMPARE(need(cacheStats(store)).entries, int64_t{0});
  }

  void oneBadEntrySpoilsNoOther() {
    Store store = need(Store::open(inMemory()));
    std::vector<NewEntry> entries{entryOf(1), entryOf(2), entryOf(3)};
    entries[1].symbol.clear();
    const auto results = storeEntries(store, entries);
    QVERIFY(results[0].ok() && !results[1].ok() && results[2].ok());
  }

  void hitsAreCountedWithTheRun() {
    Store store = need(Store::open(inMemory()));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    QVERIFY(storeEntry(store, entryOf(2)).ok());
    std::vector<LookupRow> lookups(3);
    lookups[0].key = lookups[1].key = keyOf(1).hash;
    lookups[0].outcome = lookups[1].outcome = Outcome::Hit;
    lookups[0].nodePath = "$.graph.nodes[0]";
    lookups[2].key = keyOf(2).hash;
    lookups[2].reason = "input 0: was a, now b";
    lookups[2].changedPart = "input 0";
    lookups[2].oldValue = "a";
    lookups[2].newValue = "b";
    lookups[2].nearest = keyOf(1).hash;
    lookups[2].storeResult = "stored";
    lookups[2].phases = {1, 2, 3, 4, 5, 6};
    RunRow run{0, "g.json", "compile", "hash", 1700000000, 5, 3, 2, 1, 0, 0, 7, 8};
    run.id = need(beginRun(store, run));
    const int64_t id = need(recordRun(store, run, lookups));
    QCOMPARE(id, run.id);
    QCOMPARE(need(showEntry(store, keyOf(1).hash)).row.hits, int64_t{2});
    QCOMPARE(need(showEntry(store, keyOf(2).hash)).row.hits, int64_t{0});
    QVERIFY(need(showEntry(store, keyOf(1).hash)).row.lastUse >
            need(showEntry(store, keyOf(2).hash)).row.lastUse);
    QCOMPARE(need(cacheStats(store)).hits, int64_t{2});
    const auto rows = need(runLookups(store, id));
    QCOMPARE(rows.size(), size_t{3});
    QCOMPARE(rows[0].nodePath, std::string("$.graph.nodes[0]"));
    QCOMPARE(rows[0].outcome, Outcome::Hit);
    QVERIFY(!rows[0].nearest);
    QCOMPARE(rows[2].reason, lookups[2].reason);
    QCOMPARE(rows[2].nearest.value(), keyOf(1).hash);
    QCOMPARE(rows[2].phases, lookups[2].phases);
    QCOMPARE(need(showRun(store, id)).savedNs, int64_t{8});
    QCOMPARE(need(statsByDay(store)).at(0).day, std::string("2023-11-14"));
  }

  void oldestRunsAreDropped() {
    CacheSettings settings = inMemory();
    settings.keepRuns.set(3, Origin::CommandLine);
    Store store = need(Store::open(settings));
    const std::vector<LookupRow> lookups(2);
    for (int k = 0; k < 5; ++k) need(recordRun(store, {}, lookups));
    const auto runs = need(listRuns(store));
    QCOMPARE(runs.size(), size_t{3});
    QCOMPARE(runs[0].id, int64_t{5});
    QCOMPARE(runs[2].id, int64_t{3});
    QCOMPARE(sqlInteger(store, "SELECT count(*) FROM lookup"), int64_t{6});
    QVERIFY(!showRun(store, 1).ok());
  }

  void daysOutlastTheirRuns() {
    CacheSettings settings = inMemory();
    settings.keepRuns.set(1, Origin::CommandLine);
    Store store = need(Store::open(settings));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    constexpr int64_t kDay = 86400, kStart = 1'700'000'000;
    for (const int64_t at : {kStart, kStart + 60, kStart + kDay})
      need(recordRun(store, {0, "g.json", "compile", "hash", at, 5, 4, 2, 1, 1, 0, 100, 50}, {}));
    const auto days = need(statsByDay(store));
    QCOMPARE(need(listRuns(store)).size(), size_t{1});
    QCOMPARE(days.size(), size_t{2});
    QCOMPARE(days[0].day, std::string("2023-11-14"));
    QCOMPARE(days[0].runs, int64_t{2});
    QCOMPARE(days[0].hits, int64_t{4});
    QCOMPARE(days[0].lookups, int64_t{8});
    QCOMPARE(days[0].compileNs, int64_t{200});
    QCOMPARE(days[0].savedNs, int64_t{100});
    QCOMPARE(days[1].runs, int64_t{1});
    QCOMPARE(days[1].entries, int64_t{1});
    QCOMPARE(days[1].bytes, need(cacheStats(store)).usedBytes());
  }

  void keyPartsCanBeComparedInSql() {
    Store store = need(Store::open(inMemory()));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    KeyEnvironment other = environment();
    other.options.optLevel = 0;
    QVERIFY(storeEntry(store, entryOf(makeKey(nodeParts(2), other), 2)).ok());
    QCOMPARE(sqlText(store,
                     "SELECT group_concat(a.name || '=' || b.value) FROM key_part AS a JOIN key_part AS b ON "
                     "b.name = a.name AND b.entry_id = 2 WHERE a.entry_id = 1 AND a.value IS NOT b.value"),
             std::string("constants=2,optimisation level=0"));
  }
};

QTEST_APPLESS_MAIN(TestCacheStore)
#include "tst_cache_store.moc"
