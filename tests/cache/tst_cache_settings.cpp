// Where settings come from, and what the cache's directory looks like.
#include "support.h"

#include "cache/cache_file.h"

#include <QFile>
#include <map>
#include <sys/stat.h>

using namespace nodewise;
using namespace nodewise::test;

namespace {

mode_t modeOf(const QString& path) {
  struct stat info {};
  return ::stat(path.toLocal8Bit().constData(), &info) == 0 ? info.st_mode & 0777 : 0;
}

Environment environmentOf(const std::map<std::string, std::string>& variables) {
  return [variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

} // namespace

class TestCacheSettings : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void fileComesFromTheStrongestSource() {
    const std::map<std::string, std::string> home{{"HOME", "/home/u"}};
    auto settings = need(resolveCacheSettings({}, environmentOf(home)));
    QCOMPARE(settings.file.value, std::string("/home/u/.cache/nodewise/cache.db"));
    QCOMPARE(settings.file.origin, Origin::Default);
    settings = need(resolveCacheSettings({}, environmentOf({{"HOME", "/home/u"}, {"XDG_CACHE_HOME", "/x"}})));
    QCOMPARE(settings.file.value, std::string("/x/nodewise/cache.db"));
    settings =
        need(resolveCacheSettings({}, environmentOf({{"HOME", "/home/u"}, {"XDG_CACHE_HOME", "relative"}})));
    QCOMPARE(settings.file.value, std::string("/home/u/.cache/nodewise/cache.db"));
    const auto variables = environmentOf({{"NODEWISE_CACHE", "/e.db"},
                                          {"NODEWISE_CACHE_SIZE", "2G"},
                                          {"NODEWISE_CACHE_AGE", "36h"},
                                          {"NODEWISE_CACHE_RUNS", "7"}});
    settings = need(resolveCacheSettings({}, variables));
    QCOMPARE(settings.file.value, std::string("/e.db"));
    QCOMPARE(settings.file.origin, Origin::Environment);
    QCOMPARE(settings.capBytes.value, int64_t{2'000'000'000});
    QCOMPARE(settings.ageDays.value, int64_t{2});
    QCOMPARE(settings.keepRuns.value, int64_t{7});
    settings = need(resolveCacheSettings({"/c.db", "10M", "off", "3"}, variables));
    QCOMPARE(settings.file.value, std::string("/c.db"));
    QCOMPARE(settings.capBytes.value, int64_t{10'000'000});
    QCOMPARE(settings.ageDays.value, int64_t{0});
    const auto rows = settingRows(settings);
    QCOMPARE(rows.size(), size_t{4});
    QCOMPARE(rows[1].name, std::string("size cap"));
    QCOMPARE(rows[1].value, std::string("10 MB"));
    QCOMPARE(originName(rows[1].origin), std::string_view("command line"));
  }

  void badValuesNameTheirSource() {
    const auto bad = resolveCacheSettings({}, environmentOf({{"NODEWISE_CACHE_SIZE", "much"}}));
    QCOMPARE(bad.error().text(),
             std::string("NODEWISE_CACHE_SIZE: 'much' is not a size (such as 500M, 2G or 1GiB)"));
    CacheOptions options;
    options.runs = "0";
    QCOMPARE(resolveCacheSettings(options, environmentOf({})).error().where, std::string("--cache-runs"));
  }

  void sizesAndAges_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<qint64>("seconds");
    QTest::newRow("plain") << "512" << qint64{512} << qint64{-1};
    QTest::newRow("kibi") << "10 KiB" << qint64{10240} << qint64{-1};
    QTest::newRow("fraction") << "1.5m" << qint64{1500000} << qint64{90};
    QTest::newRow("kilo") << "10 kB" << qint64{10'000} << qint64{-1};
    QTest::newRow("mebi") << "1.5Mi" << qint64{1572864} << qint64{-1};
    QTest::newRow("capital") << "3H" << qint64{-1} << qint64{10800};
    QTest::newRow("days") << "2d" << qint64{-1} << qint64{172800};
    QTest::newRow("negative") << "-1" << qint64{-1} << qint64{-1};
    QTest::newRow("nothing") << "" << qint64{-1} << qint64{-1};
    QTest::newRow("beyond") << "99999999999t" << qint64{-1} << qint64{-1};
  }
  void sizesAndAges() {
    QFETCH(QString, text);
    QFETCH(qint64, bytes);
    QFETCH(qint64, seconds);
    const auto size = parseBytes(text.toStdString());
    QCOMPARE(qint64{size.ok() ? *size : -1}, bytes);
    const auto age = parseAge(text.toStdString());
    QCOMPARE(qint64{age.ok() ? *age : -1}, seconds);
  }

  void directoryAndFileAreTheOwnersAlone() {
    QTemporaryDir folder;
    const QString file = folder.filePath("made/nodewise/cache.db");
    Store store = need(Store::open(settingsFor(file)));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    QCOMPARE(modeOf(folder.filePath("made")), mode_t{0700});
    QCOMPARE(modeOf(folder.filePath("made/nodewise")), mode_t{0700});
    for (const QString& name : {file, file + "-wal", file + "-shm"}) QCOMPARE(modeOf(name), mode_t{0600});
    QVERIFY(store.takeNotices().empty());
  }

  void whereOthersMayWriteThereIsAWarning() {
    QTemporaryDir folder;
    const QString file = folder.filePath("cache.db");
    { Store store = need(Store::open(settingsFor(file))); }
    ::chmod(file.toLocal8Bit().constData(), 0666);
    ::chmod(folder.path().toLocal8Bit().constData(), 0777);
    Store store = need(Store::open(settingsFor(file)));
    const auto notices = store.takeNotices();
    QCOMPARE(notices.size(), size_t{2});
    QVERIFY(notices[0].find("others may write to the cache's directory") != std::string::npos);
    QVERIFY(notices[1].find("others may write to the cache's file") != std::string::npos);
    QVERIFY(store.takeNotices().empty());                    // said once
    ::chmod(folder.path().toLocal8Bit().constData(), 01777); // as /tmp
    ::chmod(file.toLocal8Bit().constData(), 0600);
    QVERIFY(need(Store::open(settingsFor(file))).takeNotices().empty());
  }
};

QTEST_APPLESS_MAIN(TestCacheSettings)
#include "tst_cache_settings.moc"
