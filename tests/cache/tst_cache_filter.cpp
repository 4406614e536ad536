// The query language: what it says yes to, in SQL and in C++ alike, and what it says about bad terms.
#include "support.h"

#include "cache/actions.h"
#include "cache/filter_sql.h"
#include "cache/list.h"
#include "cache/policy.h"
#include "cache/runs.h"
#include "cache/stats.h"
#include "cache/store_state.h"
#include "cache/words.h"

#include <set>
#include <sqlite3.h>

using namespace nodewise;
using namespace nodewise::test;

class TestCacheFilter : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase() {
    m_store = std::make_unique<Store>(need(Store::open(inMemory())));
    const auto add = [&](int number, const char* op, const char* label, const char* dtype, int64_t emitNs,
                         size_t bytes) {
      NewEntry entry = entryOf(makeKey(nodeParts(number, dtype, op), environment()), number, bytes);
      entry.op = op;
      entry.label = label;
      entry.dtype = dtype;
      entry.phases = {0, 0, 0, emitNs, 0, 0};
      QVERIFY(storeEntry(*m_store, entry).ok());
    };
    add(1, "Elemwise", "composite: exp, mul", "float64", 6'000'000, 12'000);
    add(2, "Elemwise", "add 100%_\\", "float32", 2'000'000, 3'000);
    add(3, "Sum", "axis 0", "float64", 4'000'000, 2'000);
    add(4, "Scan", "", "int64", 90'000'000, 40'000);
    sql(*m_store, "UPDATE entry SET hits = 7 WHERE id = 3");
    sql(*m_store, "UPDATE entry SET created = created - 40 * 86400, used = used - 5 * 86400 WHERE id = 4");
    sql(*m_store, "UPDATE entry SET created = created + 400 * 86400 WHERE id = 3"); // a wrong clock
    need(invalidate(*m_store, Selection::of({2}), DryRun::No, "its Op changed"));
  }
  void cleanupTestCase() { m_store.reset(); }

  void termsSelect_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QList<int>>("ids");
    const auto row = [](const char* filter, QList<int> ids) { QTest::newRow(filter) << filter << ids; };
    row("", {1, 2, 3, 4});
    row("op:elemwise", {1, 2});
    row("op:Elem dtype:float64", {1});
    row("op=Elem", {});
    row("op=elemwise", {1, 2});
    row("op!=Elemwise", {3, 4});
    row("-op:Elemwise", {3, 4});
    row("state:inv", {2});
    row("-state:live", {2});
    row("reason:op", {2});
    row("cost>5ms", {1, 4});
    row("cost<=4ms", {2, 3});
    row("cost=2000us", {2});
    row("cost:90ms", {4});
    row("size>=3000", {1, 2, 4});
    row("size>10k size<20kB", {1});
    row("size>=2k", {1, 2, 3, 4});
    row("size>=2Ki", {1, 2, 4});
    row("size=0.012MB", {1});
    row("hits=0", {1, 2, 4});
    row("hits!=0", {3});
    row("age>30d", {4});
    row("age<1h", {1, 2, 3});
    row("unused>4d", {4});
    row("unused<1w age>1w", {4});
    row("float", {1, 2, 3});
    row("EXP", {1});
    row("exp axis", {});
    row("label:\"exp, mul\"", {1});
    row("\"exp, mul\"", {1});
    row("100%_", {2});
    row("%", {2});
    row("label:\"\\\\\"", {2});
    row("cpu:znver", {1, 2, 3, 4});
    row("/^sum$|^scan$/", {3, 4});
    row("-/exp|axis/", {2, 4});
    row("/^$/", {1, 3, 4}); // live ones have no reason; 2 has all five texts
    row("/changed/", {2});
    row("/a\\/b/", {});
    row("op:e /mul/ cost>1ms", {1});
  }
  void termsSelect() {
    QFETCH(QString, filter);
    QFETCH(QList<int>, ids);
    const Filter parsed = need(parseFilter(filter.toStdString()));
    EntryQuery query;
    query.filter = parsed;
    query.descending = false;
    QList<int> found;
    for (const EntryRow& row : need(listEntries(*m_store, query)).rows)
      found.append(static_cast<int>(row.id));
    QCOMPARE(found, ids);
    QCOMPARE(need(countEntries(*m_store, parsed)).entries, int64_t{ids.size()});
    QCOMPARE(need(remove(*m_store, Selection::matching(parsed), DryRun::Yes)).entries, int64_t{ids.size()});
    // The same whichever way a list takes.
    for (const TermWay way : {TermWay::AsItIs, TermWay::ByIds, TermWay::AmongIds, TermWay::InOrder}) {
      const FilterSql plan = filterSql(parsed, nowUnix(), std::vector<TermWay>(parsed.terms.size(), way));
      if (plan.patterns) continue;
      Query rows = need(m_store->state().connection->prepareOnce(
          "SELECT e.id FROM entry AS e LEFT JOIN environment AS v ON v.id = e.environment_id WHERE (" +
          plan.where + ") ORDER BY e.id"));
      bindValues(rows, plan, 1);
      QList<int> planned;
      while (need(rows.step())) planned.append(static_cast<int>(rows.integerOr(0)));
      QCOMPARE(planned, ids);
    }
    // The same by the matcher that graph and node tables use.
    EntryQuery all;
    all.descending = false;
    QList<int> matched;
    const int64_t now = nowUnix();
    for (const EntryRow& row : need(listEntries(*m_store, all)).rows) {
      const std::string keyHex = row.key.hex();
      const FilterSubject subject{row.op,
                                  row.label,
                                  row.dtype,
                                  row.state,
                                  row.stateReason,
                                  row.cpu,
                                  keyHex,
                                  row.compileNs,
                                  row.objectBytes,
                                  row.hits,
                                  std::max<int64_t>(0, now - row.createdUnix),
                                  std::max<int64_t>(0, now - row.usedUnix),
                                  {},
                                  {},
                                  -1};
      if (matches(parsed, subject)) matched.append(static_cast<int>(row.id));
    }
    QCOMPARE(matched, ids);
  }

  void keyBeginsWithDigits() {
    const EntryRow row = need(listEntries(*m_store, {})).rows.front();
    for (const size_t digits : {1, 5, 10, 64}) {
      EntryQuery query;
      query.filter = need(parseFilter("key:" + row.key.hex().substr(0, digits)));
      const auto rows = need(listEntries(*m_store, query)).rows;
      QVERIFY(std::ranges::find(rows, row.id, &EntryRow::id) != rows.end());
    }
    EntryQuery none;
    none.filter = need(parseFilter("key:" + std::string(64, 'f')));
    QVERIFY(need(listEntries(*m_store, none)).rows.empty());
  }

  void keyBeginsWithOneOfSeveral() {
    const std::vector<EntryRow> rows = need(listEntries(*m_store, {})).rows;
    QVERIFY(rows.size() > 2);
    EntryQuery query;
    query.filter = need(parseFilter("key:" + rows[0].key.hex() + "," + rows[2].key.hex().substr(0, 20)));
    QCOMPARE(need(listEntries(*m_store, query)).rows.size(), size_t{2});
    FilterSubject subject;
    const std::string third = rows[2].key.hex(), second = rows[1].key.hex();
    subject.keyHex = third;
    QVERIFY(matches(query.filter, subject));
    subject.keyHex = second;
    QVERIFY(!matches(query.filter, subject));
  }

  void badTermsSayWhereAndWhat_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* filter, const char* error) { QTest::newRow(filter) << filter << error; };
    row("op:Sum shape:3", "filter, column 8: there is no field 'shape'");
    row("op:Sum rank=2", "filter, column 8: entries of the cache have no field 'rank'");
    row("cost>fast", "filter, column 1: 'fast' is not a number for cost");
    row("cost>5", "filter, column 1: '5' has no unit of cost (recorded compile time (ns, us, ms, s))");
    row("cost>5d", "filter, column 1: '5d' has no unit of cost (recorded compile time (ns, us, ms, s))");
    row("size>-1", "filter, column 1: '-1' is not a number for size");
    row("hits>nan", "filter, column 1: 'nan' is not a number for hits");
    row("size>9999999999999999g", "filter, column 1: '9999999999999999g' is too large");
    row("op<x", "filter, column 1: op is text, which has no <");
    row("a  op:", "filter, column 4: nothing follows op:");
    row("key:xyz", "filter, column 1: 'xyz' is not hexadecimal");
    row("key:,", "filter, column 1: ',' is not hexadecimal");
    row("/sum", "filter, column 1: a pattern has no end");
    row("/sum/x", "filter, column 1: something follows the pattern");
    row("op:\"x", "filter, column 1: a quoted text has no end");
  }
  void badTermsSayWhereAndWhat() {
    QFETCH(QString, filter);
    QFETCH(QString, error);
    const auto parsed = parseFilter(filter.toStdString());
    QVERIFY(!parsed.ok());
    QCOMPARE(QString::fromStdString(parsed.error().what), error);
    QVERIFY(!parsed.error().remedy.empty());
  }

  void eachThingHasItsFields() {
    for (const FilterFieldRow& field : filterFields()) {
      for (const FilterOn on : {FilterOn::Entries, FilterOn::Nodes, FilterOn::Runs}) {
        const auto parsed = parseFilter(field.example, on);
        // state:live and the like are read for nodes too: the word is the matcher's matter.
        QVERIFY2(parsed.ok() == field.isOf(on), std::string(field.example).c_str());
        if (!parsed.ok()) QVERIFY(QString::fromStdString(parsed.error().remedy).startsWith("their fields are "));
      }
    }
    FilterPlace place;
    QVERIFY(!parseFilter("op:Sum  rank>x dtype:f", FilterOn::Nodes, &place).ok());
    QCOMPARE(place.from, size_t{8});
    QCOMPARE(place.length, size_t{6});
    QVERIFY(!parseFilter("op:Sum -/a", FilterOn::Nodes, &place).ok());
    QCOMPARE(place.from, size_t{7});
    QCOMPARE(place.length, size_t{3});
  }

  void whatHasNoAgeOrRankIsNeverFound() {
    FilterSubject subject;
    subject.ageSeconds = -1;
    QVERIFY(!matches(need(parseFilter("age<9y", FilterOn::Nodes)), subject));
    QVERIFY(!matches(need(parseFilter("rank!=2", FilterOn::Nodes)), subject));
    subject.rank = 2;
    QVERIFY(matches(need(parseFilter("rank:2 rank<3", FilterOn::Nodes)), subject));
  }

  void hostilePatternsAreAnsweredSoon() {
    QVERIFY(!parseFilter("/(/").ok());
    QVERIFY(!parseFilter("/" + std::string(100'000, '(') + "/").ok());
    QVERIFY(!parseFilter("/(a)\\1/").ok()); // needs exponential search
    const Filter filter = need(parseFilter("/(a+)+b/"));
    const std::string text(100'000, 'a');
    FilterSubject subject;
    subject.label = text;
    QVERIFY(!matches(filter, subject));
  }

  void pagesGiveEveryRowOnceInAnyOrder_data() {
    QTest::addColumn<int>("column");
    QTest::addColumn<bool>("descending");
    for (const EntryColumnRow& column : entryColumns()) {
      for (const bool descending : {false, true}) {
        QTest::addRow("%s %s", column.name.data(), descending ? "descending" : "ascending")
            << static_cast<int>(column.column) << descending;
      }
    }
  }
  void pagesGiveEveryRowOnceInAnyOrder() {
    QFETCH(int, column);
    QFETCH(bool, descending);
    Store store = need(Store::open(inMemory()));
    std::vector<NewEntry> entries;
    for (int k = 0; k < 25; ++k) {
      entries.push_back(entryOf(k, 1000 + static_cast<size_t>(k % 3)));
      entries.back().op = k % 2 ? "Sum" : "Elemwise"; // many equals, which the page boundaries cut
      entries.back().phases.emit += k % 4;
    }
    storeEntries(store, entries);
    EntryQuery query;
    query.sort = static_cast<EntryColumn>(column);
    query.descending = descending;
    query.limit = 1000;
    const auto whole = need(listEntries(store, query));
    QCOMPARE(whole.rows.size(), size_t{25});
    QVERIFY(!whole.next);
    std::vector<int64_t> expected, paged;
    for (const EntryRow& row : whole.rows) expected.push_back(row.id);
    query.limit = 4;
    do {
      const EntryPage page = need(listEntries(store, query));
      for (const EntryRow& row : page.rows) paged.push_back(row.id);
      query.after = page.next;
    } while (query.after);
    QCOMPARE(paged, expected);
    QCOMPARE(std::string(entryColumns()[static_cast<size_t>(column)].name),
             std::string(entryColumns()[static_cast<size_t>(need(findEntryColumn(
                                            entryColumns()[static_cast<size_t>(column)].name)))]
                             .name));
  }

  void pagingGoesOnWhileOthersWrite() {
    Store store = need(Store::open(inMemory()));
    std::vector<NewEntry> entries;
    for (int k = 0; k < 10; ++k) entries.push_back(entryOf(k));
    storeEntries(store, entries);
    EntryQuery query;
    query.descending = false;
    query.limit = 5;
    query.after = need(listEntries(store, query)).next;
    sql(store, "DELETE FROM entry WHERE id IN (2, 5, 6)");
    QVERIFY(storeEntry(store, entryOf(11)).ok());
    std::vector<int64_t> ids;
    for (const EntryRow& row : need(listEntries(store, query)).rows) ids.push_back(row.id);
    QCOMPARE(ids, (std::vector<int64_t>{7, 8, 9, 10, 11}));
  }

  void groupsAddUp() {
    const auto groups = need(groupEntries(*m_store, {}, EntryColumn::Op));
    QCOMPARE(groups.size(), size_t{3});
    QCOMPARE(groups[0].value, std::string("Elemwise"));
    QCOMPARE(groups[0].totals.entries, int64_t{2});
    QCOMPARE(groups[0].totals.compileNs, int64_t{8'000'000});
  }

  void groupsMayBeFilteredByAPattern() {
    const auto groups = need(groupEntries(*m_store, need(parseFilter("/elem|sum/")), EntryColumn::Op));
    QCOMPARE(groups.size(), size_t{2});
    QCOMPARE(groups[0].value, std::string("Elemwise"));
    QCOMPARE(groups[0].totals.entries, int64_t{2});
    QCOMPARE(groups[0].totals.compileNs, int64_t{8'000'000});
  }

  void timesAreGroupedByAge_data() {
    QTest::addColumn<QString>("filter");
    QTest::newRow("by SQL") << "";
    QTest::newRow("by a scan") << "/./";
  }
  void timesAreGroupedByAge() {
    QFETCH(QString, filter);
    Store store = need(Store::open(inMemory()));
    for (int k = 0; k < 6; ++k) QVERIFY(storeEntry(store, entryOf(k)).ok());
    const int days[] = {0, 2, 3, 20, 200, 2000};
    for (int k = 0; k < 6; ++k)
      sql(store, "UPDATE entry SET used = used - 86400 * " + std::to_string(days[k]) +
                     " WHERE id = " + std::to_string(k + 1));
    std::string text;
    for (const EntryGroup& group :
         need(groupEntries(store, need(parseFilter(filter.toStdString())), EntryColumn::Used)))
      text += group.value + " " + std::to_string(group.totals.entries) + ", ";
    QCOMPARE(text, std::string("today 1, this week 2, this month 1, this year 1, earlier 1, "));
  }

  /// A list that is paged by a damaged column ends, with each row at most once.
  void pagingEndsWhateverAColumnHolds_data() {
    QTest::addColumn<int>("column");
    for (const EntryColumnRow& row : entryColumns())
      QTest::addRow("%s", std::string(row.name).c_str()) << static_cast<int>(row.column);
  }
  void pagingEndsWhateverAColumnHolds() {
    QFETCH(int, column);
    Store store = need(Store::open(inMemory()));
    std::vector<NewEntry> entries;
    for (int k = 0; k < 40; ++k) entries.push_back(entryOf(k, 200));
    storeEntries(store, entries);
    for (const char* name : {"key", "op", "label", "dtype", "state", "environment_id", "object_bytes",
                             "compile_ns", "hits", "last_use", "created", "used", "pinned"}) {
      for (const char* value : {"x'00ff'", "'text ' || id", "1.5", "-9223372036854775808"})
        sql(store, "UPDATE OR IGNORE entry SET " + std::string(name) + " = " + value +
                       " WHERE id % 9 = " + std::to_string(std::string(value).size() % 9));
    }
    for (const bool descending : {false, true}) {
      EntryQuery query;
      query.sort = static_cast<EntryColumn>(column);
      query.descending = descending;
      query.limit = 3;
      std::set<int64_t> seen;
      for (int pages = 0;; ++pages) {
        QVERIFY(pages < 20);
        const EntryPage page = need(listEntries(store, query));
        for (const EntryRow& row : page.rows) QVERIFY(seen.insert(row.id).second);
        query.after = page.next;
        if (!query.after) break;
      }
      QCOMPARE(seen.size(), size_t{40});
    }
    REQUIRE_OK(countEntries(store, {}));
    REQUIRE_OK(groupEntries(store, {}, static_cast<EntryColumn>(column)));
    REQUIRE_OK(clear(store, DryRun::Yes));
    REQUIRE_OK(prune(store, {{}, 0}, DryRun::Yes));
  }

  void listsNeverReadObjects() {
    Store store = need(Store::open(inMemory()));
    for (int k = 0; k < 5; ++k) QVERIFY(storeEntry(store, entryOf(k)).ok());
    // SQLite itself refuses statements that would read an object, a recipe or IR.
    const auto refuse = [](void*, int action, const char* table, const char* column, const char*,
                           const char*) {
      const bool large = action == SQLITE_READ && table && column &&
                         (std::string_view(table) == "object" || std::string_view(table) == "recipe");
      return large ? SQLITE_DENY : SQLITE_OK;
    };
    sqlite3_set_authorizer(store.state().connection->handle(), refuse, nullptr);
    for (const EntryColumnRow& column : entryColumns()) {
      for (const char* text : {"", "op:Elem cost>1ms", "add", "/add/"}) {
        EntryQuery query;
        query.sort = column.column;
        query.limit = 2;
        query.filter = need(parseFilter(text));
        query.after = need(listEntries(store, query)).next;
        QVERIFY(query.after);
        QCOMPARE(need(listEntries(store, query)).rows.size(), size_t{2});
        QCOMPARE(need(countEntries(store, query.filter)).entries, int64_t{5});
        need(groupEntries(store, query.filter, column.column));
      }
    }
    QCOMPARE(need(evictionOrder(store, 10)).size(), size_t{5});
    need(cacheStats(store));
    QVERIFY(!lookupKey(store, keyOf(1), hostTarget()).ok()); // which does read them
  }

  void listingStops() {
    int rows = 0;
    REQUIRE_OK(eachEntry(*m_store, {}, [&](const EntryRow&) { return ++rows < 2; }));
    QCOMPARE(rows, 2);
    QVERIFY(!findEntryColumn("colour").ok());
  }

private:
  std::unique_ptr<Store> m_store;
};

QTEST_APPLESS_MAIN(TestCacheFilter)
#include "tst_cache_filter.moc"
