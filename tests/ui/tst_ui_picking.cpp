// What is picked, a node or a group, is picked everywhere and stays so; focus; keys of groups.
#include "window_fixture.h"

#include "graph/generate.h"
#include "graph/writer.h"
#include "ui/models/group_summary.h"
#include "ui/runs/run_pages.h"

#include <set>

using namespace nodewise;
using namespace nodewise::ui;
using namespace nodewise::ui::test;

namespace {

/// A network that is shown as groups.
struct Grouped : Opened {
  bool openNetwork() {
    const QString path = dir.filePath("network.nwg.json");
    return writeGraphFile(generateNetwork(900, 1), path.toStdString()).ok() && open(path);
  }
  const Grouping& grouping() { return document().source()->grouping; }
  GroupId firstGroup() {
    for (const SceneItem& item : canvas().scene()->items)
      if (item.kind == ItemKind::Group) return item.group;
    return -1;
  }
  void clickGroup(GroupId group) {
    const int item = canvas().itemOfGroup(group);
    canvas().reveal(item);
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, canvas().screenRect(item).center().toPoint());
  }
  bool press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QSignalSpy shown(&window->graphView(), &GraphView::sceneShown);
    QTest::keyClick(&canvas(), key, modifiers);
    return shown.wait(kLong);
  }
  QString said() { return window->messages().texts().join(' '); }
  QString focusTitle() {
    const auto& focus = window->graphView().extent().focus;
    return focus ? focus->title : QString();
  }
};

/// Whether the canvas marks the node or group that it says is selected.
bool isMarked(GraphCanvas& canvas, int item) {
  return item >= 0 &&
         canvas.accessibleDescription().startsWith(canvas.scene()->items[static_cast<size_t>(item)].title);
}

} // namespace

class TestUiPicking : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void aClickOnTheReasonLeadsToTheKeys();
  void thePaletteFindsWhatIsMeant_data();
  void thePaletteFindsWhatIsMeant();
  void aNodeStaysPickedWhenTheGraphComesAgain();
  void enterClosesWhatItOpened();
  void arrowsReachFrames();
  void aGroupIsPickedEverywhere();
  void theOutlineRevealsGroups();
  void keysOfTheGraphLeaveTextAlone();
  void bookmarksStandInTheMenu();
  void aFocusOnNeighboursGrowsAndShrinks();
  void aFocusWithoutANodeSaysSo();
  void oneKeyCostsOnce();
  void theCriticalPathHasAChoiceOfCost();
};

void TestUiPicking::aClickOnTheReasonLeadsToTheKeys() {
  Opened o;
  QVERIFY(o.open(kSample));
  QVERIFY(o.compileAll());
  o.click(o.firstKernel());
  ReasonsView& reasons = o.window->runPages().reasonsView();
  auto* reason = o.window->inspector().findChild<QLabel*>(QStringLiteral("inspectorReason"));
  QVERIFY(reason && reason->isVisible());
  QTest::mouseClick(reason, Qt::LeftButton);
  QCOMPARE(o.window->pages().currentWidget(), &reasons);
  QCOMPARE(reasons.tabs().currentIndex(), static_cast<int>(ReasonsView::KeyTab));
  QTRY_VERIFY_WITH_TIMEOUT(reasons.keyModel().rowCount() > 5, kLong);
  // Of a cause too, by a double click.
  reasons.tabs().setCurrentIndex(ReasonsView::CausesTab);
  QTRY_VERIFY_WITH_TIMEOUT(reasons.causes().rowCount() > 0, kLong);
  const QModelIndex node = reasons.causes().index(0, 0, reasons.causes().index(0, 0));
  QVERIFY(node.isValid());
  reasons.causesTree().setCurrentIndex(node);
  const QPoint at = reasons.causesTree().visualRect(node).center();
  QTest::mouseClick(reasons.causesTree().viewport(), Qt::LeftButton, {}, at);
  QTest::mouseDClick(reasons.causesTree().viewport(), Qt::LeftButton, {}, at);
  QCOMPARE(reasons.tabs().currentIndex(), static_cast<int>(ReasonsView::KeyTab));
}

void TestUiPicking::thePaletteFindsWhatIsMeant_data() {
  QTest::addColumn<QString>("letters");
  QTest::addColumn<QString>("first");
  QTest::newRow("start of a word") << "crit"
                                   << "Focus on the critical path to compile";
  QTest::newRow("inside a word") << "ritical"
                                 << "Focus on the critical path to compile";
  QTest::newRow("two words in any order") << "path run"
                                          << "Focus on the critical path to run";
  QTest::newRow("scattered") << "cmpla"
                             << "Compile all";
  QTest::newRow("a whole name") << "fit"
                                << "Fit";
}

void TestUiPicking::thePaletteFindsWhatIsMeant() {
  QFETCH(QString, letters);
  QFETCH(QString, first);
  Opened o;
  QVERIFY(o.open(kSample));
  QTest::keyClick(o.window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  CommandPalette* palette = o.window->commandPalette();
  QTest::keyClicks(&palette->box(), letters);
  const QString found = palette->model().index(0).data().toString();
  QVERIFY2(found.endsWith(first), qPrintable(found));
}

void TestUiPicking::aNodeStaysPickedWhenTheGraphComesAgain() {
  Opened o;
  QVERIFY(o.open(kSample));
  const NodeIndex node = o.firstKernel();
  o.click(node);
  const auto marked = [&] {
    return o.canvas().selected() == node && isMarked(o.canvas(), o.canvas().itemOfNode(node)) &&
           o.window->selection().current() == node;
  };
  QVERIFY(marked());
  QSignalSpy shown(&o.window->graphView(), &GraphView::sceneShown);
  for (QComboBox* box : o.window->findChildren<QComboBox*>())
    if (box->accessibleName() == "Optimisation level") QTest::keyClick(box, Qt::Key_Down);
  QVERIFY(shown.wait(kLong));
  QCOMPARE(o.document().level(), 3);
  QVERIFY(marked());
  QTest::keyClick(o.window.get(), Qt::Key_R, Qt::ControlModifier);
  QVERIFY(shown.wait(kLong));
  QVERIFY(marked());
  QVERIFY(o.open(QStringLiteral(NODEWISE_SAMPLES "/kalman_filter.nwg.json"))); // another graph: nothing is
  QCOMPARE(o.canvas().selected(), -1);
}

void TestUiPicking::enterClosesWhatItOpened() {
  Grouped o;
  QVERIFY(o.openNetwork());
  const GroupId group = o.firstGroup();
  QVERIFY(group > 0);
  o.clickGroup(group);
  QCOMPARE(o.canvas().selectedGroup(), group);
  QVERIFY(o.press(Qt::Key_Return));
  QVERIFY(o.window->graphView().openGroups().contains(group));
  QCOMPARE(o.canvas().selectedGroup(), group);
  QVERIFY(isMarked(o.canvas(), o.canvas().itemOfGroup(group)));
  QVERIFY(o.press(Qt::Key_Return));
  QVERIFY(!o.window->graphView().openGroups().contains(group));
  QCOMPARE(o.canvas().selectedGroup(), group);
}

void TestUiPicking::arrowsReachFrames() {
  Grouped o;
  QVERIFY(o.openNetwork());
  const GroupId group = o.firstGroup();
  o.clickGroup(group);
  QVERIFY(o.press(Qt::Key_Return));
  QTest::keyClick(&o.canvas(), Qt::Key_Down); // into it
  QVERIFY(o.canvas().selectedGroup() != group);
  for (int k = 0; k < 20 && o.canvas().selectedGroup() != group; ++k)
    QTest::keyClick(&o.canvas(), Qt::Key_Up);
  QCOMPARE(o.canvas().selectedGroup(), group);
  QCOMPARE(o.window->selection().currentGroup(), group);
}

void TestUiPicking::aGroupIsPickedEverywhere() {
  Grouped o;
  QVERIFY(o.openNetwork());
  const GroupId group = o.firstGroup();
  o.clickGroup(group);
  QCOMPARE(o.window->selection().currentGroup(), group);
  QCOMPARE(o.window->selection().current(), -1);
  const Group& picked = o.grouping().groups[static_cast<size_t>(group)];
  Inspector& inspector = o.window->inspector();
  QCOMPARE(inspector.title(), QString::fromStdString(picked.title));
  const QString nodes = QString::number(nodesIn(o.grouping(), group).size()) + " node";
  QVERIFY2(inspector.reason().startsWith(nodes), qPrintable(inspector.reason()));
  QVERIFY2(inspector.details().contains("Compile cost"), qPrintable(inspector.details()));
  const OutlineItem* item =
      o.window->outlineView().outline().item(o.window->outlineView().tree().currentIndex());
  QVERIFY(item && item->group == group);
  o.window->selection().select(o.firstKernel()); // a node instead
  QCOMPARE(o.canvas().selectedGroup(), -1);
  QCOMPARE(o.window->selection().currentGroup(), -1);
  QVERIFY(inspector.title() != QString::fromStdString(picked.title));
}

void TestUiPicking::theOutlineRevealsGroups() {
  Grouped o;
  QVERIFY(o.openNetwork());
  std::vector<GroupId> groups;
  for (const SceneItem& item : o.canvas().scene()->items)
    if (item.kind == ItemKind::Group) groups.push_back(item.group);
  QVERIFY(groups.size() > 1);
  o.clickGroup(groups.front());
  QVERIFY(o.press(Qt::Key_Return, Qt::ControlModifier)); // the other one is out of sight
  const GroupId other = groups.back();
  QCOMPARE(o.canvas().itemOfGroup(other), -1);
  QSignalSpy shown(&o.window->graphView(), &GraphView::sceneShown);
  OutlineView& outline = o.window->outlineView();
  outline.tree().setCurrentIndex(outline.outline().indexOfGroup(other));
  QVERIFY(shown.wait(kLong));
  QCOMPARE(o.canvas().selectedGroup(), other);
  const int item = o.canvas().itemOfGroup(other);
  QVERIFY(item >= 0 && o.canvas().scene()->items[static_cast<size_t>(item)].kind == ItemKind::Group);
  QVERIFY(QRectF(o.canvas().rect()).intersects(o.canvas().screenRect(item)));
}

void TestUiPicking::keysOfTheGraphLeaveTextAlone() {
  Grouped o;
  QVERIFY(o.openNetwork());
  QVERIFY(QTest::qWaitForWindowActive(o.window.get()));
  QVERIFY(!o.window->commands()[Command::EnterGroup].shortcut().isEmpty());
  const GroupId group = o.firstGroup();
  o.clickGroup(group);
  QVERIFY(o.press(Qt::Key_Return, Qt::ControlModifier));
  QCOMPARE(o.window->graphView().extent().root, group);
  QLineEdit& box = o.window->searchBar().box();
  box.setFocus();
  QTest::keyClicks(&box, "exp");
  QTest::keyClick(&box, Qt::Key_Backspace);
  QCOMPARE(box.text(), QString("ex"));
  QCOMPARE(o.window->graphView().extent().root, group);
  o.canvas().setFocus();
  QVERIFY(o.press(Qt::Key_Backspace));
  QVERIFY(o.window->graphView().extent().root != group);
}

void TestUiPicking::bookmarksStandInTheMenu() {
  Opened o;
  QVERIFY(o.open(kSample));
  o.window->selection().select(3);
  QMenu* menu = nullptr;
  for (QMenu* any : o.window->findChildren<QMenu*>())
    if (any->title().remove(u'&') == "Bookmarks") menu = any;
  QVERIFY(menu);
  Q_EMIT menu->aboutToShow();
  QVERIFY(!menu->actions().last()->isEnabled());
  menu->actions().first()->menu()->actions().first()->trigger(); // set 1
  o.window->selection().select(5);
  Q_EMIT menu->aboutToShow();
  QAction* first = menu->actions()[2]; // after "Set" and a line
  QVERIFY2(first->isEnabled() && first->text().contains("node 3"), qPrintable(first->text()));
  first->trigger();
  QCOMPARE(o.window->selection().current(), 3);
}

void TestUiPicking::aFocusOnNeighboursGrowsAndShrinks() {
  Grouped o;
  QVERIFY(o.open(kSample));
  o.window->selection().select(o.firstKernel());
  const auto both = Qt::ControlModifier | Qt::ShiftModifier;
  QVERIFY(o.press(Qt::Key_N, both));
  QVERIFY2(o.focusTitle().startsWith("1 step around "), qPrintable(o.focusTitle()));
  QVERIFY(o.press(Qt::Key_N, both));
  QVERIFY2(o.focusTitle().startsWith("2 steps around "), qPrintable(o.focusTitle()));
  QVERIFY(o.press(Qt::Key_N, Qt::ControlModifier | Qt::AltModifier));
  QVERIFY(o.focusTitle().startsWith("1 step around "));
  const QString number =
      QString("node %1").arg(o.document().nodes()[static_cast<size_t>(o.firstKernel())].indexInGraph);
  QVERIFY2(o.focusTitle().endsWith(number), qPrintable(o.focusTitle()));
}

void TestUiPicking::aFocusWithoutANodeSaysSo() {
  Grouped o;
  QVERIFY(o.open(kSample));
  QTest::keyClick(o.window.get(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY2(o.said().contains("No node is picked"), qPrintable(o.said()));
  QTest::keyClick(o.window.get(), Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY2(o.said().contains("No cost of compiling"), qPrintable(o.said()));
}

void TestUiPicking::oneKeyCostsOnce() {
  std::vector<NodeInfo> nodes(4);
  std::vector<NodeState> states(4);
  for (int n = 0; n < 4; ++n) {
    nodes[static_cast<size_t>(n)].index = n;
    nodes[static_cast<size_t>(n)].kind = NodeKind::Kernel;
    states[static_cast<size_t>(n)].recordedCompileNs = n < 3 ? 100 : 70;
    states[static_cast<size_t>(n)].runNs = 10;
  }
  nodes[3].key = *Hash::fromHex(std::string(64, 'a'));
  QCOMPARE(ownCompileCosts(nodes, states), (std::vector<int64_t>{100, 0, 0, 70}));
  Grouping grouping;
  Group group;
  group.nodes = {1, 2, 3};
  grouping.groups = {group};
  const GroupSummary summary = groupSummary(grouping, 0, nodes, states);
  QCOMPARE(summary.keys, int64_t{2});
  QCOMPARE(summary.compile.all, int64_t{170});
  QCOMPARE(summary.compile.dearest, 1);
  QCOMPARE(summary.run.all, int64_t{30});
}

void TestUiPicking::theCriticalPathHasAChoiceOfCost() {
  Grouped o;
  QVERIFY(o.open(kSample));
  QVERIFY(o.compileAll());
  QVERIFY(o.press(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier));
  QVERIFY2(o.focusTitle().startsWith("critical path to compile, "), qPrintable(o.focusTitle()));
  QTest::keyClick(o.window.get(), Qt::Key_K, Qt::ControlModifier | Qt::AltModifier);
  QVERIFY2(o.said().contains("No time of a run"), qPrintable(o.said()));
  QSignalSpy ran(&o.document(), &Document::ran);
  QTest::keyClick(o.window.get(), Qt::Key_F6);
  QVERIFY(ran.wait(kLong));
  QVERIFY(o.press(Qt::Key_K, Qt::ControlModifier | Qt::AltModifier));
  QVERIFY2(o.focusTitle().startsWith("critical path to run, "), qPrintable(o.focusTitle()));
}

QTEST_MAIN(TestUiPicking)
#include "tst_ui_picking.moc"
