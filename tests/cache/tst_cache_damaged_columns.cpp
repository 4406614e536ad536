// Damage: any column of any table made wrong, 4,000 random times.
#include "damage.h"

#include "cache/actions.h"
#include "cache/doctor.h"
#include "cache/list.h"
#include "cache/runs.h"
#include "cache/show.h"
#include "cache/stats.h"

#include <QFile>
#include <set>

using namespace nodewise;
using namespace nodewise::test;

namespace {

struct Column {
  std::string table, name;
};

std::vector<Column> allColumns(Connection& connection) {
  std::vector<Column> columns;
  Query query = need(
      connection.prepareOnce("SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c "
                             "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1, 2"));
  while (need(query.step())) columns.push_back({query.textOr(0), query.textOr(1)});
  return columns;
}

const char* const kInjuries[] = {
    "NULL",
    "-1",
    "9223372036854775807",
    "-9223372036854775808",
    "1.5e300",
    "''",
    "'damaged'",
    "x''",
    "zeroblob(length({}))",
    "substr({}, 1, length({}) / 2)",
    "substr({}, 2)",
    "{} || 'x'",
    "CAST(substr({}, 1, length({}) / 2) || x'5a' || substr({}, length({}) / 2 + 2) AS BLOB)",
    "CAST({} AS TEXT)",
    "abs(random() % 100)",
    "'live'",
};

std::string injuryOf(const char* pattern, const std::string& column) {
  return QString::fromLatin1(pattern).replace("{}", QString::fromStdString(column)).toStdString();
}

/// All functions that read: none may fail for what is in a row.
QByteArray readEverything(Store& store) {
  for (const EntryColumnRow& column : entryColumns()) {
    EntryQuery query;
    query.sort = column.column;
    query.limit = 3;
    for (int pages = 0; pages < 5; ++pages) {
      const auto page = listEntries(store, query);
      if (!page.ok()) return "a list failed: " + QByteArray::fromStdString(page.error().text());
      for (const EntryRow& row : page->rows) {
        const auto detail = showEntry(store, row.id);
        if (!detail.ok())
          return "an entry cannot be shown: " + QByteArray::fromStdString(detail.error().text());
      }
      query.after = page->next;
      if (!query.after) break;
    }
  }
  for (const RunRow& run : need(listRuns(store))) need(runLookups(store, run.id));
  if (!cacheStats(store).ok()) return "no statistics";
  return {};
}

} // namespace

class TestCacheDamagedColumns : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void anyColumnMayHoldAnything() {
    constexpr int kRounds = 4000;
    QTemporaryDir folder(quickPlace());
    const Pristine pristine = makePristine(folder.path(), false);
    const QString path = folder.filePath("cache.db");
    std::mt19937 random(4711);
    std::vector<Column> columns;
    Survival survival;
    std::set<std::string> changed;
    for (int round = 0; round < kRounds; ++round) {
      writeFiles(path, pristine);
      std::string text;
      {
        const auto connection = need(Connection::open(path.toStdString(), OpenMode::ReadWrite, 1000));
        if (columns.empty()) columns = allColumns(*connection);
        const Column& column = columns[random() % columns.size()];
        text = "UPDATE OR IGNORE " + column.table + " SET " + column.name + " = " +
               injuryOf(kInjuries[random() % std::size(kInjuries)], column.name);
        if (random() % 2)
          text +=
              " WHERE " + column.name + " = (SELECT " + column.name + " FROM " + column.table + " LIMIT 1)";
        if (connection->execute(text).ok()) changed.insert(column.table + "." + column.name);
      }
      checkSurvival(path, pristine, survival);
      QVERIFY2(survival.failure.isEmpty(),
               qPrintable(QString::fromStdString(text) + ": " + survival.failure));
      if (round % 16 == 0) {
        auto store = Store::open(settingsFor(path));
        if (!store.ok()) continue;
        const QByteArray failure = readEverything(*store);
        QVERIFY2(failure.isEmpty(), qPrintable(QString::fromStdString(text) + ": " + failure));
        REQUIRE_OK(doctor(*store, Repair::Yes));
        const auto again = need(doctor(*store, Repair::No));
        QVERIFY2(again.findings.empty(),
                 qPrintable(QString::fromStdString(text + ": " +
                                                   (again.findings.empty() ? "" : again.findings[0].what))));
        QCOMPARE(need(cacheStats(*store)).usedBytes(), need(recount(*store)).usedBytes());
      }
    }
    qInfo("%zu columns, %d whole again, %d refused", changed.size(), survival.whole, survival.refused);
    QVERIFY(changed.size() > 80);
    QCOMPARE(survival.refused, 0);
    QCOMPARE(survival.whole, kRounds);
  }

  /// The largest number leaves none for rows to come, which SQLite calls a full database.
  void usedUpRowNumbersAreFreed_data() {
    QTest::addColumn<QString>("statement");
    for (const char* table : {"entry", "environment", "operation", "run"}) {
      QTest::addRow("%s", table) << QString("UPDATE %1 SET id = 9223372036854775807 WHERE id = 1").arg(table);
      QTest::addRow("sequence of %s", table)
          << QString("UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = '%1'").arg(table);
    }
  }
  void usedUpRowNumbersAreFreed() {
    QFETCH(QString, statement);
    Store store = need(Store::open(inMemory()));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    need(recordRun(store, {0, "g.json", "compile", "hash"}, {}));
    need(invalidate(store, Selection::all(), DryRun::No));
    sql(store, statement.toStdString());
    QCOMPARE(storeEntry(store, entryOf(2)).text, std::string("stored"));
    KeyEnvironment other = environment();
    other.options.optLevel = 0;
    QCOMPARE(storeEntry(store, entryOf(makeKey(nodeParts(3), other), 3)).text, std::string("stored"));
    QVERIFY(need(recordRun(store, {0, "g.json", "compile", "hash"}, {})) < 10);
    need(invalidate(store, Selection::all(), DryRun::No));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    QCOMPARE(lookupOne(store, keyOf(1)).outcome, Outcome::Hit);
    REQUIRE_OK(doctor(store, Repair::Yes));
    QVERIFY(need(doctor(store, Repair::No)).findings.empty());
  }
};

QTEST_APPLESS_MAIN(TestCacheDamagedColumns)
#include "tst_cache_damaged_columns.moc"
