// "Copy as command": every command line that the window can give is one that the program takes and does.
#include "cache/filter.h"
#include "session/export_run.h"
#include "ui/cache/cache_actions.h"
#include "ui/main_window/command_line.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace nodewise;
using namespace nodewise::ui;

namespace {

constexpr int kLong = 120000; ///< milliseconds

} // namespace

class TestUiLines : public QObject {
  Q_OBJECT

  struct Ended {
    int exit = -1;
    QString output;
  };
  Ended run(QString line) {
    const QString program = QStringLiteral("nodewise");
    if (!line.startsWith(program)) return {};
    line = shellWord(QStringLiteral(NODEWISE_PROGRAM)) + line.mid(program.size());
    QProcess process;
    process.setWorkingDirectory(m_dir.path()); // where pictures and reports are written
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), line});
    if (!process.waitForFinished(kLong)) return {};
    return {process.exitCode(), QString::fromUtf8(process.readAll())};
  }
  CommandPlace place() const {
    CommandPlace place;
    place.file = QStringLiteral(NODEWISE_SAMPLES "/hierarchical_normal.nwg.json");
    place.node = m_node;
    place.key = m_key;
    place.cacheFile = m_dir.filePath("cache.db");
    place.level = 1;
    place.look = QStringLiteral(" --dark --edge-width bytes --find 'op:Elemwise exp'");
    return place;
  }
  QString file(const char* name) const { return m_dir.filePath(QString::fromLatin1(name)); }

  QTemporaryDir m_dir;
  QString m_node, m_key;

private Q_SLOTS:
  void initTestCase() {
    CommandPlace where = place();
    for (int k = 0; k < 2; ++k) QCOMPARE(run(commandLineOf(Command::CompileAll, where)).exit, 0);
    // A kernel node and its key, as `explain` tells them.
    const Ended told =
        run(withCache(QStringLiteral("nodewise explain %1 --json --level 1").arg(where.file), where));
    const nlohmann::json all = nlohmann::json::parse(told.output.toStdString());
    for (const nlohmann::json& node : all["nodes"])
      if (node.contains("key") && m_key.isEmpty()) {
        m_node = QString::fromStdString(node["path"].get<std::string>());
        m_key = QString::fromStdString(node["key"].get<std::string>()).first(12);
      }
    QVERIFY(!m_key.isEmpty());
    QCOMPARE(run(withCache("nodewise cache pin op:Elemwise", where)).exit, 0); // something to undo
  }

  void aRecordedRunIsReportedWithItsGraph() {
    QCOMPARE(run(withCache("nodewise report --run 1 -o first.html", place())).exit, 0);
    QFile html(file("first.html"));
    QVERIFY(html.open(QIODevice::ReadOnly));
    const QByteArray text = html.readAll();
    QVERIFY(text.contains("Why nodes missed")); // the first compile of all
    const bool dot = !QStandardPaths::findExecutable(QStringLiteral("dot")).isEmpty();
    QVERIFY(text.contains(dot ? "<svg" : "No drawing"));
  }

  void everyCommandLineIsTaken_data() {
    QTest::addColumn<QString>("line");
    const CommandPlace where = place();
    for (const CommandRow& row : commandTable())
      if (const QString line = commandLineOf(row.command, where); !line.isEmpty())
        QTest::newRow(qPrintable(fullText(row))) << line;
    for (const CacheActionRow& row : cacheActions()) {
      CacheRequest request;
      request.action = row.action;
      const bool file = row.scope == ActionScope::FromFile || row.action == CacheAction::Export;
      if (file) request.file = bundleFile(row);
      if (row.scope == ActionScope::Entries) {
        request.selection = Selection::of({1});
        request.keys = {*Hash::fromHex(m_key.toStdString() + std::string(64 - 12, '0'))};
        QTest::newRow(qPrintable(QStringLiteral("selected: %1").arg(row.text)))
            << withCache(commandLineOf(request) + " --dry-run", where);
        for (const char* terms : {"", "op:Elemwise 'cost>0ns'", "/sum|exp/ -op:\"a b\""}) {
          auto filter = parseFilter(QString(terms).remove(u'\'').toStdString());
          request.selection = Selection::matching(filter.ok() ? *filter : Filter{});
          QTest::newRow(qPrintable(QStringLiteral("%1: %2").arg(row.text, terms)))
              << withCache(commandLineOf(request) + " --dry-run", where);
        }
      } else {
        QTest::newRow(row.text) << withCache(commandLineOf(request) + " --dry-run", where);
      }
    }
    // What views say of what they did (RunService, MainWindow).
    for (const char* line : {"nodewise diff 1 2", "nodewise report --run 1 -o run.html",
                             "nodewise cache restore --operation 1", "nodewise cache doctor --repair"})
      QTest::newRow(line) << withCache(QString::fromLatin1(line), where);
    for (const ExportFormatRow& format : exportFormats())
      QTest::newRow(std::string(format.name).c_str()) << withCache(
          QStringLiteral("nodewise export 1 --format %1 -o run.out").arg(std::string(format.name).c_str()),
          where);
  }
  void everyCommandLineIsTaken() {
    QFETCH(QString, line);
    if (line.startsWith("nodewise gui")) line += " --help"; // a window would wait for its user
    const Ended ended = run(line);
    QVERIFY2(ended.exit == 0, qPrintable(line + "\n" + ended.output));
  }

  /// Zooming and moving about have none; everything that has an effect outside the window has one.
  void whatHasALine() {
    const CommandPlace where = place();
    for (const CommandRow& row : commandTable()) {
      const QString menu = QString::fromLatin1(row.menu).remove(u'&');
      if (menu != "Compile" && menu != "Cache" && menu != "Run") continue;
      if (row.command == Command::Stop || row.command == Command::Import) continue; // a file is chosen first
      QVERIFY2(!commandLineOf(row.command, where).isEmpty(), row.text);
    }
  }

private:
  /// A bundle to read, or the name of one to write.
  std::string bundleFile(const CacheActionRow& row) const {
    return (row.action == CacheAction::Import ? file("cache.db") : file("bundle.db")).toStdString();
  }
};

QTEST_GUILESS_MAIN(TestUiLines)
#include "tst_ui_lines.moc"
