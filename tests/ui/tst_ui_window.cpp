#include "window_fixture.h"

#include "graph/generate.h"
#include "graph/writer.h"
#include "ui/graph/export.h"
#include "ui/jobs/stall_watchdog.h"
#include "ui/main_window/command_line.h"
#include "ui/problems/log_view.h"
#include "ui/problems/problems_view.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace nodewise;
using namespace nodewise::ui;
using namespace nodewise::ui::test;

class TestUiWindow : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void anEmptyWindowSaysWhatToDo();
  void aMalformedFileIsSaidInPlace();
  void whatWasSaidStaysInTheLog();
  void problemsAreListedByNode();
  void aGraphThatIsClosedLeavesNothing();
  void aSampleIsDrawnWithEveryNode();
  void droppingAFileOpensIt();
  void clickingANodeShowsItEverywhere();
  void comingToAPagePicksNothing();
  void openingAllGroupsLeavesSomeInSight();
  void compileAllColoursEveryKernel();
  void aSecondWindowHitsWhatTheFirstCompiled();
  void recompileIgnoresTheCache();
  void theKeyOfANodeIsShownPartByPart();
  void irAndAssemblyAreMadeOnRequest();
  void invalidateAndUndoAreSeenAtOnce();
  void anotherLevelIsAnotherKey();
  void runningACaseGivesEachNodeItsTime();
  void cancelStopsACompile();
  void thePaletteRunsACommand();
  void backAndForwardSelectAgain();
  void bookmarksAreSetAndUsed();
  void theCommandLineIsCopied();
  void commandLinesNameWhatTheyNeed();
  void aFileThatChangesIsOfferedAgain();
  void thePictureIsExported();
  void focusIsReachedByKeys();
  void keysAreShownUntilTheNextKey();
  void themesChangeEverything();
  void closingWhileItWorksLosesNothing();
  void aLargeGraphNeverHoldsTheWindowUp();
};

void TestUiWindow::anEmptyWindowSaysWhatToDo() {
  Opened o;
  QString text;
  for (const QLabel* label : o.window->findChildren<QLabel*>()) text += label->text();
  QVERIFY(text.contains("No graph open"));
  QVERIFY(text.contains("hierarchical normal"));
  QVERIFY(!o.window->commands()[Command::CompileAll].isEnabled());
}

void TestUiWindow::aMalformedFileIsSaidInPlace() {
  Opened o;
  QFile file(o.dir.filePath("bad.nwg.json"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("{\"format\": \"nodewise-graph\", \"version\": 1, \"graph\": {\"values\": 3}}");
  file.close();
  o.window->openFile(file.fileName());
  QTRY_COMPARE_WITH_TIMEOUT(o.window->messages().texts().size(), 1, kLong);
  QVERIFY2(o.window->messages().texts()[0].contains("values"), qPrintable(o.window->messages().texts()[0]));
  QVERIFY(!o.document().isOpen());
  QVERIFY(o.open(kSample)); // and the next one opens
  QVERIFY(o.window->messages().texts().isEmpty());
}

void TestUiWindow::whatWasSaidStaysInTheLog() {
  Opened o;
  QAbstractItemModelTester tester(&o.window->logView().model(),
                                  QAbstractItemModelTester::FailureReportingMode::QtTest);
  o.window->openFile(o.dir.filePath("none.nwg.json"));
  QTRY_COMPARE_WITH_TIMEOUT(o.window->logView().model().rowCount(), 1, kLong);
  QVERIFY(o.window->logView().model().index(0, 2).data().toString().contains("none.nwg.json"));
  QCOMPARE(o.window->logView().model().index(0, 1).data().toString(), QString("error"));
  QVERIFY(o.open(kSample));
  QVERIFY(o.compileAll());
  QTRY_VERIFY_WITH_TIMEOUT(o.window->logView().model().index(0, 2).data().toString().startsWith("Compiled "),
                           5000);
  for (size_t k = 0; k < LogView::kMost + 5; ++k)
    o.window->logView().add({MessageKind::Warning, QString::number(k), {}, {}, {}, {}});
  QCOMPARE(o.window->logView().model().rowCount(), static_cast<int>(LogView::kMost));
}

void TestUiWindow::problemsAreListedByNode() {
  std::vector<NodeInfo> nodes(5);
  for (size_t n = 0; n < nodes.size(); ++n) {
    nodes[n].index = static_cast<NodeIndex>(n);
    nodes[n].kind = NodeKind::Kernel;
    nodes[n].op = "Add";
  }
  nodes[3].kind = NodeKind::Unsupported;
  nodes[3].reason = "there is no lowering of Foo";
  std::vector<NodeState> states(nodes.size());
  states[0].outcome = Outcome::Miss;
  states[0].storeResult = "stored";
  states[1].outcome = Outcome::Miss;
  states[1].storeResult = "not stored: disk full";
  states[2].outcome = Outcome::Failed;
  states[2].reason = "SIGSEGV";
  const auto problems = std::make_shared<const std::vector<Problem>>(problemsOf(nodes, states));
  QCOMPARE(problems->size(), size_t{3});
  QCOMPARE((*problems)[0].text, QString("not stored: disk full"));
  QCOMPARE((*problems)[1].text, QString("SIGSEGV"));
  QCOMPARE((*problems)[2].text, QString("there is no lowering of Foo"));
  TableModel model;
  model.setData(problemsTable(problems, nodes, makeTheme(false)));
  QCOMPARE(model.index(1, 0).data().toString(), QString("failed"));

  Opened o;
  QCOMPARE(o.window->problemsView().count(), size_t{0});
}

void TestUiWindow::aGraphThatIsClosedLeavesNothing() {
  Opened o;
  QVERIFY(o.open(kSample));
  QVERIFY(o.compileAll());
  o.window->commands()[Command::Close].trigger();
  QVERIFY(!o.document().isOpen());
  QVERIFY2(!o.window->statusStrip().line().contains("node"), qPrintable(o.window->statusStrip().line()));
  QCOMPARE(o.window->outlineView().legend().rowCount(), 0);
}

void TestUiWindow::aSampleIsDrawnWithEveryNode() {
  Opened o;
  QVERIFY(o.open(kSample));
  QVERIFY(o.document().nodes().size() > 10);
  for (const NodeInfo& info : o.document().nodes()) QVERIFY(o.canvas().itemOfNode(info.index) >= 0);
  QVERIFY(o.window->windowTitle().contains("Nodewise"));
  QCOMPARE(o.window->nodesView().model().rowCount(), static_cast<int>(o.document().nodes().size()));
}

void TestUiWindow::droppingAFileOpensIt() {
  Opened o;
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(kSample)});
  QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(o.window.get(), &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(o.window.get(), &drop);
  QTRY_VERIFY_WITH_TIMEOUT(o.document().isOpen(), kLong);
}

void TestUiWindow::clickingANodeShowsItEverywhere() {
  Opened o;
  QVERIFY(o.open(kSample));
  const NodeIndex node = o.firstKernel();
  o.click(node);
  QCOMPARE(o.window->selection().current(), node);
  QCOMPARE(o.window->inspector().headline(), QStringLiteral("·  NOT COMPILED"));
  QCOMPARE(o.window->nodesView().model().nodeOf(o.window->nodesView().table().currentIndex()), node);
  const OutlineItem* item =
      o.window->outlineView().outline().item(o.window->outlineView().tree().currentIndex());
  QVERIFY(item && item->node == node);
  // And from the table back to the graph.
  const QModelIndex other = o.window->nodesView().model().index(0, 0);
  o.window->nodesView().table().setCurrentIndex(other);
  QCOMPARE(o.window->selection().current(), o.window->nodesView().model().nodeOf(other));
}

void TestUiWindow::comingToAPagePicksNothing() {
  Opened o;
  QVERIFY(o.open(kSample));
  o.window->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(o.window.get()));
  QTest::keyClick(o.window.get(), Qt::Key_2, Qt::ControlModifier);
  QTableView& table = o.window->nodesView().table();
  QTRY_VERIFY_WITH_TIMEOUT(table.hasFocus(), kLong);
  QCOMPARE(o.window->selection().current(), NodeIndex{-1});
  QTest::keyClick(&table, Qt::Key_Down); // this does
  QVERIFY(o.window->selection().current() >= 0);
}

void TestUiWindow::openingAllGroupsLeavesSomeInSight() {
  Opened o;
  const QString path = o.dir.filePath("network.nwg.json");
  QVERIFY(writeGraphFile(generateNetwork(600, 1), path.toStdString()).ok());
  QVERIFY(o.open(path));
  for (const Command command : {Command::OpenAllGroups, Command::CloseAllGroups}) {
    QSignalSpy shown(&o.window->graphView(), &GraphView::sceneShown);
    o.window->commands()[command].trigger();
    QVERIFY(shown.wait(kLong));
    int seen = 0;
    for (const NodeInfo& info : o.document().nodes()) {
      const QRectF box = o.canvas().screenRect(o.canvas().itemOfNode(info.index));
      seen += box.intersects(QRectF(o.canvas().rect()));
    }
    QVERIFY(seen > 0);
  }
}

void TestUiWindow::compileAllColoursEveryKernel() {
  Opened o;
  QVERIFY(o.open(kSample));
  QVERIFY(o.compileAll());
  QVERIFY2(o.window->messages().texts().isEmpty(), qPrintable(o.window->messages().texts().join('\n')));
  QCOMPARE(o.countOf(Outcome::Miss) + o.countOf(Outcome::Hit), o.kernels());
  QVERIFY(o.document().summary()->compiled > 0);
  QVERIFY(o.window->statusStrip().line().contains("miss"));
  QTRY_VERIFY_WITH_TIMEOUT(o.window->statusStrip().line().contains("of 1 GiB"), kLong);
}

void TestUiWindow::aSecondWindowHitsWhatTheFirstCompiled() {
  Opened o;
  QVERIFY(o.open(kSample));
  QVERIFY(o.compileAll());
  QVERIFY(o.open(kSample));
  QCOMPARE(o.countOf(Outcome::Hit), 0);
  QVERIFY(o.compileAll());
  QCOMPARE(o.countOf(Outcome::Hit), o.kernels());
  o.click(o.firstKernel());
  QCOMPARE(o.window->inspector().headline(), "H  HIT");
}

void TestUiWindow::recompileIgnoresTheCache() {
  Opened o;
  QVERIFY(o.open(kSample));
  QVERIFY(o.compileAll());
  const int64_t compiled = o.document().summary()->compiled;
  QSignalSpy again(&o.document(), &Document::compiled);
  QTest::keyClick(o.window.get(), Qt::Key_F5, Qt::ShiftModifier);
  QVERIFY(again.wait(kLong));
  QCOMPARE(o.document().summary()->compiled, compiled);
}

void TestUiWindow::theKeyOfANodeIsShownPartByPart() {
  Opened o;
  QVERIFY(o.open(kSample));
  o.click(o.firstKernel());
  const KeyModel& key = o.window->inspector().keyModel();
  QTRY_VERIFY_WITH_TIMEOUT(key.rowCount() > 5, kLong);
  QStringList parts;
  for (int row = 0; row < key.rowCount(); ++row)
    parts.push_back(key.index(row, KeyModel::Part).data().toString());
  for (const char* part : {"optimisation level", "cpu", "LLVM version"})
    QVERIFY2(parts.contains(part), qPrintable(parts.join(", ")));
}

void TestUiWindow::irAndAssemblyAreMadeOnRequest() {
  Opened o;
  QVERIFY(o.open(kSample));
  o.click(o.firstKernel());
  o.window->inspector().tabs().setCurrentIndex(Inspector::IrTab);
  QTRY_VERIFY_WITH_TIMEOUT(o.window->inspector().codeText(Inspector::IrTab).contains("define"), kLong);
  QVERIFY(o.window->inspector().codeText(Inspector::OptimisedTab).contains("define"));
  QVERIFY(o.window->inspector().codeText(Inspector::AsmTab).contains("ret"));
}

void TestUiWindow::invalidateAndUndoAreSeenAtOnce() {
  Opened o;
  QVERIFY(o.open(kSample));
  QVERIFY(o.compileAll());
  QVERIFY(o.compileAll());
  const NodeIndex node = o.firstKernel();
  QCOMPARE(o.document().states()[static_cast<size_t>(node)].outcome, Outcome::Hit);
  o.click(node);
  QTest::keyClick(o.window.get(), Qt::Key_Delete, Qt::ControlModifier);
  const auto outcome = [&] { return o.document().states()[static_cast<size_t>(node)].outcome; };
  QTRY_COMPARE_WITH_TIMEOUT(outcome(), Outcome::Stale, kLong);
  QVERIFY(o.window->messages().texts().join(' ').contains("Invalidated 1"));
  QTRY_VERIFY_WITH_TIMEOUT(o.window->commands()[Command::Undo].isEnabled(), kLong);
  QTest::keyClick(o.window.get(), Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE_WITH_TIMEOUT(outcome(), Outcome::Hit, kLong);
}

void TestUiWindow::anotherLevelIsAnotherKey() {
  Opened o;
  QVERIFY(o.open(kSample));
  const NodeIndex node = o.firstKernel();
  o.click(node);
  const Hash before = o.document().nodes()[static_cast<size_t>(node)].key;
  QSignalSpy opened(&o.document(), &Document::opened);
  o.document().setLevel(0);
  QVERIFY(opened.wait(kLong));
  QVERIFY(o.document().nodes()[static_cast<size_t>(node)].key != before);
  QCOMPARE(o.document().level(), 0);
}

void TestUiWindow::runningACaseGivesEachNodeItsTime() {
  Opened o;
  QVERIFY(o.open(kSample));
  QTRY_VERIFY_WITH_TIMEOUT(o.window->commands()[Command::Run].isEnabled(), kLong);
  QTest::keyClick(o.window.get(), Qt::Key_F6);
  QTRY_VERIFY_WITH_TIMEOUT(o.window->messages().texts().join(' ').contains("all as recorded"), kLong);
  QVERIFY(o.document().states()[static_cast<size_t>(o.firstKernel())].runCalls >= 1);
}

void TestUiWindow::thePaletteRunsACommand() {
  Opened o;
  QVERIFY(o.open(kSample));
  QTest::keyClick(o.window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  CommandPalette* palette = o.window->commandPalette();
  QVERIFY(palette && palette->isVisible());
  QTest::keyClicks(&palette->box(), "show all nodes");
  QTest::keyClick(&palette->box(), Qt::Key_Escape);
  QVERIFY(!palette->isVisible());
  QTest::keyClick(o.window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  QTest::keyClicks(&palette->box(), "nodes");
  QTest::keyClick(&palette->box(), Qt::Key_Return);
  QVERIFY(!palette->isVisible());
  QCOMPARE(o.window->pages().currentIndex(), 1);
}

void TestUiWindow::backAndForwardSelectAgain() {
  Opened o;
  QVERIFY(o.open(kSample));
  o.window->selection().select(3);
  o.window->selection().select(5);
  QTest::keyClick(o.window.get(), Qt::Key_Left, Qt::AltModifier);
  QCOMPARE(o.window->selection().current(), 3);
  QTest::keyClick(o.window.get(), Qt::Key_Right, Qt::AltModifier);
  QCOMPARE(o.window->selection().current(), 5);
}

void TestUiWindow::bookmarksAreSetAndUsed() {
  Opened o;
  QVERIFY(o.open(kSample));
  o.window->selection().select(3);
  QTest::keyClick(&o.canvas(), Qt::Key_2, Qt::AltModifier);
  o.window->selection().select(5);
  QTest::keyClick(&o.canvas(), Qt::Key_2);
  QCOMPARE(o.window->selection().current(), 3);
  QTest::keyClick(&o.canvas(), Qt::Key_7);
  QCOMPARE(o.window->selection().current(), 3);
  QVERIFY(o.window->messages().texts().join(' ').contains("No bookmark 7"));
}

void TestUiWindow::theCommandLineIsCopied() {
  Opened o;
  QVERIFY(o.open(kSample));
  QVERIFY(o.compileAll());
  QTest::keyClick(o.window.get(), Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
  const QString line = QApplication::clipboard()->text();
  QVERIFY2(line.startsWith("nodewise compile ") && line.contains("hierarchical_normal") &&
               line.contains("--cache"),
           qPrintable(line));
}

void TestUiWindow::commandLinesNameWhatTheyNeed() {
  CommandPlace place;
  QCOMPARE(commandLineOf(Command::CompileAll, place), ""); // no file
  place.file = "/a b/it's.nwg.json";
  place.level = 3;
  QCOMPARE(commandLineOf(Command::CompileAll, place), "nodewise compile '/a b/it'\\''s.nwg.json' --level 3");
  QCOMPARE(commandLineOf(Command::Invalidate, place), "");
  place.key = "0123abcd";
  QCOMPARE(commandLineOf(Command::Invalidate, place), "nodewise cache invalidate key:0123abcd");
  QCOMPARE(commandLineOf(Command::ZoomIn, place), "");
}

void TestUiWindow::aFileThatChangesIsOfferedAgain() {
  Opened o;
  const QString path = o.dir.filePath("graph.nwg.json");
  QVERIFY(writeGraphFile(generateNetwork(20, 1), path.toStdString()).ok());
  QVERIFY(o.open(path));
  const size_t before = o.document().nodes().size();
  QVERIFY(writeGraphFile(generateNetwork(30, 1), path.toStdString()).ok()); // replaces it by renaming
  QTRY_VERIFY_WITH_TIMEOUT(o.window->messages().texts().join(' ').contains("was changed"), kLong);
  QCOMPARE(o.document().nodes().size(), before);
  QTest::keyClick(o.window.get(), Qt::Key_R, Qt::ControlModifier);
  QTRY_VERIFY_WITH_TIMEOUT(o.document().nodes().size() > before, kLong);
}

void TestUiWindow::thePictureIsExported() {
  Opened o;
  QVERIFY(o.open(kSample));
  for (const QString& ending : ui::exportFormats()) {
    const QString path = o.dir.filePath("picture." + ending);
    const auto written = exportScene(o.canvas().picture()->input(), path);
    QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
    QVERIFY(QFileInfo(path).size() > 1000);
  }
  QCOMPARE(exportScene(o.canvas().picture()->input(), o.dir.filePath("picture.bmp")).ok(), false);
  QVERIFY(QImage(o.dir.filePath("picture.png")).width() > 400);
}

void TestUiWindow::keysAreShownUntilTheNextKey() {
  Opened o;
  QVERIFY(QTest::qWaitForWindowActive(o.window.get()));
  QTest::keyClick(o.window.get(), Qt::Key_F1);
  auto* help = o.window->findChild<KeyHelp*>();
  QVERIFY(help && help->isVisible());
  QTest::keyClick(help, Qt::Key_Escape);
  QVERIFY(!help->isVisible());
}

void TestUiWindow::focusIsReachedByKeys() {
  Opened o;
  QVERIFY(o.open(kSample));
  o.window->selection().select(o.firstKernel());
  QSignalSpy shown(&o.window->graphView(), &GraphView::sceneShown);
  QTest::keyClick(o.window.get(), Qt::Key_Down, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(shown.wait(kLong));
  QVERIFY(o.window->graphView().extent().focus != nullptr);
  QVERIFY(o.canvas().itemOfNode(o.firstKernel()) >= 0);
  QTest::keyClick(o.window.get(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(shown.wait(kLong));
  QVERIFY(!o.window->graphView().extent().focus);
}

void TestUiWindow::cancelStopsACompile() {
  Opened o;
  QVERIFY(o.open(kSample));
  QSignalSpy compiled(&o.document(), &Document::compiled);
  QTest::keyClick(o.window.get(), Qt::Key_F5);
  o.window->commands()[Command::Stop].trigger();
  QVERIFY(compiled.wait(kLong));
  QVERIFY(!o.document().isWorking());
  QVERIFY(o.compileAll()); // nothing is left in a bad state
  QCOMPARE(o.countOf(Outcome::Failed), 0);
}

void TestUiWindow::themesChangeEverything() {
  Opened o;
  QVERIFY(o.open(kSample));
  for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
    o.window->setTheme(choice);
    const bool dark = choice == ThemeChoice::Dark;
    QTRY_COMPARE(isDark(o.window->palette()), dark);
    const QImage image = o.canvas().grab().toImage();
    QCOMPARE(image.pixelColor(image.width() - 4, 4).rgb(), makeTheme(dark).canvas.rgb());
    QVERIFY(o.window->commands()[dark ? Command::ThemeDark : Command::ThemeLight].isChecked());
  }
}

void TestUiWindow::closingWhileItWorksLosesNothing() {
  Opened o;
  QVERIFY(o.open(kSample));
  QTest::keyClick(o.window.get(), Qt::Key_F5);
  o.window->close();
  o.window.reset(); // waits for the worker, delivers nothing more
  WindowOptions options;
  options.cache.file = o.dir.filePath("cache.db").toStdString();
  options.restoreSession = false;
  o.window = std::make_unique<MainWindow>(options);
  o.window->show();
  QVERIFY(o.open(kSample));
  QVERIFY(o.compileAll());
  QCOMPARE(o.countOf(Outcome::Failed) + o.countOf(Outcome::LookupError), 0);
}

void TestUiWindow::aLargeGraphNeverHoldsTheWindowUp() {
  Opened o;
  const QString path = o.dir.filePath("large.nwg.json");
  const auto written = writeGraphFile(generateNetwork(20000, 1), path.toStdString());
  QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
  StallWatchdog watchdog;
  QTest::qWait(50);
  watchdog.reset();
  QElapsedTimer timer;
  timer.start();
  QVERIFY(o.open(path));
  qInfo("20,000 nodes on the screen after %lld ms, longest stall %.0f ms", timer.elapsed(),
        watchdog.longestMs());
  QVERIFY(o.canvas().scene()->items.size() < 600);
  watchdog.reset();
  o.window->searchBar().setQuery("op:Elemwise");
  o.window->searchBar().next(1);
  QTRY_VERIFY_WITH_TIMEOUT(!o.window->graphView().isLayingOut(), kLong);
  qInfo("search: longest stall %.0f ms", watchdog.longestMs());
  watchdog.reset();
  o.document().close();
  QTest::qWait(1500);
  qInfo("closing: longest stall %.0f ms", watchdog.longestMs());
}

QTEST_MAIN(TestUiWindow)
#include "tst_ui_window.moc"
