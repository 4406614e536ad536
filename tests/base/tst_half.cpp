#include "base/half.h"

#include <QtTest>

#include <cmath>

using namespace nodewise;

class TestHalf : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void everyHalfComesBack() {
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      const Half half{static_cast<uint16_t>(bits)};
      const float value = halfToFloat(half);
      const Half back = doubleToHalf(static_cast<double>(value));
      // A signalling not-a-number may come back as a quiet one.
      if (std::isnan(value))
        QVERIFY(std::isnan(halfToFloat(back)));
      else
        QCOMPARE(back.bits, half.bits);
    }
  }

  void rounds_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("bits");
    QTest::newRow("one") << 1.0 << 0x3C00;
    QTest::newRow("minus zero") << -0.0 << 0x8000;
    QTest::newRow("tie to even, down") << 1.0 + 0x1p-11 << 0x3C00;
    QTest::newRow("tie to even, up") << 1.0 + 0x3p-11 << 0x3C02;
    QTest::newRow("just above a tie: a float would lie on it") << 1.0 + 0x1p-11 + 0x1p-40 << 0x3C01;
    QTest::newRow("greatest") << 65504.0 << 0x7BFF;
    QTest::newRow("just below the tie to infinity") << 65519.999 << 0x7BFF;
    QTest::newRow("tie to infinity") << 65520.0 << 0x7C00;
    QTest::newRow("least normal") << 0x1p-14 << 0x0400;
    QTest::newRow("rounds up to the least normal") << 0x1p-14 - 0x1p-26 << 0x0400;
    QTest::newRow("least subnormal") << 0x1p-24 << 0x0001;
    QTest::newRow("half the least subnormal") << 0x1p-25 << 0x0000;
    QTest::newRow("above half the least subnormal") << 0x1.1p-25 << 0x0001;
    QTest::newRow("least double") << 5e-324 << 0x0000;
    QTest::newRow("infinity") << -HUGE_VAL << 0xFC00;
  }
  void rounds() {
    QFETCH(double, value);
    QFETCH(int, bits);
    QCOMPARE(static_cast<int>(doubleToHalf(value).bits), bits);
  }
};

QTEST_APPLESS_MAIN(TestHalf)
#include "tst_half.moc"
