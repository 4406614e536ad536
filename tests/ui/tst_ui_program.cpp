// The window as a program: what it writes and says, and what it survives.
#include "support.h"

#include "graph/generate.h"
#include "graph/writer.h"
#include "ui/main_window/main_window.h"
#include "ui/runs/run_pages.h"
#include "ui/runs/write_report.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QFileDialog>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace nodewise;
using namespace nodewise::ui;

namespace {

const QString kSample = QStringLiteral(NODEWISE_SAMPLES "/hierarchical_normal.nwg.json");
constexpr int kLong = 30000; ///< milliseconds; sanitized builds on a busy machine are slow

struct Opened {
  QTemporaryDir dir;
  std::unique_ptr<MainWindow> window;

  /// `script`: stands in place of the program that runs graphs; empty: they are run in this process.
  explicit Opened(const QByteArray& script = {}, int timeoutSeconds = 0) {
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    WindowOptions options;
    options.cache.file = dir.filePath("cache.db").toStdString();
    options.samplesDir = NODEWISE_SAMPLES;
    options.restoreSession = false;
    options.theme = ThemeChoice::Light;
    if (!script.isEmpty()) options.runProgram = program(script);
    options.runTimeoutSeconds = timeoutSeconds;
    window = std::make_unique<MainWindow>(options);
    window->resize(1200, 800);
    window->show();
  }
  std::string program(const QByteArray& script) {
    QFile file(dir.filePath("program"));
    if (!file.open(QIODevice::WriteOnly)) qFatal("no temporary file");
    file.write("#!/bin/sh\n" + script);
    file.setPermissions(file.permissions() | QFile::ExeOwner);
    return file.fileName().toStdString();
  }
  bool open(const QString& path) {
    QSignalSpy shown(&window->graphView(), &GraphView::sceneShown);
    window->openFile(path);
    return shown.wait(kLong);
  }
  bool compileAll() {
    QSignalSpy compiled(&window->document(), &Document::compiled);
    QTest::keyClick(window.get(), Qt::Key_F5);
    return compiled.wait(kLong);
  }
  QString inFull() {
    QString all;
    for (const QLabel* label : window->messages().findChildren<QLabel*>())
      all += label->accessibleName() + ' ';
    return all;
  }
  /// With what to do about it.
  bool says(const char* text) {
    return QTest::qWaitFor([&] { return inFull().contains(QString::fromLatin1(text)); }, kLong);
  }
  NodeIndex first(NodeKind kind) {
    const auto nodes = window->document().nodes();
    const auto node = std::ranges::find(nodes, kind, &NodeInfo::kind);
    return node == nodes.end() ? -1 : node->index;
  }
  /// Gives the file name that the dialog asks for.
  bool answerDialog(const QString& path) {
    QFileDialog* dialog = nullptr;
    const auto there = [&] {
      dialog = window->findChild<QFileDialog*>();
      return dialog && dialog->isVisible();
    };
    if (!QTest::qWaitFor(there, kLong)) return false;
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    name->setText(path);
    QTest::keyClick(name, Qt::Key_Return);
    window->activateWindow();
    return QTest::qWaitForWindowActive(window.get());
  }
};

QByteArray contentsOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestUiProgram : public QObject {
  Q_OBJECT

public Q_SLOTS:
  void openUrl(const QUrl& url) { m_opened = url; }

private:
  QUrl m_opened;

private Q_SLOTS:
  void aReportOfTheOpenGraphIsWrittenAndOpened() {
    Opened o;
    QVERIFY(o.open(kSample));
    QVERIFY(o.compileAll());
    const QString path = o.dir.filePath("report.html");
    QTest::keyClick(o.window.get(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(o.answerDialog(path));
    QVERIFY(o.says("Wrote"));
    const QByteArray html = contentsOf(path);
    for (const char* part : {"<svg", "hierarchical", "aria-sort", "Costs by op", "Why nodes missed"})
      QVERIFY2(html.contains(part), part);
    QVERIFY(!html.contains("<?xml")); // an element of the page, not a file within it
    QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "openUrl");
    QTest::mouseClick(o.window->messages().findChild<QToolButton*>(QStringLiteral("messageAction")),
                      Qt::LeftButton);
    QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
    QCOMPARE(m_opened.toLocalFile(), path);
    QTest::keyClick(o.window.get(), Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(QApplication::clipboard()->text().startsWith("nodewise report ") &&
            QApplication::clipboard()->text().contains(path));
  }

  void aReportOfARecordedRunIsWritten() {
    Opened o;
    QVERIFY(o.open(kSample));
    QVERIFY(o.compileAll());
    QVERIFY(o.compileAll());
    o.window->document().close();
    QTest::keyClick(o.window.get(), Qt::Key_4, Qt::ControlModifier);
    RunsView& runs = o.window->runPages().runsView();
    QTRY_COMPARE_WITH_TIMEOUT(runs.model().rowCount(), 2, kLong);
    runs.table().selectRow(1); // the older one
    QTest::mouseClick(&runs.reportButton(), Qt::LeftButton);
    const QString path = o.dir.filePath("old.html");
    QVERIFY(o.answerDialog(path));
    QVERIFY(o.says("Wrote"));
    const QByteArray html = contentsOf(path);
    QVERIFY(html.contains("run 1") && html.contains("nothing comparable is in the cache"));
    QVERIFY(html.contains("No drawing"));
    QTest::keyClick(o.window.get(), Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY2(QApplication::clipboard()->text().startsWith("nodewise report --run 1 -o "),
             qPrintable(QApplication::clipboard()->text()));
  }

  void aReportThatCannotBeWrittenSaysWhy_data() {
    QTest::addColumn<int>("run");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("why");
    QTest::newRow("no folder") << 1 << "/no/such/folder/report.html"
                               << "/no/such/folder/report.html";
    QTest::newRow("no run") << 77 << "report.html"
                            << "there is no run 77";
    QTest::newRow("no graph") << 0 << "report.html"
                              << "no graph is open";
  }
  void aReportThatCannotBeWrittenSaysWhy() {
    QFETCH(int, run);
    QFETCH(QString, path);
    QFETCH(QString, why);
    Opened o;
    QVERIFY(o.open(kSample));
    QVERIFY(o.compileAll());
    ReportRequest request;
    request.run = run;
    request.path = path.startsWith(u'/') ? path : o.dir.filePath(path);
    request.settings.file.value = o.dir.filePath("cache.db").toStdString();
    JobContext context;
    const Result<void> written = writeReport(request, context);
    QVERIFY(!written.ok());
    QVERIFY2(QString::fromStdString(written.error().text()).contains(why), written.error().text().c_str());
  }

  void aRunThatCrashesFailsItsNodeAndNothingElse() {
    // Sets the mark to node 1 and dies; its arguments are "run FILE ... --mark MARK ...".
    Opened o("while [ \"$1\" != --mark ]; do shift; done\n"
             "printf '\\002\\000\\000\\000' | dd of=\"$2\" conv=notrunc 2>/dev/null\nkill -SEGV $$\n");
    QVERIFY(o.open(kSample));
    QVERIFY(o.compileAll());
    QTest::keyClick(o.window.get(), Qt::Key_F6);
    QVERIFY(o.says("SIGSEGV"));
    const bool code = o.window->document().nodes()[1].kind == NodeKind::Kernel;
    QVERIFY2(o.inFull().contains(code ? "compile it again" : "has no entry"), qPrintable(o.inFull()));
    const NodeState& state = o.window->document().states()[1];
    QCOMPARE(state.outcome, std::optional(Outcome::Failed));
    QVERIFY2(state.reason.find("SIGSEGV") != std::string::npos, state.reason.c_str());
    if (o.window->document().nodes()[1].kind == NodeKind::Kernel) {
      QTest::keyClick(o.window.get(), Qt::Key_3, Qt::ControlModifier);
      CacheTableModel& model = o.window->cacheView().model();
      const auto quarantined = [&] {
        for (int row = 0; row < model.rowCount(); ++row)
          if (model.entry(row).state == "quarantined") return true;
        return false;
      };
      QTRY_VERIFY_WITH_TIMEOUT(quarantined(), kLong);
    }
    QVERIFY(o.compileAll()); // and the window goes on
  }

  void aRunThatTakesTooLongFailsItsNode() {
    Opened o("while [ \"$1\" != --mark ]; do shift; done\n"
             "printf '\\002\\000\\000\\000\\000\\000\\000\\000\\001\\000\\000\\000\\000\\000\\000\\000' |"
             " dd of=\"$2\" conv=notrunc 2>/dev/null\nexec sleep 1000\n", // node 1, begun long ago
             1);
    QVERIFY(o.open(kSample));
    QVERIFY(o.compileAll());
    QTest::keyClick(o.window.get(), Qt::Key_F6);
    QVERIFY(o.says("took longer than"));
    QVERIFY(!o.window->document().isWorking());
    QCOMPARE(o.window->document().states()[1].outcome, std::optional(Outcome::Failed));
    const bool kernel = o.window->document().nodes()[1].kind == NodeKind::Kernel;
    QVERIFY2(o.inFull().contains(kernel ? "its entry is quarantined" : "has no entry"),
             qPrintable(o.inFull()));
    auto* button = o.window->messages().findChild<QToolButton*>(QStringLiteral("messageAction"));
    QVERIFY(button);
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(o.window->selection().current(), 1);
    QVERIFY(o.compileAll());
  }

  void aRunThatDoesNotEndIsCancelled() {
    Opened o("exec sleep 1000\n");
    QVERIFY(o.open(kSample));
    QVERIFY(o.compileAll());
    QTest::keyClick(o.window.get(), Qt::Key_F6);
    QTRY_VERIFY_WITH_TIMEOUT(o.window->commands()[Command::Stop].isEnabled(), kLong);
    QTest::keyClick(o.window.get(), Qt::Key_Period, Qt::ControlModifier);
    QVERIFY(o.says("cancelled"));
    QVERIFY(!o.window->document().isWorking());
  }

  void withoutRecordedCasesItIsSaidWhatWasRun() {
    Opened o;
    const QString path = o.dir.filePath("network.nwg.json");
    GraphFile file = generateNetwork(30, 1);
    file.cases.clear();
    QVERIFY(writeGraphFile(file, path.toStdString()).ok());
    QVERIFY(o.open(path));
    QTRY_VERIFY_WITH_TIMEOUT(o.window->commands()[Command::Run].isEnabled(), kLong);
    QTest::keyClick(o.window.get(), Qt::Key_F6);
    QVERIFY(o.says("made-up inputs"));
    QVERIFY2(o.inFull().contains("cases"), qPrintable(o.inFull())); // and what to do about it
  }

  void aNodeIsCompiledAlone() {
    Opened o;
    QVERIFY(o.open(kSample));
    o.window->selection().select(o.first(NodeKind::Kernel));
    QSignalSpy compiled(&o.window->document(), &Document::compiled);
    QTest::keyClick(o.window.get(), Qt::Key_F5, Qt::ControlModifier);
    QVERIFY(compiled.wait(kLong));
    const auto states = o.window->document().states();
    QCOMPARE(std::ranges::count_if(states, [](const NodeState& s) { return s.outcome.has_value(); }), 1);
    QTest::keyClick(o.window.get(), Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY2(QApplication::clipboard()->text().contains(" --node "),
             qPrintable(QApplication::clipboard()->text()));
  }

  void whatWasOpenedIsOfferedAgain() {
    Opened o;
    QVERIFY(o.open(kSample));
    o.window->document().close();
    QAction* recent = nullptr;
    for (QMenu* menu : o.window->findChildren<QMenu*>())
      for (QAction* action : menu->actions())
        if (action->toolTip() == kSample) recent = action;
    QVERIFY(recent);
    QSignalSpy shown(&o.window->graphView(), &GraphView::sceneShown);
    recent->trigger();
    QVERIFY(shown.wait(kLong));
    // One that is gone is said, and the window stays as it is.
    o.window->openFile(o.dir.filePath("gone.nwg.json"));
    QVERIFY(o.says("gone.nwg.json"));
  }

  void nodesWithoutAKeySaySo() {
    Opened o;
    QVERIFY(o.open(kSample));
    const NodeIndex view = o.first(NodeKind::View);
    QVERIFY(view >= 0);
    o.window->selection().select(view);
    Inspector& inspector = o.window->inspector();
    QVERIFY(inspector.tabs().isTabVisible(Inspector::KeyTab));
    QVERIFY(!inspector.tabs().isTabVisible(Inspector::IrTab));
    const auto* note = inspector.findChild<QLabel*>(QStringLiteral("keyNote"));
    QVERIFY2(note->text().startsWith("No key: a view"), qPrintable(note->text()));
    o.window->selection().select(o.first(NodeKind::Kernel));
    QVERIFY(inspector.tabs().isTabVisible(Inspector::IrTab));
    QTRY_VERIFY_WITH_TIMEOUT(note->text().startsWith("Key "), kLong);
  }

  void theCacheTableListsWhatWasCompiled() {
    Opened o;
    QVERIFY(o.open(kSample));
    QVERIFY(o.compileAll());
    QTest::keyClick(o.window.get(), Qt::Key_3, Qt::ControlModifier);
    CacheView& view = o.window->cacheView();
    QTRY_VERIFY_WITH_TIMEOUT(view.model().rowCount() > 3, kLong);
    const int all = view.model().rowCount();
    QTest::keyClicks(&view.filterBox(), "op:Elemwise");
    QTRY_VERIFY_WITH_TIMEOUT(view.model().rowCount() < all && view.model().rowCount() > 0, kLong);
    for (int row = 0; row < view.model().rowCount(); ++row)
      QCOMPARE(view.model().index(row, CacheTableModel::Op).data().toString(), "Elemwise");
    // Select all, invalidate, and see it.
    view.table().selectAll();
    QCOMPARE(view.selectedEntries().size(), static_cast<size_t>(view.model().rowCount()));
    QTest::keyClick(&view.table(), Qt::Key_Delete);
    QTRY_VERIFY_WITH_TIMEOUT(view.actionBar().isVisible(), kLong);
    QTest::keyClick(&view.actionBar().doIt(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(view.model().index(0, CacheTableModel::State).data().toString(), "invalidated",
                              kLong);
    QCOMPARE(view.selectedEntries().size(), static_cast<size_t>(view.model().rowCount())); // still selected
  }

  void pinnedEntriesAreNotDeleted() {
    Opened o;
    QVERIFY(o.open(kSample));
    QVERIFY(o.compileAll());
    QTest::keyClick(o.window.get(), Qt::Key_3, Qt::ControlModifier);
    CacheView& view = o.window->cacheView();
    QTRY_VERIFY_WITH_TIMEOUT(view.model().rowCount() > 3, kLong);
    view.table().selectRow(0);
    const Hash key = view.model().entry(0).key;
    const auto agree = [&](CacheAction action) {
      view.action(action).trigger();
      if (!QTest::qWaitFor([&] { return view.actionBar().isVisible(); }, kLong)) return false;
      QTest::keyClick(&view.actionBar().doIt(), Qt::Key_Return);
      return true;
    };
    QVERIFY(agree(CacheAction::Pin));
    const auto state = [&] {
      return view.model().index(view.model().rowOfKey(key), CacheTableModel::State).data().toString();
    };
    QTRY_COMPARE_WITH_TIMEOUT(state(), "live, pinned", kLong);
    QVERIFY(!view.action(CacheAction::Remove).isEnabled());
    QVERIFY(!view.action(CacheAction::Pin).isEnabled());
    QVERIFY(agree(CacheAction::Unpin));
    QTRY_COMPARE_WITH_TIMEOUT(state(), "live", kLong);
    QTRY_VERIFY_WITH_TIMEOUT(o.window->commands()[Command::Undo].text().contains("unpin of 1 entry"), kLong);
    QTest::keyClick(o.window.get(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(state(), "live, pinned", kLong);
    QTest::keyClick(o.window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(state(), "live", kLong);
  }

  void anEntryIsCompiledAgainWithoutItsGraph() {
    Opened o;
    QVERIFY(o.open(kSample));
    QVERIFY(o.compileAll());
    o.window->document().close();
    QTest::keyClick(o.window.get(), Qt::Key_3, Qt::ControlModifier);
    CacheView& view = o.window->cacheView();
    QTRY_VERIFY_WITH_TIMEOUT(view.model().rowCount() > 3, kLong);
    view.table().selectRow(0);
    view.action(CacheAction::Rerun).trigger();
    QTRY_VERIFY_WITH_TIMEOUT(view.actionBar().isVisible(), kLong);
    QTest::mouseClick(&view.actionBar().doIt(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(o.window->messages().texts().join(' ').contains("Compiled 1 entry again"),
                             kLong);
  }

  void anEntryIsLookedIntoWithoutItsGraph() {
    Opened o;
    QVERIFY(o.open(kSample));
    QVERIFY(o.compileAll());
    o.window->document().close();
    QTest::keyClick(o.window.get(), Qt::Key_3, Qt::ControlModifier);
    CacheView& view = o.window->cacheView();
    QTRY_VERIFY_WITH_TIMEOUT(view.model().rowCount() > 3 && !view.model().waiting(), kLong);
    QTest::mouseClick(&view.detailsButton(), Qt::LeftButton);
    EntryPanel& panel = view.entryPanel();
    QTRY_VERIFY_WITH_TIMEOUT(panel.isVisible(), kLong);
    QVERIFY(panel.headline().startsWith("Select one"));
    view.table().selectRow(0);
    QTRY_VERIFY_WITH_TIMEOUT(panel.headline().contains("Made "), kLong);
    QVERIFY(panel.keyModel().rowCount() > 5);
    panel.tabs().setCurrentIndex(EntryPanel::AsmTab);
    QTRY_VERIFY_WITH_TIMEOUT(panel.codeText().contains("ret"), kLong);
    // Two: their keys beside each other, with what differs marked.
    view.table().selectionModel()->select(view.model().index(1, 0),
                                          QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QTRY_VERIFY_WITH_TIMEOUT(panel.headline().startsWith("Now: "), kLong);
    QVERIFY(panel.keyModel().firstDifference().isValid());
    QVERIFY(!panel.tabs().isTabVisible(EntryPanel::AsmTab));
  }

  void anActionFromThePaletteComesToItsPage() {
    Opened o;
    QVERIFY(o.open(kSample));
    QVERIFY(o.compileAll());
    QTRY_VERIFY_WITH_TIMEOUT(o.window->cacheView().action(CacheAction::Pin).isEnabled(), kLong);
    QTest::keyClick(o.window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    CommandPalette* palette = o.window->commandPalette();
    QTest::keyClicks(&palette->box(), "cache pin");
    QTest::keyClick(&palette->box(), Qt::Key_Return);
    ActionBar& bar = o.window->cacheView().actionBar();
    QTRY_VERIFY_WITH_TIMEOUT(bar.isVisible(), kLong);
    QVERIFY2(bar.text().startsWith("Would have pinned"), qPrintable(bar.text()));
    QTRY_VERIFY_WITH_TIMEOUT(bar.doIt().hasFocus(), kLong); // Enter does it, Escape does not
    QTest::keyClick(&bar.doIt(), Qt::Key_Escape);
    QVERIFY(!bar.isVisible());
    QVERIFY(o.window->cacheView().table().hasFocus());
  }

  void whatVerifyFindsIsListed() {
    Opened o;
    QVERIFY(o.open(kSample));
    QVERIFY(o.compileAll());
    {
      CacheSettings settings;
      settings.file.value = o.dir.filePath("cache.db").toStdString();
      Store store = test::need(Store::open(settings));
      test::sql(store, "UPDATE object SET bytes = zeroblob(size) WHERE id = (SELECT min(id) FROM object)");
    }
    QTest::keyClick(o.window.get(), Qt::Key_3, Qt::ControlModifier);
    CacheView& view = o.window->cacheView();
    QTRY_VERIFY_WITH_TIMEOUT(view.model().rowCount() > 3 && !view.model().waiting(), kLong);
    view.action(CacheAction::Verify).trigger(); // of all: nothing is selected
    QTRY_VERIFY_WITH_TIMEOUT(view.actionBar().isVisible(), kLong);
    QTest::keyClick(&view.actionBar().doIt(), Qt::Key_Return);
    DoctorPanel& panel = view.doctorPanel();
    QTRY_COMPARE_WITH_TIMEOUT(panel.model().rowCount(), 1, kLong);
    QVERIFY2(panel.model().index(0, 2).data().toString().contains("damaged"),
             qPrintable(panel.model().index(0, 2).data().toString()));
    QVERIFY(!panel.repairButton().isVisible());
    QVERIFY(o.says("1 not"));
  }

  void whatWasDoneInTheCacheIsCopiedWithItsFilter() {
    Opened o;
    QVERIFY(o.open(kSample));
    QVERIFY(o.compileAll());
    QTest::keyClick(o.window.get(), Qt::Key_3, Qt::ControlModifier);
    CacheView& view = o.window->cacheView();
    view.filterBox().setText("op:Sum cost>0ns");
    QTest::keyClick(&view.filterBox(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(view.action(CacheAction::Invalidate).isEnabled() && !view.model().waiting(),
                             kLong);
    view.action(CacheAction::Invalidate).trigger();
    QTRY_VERIFY_WITH_TIMEOUT(view.actionBar().isVisible(), kLong);
    QTest::keyClick(&view.actionBar().doIt(), Qt::Key_Return);
    QVERIFY(o.says("Invalidated"));
    QTest::keyClick(o.window.get(), Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    const QString line = QApplication::clipboard()->text();
    QVERIFY2(line.startsWith("nodewise cache invalidate 'op:Sum cost>0ns' --cache "), qPrintable(line));
  }
};

QTEST_MAIN(TestUiProgram)
#include "tst_ui_program.moc"
