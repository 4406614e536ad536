#include "graph/dot.h"
#include "graph/reader.h"
#include "graph/writer.h"

#include <QtTest>

using namespace nodewise;

class TestSamples : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void comeBackAsTheyWere_data() {
    QTest::addColumn<QString>("path");
    const QDir folder(QStringLiteral(NODEWISE_SAMPLES));
    const QStringList files = folder.entryList({QStringLiteral("*.nwg.json")});
    for (const QString& file : files) QTest::newRow(qPrintable(file)) << folder.filePath(file);
    QVERIFY(files.size() >= 8);
  }
  void comeBackAsTheyWere() {
    QFETCH(QString, path);
    const auto file = readGraphFile(path.toStdString());
    QVERIFY2(file.ok(), file.ok() ? "" : file.error().text().c_str());
    QVERIFY(!file->cases.empty());
    QFile text(path);
    QVERIFY(text.open(QIODevice::ReadOnly));
    QVERIFY(toJson(*file) == nlohmann::json::parse(text.readAll().toStdString()));
    QVERIFY(!toDot(file->graph).empty());
  }
};

QTEST_APPLESS_MAIN(TestSamples)
#include "tst_samples.moc"
