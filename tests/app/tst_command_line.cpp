// The program from outside: exit codes, words, JSON, and what several processes do to one cache.
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace {

struct Ended {
  int code = -1;
  QString out, err;
  QJsonObject json() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
};

} // namespace

class TestCommandLine : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  QString m_cache;
  const QString m_samples = NODEWISE_SAMPLES;

  QProcessEnvironment environment() const {
    QProcessEnvironment e = QProcessEnvironment::systemEnvironment();
    e.insert("NODEWISE_CACHE", m_cache);
    return e;
  }
  Ended run(const QStringList& words) const { return run(words, environment()); }
  static Ended run(const QStringList& words, const QProcessEnvironment& variables) {
    QProcess process;
    process.setProcessEnvironment(variables);
    process.start(NODEWISE_PROGRAM, words);
    // Ten times what the slowest of these takes under sanitizers: only a hang ends here.
    if (!process.waitForFinished(240'000)) process.kill();
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
  }
  QString sample(const char* name) const { return m_samples + "/" + name + ".nwg.json"; }
  QString write(const char* name, const QByteArray& text) const {
    QFile file(m_folder.filePath(name));
    if (file.open(QIODevice::WriteOnly)) file.write(text);
    return file.fileName();
  }

  /// As the help lists them.
  QStringList subcommands(const QStringList& words) const {
    const QString help = run(words + QStringList{"--help"}).out;
    const qsizetype from = help.indexOf("Subcommands:");
    static const QRegularExpression name("^  ([a-z]+)  ", QRegularExpression::MultilineOption);
    QStringList names;
    if (from >= 0)
      for (const QRegularExpressionMatch& match : name.globalMatch(help.mid(from)))
        names << match.captured(1);
    return names;
  }
  /// Files of the source that a text names and that are not there.
  static QStringList missingFiles(const QString& text) {
    static const QRegularExpression path("resources/[A-Za-z0-9_./-]*[A-Za-z0-9]");
    QStringList missing;
    for (const QRegularExpressionMatch& match : path.globalMatch(text))
      if (!QFile::exists(QString(NODEWISE_SOURCE) + "/" + match.captured(0))) missing << match.captured(0);
    return missing;
  }

private Q_SLOTS:
  void init() {
    static int number = 0;
    m_cache = m_folder.filePath(QString("cache%1.db").arg(number++));
  }

  void everyCommandHasHelpWithAnExample_data() {
    QTest::addColumn<QStringList>("words");
    for (const QString& name : subcommands({})) {
      const QStringList inner = subcommands({name});
      if (inner.isEmpty()) QTest::addRow("%s", qPrintable(name)) << QStringList{name};
      for (const QString& second : inner)
        QTest::addRow("%s %s", qPrintable(name), qPrintable(second)) << QStringList{name, second};
    }
  }
  void everyCommandHasHelpWithAnExample() {
    QFETCH(QStringList, words);
    const Ended e = run(words + QStringList{"--help"});
    QCOMPARE(e.code, 0);
    QVERIFY2(e.out.contains("Example: nodewise " + words.join(' ')), qPrintable(e.out));
    QCOMPARE(missingFiles(e.out), QStringList());
  }

  void readmeNamesWhatIsThere() {
    QFile file(QString(NODEWISE_SOURCE) + "/README.md");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    QCOMPARE(missingFiles(text), QStringList());
    static const QRegularExpression command("`nodewise ([a-z]+)");
    const QStringList known = subcommands({});
    for (const QRegularExpressionMatch& match : command.globalMatch(text))
      QVERIFY2(known.contains(match.captured(1)), qPrintable(match.captured(0)));
  }

  /// tests/README.md says which test guards against which report.
  void everyNamedTestIsThere() {
    QFile file(QString(NODEWISE_SOURCE) + "/tests/README.md");
    QVERIFY(file.open(QIODevice::ReadOnly));
    static const QRegularExpression guard("`([a-z_]+)` ([a-z][A-Za-z, ]+)"), name("[a-z][a-z]*[A-Z]\\w+");
    int checked = 0;
    for (const QRegularExpressionMatch& match : guard.globalMatch(QString::fromUtf8(file.readAll()))) {
      QDirIterator programs(QString(NODEWISE_SOURCE) + "/tests", {"tst_" + match.captured(1) + ".cpp"},
                            QDir::Files, QDirIterator::Subdirectories);
      QVERIFY2(programs.hasNext(), qPrintable("no test program " + match.captured(1)));
      QFile source(programs.next());
      QVERIFY(source.open(QIODevice::ReadOnly));
      const QString text = QString::fromUtf8(source.readAll());
      for (const QRegularExpressionMatch& test : name.globalMatch(match.captured(2))) {
        static const QString kDeclared = QStringLiteral("void %1(");
        QVERIFY2(text.contains(kDeclared.arg(test.captured(0))), qPrintable(match.captured(0)));
        ++checked;
      }
    }
    QVERIFY(checked > 50);
  }

  void exitCodes_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    QTest::newRow("unknown command option")
        << QStringList{"compile", "SAMPLE", "--nonsense"} << 2 << "nonsense";
    QTest::newRow("no such file") << QStringList{"compile", "/nowhere/x.nwg.json"} << 2
                                  << "/nowhere/x.nwg.json";
    QTest::newRow("no such node") << QStringList{"explain", "SAMPLE", "12345"} << 2 << "12345";
    QTest::newRow("bad filter") << QStringList{"cache", "list", "cost>>5"} << 2 << "cost";
    QTest::newRow("invalidate wants a filter") << QStringList{"cache", "invalidate"} << 2 << "which entries";
    QTest::newRow("pretends a CPU that is none")
        << QStringList{"explain", "SAMPLE", "--pretend-cpu", "nonsense"} << 2 << "nonsense";
    QTest::newRow("pretends an op that is none")
        << QStringList{"explain", "SAMPLE", "--pretend-version", "nonsense=2"} << 2 << "nonsense";
    QTest::newRow("unknown op") << QStringList{"ops", "NoSuchOp"} << 2 << "NoSuchOp";
    QTest::newRow("no such run") << QStringList{"cost", "12345"} << 2 << "12345";
    QTest::newRow("not a run") << QStringList{"cost", "yesterday"} << 2 << "yesterday";
    QTest::newRow("nothing recorded") << QStringList{"export", "last"} << 2 << "last";
    QTest::newRow("level out of range") << QStringList{"compile", "SAMPLE", "--level", "7"} << 2 << "7";
    QTest::newRow("a size cap that is none")
        << QStringList{"compile", "SAMPLE", "--cache-size", "12q"} << 2 << "--cache-size";
    QTest::newRow("an age cap that is none")
        << QStringList{"cache", "list", "--cache-age", "old"} << 2 << "--cache-age";
    QTest::newRow("a broken file") << QStringList{"compile", "BROKEN"} << 2 << "broken.nwg.json";
    QTest::newRow("verify of a broken file") << QStringList{"verify", "BROKEN"} << 1 << "invalid";
    QTest::newRow("verify wants its file") << QStringList{"verify", "SAMPLE", "--json"} << 2 << "json";
    QTest::newRow("an unusable cache folder")
        << QStringList{"cache", "list", "--cache", "/proc/nope/c.db"} << 3 << "/proc/nope";
    QTest::newRow("draw knows no bmp") << QStringList{"draw", "SAMPLE", "-o", "x.bmp"} << 2 << "bmp";
    QTest::newRow("draw into nowhere")
        << QStringList{"draw", "SAMPLE", "-o", "/nowhere/x.svg"} << 3 << "/nowhere/x.svg";
    QTest::newRow("draw by an unknown colour")
        << QStringList{"draw", "SAMPLE", "--color", "smell"} << 2 << "smell";
    QTest::newRow("version") << QStringList{"--version"} << 0 << "nodewise";
  }
  void exitCodes() {
    QFETCH(QStringList, words);
    QFETCH(int, code);
    QFETCH(QString, says);
    words.replaceInStrings("SAMPLE", sample("hierarchical_normal"));
    words.replaceInStrings("BROKEN",
                           write("broken.nwg.json", "{\"format\":\"nodewise-graph\",\"version\":1}"));
    const Ended e = run(words);
    QVERIFY2(e.code == code, qPrintable(QString("%1\n%2%3").arg(e.code).arg(e.out, e.err)));
    QVERIFY2((e.out + e.err).contains(says), qPrintable(e.out + e.err));
  }

  void compileThenHitThenExplain() {
    const QString file = sample("hierarchical_normal");
    const Ended cold = run({"compile", file, "--json"});
    QCOMPARE(cold.code, 0);
    const QJsonObject first = cold.json()["outcomes"].toObject();
    QVERIFY(first["miss"].toInt() > 0);
    const Ended warm = run({"compile", file, "--json"});
    QCOMPARE(warm.json()["compiled"].toInt(), 0);
    QCOMPARE(warm.json()["outcomes"].toObject()["hit"].toInt(),
             cold.json()["kinds"].toObject()["kernel"].toInt());
    const Ended why = run({"explain", file, "0", "--level", "3", "--json"});
    QCOMPARE(why.code, 0);
    QCOMPARE(why.json()["outcome"].toString(), QString("stale"));
    const QJsonArray differences = why.json()["differences"].toArray();
    QCOMPARE(differences.size(), 1);
    QCOMPARE(differences[0].toObject()["part"].toString(), QString("optimisation level"));
  }

  void runsAreComparedAndExplained() {
    const QString file = sample("hierarchical_normal");
    QCOMPARE(run({"compile", file}).code, 0);
    QCOMPARE(run({"run", file, "--profile"}).code, 0);
    const Ended diff = run({"diff", "last~1", "last", "--json"});
    QCOMPARE(diff.code, 0);
    const QJsonObject counts = diff.json()["counts"].toObject();
    QVERIFY(counts["outcome"].toInt() > 0); // misses became hits
    QCOMPARE(counts["new"].toInt() + counts["gone"].toInt(), 0);
    const Ended cost = run({"cost", "last", "--by", "op", "--json"});
    QCOMPARE(cost.json()["hit rate"].toObject()["count"].toDouble(), 1.0);
    QVERIFY(cost.json()["total"].toObject()["run ns"].toInteger() > 0);
    const Ended why = run({"explain", file, "--pretend-llvm", "99.1", "--json"});
    QCOMPARE(why.json()["causes"].toArray()[0].toObject()["nodes"].toInt(), why.json()["would miss"].toInt());
    QVERIFY(why.json()["recorded ns"].toInteger() > 0);
  }

  void invalidatedEntriesAreStaleAndComeBack() {
    const QString file = sample("hierarchical_normal");
    run({"compile", file});
    const Ended dry = run({"cache", "invalidate", "op:Sum", "--dry-run", "--json"});
    const Ended done = run({"cache", "invalidate", "op:Sum", "--json"});
    QCOMPARE(done.code, 0);
    QVERIFY(done.json()["entries"].toInt() > 0);
    for (const char* number : {"entries", "bytes", "compile ns"})
      QCOMPARE(dry.json()[number], done.json()[number]);
    const Ended stale = run({"explain", file, "--json"});
    int count = 0;
    for (const QJsonValue& node : stale.json()["nodes"].toArray())
      count += node.toObject()["outcome"].toString() == "stale";
    QVERIFY(count > 0);
    QCOMPARE(run({"cache", "restore"}).code, 0);
    QVERIFY(run({"compile", file, "--json"}).json()["outcomes"].toObject()["stale"].toInt() == 0);
  }

  void verifyWritesARecordACase() {
    const QString json = m_folder.filePath("verify.json");
    const Ended e = run({"verify", m_samples, "--json", json});
    QVERIFY2(e.code == 0, qPrintable(e.out + e.err));
    QVERIFY(e.out.trimmed().split('\n').last().contains(
        QRegularExpression("^\\d+ cases: \\d+ passed, 0 failed, 0 unsupported, 0 invalid$")));
    QFile file(json);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject report = QJsonDocument::fromJson(file.readAll()).object();
    QCOMPARE(report["cases"].toArray().size(), report["counts"].toObject()["cases"].toInt());
    QVERIFY(report["nodes"].toObject()["kernel"].toInt() > 0);
  }

  // aesara#858: concurrent compiles deleted each other's work.
  void twentyProcessesOnAnEmptyCacheAllSucceed() {
    std::vector<std::unique_ptr<QProcess>> processes;
    for (int k = 0; k < 20; ++k) {
      processes.push_back(std::make_unique<QProcess>());
      processes.back()->setProcessEnvironment(environment());
      processes.back()->start(NODEWISE_PROGRAM,
                              {"compile", sample("hierarchical_normal"), "--json", "--level", "0"});
    }
    for (auto& process : processes) {
      QVERIFY(process->waitForFinished(240'000));
      QVERIFY2(process->exitCode() == 0, process->readAllStandardError().constData());
      const QJsonObject json = QJsonDocument::fromJson(process->readAllStandardOutput()).object();
      QCOMPARE(json["outcomes"].toObject()["failed"].toInt(), 0);
      QCOMPARE(json["outcomes"].toObject()["lookup error"].toInt(), 0);
    }
    const QJsonObject stats = run({"cache", "stats", "--json"}).json();
    QCOMPARE(stats["contents"].toInt(), stats["entries"].toInt());
    QCOMPARE(run({"cache", "doctor"}).code, 0);
  }

  // sdk#53: listing failed while another process wrote.
  void listingNeverFailsWhileAnotherProcessWrites() {
    QProcess writer;
    writer.setProcessEnvironment(environment());
    writer.start(NODEWISE_PROGRAM, {"verify", m_samples, "--level", "0"});
    int lists = 0;
    while (!writer.waitForFinished(1)) {
      const Ended e = run({"cache", "list", "--json"});
      QVERIFY2(e.code == 0, qPrintable(e.err));
      ++lists;
    }
    QCOMPARE(writer.exitCode(), 0);
    QVERIFY(lists > 0);
  }

  // pocl#534: a damaged entry aborted the program. ccache#161: a killed compile left half an entry.
  void guardedRunIsOneRun() {
    const Ended ended = run({"run", sample("gaussian_process"), "--guarded", "--json"});
    QCOMPARE(ended.code, 0);
    QCOMPARE(ended.json()["differences"].toArray().size(), 0);
    // The process that ran it found everything in the cache, and counts nothing of its own.
    QCOMPARE(run({"cache", "runs", "--json"}).json()["runs"].toArray().size(), 1);
  }

  void recordedErrorIsWhatAGuardedRunWaitsFor() {
    const QString file = write("raises.nwg.json", R"({"format":"nodewise-graph","version":1,"graph":{
      "values":[{"type":{"kind":"tensor","dtype":"float64","shape":[null]}},{"type":{"kind":"tensor","dtype":"float64","shape":[]}}],
      "inputs":[0],"outputs":[1],"nodes":[{"op":"Max","in":[0],"out":[1],"params":{"axis":[0]}}]},
      "cases":[{"inputs":[{"dtype":"float64","shape":[0],"data":[]}],"raises":{"type":"ValueError"}}]})");
    for (const QStringList& more : {QStringList{}, QStringList{"--guarded"}}) {
      const Ended ended = run(QStringList{"run", file} + more);
      QVERIFY2(ended.code == 0, qPrintable(ended.err));
      QVERIFY2(ended.out.contains("as recorded") && ended.out.contains("ValueError"), qPrintable(ended.out));
    }
  }

  void killedCompilesLeaveNoBadRow() {
    for (int delay : {5, 20, 40, 80, 160}) {
      QProcess process;
      process.setProcessEnvironment(environment());
      process.start(NODEWISE_PROGRAM, {"compile", sample("gaussian_process")});
      process.waitForStarted();
      QTest::qWait(delay);
      process.kill();
      process.waitForFinished();
    }
    QCOMPARE(run({"cache", "doctor"}).code, 0);
    QCOMPARE(run({"run", sample("gaussian_process")}).code, 0);
  }

  void aReportIsOneFile() {
    const QString path = m_folder.filePath("report.html");
    QCOMPARE(run({"report", sample("hierarchical_normal"), "-o", path}).code, 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString html = QString::fromUtf8(file.readAll());
    QVERIFY(html.contains("Elemwise"));
    QVERIFY(!html.contains("<link"));
    QVERIFY(!html.contains("src="));
  }

  void drawWritesEveryFormat_data() {
    QTest::addColumn<QByteArray>("begins");
    QTest::newRow("svg") << QByteArray("<?xml");
    QTest::newRow("pdf") << QByteArray("%PDF");
    QTest::newRow("png") << QByteArray("\x89PNG");
    QTest::newRow("dot") << QByteArray("digraph");
  }
  void drawWritesEveryFormat() {
    QFETCH(QByteArray, begins);
    const QString path = m_folder.filePath(QString("graph.") + QTest::currentDataTag());
    const Ended e = run({"draw", sample("hierarchical_normal"), "-o", path, "--color", "dtype", "--json"});
    QVERIFY2(e.code == 0, qPrintable(e.err));
    QVERIFY(e.json()["boxes"].toInt() > 10);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith(begins));
  }

  void drawColoursByWhatTheCacheSays() {
    const QString file = sample("hierarchical_normal"), path = m_folder.filePath("graph.svg");
    QVERIFY(run({"draw", file, "-o", path, "--json"}).json()["legend"].toObject()["miss"].toInt() > 0);
    QCOMPARE(run({"compile", file, "--level", "0"}).code, 0);
    const QJsonObject legend =
        run({"draw", file, "-o", path, "--json", "--level", "0"}).json()["legend"].toObject();
    QVERIFY(legend["hit"].toInt() > 0);
    QVERIFY(!legend.contains("miss"));
  }

  void aGeneratedNetworkRuns() {
    const QString path = m_folder.filePath("network.nwg.json");
    const Ended e = run({"sample", "--nodes", "60", "-o", path, "--json"});
    QVERIFY2(e.code == 0, qPrintable(e.err));
    QCOMPARE(e.json()["nodes"].toInt(), 60);
    QCOMPARE(run({"compile", path, "--level", "0"}).code, 0);
    QCOMPARE(run({"sample", "--nodes", "60"}).out, run({"sample", "--nodes", "60"}).out);
  }

  void withoutADisplayTheWindowSaysWhatToDo_data() {
    QTest::addColumn<QString>("platform");
    QTest::addColumn<QString>("display");
    QTest::newRow("no display") << ""
                                << "";
    QTest::newRow("a display that is not there") << "xcb"
                                                 << ":54321";
    QTest::newRow("a platform that is not there") << "nonsense"
                                                  << "";
  }
  void withoutADisplayTheWindowSaysWhatToDo() {
    QFETCH(QString, platform);
    QFETCH(QString, display);
    QProcessEnvironment variables = environment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "QT_QPA_PLATFORM"})
      variables.remove(name);
    if (!platform.isEmpty()) variables.insert("QT_QPA_PLATFORM", platform);
    if (!display.isEmpty()) variables.insert("DISPLAY", display);
    const Ended e = run({"gui", sample("gaussian_process")}, variables);
    QVERIFY2(e.code == 3, qPrintable(e.err));
    QVERIFY2(e.err.contains("nodewise: no window can be opened") &&
                 e.err.contains("QT_QPA_PLATFORM=offscreen") && e.err.contains("nodewise --help"),
             qPrintable(e.err));
    const Ended drawn =
        run({"draw", sample("gaussian_process"), "-o", m_folder.filePath("no.svg")}, variables);
    QVERIFY2(drawn.code == 0, qPrintable(drawn.err)); // which needs no display
  }

  void opsListsEveryTable() {
    const QJsonObject json = run({"ops", "--json"}).json();
    QVERIFY(json["ops"].toArray().size() > 100);
    QVERIFY(json["scalar ops"].toArray().size() > 80);
  }
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_command_line.moc"
