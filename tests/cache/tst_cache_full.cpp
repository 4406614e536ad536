// A full cache or disk: the number of files, the cap, errors, and totals that are never wrong.
#include "processes.h"
#include "support.h"

#include "cache/actions.h"
#include "cache/doctor.h"
#include "cache/eviction.h"
#include "cache/policy.h"
#include "cache/runs.h"
#include "cache/show.h"
#include "cache/stats.h"
#include "cache/store_state.h"

#include <QDir>
#include <random>

using namespace nodewise;
using namespace nodewise::test;

namespace {

CacheSettings cappedAt(int64_t bytes, const QString& file = QStringLiteral(":memory:")) {
  CacheSettings settings = settingsFor(file);
  settings.capBytes.set(bytes, Origin::CommandLine);
  return settings;
}

bool isThere(Store& store, int number) { return lookupOne(store, keyOf(number)).outcome == Outcome::Hit; }

QByteArray totalsDiffer(Store& store) {
  const CacheStats a = need(cacheStats(store)), b = need(recount(store));
  const auto text = [](const CacheStats& s) {
    return QByteArray::fromStdString(std::to_string(s.entries) + " " + std::to_string(s.contents) + " " +
                                     std::to_string(s.objectBytes) + " " + std::to_string(s.ownBytes) + " " +
                                     std::to_string(s.invalidated) + " " + std::to_string(s.deleted) + " " +
                                     std::to_string(s.quarantined) + " " + std::to_string(s.pinned) + " " +
                                     std::to_string(s.hits) + " " + std::to_string(s.compileNs));
  };
  return text(a) == text(b) ? QByteArray() : text(a) + " is not " + text(b);
}

} // namespace

class TestCacheFull : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void numberOfFilesIsConstant() {
    QTemporaryDir folder;
    Store store = need(Store::open(settingsFor(folder.filePath("cache.db"))));
    QVERIFY(storeEntry(store, entryOf(0)).ok());
    const auto files = QDir(folder.path()).entryList(QDir::Files);
    std::vector<NewEntry> entries;
    for (int k = 1; k < 1000; ++k) entries.push_back(entryOf(k, 500));
    storeEntries(store, entries);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), files);
    QCOMPARE(files.size(), qsizetype{3});
  }

  void capHoldsAtAnyTime() {
    constexpr int64_t cap = 40'000;
    Store store = need(Store::open(cappedAt(cap)));
    for (int k = 0; k < 60; ++k) {
      QCOMPARE(storeEntry(store, entryOf(k, 1000 + static_cast<size_t>(k) * 37 % 900)).text,
               std::string("stored"));
      const CacheStats stats = need(cacheStats(store));
      QVERIFY(stats.usedBytes() <= cap);
      QVERIFY(k < 40 || stats.usedBytes() > cap * 8 / 10); // no more is dropped than is needed
      QVERIFY(isThere(store, k));
    }
    QCOMPARE(totalsDiffer(store), QByteArray());
    QVERIFY(need(doctor(store, Repair::No)).findings.empty());
  }

  void capHoldsWithinABatch() {
    Store store = need(Store::open(cappedAt(40'000)));
    std::vector<NewEntry> entries;
    for (int k = 0; k < 100; ++k) entries.push_back(entryOf(k, 1000));
    int stored = 0;
    for (const StoreResult& result : storeEntries(store, entries)) stored += result.ok();
    QVERIFY(stored >= 30 && stored < 100); // those of one transaction do not push each other out
    QVERIFY(need(cacheStats(store)).usedBytes() <= 40'000);
    QCOMPARE(need(cacheStats(store)).entries, int64_t{stored});
  }

  void orderOfEvictionIsDeletedThenCheapThenUnused() {
    Store store =
        need(Store::open(cappedAt(11'000))); // five: of each 1,800 bytes of code, 160 of recipe and key
    const auto add = [&](int number, int64_t costNs) {
      NewEntry entry = entryOf(number, 1800);
      entry.phases = {0, 0, 0, costNs, 0, 0};
      QCOMPARE(storeEntry(store, entry).text, std::string("stored"));
    };
    add(1, 9'000'000); // dear
    add(2, 1'000);     // cheap
    add(3, 2'000'000);
    add(4, 2'000'000);
    add(5, 2'000'000);
    QCOMPARE(need(cacheStats(store)).entries, int64_t{5});
    need(remove(store, Selection::of({5}), DryRun::No));
    need(invalidate(store, Selection::of({4}), DryRun::No));
    REQUIRE_OK(countHits(store, std::vector<Hash>{keyOf(3).hash}));
    const auto there = [&] {
      std::string ids;
      for (int k = 1; k <= 9; ++k) {
        ids += sqlInteger(store, "SELECT count(*) FROM entry WHERE id = " + std::to_string(k)) ? char('0' + k)
                                                                                               : '.';
      }
      return ids;
    };
    add(6, 2'000'000);
    QCOMPARE(there(), std::string("1234.6..."));
    add(7, 2'000'000);
    QCOMPARE(there(), std::string("123..67.."));
    add(8, 2'000'000);
    QCOMPARE(there(), std::string("1.3..678."));
    need(pin(store, Selection::of({3, 6}), true, DryRun::No));
    add(9, 2'000'000);
    QCOMPARE(there(), std::string("1.3..6.89")); // 3 was used, and is pinned
  }

  void orderOfEvictionIsKnownBeforehand() {
    Store store = need(Store::open(cappedAt(1'000'000)));
    for (int k = 1; k <= 8; ++k) QVERIFY(storeEntry(store, entryOf(k, 500 * static_cast<size_t>(k))).ok());
    need(invalidate(store, Selection::of({1}), DryRun::No));
    need(remove(store, Selection::of({2}), DryRun::No));
    need(quarantine(store, Selection::of({3}), "signal 11", DryRun::No));
    need(pin(store, Selection::of({8}), true, DryRun::No));
    std::vector<int64_t> order;
    for (const EntryRow& row : need(evictionOrder(store, 100))) order.push_back(row.id);
    // The same cost for all: the largest live one is cheapest for its size.
    QCOMPARE(order, (std::vector<int64_t>{2, 3, 1, 7, 6, 5, 4}));
    QCOMPARE(need(evictionOrder(store, 2)).size(), size_t{2});
    std::vector<int64_t> gone;
    while (need(cacheStats(store)).entries > 1) {
      auto& connection = *store.state().connection;
      const int64_t used = need(usedBytes(connection));
      QVERIFY(need(makeRoom(connection, used, {1, 0}, 1000)));
      for (const int64_t id : order) {
        if (sqlInteger(store, "SELECT count(*) FROM entry WHERE id = " + std::to_string(id)) == 0 &&
            std::ranges::find(gone, id) == gone.end())
          gone.push_back(id);
      }
    }
    QCOMPARE(gone, order);
  }

  void aBatchDropsNoMoreThanItNeeds() {
    constexpr int64_t kCap = 640'000;
    Store store = need(Store::open(cappedAt(kCap)));
    for (int k = 0; k < 400; ++k) QVERIFY(storeEntry(store, entryOf(k, 2000)).ok());
    std::vector<NewEntry> batch;
    for (int k = 1000; k < 1100; ++k) batch.push_back(entryOf(k, 2000));
    for (const StoreResult& result : storeEntries(store, batch)) QVERIFY(result.ok());
    for (int k = 1000; k < 1100; ++k) QVERIFY(isThere(store, k));
    const int64_t used = need(usedBytes(*store.state().connection));
    QVERIFY2(used <= kCap, std::to_string(used).c_str());
    QVERIFY2(used > kCap - kCap / 64 - 2 * 2500, std::to_string(used).c_str());
  }

  void pinnedEntriesAreNeverEvicted() {
    Store store = need(Store::open(cappedAt(9'000)));
    QVERIFY(storeEntry(store, entryOf(1, 3000)).ok());
    QVERIFY(storeEntry(store, entryOf(2, 3000)).ok());
    need(pin(store, Selection::all(), true, DryRun::No));
    QVERIFY(storeEntry(store, entryOf(3, 1500)).ok());
    QCOMPARE(storeEntry(store, entryOf(4, 5000)).text,
             std::string("not stored: nothing can be dropped under the size cap of 9.0 kB"));
    QVERIFY(isThere(store, 1) && isThere(store, 2) && isThere(store, 3)); // nor was anything dropped in vain
    QCOMPARE(storeEntry(store, entryOf(5, 50'000)).text,
             std::string("not stored: larger than the size cap of 9.0 kB"));
  }

  void damagedTotalEvictsNothing() {
    Store store = need(Store::open(cappedAt(1'000'000)));
    for (int k = 0; k < 10; ++k) QVERIFY(storeEntry(store, entryOf(k)).ok());
    for (const char* total : {"9000000000000000000", "-5", "NULL", "'many'", "1e300"}) {
      sql(store, "UPDATE total SET object_bytes = " + std::string(total) + ", entries = " + total);
      QVERIFY(storeEntry(store, entryOf(100 + total[0])).ok());
      QVERIFY(isThere(store, 0));
      QCOMPARE(totalsDiffer(store), QByteArray());
    }
  }

  void useCounterSurvivesDamage() {
    Store store = need(Store::open(inMemory()));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    sql(store, "UPDATE entry SET last_use = 50");
    for (const char* counter : {"NULL", "-1", "9223372036854775807", "'x'"}) {
      sql(store, "UPDATE total SET use_counter = " + std::string(counter));
      REQUIRE_OK(countHits(store, std::vector<Hash>{keyOf(1).hash}));
      const int64_t use = need(showEntry(store, keyOf(1).hash)).row.lastUse;
      QVERIFY2(use > 50 && use < 100, qPrintable(QString::number(use)));
    }
  }

  void totalsEqualARecountAfterAnything() {
    Store store = need(Store::open(cappedAt(60'000)));
    std::mt19937 random(42);
    const auto number = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    for (int step = 0; step < 400; ++step) {
      const int64_t newest = sqlInteger(store, "SELECT ifnull(max(id), 0) FROM entry");
      Selection some = Selection::of({});
      for (int k = 0; k < 5; ++k) some.ids.push_back(1 + number(static_cast<int>(newest) + 1));
      switch (number(12)) {
      case 0:
        need(invalidate(store, some, DryRun::No));
        break;
      case 1:
        need(remove(store, some, DryRun::No));
        break;
      case 2:
        need(restore(store, some, DryRun::No));
        break;
      case 3:
        need(pin(store, some, number(2) == 0, DryRun::No));
        break;
      case 4:
        need(quarantine(store, some, "test", DryRun::No));
        break;
      case 5:
        (void)undo(store, 1 + number(50), DryRun::No).ok();
        break;
      case 6:
        REQUIRE_OK(countHits(store, std::vector<Hash>{keyOf(number(80)).hash, keyOf(number(80)).hash}));
        break;
      case 7:
        need(prune(store, {{}, 1000 * number(60)}, DryRun::No));
        break;
      case 8:
        if (number(10) == 0) need(vacuum(store, DryRun::No));
        break;
      default: {
        NewEntry entry = entryOf(number(80), 500 + static_cast<size_t>(number(2000)));
        if (number(4) == 0) { // the code of another key
          const NewEntry other = entryOf(number(80));
          entry.content = other.content;
          entry.symbol = other.symbol;
          entry.object = other.object;
        }
        storeEntry(store, entry);
      }
      }
      const QByteArray difference = totalsDiffer(store);
      QVERIFY2(difference.isEmpty(), difference.constData());
      QVERIFY(need(cacheStats(store)).usedBytes() <= 60'000);
    }
    const auto report = need(doctor(store, Repair::No));
    QVERIFY2(report.findings.empty(), report.findings.empty() ? "" : report.findings[0].what.c_str());
  }

  void fullDatabaseSaysSo() {
    Store store = need(Store::open(inMemory()));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    sql(store, "PRAGMA max_page_count = " + std::to_string(sqlInteger(store, "PRAGMA page_count") + 4));
    std::vector<NewEntry> entries;
    for (int k = 2; k < 50; ++k) entries.push_back(entryOf(k));
    for (const StoreResult& result : storeEntries(store, entries))
      QCOMPARE(result.text, std::string("not stored: disk full"));
    QCOMPARE(lookupOne(store, keyOf(1)).outcome, Outcome::Hit);
    sql(store, "PRAGMA max_page_count = 100000");
    QCOMPARE(storeEntry(store, entries[0]).text, std::string("stored"));
    QCOMPARE(totalsDiffer(store), QByteArray());
  }

  void fullDiskSaysSo_data() {
    QTest::addColumn<int>("limit");
    for (const int limit : {1'000'000, 400'000, 250'000}) QTest::addRow("%d bytes", limit) << limit;
  }
  void fullDiskSaysSo() {
    QFETCH(int, limit);
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    {
      Store store = need(Store::open(settingsFor(file)));
      QVERIFY(storeEntry(store, entryOf(1)).ok());
    }
    Helper helper({"limited", file, QString::number(limit), "600"});
    const QByteArray output = helper.finish();
    QVERIFY2(output.contains("not stored: disk full") && output.contains("(exit 1)"),
             output.right(300).constData());
    Store store = need(Store::open(settingsFor(file)));
    QVERIFY(store.takeNotices().empty());
    QCOMPARE(lookupOne(store, keyOf(1)).outcome, Outcome::Hit);
    QVERIFY(need(doctor(store, Repair::No)).findings.empty());
    QVERIFY(storeEntry(store, entryOf(5000)).ok());
  }

  void noRoomEvenForAnEmptyCacheIsAnError() {
    QTemporaryDir folder;
    Helper helper({"limited", folder.filePath("cache.db"), "20000", "1"});
    const QByteArray output = helper.finish();
    QVERIFY2(output.startsWith("error ") && output.contains("disk full"), output.constData());
    // And later, with room, what was begun is no hindrance.
    Store store = need(Store::open(settingsFor(folder.filePath("cache.db"))));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
  }
};

QTEST_GUILESS_MAIN(TestCacheFull)
#include "tst_cache_full.moc"
