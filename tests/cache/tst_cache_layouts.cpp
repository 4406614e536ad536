// Layouts that are kept: what is damaged or too much is not given back.
#include "cache/doctor.h"
#include "cache/layouts.h"
#include "cache/store_state.h"
#include "support.h"

using namespace nodewise;
using namespace nodewise::test;

namespace {

Hash hashOf(int number) { return hashBytes("layout " + std::to_string(number)); }
KeptLayout layoutOf(int number, size_t size = 100) {
  return {hashOf(number), std::vector<std::byte>(size, static_cast<std::byte>(number))};
}
int64_t rows(Store& store) { return sqlInteger(store, "SELECT count(*) FROM layout"); }

} // namespace

class TestCacheLayouts : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void whatWasKeptComesBack() {
    QTemporaryDir folder;
    {
      Store store = need(Store::open(settingsFor(folder.filePath("cache.db"))));
      QCOMPARE(need(saveLayouts(store, std::vector{layoutOf(1), layoutOf(2, 0)})), int64_t{2});
      QVERIFY(!need(loadLayout(store, hashOf(3))));
      QCOMPARE(need(saveLayouts(store, std::vector{layoutOf(1, 7)})), int64_t{1}); // the newer one counts
    }
    Store store = need(Store::open(settingsFor(folder.filePath("cache.db"))));
    QCOMPARE(*need(loadLayout(store, hashOf(1))), layoutOf(1, 7).bytes);
    QVERIFY(need(loadLayout(store, hashOf(2)))->empty());
  }

  void theLeastRecentlyUsedGo() {
    Store store = need(Store::open(inMemory()));
    std::vector<KeptLayout> many;
    for (int k = 0; k < kMostLayouts; ++k) many.push_back(layoutOf(k));
    REQUIRE_OK(saveLayouts(store, many));
    QCOMPARE(rows(store), kMostLayouts);
    REQUIRE_OK(saveLayouts(store, std::vector{layoutOf(1000)}, std::vector{hashOf(0)}));
    QCOMPARE(rows(store), kMostLayouts);
    QVERIFY(need(loadLayout(store, hashOf(0)))); // used just now
    QVERIFY(!need(loadLayout(store, hashOf(1))));
    QVERIFY(need(loadLayout(store, hashOf(2))));
    QVERIFY(need(loadLayout(store, hashOf(1000))));
  }

  void whatIsTooLargeIsNotKept() {
    Store store = need(Store::open(inMemory()));
    QCOMPARE(need(saveLayouts(store, std::vector{layoutOf(1, kMostLayoutBytes + 1)})), int64_t{0});
    QCOMPARE(rows(store), int64_t{0});
    std::vector<KeptLayout> large;
    for (int k = 0; k < 40; ++k) large.push_back(layoutOf(k, kMostLayoutBytes));
    REQUIRE_OK(saveLayouts(store, large));
    QCOMPARE(rows(store), kMostBytesOfLayouts / static_cast<int64_t>(kMostLayoutBytes));
    QVERIFY(need(loadLayout(store, hashOf(39))));
  }

  void damageIsNeitherGivenNorKept_data() {
    QTest::addColumn<QString>("change");
    QTest::newRow("bytes") << "bytes = x'0102'";
    QTest::newRow("text for bytes") << "bytes = 'abc'";
    QTest::newRow("no bytes") << "bytes = NULL";
    QTest::newRow("checksum") << "checksum = zeroblob(32)";
    QTest::newRow("number for a checksum") << "checksum = 5";
    QTest::newRow("hash of another") << "hash = zeroblob(32)";
    QTest::newRow("far too large") << "bytes = zeroblob(3000000)";
  }
  void damageIsNeitherGivenNorKept() {
    QFETCH(QString, change);
    Store store = need(Store::open(inMemory()));
    REQUIRE_OK(saveLayouts(store, std::vector{layoutOf(1), layoutOf(2)}));
    sql(store, ("UPDATE layout SET " + change + " WHERE id = 1").toStdString());
    QVERIFY(!need(loadLayout(store, hashOf(1))));
    QVERIFY(need(loadLayout(store, hashOf(2))));
    const DoctorReport found = need(doctor(store, Repair::No));
    QCOMPARE(found.findings.size(), size_t{1});
    QCOMPARE(QString::fromStdString(found.findings[0].what), QString("layouts that are damaged: 1"));
    QCOMPARE(rows(store), int64_t{2});
    REQUIRE_OK(doctor(store, Repair::Yes));
    QCOMPARE(rows(store), int64_t{1});
    QVERIFY(need(doctor(store, Repair::No)).findings.empty());
  }

  void countersThatCannotBeRightHarmNothing() {
    Store store = need(Store::open(inMemory()));
    REQUIRE_OK(saveLayouts(store, std::vector{layoutOf(1), layoutOf(2)}));
    for (const char* used : {"'often'", "9223372036854775807", "-9223372036854775808", "NULL"}) {
      sql(store, std::string("UPDATE layout SET used = ") + used + " WHERE id = 1");
      REQUIRE_OK(saveLayouts(store, std::vector{layoutOf(3)}, std::vector{hashOf(2)}));
      QVERIFY(need(loadLayout(store, hashOf(3))));
    }
  }

  void vacuumKeepsWhatFits() {
    Store store = need(Store::open(inMemory()));
    REQUIRE_OK(saveLayouts(store, std::vector{layoutOf(1)}));
    REQUIRE_OK(vacuum(store, DryRun::No));
    QVERIFY(need(loadLayout(store, hashOf(1))));
  }
};

QTEST_APPLESS_MAIN(TestCacheLayouts)
#include "tst_cache_layouts.moc"
