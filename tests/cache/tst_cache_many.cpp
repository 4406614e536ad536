// Many processes and threads at once, and processes that are killed.
#include "processes.h"
#include "support.h"

#include "cache/doctor.h"
#include "cache/list.h"
#include "cache/runs.h"
#include "cache/stats.h"

#include <signal.h>

#include <QDir>
#include <QElapsedTimer>
#include <QThread>
#include <atomic>
#include <random>
#include <thread>

using namespace nodewise;
using namespace nodewise::test;

class TestCacheMany : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void twentyProcessesFillAnEmptyCache() {
    QTemporaryDir folder;
    const QString file = folder.filePath("new/cache.db");
    std::vector<std::unique_ptr<Helper>> helpers;
    for (int k = 0; k < 20; ++k)
      helpers.push_back(std::make_unique<Helper>(QStringList{"store", file, "0", "40"}));
    for (const auto& helper : helpers) QCOMPARE(helper->finish(), QByteArray("stored 40 hits 40"));
    Store store = need(Store::open(settingsFor(file)));
    QCOMPARE(need(cacheStats(store)).entries, int64_t{40});
    QCOMPARE(need(cacheStats(store)).contents, int64_t{40});
    QVERIFY(need(doctor(store, Repair::No)).findings.empty());
    // A database, its log and the log's index; no lock files, nothing moved aside.
    QCOMPARE(QDir(folder.filePath("new")).entryList(QDir::Files).size(), qsizetype{3});
  }

  void killedWriterLeavesWholeTransactions() {
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    std::mt19937 random(99);
    for (int round = 0; round < 20; ++round) {
      Helper helper({"forever", file, QString::number(round * 100'000)});
      helper.readLine();
      QThread::usleep(random() % 60'000);
      helper.kill();
      Store store = need(Store::open(settingsFor(file)));
      QVERIFY(store.takeNotices().empty());
      const CacheStats stats = need(cacheStats(store));
      QCOMPARE((stats.entries - round) % 5, int64_t{0}); // five at a time by each writer, one by each round
      QVERIFY(stats.entries > 0);
      QCOMPARE(stats.usedBytes(), need(recount(store)).usedBytes());
      const auto report = need(doctor(store, Repair::No));
      QVERIFY2(report.findings.empty(), report.findings.empty() ? "" : report.findings[0].what.c_str());
      QCOMPARE(lookupOne(store, keyOf(round * 100'000)).outcome, Outcome::Hit);
      QVERIFY(storeEntry(store, entryOf(-1 - round)).ok()); // nobody waits for the dead
    }
  }

  void killedWhileMakingTheFile() {
    QTemporaryDir folder;
    std::mt19937 random(5);
    for (int round = 0; round < 20; ++round) {
      const QString file = folder.filePath(QString("%1/cache.db").arg(round));
      Helper helper({"forever", file, "0"});
      QThread::usleep(random() % 40'000);
      helper.kill();
      Store store = need(Store::open(settingsFor(file)));
      QVERIFY(store.takeNotices().empty());
      QVERIFY(storeEntry(store, entryOf(900'000)).ok());
      QVERIFY(need(doctor(store, Repair::No)).findings.empty());
    }
  }

  void lockOfADeadProcessHoldsNobodyUp() {
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    CacheSettings settings = settingsFor(file);
    settings.busyMs.set(100, Origin::CommandLine);
    Store store = need(Store::open(settings));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    Helper holder({"hold", file});
    QCOMPARE(holder.readLine(), QByteArray("held"));
    // While it lives: reading goes on, writing says why not.
    QCOMPARE(lookupOne(store, keyOf(1)).outcome, Outcome::Hit);
    QCOMPARE(storeEntry(store, entryOf(2)).text,
             std::string("not stored: the cache is locked by another process"));
    QVERIFY(!recordRun(store, {}, {}).ok());
    QVERIFY(!need(listEntries(store, {})).rows.empty());
    Store other = need(Store::open(settings)); // opening needs no lock either
    holder.kill();
    QCOMPARE(storeEntry(store, entryOf(2)).text, std::string("stored"));
  }

  void writerWaitsForTheLivingAndGoesOnWhenItDies() {
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    Store store = need(Store::open(settingsFor(file)));
    Helper holder({"hold", file});
    QCOMPARE(holder.readLine(), QByteArray("held"));
    std::thread end([&] {
      QThread::msleep(150);
      ::kill(static_cast<pid_t>(holder.processId()), SIGKILL);
    });
    QCOMPARE(storeEntry(store, entryOf(2)).text, std::string("stored"));
    end.join();
  }

  void listingNeverFailsWhileOthersWrite() {
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    Helper first({"forever", file, "0"}), second({"forever", file, "1000000"});
    first.readLine();
    second.readLine();
    Store store = need(Store::open(settingsFor(file)));
    int64_t seen = 0, version = need(store.version());
    int changes = 0;
    QElapsedTimer timer;
    timer.start();
    for (int round = 0; round < 60 || (changes < 3 && timer.elapsed() < 60'000); ++round) {
      EntryQuery query;
      query.sort = static_cast<EntryColumn>(round % static_cast<int>(entryColumns().size()));
      query.limit = 50;
      const auto page = listEntries(store, query);
      REQUIRE_OK(page);
      const auto stats = cacheStats(store);
      REQUIRE_OK(stats);
      QVERIFY(stats->entries >= seen);
      seen = stats->entries;
      const int64_t now = need(store.version());
      changes += now != version;
      version = now;
    }
    QVERIFY(changes >= 3);
  }

  void threadsWithTheirOwnStoresShareOneFile() {
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    std::atomic<int> failures = 0;
    std::vector<std::thread> threads;
    for (int k = 0; k < 8; ++k) {
      threads.emplace_back([&, k] {
        CacheSettings settings = settingsFor(file);
        settings.busyMs.set(60'000, Origin::CommandLine);
        auto store = Store::open(settings);
        if (!store.ok()) {
          ++failures;
          return;
        }
        for (int n = 0; n < 10; ++n) {
          failures += !storeEntry(*store, entryOf(k * 10 + n)).ok();
          const auto answer = lookupKey(*store, keyOf(n), hostTarget());
          failures += !answer.ok();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(failures.load(), 0);
    Store store = need(Store::open(settingsFor(file)));
    QCOMPARE(need(cacheStats(store)).entries, int64_t{80});
  }
};

QTEST_GUILESS_MAIN(TestCacheMany)
#include "tst_cache_many.moc"
