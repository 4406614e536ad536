// The views of recorded runs, costs, time and reasons: models by the model tester, views by mouse and keys.
#include "session/session.h"
#include "ui/main_window/main_window.h"
#include "ui/runs/run_pages.h"
#include "ui/runs/run_tables.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QFileInfo>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace nodewise;
using namespace nodewise::ui;

namespace {

const QString kSample = QStringLiteral(NODEWISE_SAMPLES "/hierarchical_normal.nwg.json");
constexpr int kLong = 60000; ///< milliseconds; only a hang ends here
constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::QtTest;

} // namespace

class TestUiRuns : public QObject {
  Q_OBJECT

  QTemporaryDir m_dir;
  std::unique_ptr<JobTracker> m_jobs;
  std::unique_ptr<Document> m_document;
  std::unique_ptr<RunPages> m_pages;

  bool open() {
    QSignalSpy opened(m_document.get(), &Document::opened);
    m_document->open(kSample);
    return opened.wait(kLong);
  }
  bool compile(bool ignoreCache = false) {
    QSignalSpy shown(&m_pages->service(), &RunService::shown);
    QSignalSpy listed(&m_pages->service(), &RunService::listed);
    m_document->compile({{}, ignoreCache}, QStringLiteral("Compiling"));
    return shown.wait(kLong) && (listed.count() > 0 || listed.wait(kLong));
  }
  static void present(QWidget& widget, QSize size = {900, 400}) {
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
  }
  static void clickRow(QTableView& table, int row, Qt::KeyboardModifiers modifiers = {}) {
    table.scrollTo(table.model()->index(row, 0));
    QTest::mouseClick(table.viewport(), Qt::LeftButton, modifiers,
                      table.visualRect(table.model()->index(row, 0)).center());
  }
  size_t nodes() const { return m_pages->service().current()->record.nodes.size(); }

private Q_SLOTS:
  void init() {
    static int number = 0;
    SessionSettings settings;
    settings.cache.file = m_dir.filePath(QStringLiteral("cache%1.db").arg(number++)).toStdString();
    settings.command = "window";
    const CacheSettings cache = *resolveCacheSettings(settings.cache, [](const char*) { return nullptr; });
    m_jobs = std::make_unique<JobTracker>();
    m_document = std::make_unique<Document>(*m_jobs, settings, TextMeasure(QGuiApplication::font()));
    m_pages = std::make_unique<RunPages>(*m_jobs, *m_document, cache);
  }
  void cleanup() {
    QTRY_VERIFY_WITH_TIMEOUT(m_jobs->idle(), kLong);
    // The views are the window's, which is not here.
    std::unique_ptr<QWidget> views[] = {
        std::unique_ptr<QWidget>(&m_pages->runsView()),    std::unique_ptr<QWidget>(&m_pages->compareView()),
        std::unique_ptr<QWidget>(&m_pages->costView()),    std::unique_ptr<QWidget>(&m_pages->timeDock()),
        std::unique_ptr<QWidget>(&m_pages->reasonsView()), std::unique_ptr<QWidget>(&m_pages->passesView()),
        std::unique_ptr<QWidget>(&m_pages->valuesView()),  std::unique_ptr<QWidget>(&m_pages->statsView())};
    for (auto& view : views) view.reset();
    m_pages.reset();
    m_document.reset();
    m_jobs.reset();
  }

  void describedTablesSortBelowTheTotals() {
    TableModel model;
    QAbstractItemModelTester tester(&model, kFatal);
    const std::vector<int64_t> numbers{30, 10, 20, 60};
    TableData data;
    data.rows = 4;
    data.pinned = 1;
    TableColumn name, number;
    name.title = "Name";
    name.text = [](size_t row) { return QString(QChar(u'a' + static_cast<char16_t>(row))); };
    number.title = "Number";
    number.number = [&](size_t row) { return numbers[row]; };
    number.text = [&](size_t row) { return QString::number(numbers[row]); };
    number.bar = true;
    TableColumn path = name; // words in an order that is not theirs
    path.text = [](size_t row) { return QString("nodes[%1]").arg(row == 0 ? 2 : 10 * row); };
    path.order = [](size_t row) { return static_cast<int64_t>(row); };
    data.columns = {name, number, path};
    model.setData(data);
    const QPersistentModelIndex kept = model.indexOf(1);
    model.sort(1, Qt::DescendingOrder);
    const auto shown = [&] {
      QString all;
      for (int row = 0; row < model.rowCount(); ++row) all += model.index(row, 0).data().toString();
      return all;
    };
    QCOMPARE(shown(), QString("dacb"));
    QCOMPARE(model.rowOf(kept), std::optional<size_t>(1));      // the same row, elsewhere
    QCOMPARE(model.index(1, 1).data(kBarRole).toDouble(), 1.0); // of the greatest that is no total
    QVERIFY(!model.index(0, 1).data(kBarRole).isValid());
    model.setShown([](size_t row) { return row != 0; });
    QCOMPARE(shown(), QString("dcb"));
    QVERIFY(!model.indexOf(0).isValid());
    model.sort(0, Qt::AscendingOrder);
    QCOMPARE(shown(), QString("dbc"));
    model.setShown(nullptr);
    model.sort(2, Qt::AscendingOrder);
    QCOMPARE(shown(), QString("dabc")); // nodes[2] before nodes[10]
    model.setData(data);
    QCOMPARE(model.rowCount(), 4); // what chose rows of other data is not asked
    model.setData({});
    QCOMPARE(model.rowCount(), 0);
  }

  void timeScalesZoomAroundTheMouse() {
    TimeScale scale;
    scale.setWidth(1000);
    scale.setLength(1'000'000);
    const int64_t under = scale.at(250);
    scale.zoom(4, 250);
    QVERIFY(std::abs(scale.at(250) - under) <= 1000);
    QCOMPARE(scale.to() - scale.from(), int64_t{250'000});
    scale.pan(-1e9);
    QCOMPARE(scale.from(), int64_t{0}); // never beyond the run
    scale.zoom(1e12, 0);
    QVERIFY(scale.to() - scale.from() >= 100);
    scale.zoom(1e-12, 500);
    QVERIFY(scale.isFitted());
    const auto ticks = scale.ticks(100);
    QVERIFY(ticks.size() >= 5 && ticks.size() <= 11);
  }

  void runsAreListedAndShown() {
    RunsView& view = m_pages->runsView();
    QAbstractItemModelTester tester(&view.model(), kFatal);
    present(view);
    QVERIFY(open());
    QVERIFY(compile());
    QVERIFY(compile());
    QCOMPARE(view.model().rowCount(), 2);
    QVERIFY(!view.compareButton().isEnabled());
    QSignalSpy wanted(m_pages.get(), &RunPages::pageWanted);
    QSignalSpy shown(&m_pages->service(), &RunService::shown);
    clickRow(view.table(), 1);
    QTest::mouseClick(&view.showButton(), Qt::LeftButton);
    QVERIFY(shown.wait(kLong));
    QCOMPARE(m_pages->service().current()->record.run.id, m_pages->service().runs().back().id);
    QCOMPARE(wanted.count(), 1);
  }

  void twoRunsAreComparedByCtrlClick() {
    RunsView& view = m_pages->runsView();
    CompareView& compare = m_pages->compareView();
    QAbstractItemModelTester tester(&compare.model(), kFatal);
    present(view);
    present(compare);
    QVERIFY(open());
    QVERIFY(compile());
    QVERIFY(compile());
    clickRow(view.table(), 0);
    clickRow(view.table(), 1, Qt::ControlModifier);
    QSignalSpy compared(&m_pages->service(), &RunService::compared);
    QTest::mouseClick(&view.compareButton(), Qt::LeftButton);
    QVERIFY(compared.wait(kLong));
    const int changed = compare.model().rowCount();
    QVERIFY(changed > 0); // misses became hits
    QVERIFY2(compare.summary().contains("came out otherwise"), qPrintable(compare.summary()));
    QTest::mouseClick(&compare.changedOnly(), Qt::LeftButton, {},
                      QPoint(8, compare.changedOnly().height() / 2));
    QCOMPARE(compare.model().rowCount(), static_cast<int>(nodes()));
    QSignalSpy picked(m_pages.get(), &RunPages::nodePicked);
    clickRow(compare.table(), 2);
    QVERIFY(picked.count() > 0);
    m_pages->showNode(0);
    QCOMPARE(compare.table().currentIndex().row(), 0);
    QCOMPARE(picked.count(), 1); // what is shown from elsewhere is not picked again
  }

  void theContextMenuOfARunCopiesItsCommand() {
    RunsView& view = m_pages->runsView();
    present(view);
    QVERIFY(open());
    QVERIFY(compile());
    QVERIFY(compile());
    const auto menuTexts = [&view] {
      QStringList texts;
      for (const QAction* action : view.table().actions())
        if (action->isEnabled()) texts.push_back(action->text());
      return texts;
    };
    view.table().clearSelection();
    QVERIFY2(menuTexts().isEmpty(), qPrintable(menuTexts().join(u',')));
    clickRow(view.table(), 0);
    QCOMPARE(menuTexts(), (QStringList{"Show costs", "Compare with the run before, 1", "Report…", "Export",
                                       "Copy as command"}));
    view.copyAction().trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("nodewise cost 2"));
    clickRow(view.table(), 1, Qt::ControlModifier);
    view.copyAction().trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("nodewise diff 1 2"));
  }

  void costsAddUpOnTheScreenAsWell() {
    CostView& view = m_pages->costView();
    QAbstractItemModelTester tester(&view.model(), kFatal), evenTester(&view.breakEvenModel(), kFatal);
    present(view);
    QVERIFY(open());
    QVERIFY(compile());
    const TableModel& model = view.model();
    QCOMPARE(model.rowCount(), static_cast<int>(nodes()) + 1);
    const auto& table = model.table();
    for (const TableColumn& column : table.columns) {
      if (!column.bar) continue;
      int64_t sum = 0;
      for (size_t row = 0; row + 1 < table.rows; ++row) sum += column.number(row);
      if (column.title != "Each") QCOMPARE(sum, column.number(table.rows - 1));
    }
    QVERIFY2(view.rates().contains("by count"), qPrintable(view.rates()));
    // By op: fewer rows, the same total, by keys alone.
    view.groupBox().setFocus();
    QTest::keyClick(&view.groupBox(), Qt::Key_Down);
    Q_EMIT view.groupBox().activated(view.groupBox().currentIndex());
    QVERIFY(model.rowCount() < static_cast<int>(nodes()) + 1);
    QSignalSpy picked(m_pages.get(), &RunPages::nodePicked);
    clickRow(view.table(), 1);
    QCOMPARE(picked.count(), 1);
    // The heading sorts; the total stays above.
    view.table().sortByColumn(3, Qt::DescendingOrder);
    QCOMPARE(model.index(0, 0).data().toString(), QString("total"));
  }

  void aStretchOfTheTimelineFiltersAllViews() {
    TimelineView& timeline = m_pages->timeDock().timeline();
    present(m_pages->timeDock(), {1000, 200});
    present(m_pages->costView());
    QVERIFY(open());
    QVERIFY(compile());
    QVERIFY(!timeline.timeline().spans.empty());
    QSignalSpy picked(m_pages.get(), &RunPages::nodePicked), filtered(m_pages.get(), &RunPages::filtered);
    const TimelineSpan& span =
        *std::ranges::max_element(timeline.timeline().spans, {}, &TimelineSpan::duration);
    const QRectF rect = timeline.rectOf(span);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, rect.center().toPoint());
    QCOMPARE(picked.count(), 1);
    // Drag over the span.
    const QPoint from(static_cast<int>(rect.left()) + 1, static_cast<int>(rect.center().y()));
    QTest::mousePress(&timeline, Qt::LeftButton, {}, from);
    QTest::mouseMove(&timeline, from + QPoint(20, 0));
    QMouseEvent move(QEvent::MouseMove, from + QPoint(20, 0), timeline.mapToGlobal(from + QPoint(20, 0)),
                     Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&timeline, &move);
    QTest::mouseRelease(&timeline, Qt::LeftButton, {}, from + QPoint(20, 0));
    QCOMPARE(m_pages->filter().entries().size(), size_t{1});
    QCOMPARE(filtered.count(), 1);
    QVERIFY(m_pages->filter().keeps(span.node));
    QVERIFY(m_pages->costView().model().rowCount() < static_cast<int>(nodes()) + 1);
    const int64_t before = timeline.scale().to() - timeline.scale().from();
    QTest::keyClick(&timeline, Qt::Key_Plus);
    QVERIFY(timeline.scale().to() - timeline.scale().from() < before);
    QTest::keyClick(&timeline, Qt::Key_Space);
    QVERIFY(timeline.scale().isFitted());
    QTest::keyClick(&timeline, Qt::Key_Escape);
    QVERIFY(m_pages->filter().empty());
    QCOMPARE(m_pages->costView().model().rowCount(), static_cast<int>(nodes()) + 1);
  }

  void theTimeDockNamesTheRunThatItShows() {
    const auto title = [this] { return m_pages->timeDock().findChild<QLabel*>("runTitle")->text(); };
    QVERIFY(open());
    QVERIFY(compile());
    const int64_t compiled = m_pages->service().current()->record.run.id;
    QVERIFY2(title().startsWith(QString("Run %1 · hierarchical_normal · ").arg(compiled)),
             qPrintable(title()));
    // Another run is recorded, as by a process of its own.
    auto other = Session::open(kSample.toStdString(), m_document->settings());
    QVERIFY(other.ok() && (*other)->compile({}, {}, {}).ok());
    m_document->run();
    QTRY_COMPARE_WITH_TIMEOUT(m_pages->service().current()->record.run.id, compiled + 1, kLong);
    QVERIFY2(title().startsWith(QString("Run %1 ").arg(compiled + 1)), qPrintable(title()));
    // Each graph has its own.
    QSignalSpy opened(m_document.get(), &Document::opened);
    m_document->open(QStringLiteral(NODEWISE_SAMPLES "/eight_schools.nwg.json"));
    QVERIFY(opened.wait(kLong));
    QVERIFY(compile());
    QVERIFY2(title().contains("eight_schools"), qPrintable(title()));
    QVERIFY(open());
    QTRY_VERIFY_WITH_TIMEOUT(title().contains("hierarchical_normal"), kLong);
  }

  void theIcicleIsWalkedByMouseAndKeys() {
    TimeDock& dock = m_pages->timeDock();
    FlameView& flame = dock.flame();
    present(dock, {1000, 260});
    dock.tabs().setCurrentIndex(1);
    QVERIFY(open());
    QVERIFY(compile());
    QVERIFY(flame.frames().size() > 3);
    QCOMPARE(flame.frames()[0].rect.width(), static_cast<double>(flame.width()));
    const FlameView::Frame frame = flame.frames()[1];
    QTest::mouseClick(&flame, Qt::LeftButton, {}, frame.rect.center().toPoint());
    QCOMPARE(flame.focus(), frame.at);
    QTest::keyClick(&flame, Qt::Key_Down);
    QVERIFY(flame.focus() != frame.at);
    QTest::keyClick(&flame, Qt::Key_Backspace);
    QCOMPARE(flame.focus(), frame.at);
    // Filtered to a frame, the others are gone; the filter's chip has its name.
    const std::string name = flame.tree()[static_cast<size_t>(frame.at)].name;
    flame.filterTo(frame.at);
    QCOMPARE(m_pages->filter().entries().size(), size_t{1});
    QCOMPARE(m_pages->filter().entries()[0].text.toStdString(), name);
    QCOMPARE(flame.tree()[0].children.size(), size_t{1});
    QCOMPARE(flame.tree()[static_cast<size_t>(flame.tree()[0].children[0])].name, name);
    flame.filterTo(0); // all of it: no filter
    QCOMPARE(m_pages->filter().entries().size(), size_t{1});
    m_pages->filter().clear();
    QTest::keyClick(&flame, Qt::Key_Home);
    QCOMPARE(flame.focus(), 0);
  }

  void rootCausesAreATree() {
    ReasonsView& view = m_pages->reasonsView();
    QAbstractItemModelTester tester(&view.causes(), kFatal);
    present(view);
    QVERIFY(open());
    QTRY_VERIFY_WITH_TIMEOUT(view.causes().rowCount() > 0, kLong); // nothing is in the cache
    QCOMPARE(view.causes().rowCount(), 1);
    QVERIFY(view.causes().rowCount(view.causes().index(0, 0)) > 3);
    QSignalSpy picked(m_pages.get(), &RunPages::nodePicked);
    view.causesTree().setFocus();
    view.causesTree().setCurrentIndex(view.causes().index(0, 0));
    QTest::keyClick(&view.causesTree(), Qt::Key_Down);
    QCOMPARE(picked.count(), 1);
  }

  void suppositionsAreLookedUpByEnter() {
    ReasonsView& view = m_pages->reasonsView();
    QAbstractItemModelTester tester(&view.whatIfModel(), kFatal);
    present(view);
    QVERIFY(open());
    QVERIFY(compile());
    view.tabs().setCurrentIndex(ReasonsView::WhatIfTab);
    QTest::mouseClick(&view.lookUp(), Qt::LeftButton);
    QVERIFY2(view.whatIfText().contains("Suppose"), qPrintable(view.whatIfText()));
    QTest::keyClicks(&view.versions(), "exp2");
    QTest::keyClick(&view.versions(), Qt::Key_Return);
    QVERIFY2(view.whatIfText().contains("OP=VERSION"), qPrintable(view.whatIfText()));
    view.versions().clear();
    QTest::keyClicks(&view.llvmVersion(), "99.1");
    QTest::keyClick(&view.llvmVersion(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(view.whatIfText().contains("would miss"), kLong);
    QVERIFY(view.whatIfText().contains("recorded"));
    int kernels = 0;
    for (const NodeInfo& info : m_document->nodes()) kernels += info.kind == NodeKind::Kernel;
    QCOMPARE(view.whatIfModel().rowCount(), kernels);
    QVERIFY(open()); // other nodes, of which nothing was supposed
    QCOMPARE(view.whatIfModel().rowCount(), 0);
    QVERIFY2(view.whatIfText().contains("Suppose"), qPrintable(view.whatIfText()));
  }

  void theKeyOfANodeIsComparedWithARun() {
    ReasonsView& view = m_pages->reasonsView();
    present(view);
    QVERIFY(open());
    QVERIFY(compile());
    view.tabs().setCurrentIndex(ReasonsView::KeyTab);
    NodeIndex kernel = 0;
    while (m_document->nodes()[static_cast<size_t>(kernel)].kind != NodeKind::Kernel) ++kernel;
    view.with().setCurrentIndex(2); // the run
    m_pages->showNode(kernel);
    QTRY_VERIFY_WITH_TIMEOUT(view.keyModel().rowCount() > 5 &&
                                 view.keyModel().index(0, KeyModel::Then).data().toString().size() > 0,
                             kLong);
    for (int row = 0; row < view.keyModel().rowCount(); ++row)
      QCOMPARE(view.keyModel().index(row, KeyModel::Differs).data().toString(), QString("="));
  }

  void passesOfANodeAreRecordedWhenLookedAt() {
    PassesView& view = m_pages->passesView();
    QAbstractItemModelTester tester(&view.passes(), kFatal), asmTester(&view.instructions(), kFatal);
    QVERIFY(open());
    NodeIndex kernel = 0;
    while (m_document->nodes()[static_cast<size_t>(kernel)].kind != NodeKind::Kernel) ++kernel;
    m_pages->showNode(kernel);
    QCOMPARE(view.passes().rowCount(), 0); // nobody looks yet
    present(view);
    QTRY_VERIFY_WITH_TIMEOUT(view.passes().rowCount() > 1, kLong);
    const int changed = view.passes().rowCount();
    QTest::mouseClick(&view.unchangedToo(), Qt::LeftButton, {}, QPoint(8, view.unchangedToo().height() / 2));
    QVERIFY(view.passes().rowCount() > changed);
    QCOMPARE(view.passes().index(view.passes().rowCount() - 1, 1).data().toString(),
             QString("code generation"));
    QTest::keyClicks(&view.search(), "no such pass");
    QCOMPARE(view.passes().rowCount(), 0);
    view.search().clear();
    clickRow(view.table(), 0);
    QVERIFY(view.differenceText().contains("define"));
    // Some instruction has a cost; LLVM knows the CPU of any machine that this runs on, or says that it does
    // not.
    view.tabs().setCurrentIndex(1);
    bool any = view.summary().contains("no scheduling model");
    for (int row = 0; row < view.instructions().rowCount(); ++row)
      any = any || !view.instructions().index(row, 1).data().toString().isEmpty();
    QVERIFY(any);
  }

  void valuesAreLookedAtByAClick() {
    ValuesView& view = m_pages->valuesView();
    QAbstractItemModelTester tester(&view.model(), kFatal);
    present(view);
    QVERIFY(!view.runButton().isEnabled());
    QVERIFY(open());
    QVERIFY(view.runButton().isEnabled());
    QTest::mouseClick(&view.runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(view.model().rowCount() > 0, kLong);
    QVERIFY2(view.summary().contains("none makes nan"), qPrintable(view.summary()));
    QSignalSpy picked(m_pages.get(), &RunPages::nodePicked);
    clickRow(view.table(), 3);
    QVERIFY(picked.count() > 0);
    QTest::mouseClick(&view.badOnly(), Qt::LeftButton, {}, QPoint(8, view.badOnly().height() / 2));
    QCOMPARE(view.model().rowCount(), 0);
  }

  void statisticsCountEntriesByOp() {
    StatsView& view = m_pages->statsView();
    QAbstractItemModelTester groups(&view.groups(), kFatal), days(&view.days(), kFatal),
        settings(&view.settings(), kFatal);
    QVERIFY(open());
    QVERIFY(compile());
    present(view);
    QTRY_VERIFY_WITH_TIMEOUT(view.groups().rowCount() > 0, kLong);
    QCOMPARE(view.days().rowCount(), 1);
    QVERIFY(view.settings().rowCount() >= 4);
    QSignalSpy filter(&view, &StatsView::filterPicked);
    view.tabs().setCurrentIndex(1);
    clickRow(view.groupsTableView(), 0);
    QTest::keyClick(&view.groupsTableView(), Qt::Key_Return);
    QCOMPARE(filter.count(), 1);
    QCOMPARE(filter[0][0].toString(), "op=\"" + view.groups().index(0, 0).data().toString() + "\"");
    QVERIFY(view.evictions().rowCount() > 0);
    QCOMPARE(view.sizeChart().bars().size(), size_t{1});
    QVERIFY(view.sizeChart().bars()[0].text.contains("entries"));
    view.groupBox().setCurrentIndex(1);
    Q_EMIT view.groupBox().activated(1);
    QTRY_COMPARE_WITH_TIMEOUT(view.groups().index(0, 0).data().toString(), QString("float64"), kLong);
  }

  void exportsAreWrittenByTheMenu_data() {
    QTest::addColumn<int>("format");
    for (const ExportFormatRow& row : exportFormats())
      QTest::newRow(std::string(row.name).c_str()) << static_cast<int>(row.format);
  }
  void exportsAreWrittenByTheMenu() {
    QFETCH(int, format);
    QVERIFY(open());
    QVERIFY(compile());
    QSignalSpy said(m_pages.get(), &RunPages::message);
    const QString path = m_dir.filePath(QString("export%1").arg(format));
    m_pages->service().exportTo(m_pages->service().current()->record.run.id,
                                static_cast<ExportFormat>(format), path);
    QVERIFY(said.wait(kLong));
    QVERIFY(QFileInfo(path).size() > 100);
    m_pages->service().exportTo(1, static_cast<ExportFormat>(format), QStringLiteral("/proc/no/such/folder"));
    QVERIFY(said.wait(kLong));
    QVERIFY(said[1][0].value<Message>().kind == MessageKind::Error);
  }

  void theAuditSaysThatAllIsSound() {
    ReasonsView& view = m_pages->reasonsView();
    QAbstractItemModelTester tester(&view.auditModel(), kFatal);
    present(view);
    QVERIFY(open());
    QVERIFY(compile());
    view.tabs().setCurrentIndex(ReasonsView::AuditTab);
    QTest::mouseClick(&view.runAudit(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(view.auditText().contains("no key is unsound"), kLong);
  }
};

QTEST_MAIN(TestUiRuns)
#include "tst_ui_runs.moc"
