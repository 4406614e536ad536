// Damage: bytes of the file and of its log flipped, overwritten and cut, 6,000 random times.
#include "damage.h"

#include "cache/doctor.h"
#include "cache/open.h"

#include <QFile>

using namespace nodewise;
using namespace nodewise::test;

namespace {

constexpr int kPage = 4096;

/// One random injury of a file.
void injure(QByteArray& bytes, std::mt19937& random) {
  const auto below = [&](qsizetype limit) {
    return static_cast<qsizetype>(random() % static_cast<unsigned long>(limit));
  };
  const qsizetype pages = std::max<qsizetype>(1, bytes.size() / kPage);
  const qsizetype at = below(bytes.size());
  switch (random() % 9) {
  case 0:
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
    break;
  case 1:
    bytes[at] = static_cast<char>(random());
    break;
  case 2:
    bytes.truncate(at);
    break;
  case 3:
    bytes.truncate(below(pages) * kPage);
    break;
  case 4:
    bytes.replace(below(pages) * kPage, kPage, QByteArray(kPage, '\0'));
    break;
  case 5: { // one page where another should be
    const QByteArray page = bytes.mid(below(pages) * kPage, kPage);
    bytes.replace(below(pages) * kPage, page.size(), page);
    break;
  }
  case 6:
    for (qsizetype k = at; k < std::min(at + 64, bytes.size()); ++k) bytes[k] = static_cast<char>(random());
    break;
  case 7: { // the header of a page, where the tree is held together
    const qsizetype place = below(pages) * kPage + below(16);
    if (place < bytes.size()) bytes[place] = static_cast<char>(random());
    break;
  }
  default: { // the header of the file
    const qsizetype place = below(100);
    if (place < bytes.size()) bytes[place] = static_cast<char>(random());
  }
  }
}

} // namespace

class TestCacheDamagedPages : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void flippedAndCutPagesAreSurvived_data() {
    QTest::addColumn<bool>("inLog");
    QTest::addColumn<bool>("hitLog");
    QTest::newRow("file") << false << false;
    QTest::newRow("file with a log") << true << false;
    QTest::newRow("log") << true << true;
  }
  void flippedAndCutPagesAreSurvived() {
    QFETCH(bool, inLog);
    QFETCH(bool, hitLog);
    constexpr int kRounds = 2000;
    QTemporaryDir folder(quickPlace());
    const Pristine pristine = makePristine(folder.path(), inLog);
    QVERIFY(pristine.file.size() > 10 * kPage);
    QCOMPARE(inLog, !pristine.log.isEmpty());
    const QString path = folder.filePath("cache.db");
    std::mt19937 random(20250331);
    Survival survival;
    for (int round = 0; round < kRounds; ++round) {
      Pristine injured = pristine;
      injure(hitLog ? injured.log : injured.file, random);
      writeFiles(path, injured);
      checkSurvival(path, pristine, survival);
      QVERIFY2(survival.failure.isEmpty(),
               QByteArray("round " + QByteArray::number(round) + ": " + survival.failure));
    }
    qInfo("%d whole again, %d refused, %d hits", survival.whole, survival.refused, survival.hits);
    // Damage is mended without help: by replacing the entry, or by moving the file aside.
    QVERIFY(survival.whole >= kRounds * 98 / 100);
    QVERIFY(survival.refused <= kRounds / 200);
  }

  void aSoundFileIsToldFromADamagedOne() {
    QTemporaryDir folder(quickPlace());
    const Pristine pristine = makePristine(folder.path(), false);
    const QString path = folder.filePath("cache.db");
    writeFiles(path, pristine);
    QVERIFY(isSoundAnew(path.toStdString(), 1000));
    Pristine injured = pristine;
    for (int page = 1; page < injured.file.size() / kPage; ++page)
      injured.file.replace(page * kPage, 64, QByteArray(64, '\x5a'));
    writeFiles(path, injured);
    QVERIFY(!isSoundAnew(path.toStdString(), 1000));
    QVERIFY(!isSoundAnew(folder.filePath("absent/cache.db").toStdString(), 1000));
  }

  void doctorSavesWhatCanBeRead() {
    QTemporaryDir folder(quickPlace());
    const Pristine pristine = makePristine(folder.path(), false);
    const QString path = folder.filePath("cache.db");
    std::mt19937 random(7);
    int saved = 0;
    for (int round = 0; round < 150; ++round) {
      Pristine injured = pristine;
      injure(injured.file, random);
      writeFiles(path, injured);
      auto store = Store::open(settingsFor(path));
      if (!store.ok()) continue;
      const auto mended = doctor(*store, Repair::Yes);
      QVERIFY2(mended.ok(), mended.ok() ? "" : mended.error().text().c_str());
      const auto again = doctor(*store, Repair::No);
      REQUIRE_OK(again);
      QVERIFY2(again->findings.empty(), again->findings.empty() ? "" : again->findings[0].what.c_str());
      saved += lookupOne(*store, keyOf(0)).outcome == Outcome::Hit;
    }
    qInfo("entry 0 was saved in %d of 150", saved);
    QVERIFY(saved > 60);
  }
};

QTEST_APPLESS_MAIN(TestCacheDamagedPages)
#include "tst_cache_damaged_pages.moc"
