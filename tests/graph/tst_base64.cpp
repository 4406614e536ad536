#include "graph/base64.h"

#include <QtTest>

using namespace nodewise;

namespace {

std::span<const std::byte> bytesOf(const QByteArray& bytes) {
  return std::as_bytes(std::span(bytes.constData(), static_cast<size_t>(bytes.size())));
}

} // namespace

class TestBase64 : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void agreesWithQtAtEveryLength() {
    QByteArray bytes;
    for (int n = 0; n < 260; ++n) {
      const QByteArray text = bytes.toBase64();
      QCOMPARE(encodeBase64(bytesOf(bytes)), text.toStdString());
      QVERIFY(base64Size(text.toStdString()) == static_cast<size_t>(n));
      const auto decoded = decodeBase64(text.toStdString());
      QVERIFY(decoded.has_value());
      QVERIFY(std::ranges::equal(*decoded, bytesOf(bytes)));
      bytes.append(static_cast<char>(n * 37 + 11));
    }
  }

  void refuses_data() {
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"A", "AB", "ABC", "ABCDE", "AB C", "A===", "====", "AB=C", "AB==CD==", "ABC\n", "AB-_", "ABCé"})
      QTest::newRow(text) << QString::fromUtf8(text);
  }
  void refuses() {
    QFETCH(QString, text);
    QVERIFY(!decodeBase64(text.toStdString()).has_value());
  }
};

QTEST_APPLESS_MAIN(TestBase64)
#include "tst_base64.moc"
