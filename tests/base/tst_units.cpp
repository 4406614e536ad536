// Numbers as people read them.
#include "base/units.h"

#include <QtTest>
#include <limits>

using namespace nodewise;

class TestUnits : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void textIs_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const std::string& text, const char* expected) {
      QTest::newRow(name) << QString::fromStdString(text) << QString::fromUtf8(expected);
    };
    row("no time", units::duration(0), "0 ns");
    row("nanoseconds", units::duration(850), "850 ns");
    row("microseconds", units::duration(412'300), "412 µs");
    row("one decimal below ten", units::duration(3'140'000), "3.1 ms");
    row("none above", units::duration(14'400'000), "14 ms");
    row("rounding reaches ten", units::duration(9'960'000), "10 ms");
    row("rounding reaches the next unit", units::duration(999'700'000), "1.0 s");
    row("seconds", units::duration(119'000'000'000), "119 s");
    row("minutes", units::duration(200'000'000'000), "3 min 20 s");
    row("a negative time", units::duration(-2'500'000), "-2.5 ms");
    row("exact", units::exactDuration(412'345), "412\u202f345 ns");
    row("bytes", units::bytes(918), "918 B");
    row("kilobytes", units::bytes(3100), "3.1 kB");
    row("megabytes", units::bytes(3'100'000), "3.1 MB");
    row("terabytes", units::bytes(20'000'000'000'000), "20 TB");
    row("the most bytes", units::bytes(std::numeric_limits<int64_t>::max()), "9223 PB");
    row("a cap", units::cap(int64_t{1} << 30), "1 GiB");
    row("a smaller cap", units::cap(int64_t{512} << 20), "512 MiB");
    row("a cap that is no power", units::cap(1'500'000'000), "1.5 GB");
    row("no cap", units::cap(0), "0 B");
    row("thousands apart", units::count(1'234'567), "1\u202f234\u202f567");
    row("a negative count", units::count(-1234), "-1\u202f234");
    row("three digits", units::count(-123), "-123");
    row("the least count", units::count(std::numeric_limits<int64_t>::min()),
        "-9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808");
    row("seconds of age", units::age(12), "12 s");
    row("minutes of age", units::age(5 * 60 + 59), "5 min");
    row("hours of age", units::age(3 * 3600), "3 h");
    row("one day", units::age(86400), "1 day");
    row("days", units::age(4 * 86400 + 100), "4 days");
    row("age by a wrong clock", units::age(-5), "0 s");
    row("one", units::counted(1, "entry"), "1 entry");
    row("many", units::counted(12'345, "entry"), "12\u202f345 entries");
    row("none", units::counted(0, "node"), "0 nodes");
    row("a hiss", units::counted(2, "miss"), "2 misses");
  }
  void textIs() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(text, expected);
  }

  void byteUnitIs_data() {
    QTest::addColumn<QString>("unit");
    QTest::addColumn<qint64>("bytes"); // -1: no unit
    QTest::newRow("none") << "" << qint64{1};
    QTest::newRow("B") << "B" << qint64{1};
    QTest::newRow("k") << "k" << qint64{1000};
    QTest::newRow("K") << "K" << qint64{1000};
    QTest::newRow("kB, as shown") << "kB" << qint64{1000};
    QTest::newRow("KiB, as shown") << "KiB" << qint64{1024};
    QTest::newRow("Ki") << "Ki" << qint64{1024};
    QTest::newRow("M") << "M" << qint64{1'000'000};
    QTest::newRow("mib") << "mib" << (qint64{1} << 20);
    QTest::newRow("GB") << "GB" << qint64{1'000'000'000};
    QTest::newRow("GiB") << "GiB" << (qint64{1} << 30);
    QTest::newRow("T") << "T" << qint64{1'000'000'000'000};
    QTest::newRow("TiB") << "TiB" << (qint64{1} << 40);
    for (const char* no : {"i", "iB", "kk", "BB", "x", "kiBB", "k B", "bk"})
      QTest::newRow(no) << no << qint64{-1};
  }
  void byteUnitIs() {
    QFETCH(QString, unit);
    QTEST(qint64{units::byteUnit(unit.toStdString()).value_or(-1)}, "bytes");
  }
  /// A size that is shown and typed in again is the size.
  void whatIsShownCanBeRead() {
    for (const int64_t bytes :
         {int64_t{7}, int64_t{3000}, int64_t{50'000'000}, int64_t{1} << 30, int64_t{5} << 20}) {
      const QStringList words = QString::fromStdString(units::cap(bytes)).split(' ');
      QCOMPARE(words.size(), qsizetype{2});
      const auto unit = units::byteUnit(words[1].toStdString());
      QVERIFY(unit);
      QCOMPARE(qint64{*unit} * qint64(words[0].toDouble()), qint64{bytes});
    }
  }
};

QTEST_APPLESS_MAIN(TestUnits)
#include "tst_units.moc"
