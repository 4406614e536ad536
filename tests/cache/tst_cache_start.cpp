// The program starts whatever is where its cache should be, and goes on whatever happens to it.
#include "processes.h"
#include "support.h"

#include "cache/open.h"
#include "cache/show.h"
#include "cache/stats.h"

#include <QDir>
#include <QFile>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace nodewise;
using namespace nodewise::test;

namespace {

void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

QByteArray soundFile() {
  QTemporaryDir folder;
  {
    Store store = need(Store::open(settingsFor(folder.filePath("cache.db"))));
    storeEntry(store, entryOf(1));
  }
  QFile file(folder.filePath("cache.db"));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray garbage(size_t size) {
  std::minstd_rand random(1);
  QByteArray bytes(static_cast<qsizetype>(size), '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

} // namespace

class TestCacheStart : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void damagedFileIsMovedAsideAndKept_data() {
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray sound = soundFile();
    QTest::newRow("garbage") << garbage(5000);
    QTest::newRow("short garbage") << QByteArray("x");
    QTest::newRow("text") << QByteArray("this is my thesis\n").repeated(100);
    QTest::newRow("cut in the header") << sound.left(60);
    QTest::newRow("cut in the first page") << sound.left(3000);
    QTest::newRow("cut after two pages") << sound.left(8192);
    QTest::newRow("header overwritten") << "SQLite format 4" + sound.mid(15);
    QTest::newRow("schema overwritten") << sound.left(100) + garbage(3996) + sound.mid(4096);
    QByteArray zeros = sound;
    zeros.fill('\0');
    QTest::newRow("zeros") << zeros;
    QByteArray version = sound; // user_version, at byte 60: our tables, but not our number
    version[62] = 7;
    QTest::newRow("version number changed") << version;
    QByteArray application = sound;
    application[70] = 7;
    QTest::newRow("application number changed") << application;
    QByteArray readOnly = sound; // "file format write version": SQLite would refuse to write for ever
    readOnly[18] = 9;
    QTest::newRow("write version changed") << readOnly;
  }
  void damagedFileIsMovedAsideAndKept() {
    QFETCH(QByteArray, bytes);
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    write(file, bytes);
    Store store = need(Store::open(settingsFor(file)));
    const auto notices = store.takeNotices();
    QCOMPARE(notices.size(), size_t{1});
    QVERIFY2(notices[0].find("was damaged; it was moved to " + file.toStdString() + ".damaged-1") !=
                 std::string::npos,
             notices[0].c_str());
    QFile kept(file + ".damaged-1");
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), bytes);
    QVERIFY(storeEntry(store, entryOf(2)).ok());
    QCOMPARE(lookupOne(store, keyOf(2)).outcome, Outcome::Hit);
    QVERIFY(need(Store::open(settingsFor(file))).takeNotices().empty());
  }

  void emptyFileIsANewCache() {
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    write(file, {});
    Store store = need(Store::open(settingsFor(file)));
    QVERIFY(store.takeNotices().empty());
    QVERIFY(storeEntry(store, entryOf(2)).ok());
  }

  void secondDamagedFileIsKeptToo() {
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    for (int k = 1; k <= 12; ++k) {
      write(file, "garbage " + QByteArray::number(k));
      need(Store::open(settingsFor(file)));
    }
    QVERIFY(QFile::exists(file + ".damaged-1"));
    QVERIFY(QFile::exists(file + ".damaged-9"));
    QVERIFY(!QFile::exists(file + ".damaged-10")); // the number of files is bounded
  }

  void whatIsNotOursIsLeftAlone_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("error");
    QTest::newRow("directory") << 0 << "is a directory; a cache file was expected";
    QTest::newRow("another program's database") << 1 << "is the SQLite database of another program";
    QTest::newRow("newer schema") << 2
                                  << QString("the cache was made by a newer Nodewise (schema 99; this one "
                                             "knows %1)")
                                         .arg(schemaMigrations().back().version);
    QTest::newRow("pipe") << 3 << "is not a regular file";
    QTest::newRow("below a file") << 4 << "is not a directory";
  }
  void whatIsNotOursIsLeftAlone() {
    QFETCH(int, kind);
    QFETCH(QString, error);
    QTemporaryDir folder;
    QString file = folder.filePath("cache.db");
    if (kind == 0) QVERIFY(QDir().mkdir(file));
    if (kind == 1) {
      write(file, {});
      const auto other = need(Connection::open(file.toStdString(), OpenMode::ReadWrite, 0));
      REQUIRE_OK(other->execute("CREATE TABLE bookmarks (url TEXT)"));
    }
    if (kind == 2) {
      Store store = need(Store::open(settingsFor(file)));
      sql(store, "CREATE TABLE later (x); UPDATE meta SET value = 'theirs' WHERE name = 'schema'; PRAGMA "
                 "user_version = 99");
    }
    if (kind == 3) QCOMPARE(::mkfifo(file.toLocal8Bit().constData(), 0600), 0);
    if (kind == 4) {
      write(file, "x");
      file += "/cache.db";
    }
    const auto before = QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::System);
    const auto store = Store::open(settingsFor(file));
    QVERIFY(!store.ok());
    QCOMPARE(QString::fromStdString(store.error().what), error);
    QVERIFY(!store.error().remedy.empty());
    for (const QString& name :
         QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::System)) {
      QVERIFY2(!name.contains("damaged"), qPrintable(name));
    }
    QVERIFY(QFile::exists(folder.filePath(before.first())));
  }

  void olderSchemaIsMigratedInOneTransaction() {
    QTemporaryDir folder;
    const std::string file = folder.filePath("cache.db").toStdString();
    {
      Store store = need(Store::open(settingsFor(folder.filePath("cache.db"))));
      QVERIFY(storeEntry(store, entryOf(1)).ok());
    }
    std::vector<Migration> later(schemaMigrations().begin(), schemaMigrations().end());
    const int version = later.back().version;
    later.push_back({version + 1, "CREATE TABLE later (graph TEXT); CREATE TABLE later (graph TEXT);"});
    QVERIFY(!openDatabase(file, 100, later).ok()); // fails half-way: nothing has changed
    {
      const auto connection = need(Connection::open(file, OpenMode::ReadOnly, 100));
      QCOMPARE(need(schemaVersion(*connection)), int64_t{version});
      QCOMPARE(need(examineSchema(*connection, schemaMigrations())), SchemaState::Current);
    }
    later.back().sql = "CREATE TABLE later (graph TEXT);";
    later.push_back({version + 2, "ALTER TABLE later ADD COLUMN file TEXT;"});
    const OpenedDatabase opened = need(openDatabase(file, 100, later));
    QCOMPARE(need(schemaVersion(*opened.connection)), int64_t{version + 2});
    QCOMPARE(need(opened.connection->queryInteger("SELECT count(*) FROM later")), int64_t{0});
    QCOMPARE(need(opened.connection->queryInteger("SELECT count(*) FROM entry")), int64_t{1});
    QCOMPARE(need(examineSchema(*opened.connection, later)), SchemaState::Current);
  }

  void fileMayBeDeletedOrReplacedWhileOpen() {
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    Store store = need(Store::open(settingsFor(file)));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    for (const char* end : {"", "-wal", "-shm"}) QFile::remove(file + end);
    QCOMPARE(lookupOne(store, keyOf(1)).outcome, Outcome::Miss);
    QCOMPARE(store.takeNotices().size(), size_t{1});
    QCOMPARE(storeEntry(store, entryOf(1)).text, std::string("stored"));
    QFile::remove(file);
    QCOMPARE(storeEntry(store, entryOf(2)).text, std::string("stored"));
    QCOMPARE(lookupOne(store, keyOf(2)).outcome, Outcome::Hit);
    QDir(folder.path()).removeRecursively();
    QCOMPARE(storeEntry(store, entryOf(3)).text, std::string("stored"));
    QVERIFY(QFile::exists(file));
  }

  void fileMayBeCutOrOverwrittenWhileOpen_data() {
    QTest::addColumn<int>("how");
    QTest::newRow("cut to nothing") << 0;
    QTest::newRow("cut in half") << 1;
    QTest::newRow("overwritten") << 2;
  }
  void fileMayBeCutOrOverwrittenWhileOpen() {
    QFETCH(int, how);
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    Store store = need(Store::open(settingsFor(file)));
    for (int k = 0; k < 50; ++k) QVERIFY(storeEntry(store, entryOf(k)).ok());
    sql(store, "PRAGMA wal_checkpoint(TRUNCATE)");
    sql(store, "PRAGMA shrink_memory");
    {
      QFile opened(file);
      QVERIFY(opened.open(QIODevice::ReadWrite));
      if (how == 2)
        opened.write(garbage(static_cast<size_t>(opened.size())));
      else
        opened.resize(how == 0 ? 0 : opened.size() / 2 / 4096 * 4096);
    }
    for (int k = 0; k < 50; ++k) {
      const auto answer = lookupKey(store, keyOf(k), hostTarget());
      if (answer.ok() && answer->object) QCOMPARE(answer->object->object, entryOf(k).object);
    }
    int stored = 0;
    for (int k = 0; k < 50; ++k) stored += storeEntry(store, entryOf(k)).ok();
    Store again = need(Store::open(settingsFor(file)));
    for (int k = 0; k < 50; ++k) stored += storeEntry(again, entryOf(k)).ok();
    QVERIFY2(stored >= 50, qPrintable(QString::number(stored)));
    for (int k = 0; k < 50; ++k) QCOMPARE(lookupOne(again, keyOf(k)).outcome, Outcome::Hit);
  }

  void readOnlyFilesAreRead_data() {
    QTest::addColumn<int>("fileMode");
    QTest::addColumn<int>("folderMode");
    QTest::newRow("file") << 0444 << 0777;
    QTest::newRow("folder") << 0666 << 0555;
    QTest::newRow("both") << 0444 << 0555;
  }
  void readOnlyFilesAreRead() {
    QFETCH(int, fileMode);
    QFETCH(int, folderMode);
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    {
      Store store = need(Store::open(settingsFor(file)));
      QVERIFY(storeEntry(store, entryOf(0)).ok());
      QVERIFY(storeEntry(store, entryOf(1)).ok());
    }
    for (const char* end : {"-wal", "-shm"}) QFile::remove(file + end);
    ::chmod(file.toLocal8Bit().constData(), static_cast<mode_t>(fileMode));
    ::chmod(folder.path().toLocal8Bit().constData(), static_cast<mode_t>(folderMode));
    Helper helper({"lookup", file, "0", "2"}); // as nobody, if this is root
    const QByteArray output = helper.finish();
    ::chmod(folder.path().toLocal8Bit().constData(), 0755);
    QVERIFY2(output.startsWith("hits 2\nnot stored: "), output.constData());
    QVERIFY2(output.contains("can only be read"), output.constData());
  }

  void unreadableFileIsAnError() {
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    { need(Store::open(settingsFor(file))); }
    ::chmod(folder.path().toLocal8Bit().constData(), 0755);
    ::chmod(file.toLocal8Bit().constData(), 0000);
    Helper helper({"lookup", file, "0", "1"});
    const QByteArray output = helper.finish();
    QVERIFY2(output.startsWith("error ") && output.contains("cannot be opened"), output.constData());
  }

  void noPlaceForANewCacheIsAnError() {
    QTemporaryDir folder;
    ::chmod(folder.path().toLocal8Bit().constData(), 0555);
    Helper helper({"lookup", folder.filePath("sub/cache.db"), "0", "1"});
    const QByteArray output = helper.finish();
    ::chmod(folder.path().toLocal8Bit().constData(), 0755);
    QVERIFY2(output.startsWith("error ") && output.contains("cannot make the cache directory"),
             output.constData());
  }
};

QTEST_GUILESS_MAIN(TestCacheStart)
#include "tst_cache_start.moc"
