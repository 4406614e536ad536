// What people do to entries: nothing is final, and dry runs tell the truth.
#include "support.h"

#include "cache/actions.h"
#include "cache/bundle.h"
#include "cache/doctor.h"
#include "cache/list.h"
#include "cache/policy.h"
#include "cache/runs.h"
#include "cache/show.h"
#include "cache/stats.h"
#include "cache/words.h"

#include <QFile>

using namespace nodewise;
using namespace nodewise::test;

namespace {

Store tenEntries(const CacheSettings& settings = inMemory()) {
  Store store = need(Store::open(settings));
  std::vector<NewEntry> entries;
  for (int k = 1; k <= 10; ++k) entries.push_back(entryOf(k, 1000 * static_cast<size_t>(k)));
  entries[1].content = entries[0].content; // 1 and 2 share their code
  entries[1].symbol = entries[0].symbol;
  entries[1].object.clear();
  storeEntries(store, entries);
  return store;
}

std::string states(Store& store) {
  return sqlText(store,
                 "SELECT group_concat(substr(state, 1, 1), '') FROM (SELECT state FROM entry ORDER BY id)");
}

Filter filter(const char* text) { return need(parseFilter(text)); }

using ActionFn = Result<ActionReport> (*)(Store&, DryRun);
struct ActionCase {
  const char* name;
  ActionFn run;
  const char* after;
};
const ActionCase kActions[] = {
    {"invalidate",
     [](Store& s, DryRun d) { return invalidate(s, Selection::matching(filter("size>5000")), d); },
     "llllliiiii"},
    {"delete",
     [](Store& s, DryRun d) {
       return remove(s, Selection::of({1, 2, 99}), d);
     },
     "ddllllllll"},
    {"clear", [](Store& s, DryRun d) { return clear(s, d); }, "dddddddddd"},
    {"prune",
     [](Store& s, DryRun d) {
       return prune(s, {{}, 20'000}, d);
     },
     nullptr},
    {"quarantine", [](Store& s, DryRun d) { return quarantine(s, Selection::of({3}), "signal 11", d); },
     "llqlllllll"},
};

} // namespace

class TestCacheActions : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void everyActionIsAnnouncedDoneUndoneAndRedone_data() {
    QTest::addColumn<int>("index");
    for (size_t k = 0; k < std::size(kActions); ++k) QTest::newRow(kActions[k].name) << static_cast<int>(k);
  }
  void everyActionIsAnnouncedDoneUndoneAndRedone() {
    QFETCH(int, index);
    const ActionCase& action = kActions[index];
    Store store = tenEntries();
    const ActionReport dry = need(action.run(store, DryRun::Yes));
    QCOMPARE(states(store), std::string("llllllllll"));
    QCOMPARE(dry.operation, int64_t{0});
    const ActionReport done = need(action.run(store, DryRun::No));
    QVERIFY(done.operation > 0);
    QCOMPARE(done.entries, dry.entries);
    QCOMPARE(done.bytes, dry.bytes);
    QCOMPARE(done.compileNs, dry.compileNs);
    QCOMPARE("would have " + done.summary, dry.summary);
    const std::string after = states(store);
    if (action.after) QCOMPARE(after, std::string(action.after));
    QCOMPARE(sqlInteger(store, "SELECT count(*) FROM entry WHERE state <> 'live'"), done.entries);
    QCOMPARE(sqlInteger(store, "SELECT sum(compile_ns) FROM entry WHERE state <> 'live'"), done.compileNs);
    QCOMPARE(need(undo(store, done.operation, DryRun::Yes)).entries, done.entries);
    QCOMPARE(need(undo(store, done.operation, DryRun::No)).entries, done.entries);
    QCOMPARE(states(store), std::string("llllllllll"));
    QVERIFY(!undo(store, done.operation, DryRun::No).ok());
    QCOMPARE(need(redo(store, done.operation, DryRun::No)).entries, done.entries);
    QCOMPARE(states(store), after);
    QCOMPARE(need(restore(store, Selection::all(), DryRun::No)).entries, done.entries);
    QCOMPARE(states(store), std::string("llllllllll"));
    QCOMPARE(need(cacheStats(store)).usedBytes(), need(recount(store)).usedBytes());
    const auto operations = need(listOperations(store));
    QCOMPARE(operations.front().command, std::string("restore"));
    QCOMPARE(operations.back().command, std::string(action.name));
  }

  void operationsAreUndoneInAnyDepth() {
    Store store = tenEntries();
    const int64_t first = need(invalidate(store, Selection::of({1, 2, 3}), DryRun::No, "why")).operation;
    const int64_t second = need(remove(store, Selection::of({3, 4}), DryRun::No)).operation;
    need(undo(store, second, DryRun::No));
    QCOMPARE(states(store), std::string("iiilllllll"));
    QCOMPARE(need(showEntry(store, 3)).row.stateReason, std::string("why"));
    need(redo(store, second, DryRun::No));
    // Entry 3 is deleted now: undoing the first leaves it so.
    QCOMPARE(need(undo(store, first, DryRun::No)).entries, int64_t{2});
    QCOMPARE(states(store), std::string("llddllllll"));
  }

  void bytesCountSharedCodeOnce() {
    Store store = tenEntries();
    const auto own = [&](int id) {
      return sqlInteger(store, "SELECT own_bytes FROM entry WHERE id = " + std::to_string(id));
    };
    QCOMPARE(need(remove(store, Selection::of({1}), DryRun::Yes)).bytes, own(1)); // 2 keeps the code
    QCOMPARE(need(remove(store, Selection::of({1, 2}), DryRun::Yes)).bytes, own(1) + own(2) + 1000);
    QCOMPARE(need(clear(store, DryRun::Yes)).bytes, need(cacheStats(store)).usedBytes());
  }

  void pinnedEntriesStay() {
    Store store = tenEntries();
    QCOMPARE(need(pin(store, Selection::of({2, 5}), true, DryRun::Yes)).entries, int64_t{2});
    QCOMPARE(need(cacheStats(store)).pinned, int64_t{0});
    need(pin(store, Selection::of({2, 5}), true, DryRun::No));
    const ActionReport cleared = need(clear(store, DryRun::No));
    QCOMPARE(cleared.entries, int64_t{8});
    QCOMPARE(cleared.kept, int64_t{2});
    QVERIFY(cleared.summary.ends_with("; 2 kept because pinned"));
    QCOMPARE(states(store), std::string("dlddlddddd"));
    QCOMPARE(need(prune(store, {{}, 0}, DryRun::No)).entries, int64_t{0});
    need(pin(store, Selection::of({2, 5}), false, DryRun::No));
    QCOMPARE(need(prune(store, {{}, 0}, DryRun::No)).entries, int64_t{2});
  }

  void pinsAreUndoneAndRedone() {
    Store store = tenEntries();
    const auto pinned = [&] { return sqlText(store, "SELECT group_concat(id) FROM entry WHERE pinned"); };
    const int64_t first = need(pin(store, Selection::of({2, 5}), true, DryRun::No)).operation;
    const int64_t second =
        need(pin(store, Selection::of({5, 7}), true, DryRun::No)).operation; // 5 is so already
    QCOMPARE(pinned(), std::string("2,5,7"));
    QCOMPARE(need(undo(store, second, DryRun::Yes)).entries, int64_t{1});
    need(undo(store, second, DryRun::No));
    QCOMPARE(pinned(), std::string("2,5"));
    need(redo(store, second, DryRun::No));
    QCOMPARE(pinned(), std::string("2,5,7"));
    need(remove(store, Selection::of({1}), DryRun::No));
    const int64_t third = need(pin(store, Selection::all(), false, DryRun::No)).operation;
    QCOMPARE(pinned(), std::string());
    need(undo(store, third, DryRun::No));
    QCOMPARE(pinned(), std::string("2,5,7"));
    need(undo(store, first, DryRun::No)); // in any order
    QCOMPARE(pinned(), std::string("7"));
    QCOMPARE(states(store), std::string("dlllllllll")); // pins leave states alone
    QCOMPARE(need(pin(store, Selection::of({7}), true, DryRun::No)).operation, int64_t{0}); // nothing changed
  }

  void undoAndRedoKnowWhatIsNext() {
    Store store = tenEntries();
    QVERIFY(!need(nextUndo(store)) && !need(nextRedo(store)));
    const int64_t first = need(invalidate(store, Selection::of({1}), DryRun::No)).operation;
    const int64_t second = need(pin(store, Selection::of({2}), true, DryRun::No)).operation;
    QCOMPARE(need(nextUndo(store))->id, second);
    need(undo(store, second, DryRun::No));
    need(undo(store, first, DryRun::No));
    QVERIFY(!need(nextUndo(store)));
    QCOMPARE(need(nextRedo(store))->id, first);
    need(redo(store, first, DryRun::No));
    QCOMPARE(need(nextRedo(store))->id, second);
    need(remove(store, Selection::of({3}), DryRun::No));
    QVERIFY(!need(nextRedo(store))); // something else was done since
  }

  void damagedEntriesAreNotRestored() {
    Store store = tenEntries();
    sql(store, "UPDATE object SET bytes = zeroblob(size) WHERE id = 4");
    need(quarantine(store, Selection::all(), "test", DryRun::No));
    QCOMPARE(need(restore(store, Selection::all(), DryRun::No)).entries, int64_t{9});
    QCOMPARE(need(cacheStats(store)).quarantined, int64_t{1});
  }

  void pruneTakesTheCheapestAndLongestUnused() {
    Store store = tenEntries();
    // By the bytes: 10 is the largest, so the cheapest to rebuild for its size; a hit keeps it alive longest.
    std::vector<Hash> hits{keyOf(10).hash};
    for (int k = 0; k < 5000; ++k) sql(store, "UPDATE total SET use_counter = use_counter + 1");
    REQUIRE_OK(countHits(store, hits));
    // Recipes and key texts count too, so the cap is told from what is used.
    need(prune(store, {{}, need(cacheStats(store)).usedBytes() - 9000}, DryRun::No));
    QCOMPARE(states(store), std::string("lllllllldl"));
  }

  void ageCapStandsWrongClocks() {
    CacheSettings settings = inMemory();
    settings.ageDays.set(30, Origin::CommandLine);
    Store store = tenEntries(settings);
    sql(store, "UPDATE entry SET used = used - 31 * 86400 WHERE id = 1");
    sql(store, "UPDATE entry SET used = used + 4000 * 86400 WHERE id = 2"); // a clock was far ahead
    QCOMPARE(need(applyAgeCap(store)), int64_t{1});
    QCOMPARE(states(store), std::string("dlllllllll"));
    QVERIFY(need(showEntry(store, 2)).row.usedUnix <= nowUnix());
    sql(store, "UPDATE entry SET used = 0 WHERE id = 3"); // once a day is enough
    QCOMPARE(need(applyAgeCap(store)), int64_t{0});
    sql(store,
        "UPDATE meta SET value = '99999999999' WHERE name = 'age checked'"); // checked in the future: again
    QCOMPARE(need(applyAgeCap(store)), int64_t{1});
    // A clock that jumped ahead made all look old: nothing is lost.
    sql(store, "UPDATE entry SET used = 1; UPDATE meta SET value = '0' WHERE name = 'age checked'");
    QCOMPARE(need(applyAgeCap(store)), int64_t{8});
    need(undo(store, need(listOperations(store)).front().id, DryRun::No));
    QCOMPARE(lookupOne(store, keyOf(7)).outcome, Outcome::Hit);
  }

  void vacuumMakesItFinal() {
    QTemporaryDir folder;
    Store store = tenEntries(settingsFor(folder.filePath("cache.db")));
    need(remove(store, Selection::matching(filter("size>5000")), DryRun::No));
    QCOMPARE(need(vacuum(store, DryRun::Yes)).entries, int64_t{5});
    QCOMPARE(need(cacheStats(store)).deleted, int64_t{5});
    const VacuumReport report = need(vacuum(store, DryRun::No));
    QCOMPARE(report.entries, int64_t{5});
    QVERIFY(report.bytesAfter < report.bytesBefore);
    QCOMPARE(need(cacheStats(store)).entries, int64_t{5});
    QVERIFY(need(listOperations(store)).empty());
    QCOMPARE(need(restore(store, Selection::all(), DryRun::No)).entries, int64_t{0});
    QVERIFY(need(doctor(store, Repair::No)).findings.empty());
    QCOMPARE(lookupOne(store, keyOf(1)).outcome, Outcome::Hit);
  }

  void bundleCarriesEntriesToAnotherCache() {
    QTemporaryDir folder;
    Store store = tenEntries(settingsFor(folder.filePath("a/cache.db")));
    const std::string bundle = folder.filePath("bundle.db").toStdString();
    const Selection some = Selection::matching(filter("size<=5000"));
    QCOMPARE(need(exportBundle(store, some, bundle, DryRun::Yes)).entries, int64_t{5});
    QVERIFY(!QFile::exists(folder.filePath("bundle.db")));
    QCOMPARE(need(exportBundle(store, some, bundle, DryRun::No)).entries, int64_t{5});
    QVERIFY(!QFile::exists(folder.filePath("bundle.db-wal")));
    QVERIFY(!exportBundle(store, some, bundle, DryRun::No).ok());
    Store other = need(Store::open(settingsFor(folder.filePath("b/cache.db"))));
    QVERIFY(storeEntry(other, entryOf(3, 3000)).ok());
    QCOMPARE(need(importBundle(other, bundle, DryRun::Yes)).entries, int64_t{4});
    const ActionReport imported = need(importBundle(other, bundle, DryRun::No));
    QCOMPARE(imported.entries, int64_t{4});
    QCOMPARE(need(importBundle(other, bundle, DryRun::No)).entries, int64_t{0});
    // Taken back, what was here before stays; done again, all of it is back.
    QVERIFY(imported.operation > 0);
    QCOMPARE(need(undo(other, imported.operation, DryRun::No)).entries, int64_t{4});
    QCOMPARE(need(cacheStats(other)).deleted, int64_t{4});
    QVERIFY(lookupOne(other, keyOf(3)).object.has_value());
    QCOMPARE(need(redo(other, imported.operation, DryRun::No)).entries, int64_t{4});
    QCOMPARE(need(cacheStats(other)).deleted, int64_t{0});
    QCOMPARE(lookupOne(other, keyOf(2)).object->object, entryOf(1, 1000).object);
    QCOMPARE(need(showEntry(other, keyOf(4).hash)).recipe, entryOf(4).recipe);
    QVERIFY(need(doctor(other, Repair::No)).findings.empty());
    QVERIFY(!importBundle(other, folder.filePath("absent.db").toStdString(), DryRun::No).ok());
  }

  void damagedEntriesOfABundleStayOut() {
    QTemporaryDir folder;
    const std::string bundle = folder.filePath("bundle.db").toStdString();
    {
      Store store = tenEntries(settingsFor(folder.filePath("bundle.db")));
      sql(store, "UPDATE object SET bytes = zeroblob(size) WHERE id = 4");
      sql(store, "UPDATE part SET value = 'planted' WHERE name = 'constants' AND value = '7'");
      sql(store, "UPDATE recipe SET graph = 'planted' WHERE entry_id = 9");
    }
    Store other = need(Store::open(inMemory()));
    const ActionReport report = need(importBundle(other, bundle, DryRun::No));
    QCOMPARE(report.entries, int64_t{7});
    QCOMPARE(report.kept, int64_t{3});
  }

  void settingsAreKeptInTheDatabase() {
    QTemporaryDir folder;
    CacheSettings settings = settingsFor(folder.filePath("cache.db"));
    {
      Store store = need(Store::open(settings));
      REQUIRE_OK(store.keepSetting("size cap", "2G"));
      QVERIFY(!store.keepSetting("size cap", "large").ok());
      QVERIFY(!store.keepSetting("colour", "blue").ok());
      QCOMPARE(need(cacheStats(store)).capBytes, int64_t{2000000000});
    }
    QCOMPARE(need(Store::open(settings)).settings().capBytes.origin, Origin::Database);
    settings.capBytes.set(1000, Origin::CommandLine);
    QCOMPARE(need(Store::open(settings)).settings().capBytes.value, int64_t{1000});
  }
};

QTEST_APPLESS_MAIN(TestCacheActions)
#include "tst_cache_actions.moc"
