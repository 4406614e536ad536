// The cache page, by mouse and keys: what each action says first, does, and takes back.
#include "support.h"

#include "cache/bundle.h"
#include "cache/stats.h"
#include "ui/cache/cache_view.h"
#include "ui/jobs/stall_watchdog.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QSignalSpy>

using namespace nodewise;
using namespace nodewise::test;
using namespace nodewise::ui;

namespace {

constexpr int kLong = 30000; ///< milliseconds; sanitized builds on a busy machine are slow

/// The page on a cache of its own, without a window around it.
struct Page {
  QTemporaryDir dir;
  CacheSettings settings = settingsFor(dir.filePath("cache.db"));
  JobTracker jobs;
  std::unique_ptr<CacheService> service;
  std::unique_ptr<CacheView> view;
  QStringList said, lines;

  explicit Page(int entries) {
    add(1, entries);
    service = std::make_unique<CacheService>(jobs, settings);
    view = std::make_unique<CacheView>(*service);
    QObject::connect(service.get(), &CacheService::message, view.get(),
                     [this](const Message& message) { said.push_back(message.text); });
    QObject::connect(service.get(), &CacheService::done, view.get(),
                     [this](const QString& line) { lines.push_back(line); });
    view->resize(1000, 600);
    view->show();
    view->model().refresh();
    service->lookForChanges();
  }
  ~Page() {
    view.reset();
    service.reset();
  }
  /// Entries as another process would store them.
  void add(int first, int count) {
    Store store = need(Store::open(settings));
    std::vector<NewEntry> entries;
    for (int k = first; k < first + count; ++k) {
      NewEntry entry = entryOf(k, 500);
      entry.op = k % 3 == 0 ? "Sum" : "Elemwise";
      entries.push_back(std::move(entry));
    }
    storeEntries(store, entries);
  }
  CacheTableModel& model() { return view->model(); }
  bool loaded(int rows) {
    return QTest::qWaitFor([&] { return model().rowCount() >= rows && !model().waiting() && jobs.idle(); },
                           kLong);
  }
  void clickRow(int row, Qt::KeyboardModifiers modifiers = {}) {
    QTableView& table = view->table();
    const QRect rect = table.visualRect(model().index(row, CacheTableModel::Op));
    QTest::mouseClick(table.viewport(), Qt::LeftButton, modifiers, rect.center());
  }
  int count(const char* state) {
    int found = 0;
    for (int row = 0; row < model().rowCount(); ++row) found += model().entry(row).state == state ? 1 : 0;
    return found;
  }
  bool offered() {
    return QTest::qWaitFor([&] { return view->actionBar().isVisible(); }, kLong);
  }
  bool agreed() {
    if (!offered()) return false;
    const qsizetype before = said.size();
    QTest::keyClick(&view->actionBar().doIt(), Qt::Key_Return);
    return QTest::qWaitFor([&] { return said.size() > before; }, kLong) && loaded(0);
  }
};

} // namespace

class TestUiCache : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void everyActionSaysFirstWhatItWouldDo_data() {
    QTest::addColumn<int>("action");
    for (const CacheActionRow& row : cacheActions())
      if (row.scope != ActionScope::FromFile) QTest::newRow(row.line) << static_cast<int>(row.action);
  }
  void everyActionSaysFirstWhatItWouldDo() {
    QFETCH(int, action);
    Page page(6);
    QVERIFY(page.loaded(6));
    page.clickRow(0);
    page.clickRow(2, Qt::ShiftModifier);
    QCOMPARE(page.view->selectedEntries().size(), size_t{3});
    const CacheRequest request = page.view->request(static_cast<CacheAction>(action));
    page.view->action(request.action).trigger();
    if (!page.view->action(request.action).isEnabled()) return; // nothing to restore or to unpin
    QVERIFY(page.offered());
    Store store = need(Store::open(page.settings));
    const ActionReport dry = need(performAction(store, request, DryRun::Yes, {}));
    const QString said = page.view->actionBar().text();
    if (dry.entries > 0)
      QVERIFY2(said.contains(QString::fromStdString(dry.summary), Qt::CaseInsensitive), qPrintable(said));
    else
      QCOMPARE(said, QStringLiteral("Nothing to do. ") + actionRow(request.action).idle);
    // What deletes all, or for good, is not done by Enter alone.
    if (actionRow(request.action).careful) QVERIFY(!page.view->actionBar().doIt().hasFocus());
    QCOMPARE(need(recount(store)).invalidated + need(recount(store)).deleted + need(recount(store)).pinned,
             int64_t{0});
    // Escape: nothing is done, and the keyboard is back in the table.
    QTest::keyClick(&page.view->actionBar(), Qt::Key_Escape);
    QVERIFY(!page.view->actionBar().isVisible());
    QVERIFY(page.lines.isEmpty());
  }

  void pinnedEntriesAreNotDeleted() {
    Page page(6);
    QVERIFY(page.loaded(6));
    page.clickRow(0);
    const int64_t entry = page.view->selectedEntries().front();
    page.view->action(CacheAction::Pin).trigger();
    QVERIFY(page.agreed());
    const auto state = [&] { return page.model().index(0, CacheTableModel::State).data().toString(); };
    QTRY_COMPARE_WITH_TIMEOUT(state(), "live, pinned", kLong);
    QCOMPARE(page.view->selectedEntries(), std::vector{entry}); // still selected
    QVERIFY(!page.view->action(CacheAction::Remove).isEnabled());
    QVERIFY(!page.view->action(CacheAction::Pin).isEnabled());
    page.service->undoLast();
    QTRY_COMPARE_WITH_TIMEOUT(state(), "live", kLong);
    page.service->redoLast();
    QTRY_COMPARE_WITH_TIMEOUT(state(), "live, pinned", kLong);
    page.view->action(CacheAction::Unpin).trigger();
    QVERIFY(page.agreed());
    QTRY_COMPARE_WITH_TIMEOUT(state(), "live", kLong);
    QVERIFY(page.view->action(CacheAction::Remove).isEnabled());
    QVERIFY(!page.view->action(CacheAction::Restore).isEnabled()); // there is nothing to restore
  }

  void whatIsDeletedIsUndoneAndRedone() {
    Page page(6);
    QVERIFY(page.loaded(6));
    page.clickRow(1);
    page.clickRow(4, Qt::ControlModifier);
    QTest::keyClick(&page.view->table(), Qt::Key_Delete, Qt::ShiftModifier);
    QVERIFY(page.agreed());
    QTRY_COMPARE_WITH_TIMEOUT(page.count("deleted"), 2, kLong);
    QVERIFY2(page.lines.back().startsWith("nodewise cache delete key:"), qPrintable(page.lines.back()));
    QTRY_COMPARE_WITH_TIMEOUT(page.service->undoable(), "delete of 2 entries", kLong);
    page.service->undoLast();
    QTRY_COMPARE_WITH_TIMEOUT(page.count("live"), 6, kLong);
    QTRY_COMPARE_WITH_TIMEOUT(page.service->redoable(), "delete of 2 entries", kLong);
    page.service->redoLast();
    QTRY_COMPARE_WITH_TIMEOUT(page.count("deleted"), 2, kLong);
    QTRY_VERIFY_WITH_TIMEOUT(page.service->redoable().isEmpty(), kLong);
  }

  void withoutASelectionTheFilterIsMeant() {
    Page page(9);
    QVERIFY(page.loaded(9));
    page.view->filterBox().setFocus();
    QTest::keyClicks(&page.view->filterBox(), "op:Sum");
    QTest::keyClick(&page.view->filterBox(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(page.model().rowCount(), 3, kLong);
    page.view->action(CacheAction::Invalidate).trigger();
    QVERIFY(page.agreed());
    QTRY_COMPARE_WITH_TIMEOUT(page.count("invalidated"), 3, kLong);
    QCOMPARE(page.lines.back(), "nodewise cache invalidate op:Sum");
  }

  void selectAllMeansWhatIsNotLoadedToo() {
    Page page(450);
    QVERIFY(page.loaded(200));
    QCOMPARE(page.model().rowCount(), 200);
    page.view->table().setFocus();
    QTest::keyClick(&page.view->table(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&page.view->table(), Qt::Key_Delete);
    QVERIFY(page.agreed());
    Store store = need(Store::open(page.settings));
    QCOMPARE(need(cacheStats(store)).invalidated, int64_t{450});
    // A click ends it: one row is meant again.
    page.clickRow(3);
    QCOMPARE(page.view->request(CacheAction::Restore).selection.ids.size(), size_t{1});
  }

  void groupsFilterTheTable() {
    Page page(9);
    QAbstractItemModelTester tester(&page.view->groups().model());
    QVERIFY(page.loaded(9));
    page.view->groupBox().setFocus();
    QTest::keyClick(&page.view->groupBox(), Qt::Key_Down); // by op
    GroupPanel& groups = page.view->groups();
    QTRY_COMPARE_WITH_TIMEOUT(groups.model().rowCount(), 2, kLong);
    QCOMPARE(groups.model().index(0, 0).data().toString(), "Elemwise");
    const QRect second = groups.table().visualRect(groups.model().index(1, 0));
    QTest::mouseClick(groups.table().viewport(), Qt::LeftButton, {}, second.center());
    QTRY_COMPARE_WITH_TIMEOUT(page.model().rowCount(), 3, kLong);
    QCOMPARE(groups.model().rowCount(), 2); // of all entries, whichever group is picked
    page.view->setGrouping(0);
    QTRY_COMPARE_WITH_TIMEOUT(page.model().rowCount(), 9, kLong);
  }

  void groupsAreTerms_data() {
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("term");
    const auto row = [](const char* name, EntryColumn column, const char* value, const char* term) {
      QTest::newRow(name) << static_cast<int>(column) << value << term;
    };
    row("op", EntryColumn::Op, "Sum", "op=\"Sum\"");
    row("quotes", EntryColumn::Op, "a \"b\"", "op=\"a \\\"b\\\"\"");
    row("target", EntryColumn::Cpu, "znver4", "cpu=\"znver4\"");
    row("today", EntryColumn::Created, "today", "age<1d");
    row("this month", EntryColumn::Created, "this month", "age>=7d age<31d");
    row("earlier", EntryColumn::Used, "earlier", "unused>=365d");
    row("no value", EntryColumn::Dtype, "", "");
  }
  void groupsAreTerms() {
    QFETCH(int, column);
    QFETCH(QString, value);
    QFETCH(QString, term);
    QCOMPARE(groupTerm(static_cast<EntryColumn>(column), value.toStdString()), term);
    QVERIFY(parseFilter(term.toStdString()).ok());
  }

  void columnsAreChosenAndRemembered() {
    Page page(3);
    QVERIFY(page.loaded(3));
    QTableView& table = page.view->table();
    QVERIFY(table.isColumnHidden(CacheTableModel::LastUse));
    table.setColumnHidden(CacheTableModel::LastUse, false);
    table.setColumnHidden(CacheTableModel::Cpu, true);
    table.horizontalHeader()->moveSection(0, 2);
    table.sortByColumn(CacheTableModel::Size, Qt::DescendingOrder);
    const QByteArray kept = page.view->saveColumns();
    Page next(3);
    next.view->restoreColumns(kept);
    QVERIFY(!next.view->table().isColumnHidden(CacheTableModel::LastUse));
    QVERIFY(next.view->table().isColumnHidden(CacheTableModel::Cpu));
    QCOMPARE(next.view->table().horizontalHeader()->visualIndex(0), 2);
    QCOMPARE(next.model().query().sort, EntryColumn::ObjectBytes);
    QVERIFY(next.model().query().descending);
    next.view->restoreColumns("not a state"); // leaves all as it is
    QVERIFY(next.view->table().isColumnHidden(CacheTableModel::Cpu));
  }

  void whatAnotherProcessStoresAppears() {
    Page page(5);
    QAbstractItemModelTester tester(&page.model());
    QVERIFY(page.loaded(5));
    page.clickRow(3);
    const std::vector<int64_t> selected = page.view->selectedEntries();
    page.add(100, 4);
    QTRY_COMPARE_WITH_TIMEOUT(page.model().rowCount(), 9, kLong);
    QTRY_COMPARE_WITH_TIMEOUT(page.view->selectedEntries(), selected, kLong);
    // The keyboard goes on from where it was.
    QCOMPARE(page.model().entry(page.view->table().currentIndex().row()).id, selected.front());
  }

  void whatIsSelectedWhileRowsAreAskedForStaysSelected() {
    Page page(5);
    QVERIFY(page.loaded(5));
    page.add(100, 2);
    page.service->lookForChanges();
    QVERIFY(QTest::qWaitFor([&] { return page.model().waiting(); }, kLong)); // asked for, not yet there
    page.clickRow(2);
    const std::vector<int64_t> selected = page.view->selectedEntries();
    QTRY_COMPARE_WITH_TIMEOUT(page.model().rowCount(), 7, kLong);
    QCOMPARE(page.view->selectedEntries(), selected);
  }

  void theKeyboardInTheTablePicksNothingByItself() {
    Page page(5);
    QVERIFY(page.loaded(5));
    QSignalSpy picked(page.view.get(), &CacheView::keyPicked);
    page.view->filterBox().setFocus();
    page.view->table().setFocus();
    QCOMPARE(picked.count(), 0);
    QVERIFY(page.view->selectedEntries().empty());
    QTest::keyClick(&page.view->table(), Qt::Key_Down);
    QCOMPARE(picked.count(), 1);
  }

  void theDoctorFindsAndRepairs() {
    Page page(5);
    QVERIFY(page.loaded(5));
    page.service->checkDatabase(Repair::No);
    DoctorPanel& panel = page.view->doctorPanel();
    QTRY_VERIFY_WITH_TIMEOUT(panel.isVisible(), kLong);
    QVERIFY2(panel.summary().contains("all is well"), qPrintable(panel.summary()));
    QVERIFY(!panel.repairButton().isVisible());
    {
      Store store = need(Store::open(page.settings));
      sql(store, "UPDATE object SET bytes = zeroblob(size) WHERE id = 2");
    }
    page.service->checkDatabase(Repair::No);
    QTRY_COMPARE_WITH_TIMEOUT(panel.model().rowCount(), 1, kLong);
    QVERIFY(panel.repairButton().isVisible());
    QTest::mouseClick(&panel.repairButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(panel.summary().contains("1 repaired"), kLong);
    QTRY_COMPARE_WITH_TIMEOUT(page.count("quarantined"), 1, kLong);
  }

  void manyRowsNeverHoldTheWindowUp() {
    Page page(3000);
    QVERIFY(page.loaded(200));
    StallWatchdog watchdog;
    QTest::qWait(50);
    watchdog.reset();
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
          page.model().fetchMore({});
          return page.model().complete() && !page.model().waiting();
        }(),
        kLong);
    qInfo("3,000 rows by scrolling: longest stall %.0f ms", watchdog.longestMs());
    watchdog.reset();
    page.view->table().setFocus();
    QTest::keyClick(&page.view->table(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&page.view->table(), Qt::Key_Delete);
    QVERIFY(page.agreed());
    QTRY_COMPARE_WITH_TIMEOUT(page.count("invalidated"), 3000, kLong); // the rows stay where they are
    qInfo("all of them invalidated: longest stall %.0f ms", watchdog.longestMs());
    Store store = need(Store::open(page.settings));
    QCOMPARE(need(cacheStats(store)).invalidated, int64_t{3000});
  }

  void aBundleIsWrittenAndReadBack() {
    Page page(6);
    QVERIFY(page.loaded(6));
    CacheRequest request = page.view->request(CacheAction::Export);
    request.file = page.dir.filePath("bundle.db").toStdString();
    page.service->perform(request);
    QTRY_VERIFY_WITH_TIMEOUT(page.said.join(' ').contains("Exported 6 entries"), kLong);
    Page other(0);
    request.action = CacheAction::Import;
    other.view->actionBar().offer(request);
    QVERIFY(other.agreed());
    QTRY_COMPARE_WITH_TIMEOUT(other.model().rowCount(), 6, kLong);
    QVERIFY2(other.lines.back().startsWith("nodewise cache import "), qPrintable(other.lines.back()));
    // A bundle is never written over: that is said.
    request.action = CacheAction::Export;
    page.service->perform(request);
    QTRY_VERIFY_WITH_TIMEOUT(page.said.join(' ').contains("bundle.db"), kLong);
  }

  void aPatternIsSearchedToTheEnd() {
    Page page(900);
    QVERIFY(page.loaded(200));
    page.view->filterBox().setText("/^sum$/");
    QTest::keyClick(&page.view->filterBox(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(page.model().rowCount() > 0 && page.model().entry(0).op == "Sum", kLong);
    // All of it by scrolling, page after page.
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
          page.model().fetchMore({});
          return page.model().complete() && !page.model().waiting();
        }(),
        kLong);
    QCOMPARE(page.model().rowCount(), 300);
    page.view->filterBox().setText("/nothing (like|of) this/");
    QTest::keyClick(&page.view->filterBox(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(page.model().rowCount(), 0, kLong);
  }

  void whatWasFoundBeforeCancelStays() {
    CacheTableModel model;
    QAbstractItemModelTester tester(&model);
    QSignalSpy wanted(&model, &CacheTableModel::pageWanted), failed(&model, &CacheTableModel::failed);
    model.setFilter(need(parseFilter("/x/")));
    const auto slice = [&](int rows, int64_t looked) {
      EntryPage page;
      for (int k = 0; k < rows; ++k) page.rows.emplace_back().id = model.rowCount() + k + 1;
      page.partial = true;
      page.looked = looked;
      page.next = EntryCursor{int64_t{1}, 1};
      model.addPage(static_cast<int>(wanted.count()), page);
    };
    slice(0, 1000);
    slice(3, 1000);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.searched(), int64_t{2000}); // and it goes on by itself
    QCOMPARE(wanted.count(), 3);
    model.addPage(3, Error{"cancelled", {}, {}, {}});
    QCOMPARE(failed.count(), 1);
    QCOMPARE(model.rowCount(), 3); // what was found
    QCOMPARE(model.searched(), int64_t{0});
    QVERIFY(!model.complete()); // scrolling goes on
    model.fetchMore({});
    QCOMPARE(wanted.count(), 4);
    // Rows of one filter are not left to be taken for those of another.
    model.setFilter(need(parseFilter("/y/")));
    model.addPage(static_cast<int>(wanted.count()), Error{"cancelled", {}, {}, {}});
    QCOMPARE(model.rowCount(), 0);
  }

  void anUnreadableFilterIsSaid() {
    Page page(2);
    QVERIFY(page.loaded(2));
    QTest::keyClicks(&page.view->filterBox(), "/sum");
    const auto said = [&] {
      const QList<QLabel*> labels = page.view->findChildren<QLabel*>();
      return std::ranges::any_of(labels, [](const QLabel* label) {
        return label->isVisible() && label->text().contains("has no end");
      });
    };
    QTRY_VERIFY_WITH_TIMEOUT(said(), kLong);
    QCOMPARE(page.model().rowCount(), 2); // what was shown stays
  }
};

QTEST_MAIN(TestUiCache)
#include "tst_ui_cache.moc"
