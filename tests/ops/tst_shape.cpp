#include "ops/op_harness.h"

#include <QtTest>

using namespace nodewise;
using namespace nodewise::testing;

class TestShape : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void shapeGivesTheLengths();
};

void TestShape::shapeGivesTheLengths() {
  const OpCall call{"Shape", {}, {rampOf(DType::Float32, {2, 0, 3})}, {tensorType(DType::Int64, {3})}};
  QCOMPARE(mismatch(call, {vectorOf<int64_t>({2, 0, 3})}), std::string());
}

QTEST_APPLESS_MAIN(TestShape)
#include "tst_shape.moc"
