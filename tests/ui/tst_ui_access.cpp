// The window without a mouse and without eyes: names for screen readers, the way of the Tab key, mnemonics,
// and the list of keys.
#include "ui/cache/cache_actions.h"
#include "ui/main_window/main_window.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QHeaderView>
#include <QMenuBar>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace nodewise;
using namespace nodewise::ui;

namespace {

constexpr int kLong = 60000; ///< milliseconds

/// Parts that Qt makes inside its own widgets are reached through those.
bool isQtsOwn(const QWidget& widget) {
  if (widget.objectName().startsWith(QStringLiteral("qt_"))) return true;
  if (qobject_cast<const QScrollBar*>(&widget) || qobject_cast<const QHeaderView*>(&widget)) return true;
  for (const QWidget* around = widget.parentWidget(); around; around = around->parentWidget())
    if (qobject_cast<const QComboBox*>(around) || qobject_cast<const QLineEdit*>(around) ||
        qobject_cast<const QTabBar*>(around) || qobject_cast<const QHeaderView*>(around))
      return true;
  // The button that selects all, in the corner of a table.
  return QByteArray(widget.metaObject()->className()) == "QTableCornerButton" ||
         QByteArray(widget.metaObject()->className()).startsWith("QDockWidgetTitleButton");
}

QString described(const QWidget& widget) {
  QStringList way; // the nearest three: a message of QtTest is cut when it is long
  for (const QWidget* w = &widget; w && way.size() < 3; w = w->parentWidget())
    way.push_front(QString::fromLatin1(w->metaObject()->className()).section(u':', -1) +
                   (w->objectName().isEmpty() ? QString() : u'#' + w->objectName()));
  return way.join(QStringLiteral(" > "));
}

} // namespace

class TestUiAccess : public QObject {
  Q_OBJECT

  QTemporaryDir m_dir;
  std::unique_ptr<MainWindow> m_window;

  QList<QWidget*> interactive() const {
    QList<QWidget*> found;
    for (QWidget* widget : m_window->findChildren<QWidget*>())
      if (widget->focusPolicy() != Qt::NoFocus || qobject_cast<QAbstractButton*>(widget))
        if (!isQtsOwn(*widget) && !qobject_cast<QLabel*>(widget))
          found.push_back(widget); // labels read themselves
    return found;
  }

private Q_SLOTS:
  void initTestCase() {
    WindowOptions options;
    options.cache.file = m_dir.filePath("cache.db").toStdString();
    options.samplesDir = NODEWISE_SAMPLES;
    options.restoreSession = false;
    options.theme = ThemeChoice::Light;
    m_window = std::make_unique<MainWindow>(options);
    m_window->resize(1200, 800);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    QSignalSpy shown(&m_window->graphView(), &GraphView::sceneShown);
    m_window->openFile(QStringLiteral(NODEWISE_SAMPLES "/hierarchical_normal.nwg.json"));
    QVERIFY(shown.wait(kLong));
    QSignalSpy compiled(&m_window->document(), &Document::compiled);
    QTest::keyClick(m_window.get(), Qt::Key_F5);
    QVERIFY(compiled.wait(kLong));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->cacheView().model().rowCount() > 3, kLong);
    m_window->selection().select(0);
  }
  void cleanupTestCase() { m_window.reset(); }

  void everyInteractiveWidgetHasAName() {
    const QList<QWidget*> all = interactive();
    QVERIFY(all.size() > 60);
    QStringList nameless;
    for (QWidget* widget : all) {
      QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
      if (!face || face->text(QAccessible::Name).trimmed().isEmpty()) nameless.push_back(described(*widget));
    }
    QVERIFY2(nameless.isEmpty(), qPrintable("without a name:\n" + nameless.join('\n')));
  }

  void tabReachesEverythingAndComesBack_data() {
    QTest::addColumn<int>("page");
    for (int page = 0; page < m_window->pages().count(); ++page)
      QTest::newRow(qPrintable(m_window->pages().tabText(page))) << page;
  }
  void tabReachesEverythingAndComesBack() {
    QFETCH(int, page);
    m_window->pages().setCurrentIndex(page);
    QTest::qWait(50);
    m_window->pages().tabBar()->setFocus();
    QWidget* const start = QApplication::focusWidget();
    QVERIFY(start);
    std::set<QWidget*> visited;
    bool back = false;
    constexpr int kMost = 300;
    for (int k = 0; k < kMost && !back; ++k) {
      QWidget* const now = QApplication::focusWidget();
      QVERIFY2(now && now->isVisible(), "the keyboard is nowhere");
      visited.insert(now);
      QTest::keyClick(now, Qt::Key_Tab);
      back = QApplication::focusWidget() == start;
      QVERIFY2(QApplication::focusWidget() != now, qPrintable("Tab does not leave " + described(*now)));
    }
    QVERIFY2(back, "Tab does not come back to where it began");
    QStringList missed;
    for (QWidget* widget : interactive())
      if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) &&
          !widget->focusProxy() && !visited.contains(widget))
        missed.push_back(described(*widget));
    QVERIFY2(missed.isEmpty(), qPrintable("not reached:\n" + missed.join('\n')));
  }

  void mnemonicsOfAMenuDiffer() {
    QStringList clashes;
    const auto check = [&](const QString& where, const QList<QAction*>& actions) {
      std::map<QChar, QString> taken;
      for (const QAction* action : actions) {
        if (action->isSeparator()) continue;
        const qsizetype at = action->text().indexOf(u'&');
        if (at < 0) continue;
        const QChar key = action->text().at(at + 1).toLower();
        if (const auto [other, isNew] = taken.try_emplace(key, action->text()); !isNew)
          clashes.push_back(where + ": " + other->second + " and " + action->text());
      }
    };
    check("menu bar", m_window->menuBar()->actions());
    for (const QAction* menu : m_window->menuBar()->actions()) check(menu->text(), menu->menu()->actions());
    QVERIFY2(clashes.isEmpty(), qPrintable(clashes.join('\n')));
  }

  void shortcutsDiffer() {
    std::map<QString, QString> taken;
    QStringList clashes;
    for (const CommandRow& row : commandTable())
      for (const QKeySequence& keys : m_window->commands()[row.command].shortcuts())
        if (const auto [other, isNew] = taken.try_emplace(keys.toString(), fullText(row)); !isNew)
          clashes.push_back(keys.toString() + ": " + other->second + " and " + fullText(row));
    QVERIFY2(clashes.isEmpty(), qPrintable(clashes.join('\n')));
  }

  void theListOfKeysHasAllOfThem() {
    QTest::keyClick(m_window.get(), Qt::Key_F1);
    auto* help = m_window->findChild<KeyHelp*>();
    QVERIFY(help && help->isVisible());
    QString text;
    for (const QLabel* label : help->findChildren<QLabel*>()) text += label->text();
    for (const CommandRow& row : commandTable())
      if (*row.keys) QVERIFY2(text.contains(fullText(row).toHtmlEscaped()), row.text);
    for (const CacheActionRow& row : cacheActions())
      if (*row.keys) QVERIFY2(text.contains(QString::fromLatin1(row.keys)), row.text);
    QVERIFY(help->height() <= m_window->height()); // all of it can be seen
    QTest::keyClick(help, Qt::Key_Escape);
  }
};

QTEST_MAIN(TestUiAccess)
#include "tst_ui_access.moc"
