#include "base/file.h"

#include <QtTest>


using namespace nodewise;

class TestFile : public QObject {
  Q_OBJECT

  std::string path(const char* name) const {
    return m_folder.filePath(QString::fromLatin1(name)).toStdString();
  }

  QTemporaryDir m_folder;

private Q_SLOTS:
  void writesAndReadsAnyBytes() {
    std::string bytes;
    for (int i = 0; i < 200000; ++i) bytes += static_cast<char>(i % 251);
    QVERIFY(writeFile(path("bytes"), bytes).ok());
    const auto read = readFile(path("bytes"), 1 << 20);
    QVERIFY(read.ok());
    QVERIFY(*read == bytes);
  }

  void writingReplacesTheOldFileAndLeavesNoOther() {
    QVERIFY(writeFile(path("twice"), "old, and longer").ok());
    QVERIFY(writeFile(path("twice"), "new").ok());
    QCOMPARE(*readFile(path("twice"), 100), std::string("new"));
    QCOMPARE(QDir(m_folder.path()).entryList({QStringLiteral("twice*")}).size(), 1);
  }

  void refusesAFolder() {
    const auto read = readFile(m_folder.path().toStdString(), 100);
    QVERIFY(!read.ok());
    QCOMPARE(read.error().where, m_folder.path().toStdString());
    QVERIFY(read.error().what.find("folder") != std::string::npos);
  }

  void namesTheFileThatIsNotThere() {
    const auto read = readFile(path("nowhere"), 100);
    QVERIFY(!read.ok());
    QCOMPARE(read.error().where, path("nowhere"));
    QVERIFY(read.error().what.find("No such file") != std::string::npos);
  }

  /// A path that leads through a file: no user can read it, root neither.
  void refusesAnUnreadableFile() {
    QVERIFY(writeFile(path("plain"), "x").ok());
    const auto read = readFile(path("plain/below"), 100);
    QVERIFY(!read.ok());
    QVERIFY(read.error().what.find("Not a directory") != std::string::npos);
  }

  void refusesAFileAboveTheLimit() {
    QVERIFY(writeFile(path("large"), std::string(101, 'x')).ok());
    QVERIFY(readFile(path("large"), 101).ok());
    const auto read = readFile(path("large"), 100);
    QVERIFY(!read.ok());
    QVERIFY(read.error().what.find("at most 100 bytes") != std::string::npos);
  }

  void stopsReadingWhatHasNoEnd() {
    const auto read = readFile("/dev/zero", 1 << 20);
    QVERIFY(!read.ok());
    QVERIFY(read.error().what.find("too large") != std::string::npos);
  }

  void writingToNowhereIsAnErrorAndLeavesNothing() {
    const auto written = writeFile(path("missing/folder/file"), "x");
    QVERIFY(!written.ok());
    QVERIFY(!written.error().remedy.empty());
    QVERIFY(!QDir(m_folder.filePath(QStringLiteral("missing"))).exists());
  }

  void writingOverAFolderIsAnErrorAndLeavesNothing() {
    QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("taken/inside")));
    QVERIFY(!writeFile(path("taken"), "x").ok());
    QCOMPARE(QDir(m_folder.path()).entryList({QStringLiteral("taken*")}).size(), 1);
  }
};

QTEST_APPLESS_MAIN(TestFile)
#include "tst_file.moc"
