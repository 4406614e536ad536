// What is done with entries that only the cache has: made again, compared, audited.
#include "session_fixture.h"

#include "cache/actions.h"
#include "cache/connection.h"
#include "cache/doctor.h"
#include "cache/entries.h"
#include "cache/list.h"
#include "cache/runs.h"
#include "cache/show.h"
#include "cache/store_state.h"
#include "graph/writer.h"
#include "session/audit.h"
#include "session/entry_work.h"
#include "session/recipe.h"

#include <QFile>

#include <fstream>

using namespace nodewise;
using namespace nodewise::testing;

class TestEntryWork : public QObject, SessionFixture {
  Q_OBJECT
private Q_SLOTS:
  void init() { startAnew(); }

  void anEntryIsMadeAgainWithoutItsFile() {
    const QString path = m_folder.filePath("gone.nwg.json");
    {
      std::ofstream out(path.toStdString());
      out << R"({"format":"nodewise-graph","version":1,"graph":)" << chain({3}) << "}";
    }
    {
      auto session = Session::open(path.toStdString(), m_settings);
      QVERIFY(session);
      QVERIFY((*session)->compile({}, {}, {}));
    }
    QVERIFY(QFile::remove(path));
    Store s = store();
    auto page = listEntries(s, {});
    QVERIFY(page);
    QCOMPARE(page->rows.size(), size_t{1});
    auto detail = showEntry(s, page->rows[0].id);
    QVERIFY(detail);
    auto recipe = readRecipe(detail->recipe);
    QVERIFY2(recipe, recipe ? "" : recipe.error().text().c_str());
    Engine engine(1);
    Compiler compiler(engine.target());
    auto ir = compiler.build(emitterOf((*recipe)->lowered, detail->environment.options, engine.target()));
    QVERIFY(ir);
    QCOMPARE(contentKey(ir->irBytes, detail->environment), detail->row.content);
    QCOMPARE(makeKey((*recipe)->lowered.keyParts, detail->environment).hash, detail->row.key);
    // Its code is shown, it is verified, and compiled again, from the cache alone.
    auto shown = entryCode(*detail, engine);
    QVERIFY2(shown, shown ? "" : shown.error().text().c_str());
    QVERIFY(shown->note.empty());
    QVERIFY(shown->code.ir.find("define") != std::string::npos);
    QVERIFY(shown->code.optimisedIr.find("define") != std::string::npos);
    QVERIFY(shown->code.assembly.find("ret") != std::string::npos);
    const std::vector<int64_t> ids{detail->row.id};
    Engine verifier(1);
    auto verified = verifyEntries(verifier, m_settings.cache, ids, {}, {});
    QVERIFY2(verified, verified ? "" : verified.error().text().c_str());
    QVERIFY2(verified->problems.empty(),
             verified->problems.empty() ? "" : verified->problems[0].reason.c_str());
    QCOMPARE(verified->entries, int64_t{1});
    auto again = compileEntries(verifier, m_settings.cache, ids, {}, {});
    QVERIFY2(again, again ? "" : again.error().text().c_str());
    QVERIFY(again->problems.empty());
    QVERIFY(again->compileNs > 0);
    QCOMPARE(again->keys, std::vector<Hash>{detail->row.key});
  }

  /// Also of entries that write in the place of an input, which is a part of their key.
  void compilingEntriesAgainMakesNoOthers() {
    std::string text = chain({3, 4, 5});
    const std::string end =
        "\"in\":[1],\"out\":[2]}"; // the second node may write over what the first has made
    text.replace(text.find(end), end.size(), "\"in\":[1],\"out\":[2],\"destroys\":[[0,0]]}");
    QVERIFY(compiled(text).compiled > 0);
    Store s = store();
    auto before = listEntries(s, {});
    QVERIFY(before && !before->rows.empty());
    std::vector<int64_t> ids;
    bool inPlace = false;
    for (const EntryRow& row : before->rows) {
      ids.push_back(row.id);
      auto detail = showEntry(s, row.id);
      QVERIFY(detail);
      for (const KeyPart& part : detail->parts)
        inPlace = inPlace || part.value.find("in place of") != std::string::npos;
    }
    QVERIFY(inPlace);
    const auto runs = listRuns(s, 100);
    QVERIFY(runs);
    Engine engine(1);
    auto again = compileEntries(engine, m_settings.cache, ids, {}, {});
    QVERIFY2(again && again->problems.empty(), again ? "" : again.error().text().c_str());
    QCOMPARE(again->operation, int64_t{0}); // nothing is otherwise
    QVERIFY(invalidate(s, Selection::all(), DryRun::No));
    again = compileEntries(engine, m_settings.cache, ids, {}, {});
    QVERIFY(again && again->problems.empty());
    QCOMPARE(again->revived, static_cast<int64_t>(ids.size()));
    const auto statesAre = [&](const std::string& state) {
      auto page = listEntries(s, {});
      return page.ok() && page->rows.size() == ids.size() &&
             std::ranges::all_of(page->rows, [&](const EntryRow& row) { return row.state == state; });
    };
    QVERIFY(statesAre("live"));
    QVERIFY(undo(s, again->operation, DryRun::No));
    QVERIFY(statesAre("invalidated"));
    QVERIFY(redo(s, again->operation, DryRun::No));
    QVERIFY(statesAre("live"));
    const auto runsAfter = listRuns(s, 100);
    QVERIFY(runsAfter);
    QCOMPARE(runsAfter->size(), runs->size()); // it is no run of a graph
  }

  /// Code that is not what the key says, under checksums that are right.
  void verifyFindsOtherCode() {
    QVERIFY(compiled(chain({3})).compiled == 1);
    Store s = store();
    auto page = listEntries(s, {});
    QVERIFY(page && page->rows.size() == 1);
    auto detail = showEntry(s, page->rows[0].id);
    auto object = entryObject(s, page->rows[0].id);
    QVERIFY(detail && object);
    NewEntry planted;
    planted.key.hash = detail->row.key;
    planted.key.parts = detail->parts;
    planted.content = detail->row.content;
    planted.symbol = object->symbol;
    planted.object = object->object;
    planted.object.back() ^= std::byte{1};
    planted.op = detail->row.op;
    planted.dtype = detail->row.dtype;
    planted.recipe = detail->recipe;
    QVERIFY(remove(s, Selection::all(), DryRun::No));
    QVERIFY(vacuum(s, DryRun::No));
    QVERIFY(storeEntry(s, planted).ok());
    page = listEntries(s, {});
    QVERIFY(page && page->rows.size() == 1);
    Engine engine(1);
    auto verified = verifyEntries(engine, m_settings.cache, std::vector<int64_t>{page->rows[0].id}, {}, {});
    QVERIFY(verified);
    QCOMPARE(verified->problems.size(), size_t{1});
    QCOMPARE(verified->problems[0].reason, std::string("the same IR gives different machine code"));
  }

  void auditFindsNothingOnASoundCache() {
    compiled(chain({1, 2, 3}));
    Engine engine(1);
    auto report = audit(engine, m_settings.cache, {}, {});
    QVERIFY2(report, report ? "" : report.error().text().c_str());
    QCOMPARE(report->entries, int64_t{3});
    QVERIFY(report->unsound.empty());
  }

  void auditFindsAnIncompleteKey() {
    compiled(chain({1}));
    QVERIFY(!std::filesystem::exists(*m_settings.cache.file + "-none"));
    {
      Store s = store();
      auto page = listEntries(s, {});
      auto detail = showEntry(s, page->rows[0].id);
      auto object = entryObject(s, page->rows[0].id);
      QVERIFY(detail && object);
      NewEntry planted;
      planted.key = Key{detail->parts, detail->row.key};
      planted.content = hashBytes("what the code would have been without the constant");
      planted.symbol = object->symbol;
      planted.object = object->object;
      planted.op = detail->row.op;
      planted.recipe = detail->recipe;
      QVERIFY(invalidate(s, Selection::all(), DryRun::No));
      QVERIFY(storeEntry(s, planted).ok());
    }
    Engine engine(1);
    auto report = audit(engine, m_settings.cache, {}, {});
    QVERIFY(report);
    QCOMPARE(report->unsound.size(), size_t{1});
  }
};

QTEST_GUILESS_MAIN(TestEntryWork)
#include "tst_entry_work.moc"
