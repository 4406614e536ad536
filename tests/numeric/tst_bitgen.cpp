// The bit generators and their seeding. Expected numbers: NumPy 1.24.
#include "numeric/random/bit_generator.h"
#include "numeric/random/seed_sequence.h"

#include <QTest>

#include <vector>

using namespace nodewise;

namespace {

constexpr UInt128 wide(uint64_t high, uint64_t low) { return (UInt128{high} << 64) | low; }

RngState seeded(std::vector<uint32_t> words) { return defaultGenerator(words); }

} // namespace

class TestBitgen : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void seedsGiveNumpysStates_data();
  void seedsGiveNumpysStates();
  void pcg64RepeatsItsStream();
  void pcg64DxsmRepeatsItsStream();
  void a32BitDrawKeepsTheOtherHalf();
  void doublesAreMultiplesOf2ToTheMinus53Below1();
  void systemEntropyDiffersBetweenCalls();
};

void TestBitgen::seedsGiveNumpysStates_data() {
  QTest::addColumn<QList<uint32_t>>("words");
  QTest::addColumn<QList<quint64>>("state");
  QTest::newRow("0") << QList<uint32_t>{0}
                     << QList<quint64>{0x1aa1b5345996452d, 0x09585eb7a69561e3, 0x418ddadb3af71a82,
                                       0x588133bc447873a9};
  QTest::newRow("42") << QList<uint32_t>{42}
                      << QList<quint64>{0xcea44f6798798f2a, 0xacbc7c9d68860ac8, 0xfa505436c9a8416e,
                                        0x66caf2e28d25abff};
  QTest::newRow("2^40 + 5") << QList<uint32_t>{5, 256}
                            << QList<quint64>{0xd972711564fcbcf2, 0xa1511cb73ed6e086, 0x4a4b8b68972231a0,
                                              0x8584f27e67257da7};
  QTest::newRow("more words than the pool has")
      << QList<uint32_t>{1, 2, 3, 4, 5, 6}
      << QList<quint64>{0x27705aa33bb35021, 0x7f413aa6045c0bc1, 0x3643bb03c9f9eb6c, 0x36bba14611c4ce17};
}

void TestBitgen::seedsGiveNumpysStates() {
  QFETCH(QList<uint32_t>, words);
  QFETCH(QList<quint64>, state);
  const RngState rng = seeded({words.begin(), words.end()});
  QVERIFY(rng.state == wide(state[0], state[1]));
  QVERIFY(rng.inc == wide(state[2], state[3]));
  QCOMPARE(rng.hasUint32, 0u);
  QVERIFY(rng.generator == RngState::Generator::PCG64);
}

void TestBitgen::pcg64RepeatsItsStream() {
  RngState rng = seeded({42});
  for (const uint64_t want : std::initializer_list<uint64_t>{0xc621fbcd16d92688, 0x705a5661a791ffc1,
                                                             0xdbcd12c26eda1624, 0xb286b60e1600888d})
    QCOMPARE(nextUint64(rng), want);
}

void TestBitgen::pcg64DxsmRepeatsItsStream() {
  RngState rng = seeded({42});
  rng.generator = RngState::Generator::PCG64DXSM;
  for (const uint64_t want : std::initializer_list<uint64_t>{0xab1c50338e63481d, 0x1bdf91d548d1872,
                                                             0xa872905d0418d0a1, 0x5f0a84270b80eabc})
    QCOMPARE(nextUint64(rng), want);
  QVERIFY(rng.state == wide(0xf163009be5ba1b5a, 0xca3d7d175606d48c));
}

void TestBitgen::a32BitDrawKeepsTheOtherHalf() {
  RngState rng = seeded({42});
  QCOMPARE(nextUint32(rng), 383329928u);
  QCOMPARE(rng.hasUint32, 1u);
  const RngState before = rng;
  QCOMPARE(nextUint32(rng), 3324115917u);
  QVERIFY(rng.state == before.state);
  QCOMPARE(nextUint32(rng), 2811363265u);
  QCOMPARE(rng.uinteger, 1884968545u);
  QCOMPARE(nextDouble(rng), 0.8585979199113825); // 64-bit draws leave the half alone
  QCOMPARE(rng.hasUint32, 1u);
}

void TestBitgen::doublesAreMultiplesOf2ToTheMinus53Below1() {
  RngState rng = seeded({7});
  for (int n = 0; n < 1000; ++n) {
    const double u = nextDouble(rng);
    QVERIFY(u >= 0.0 && u < 1.0);
    QCOMPARE(u * 0x1p53, static_cast<double>(static_cast<uint64_t>(u * 0x1p53)));
  }
}

void TestBitgen::systemEntropyDiffersBetweenCalls() { QVERIFY(systemEntropy() != systemEntropy()); }

QTEST_APPLESS_MAIN(TestBitgen)
#include "tst_bitgen.moc"
