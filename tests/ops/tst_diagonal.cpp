// Ops that read and fill diagonals.
#include "ops/op_test.h"

#include <limits>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

/// a with `value` at these positions in C order.
Data filled(const Data& a, const std::vector<int64_t>& flat, const Data& value) {
  Tensor result = *a.tensor();
  const Data converted = convertedTo(value, result.dtype);
  const auto size = static_cast<size_t>(dtypeSize(result.dtype));
  for (const int64_t at : flat)
    std::memcpy(result.bytes.data() + static_cast<size_t>(at) * size, converted.tensor()->bytes.data(), size);
  return Data{std::move(result)};
}

} // namespace

class TestDiagonal : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void extractsDiagonals_data();
  void extractsDiagonals();
  void fillsDiagonals_data() { addDTypeRows(); }
  void fillsDiagonals();
  void fillsDiagonalsOfOffsets_data();
  void fillsDiagonalsOfOffsets();
  void fillDiagonalNeedsEqualLengths();
};

void TestDiagonal::extractsDiagonals_data() {
  QTest::addColumn<Shape>("shape");
  QTest::addColumn<int>("axis1");
  QTest::addColumn<int>("axis2");
  for (const Shape& shape : {Shape{3, 3}, {2, 4}, {4, 2}, {0, 3}})
    QTest::addRow("%d x %d", static_cast<int>(shape[0]), static_cast<int>(shape[1])) << shape << 0 << 1;
  QTest::newRow("axes exchanged") << Shape{2, 4} << 1 << 0;
  QTest::newRow("outer axes") << Shape{3, 2, 4} << 0 << 2;
  QTest::newRow("last axes") << Shape{2, 3, 3} << 1 << 2;
}

void TestDiagonal::extractsDiagonals() {
  QFETCH(const Shape, shape);
  QFETCH(const int, axis1);
  QFETCH(const int, axis2);
  const Data x = rampOf(DType::Float64, shape);
  for (const int64_t offset : {-9, -2, -1, 0, 1, 3, 9}) {
    // Elements whose indices along the two axes differ by the offset, the axes in between kept in order.
    std::vector<int64_t> flat;
    const size_t rank = shape.size();
    const int64_t n = shape[static_cast<size_t>(axis1)], m = shape[static_cast<size_t>(axis2)];
    int64_t length = 0;
    for (int64_t i = 0; i < n; ++i) length += i + offset >= 0 && i + offset < m;
    const size_t other = rank == 3 ? 3 - static_cast<size_t>(axis1 + axis2) : 0;
    const int64_t outer = rank == 3 ? shape[other] : 1;
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t i = 0; i < n; ++i) {
        if (i + offset < 0 || i + offset >= m) continue;
        int64_t at = 0;
        for (size_t axis = 0; axis < rank; ++axis)
          at = at * shape[axis] + (static_cast<int>(axis) == axis1   ? i
                                   : static_cast<int>(axis) == axis2 ? i + offset
                                                                     : o);
        flat.push_back(at);
      }
    }
    const Data expected = picked(x, flat, rank == 3 ? Shape{outer, length} : Shape{length});
    OpCall call{"ExtractDiag",
                {{"offset", offset}, {"axis1", axis1}, {"axis2", axis2}, {"view", true}},
                {x},
                {tensorType(DType::Float64, Shape(rank - 1, kAny))}};
    QCOMPARE(mismatch(call, {expected}), std::string());
    call.views = {{0, 0}};
    QCOMPARE(mismatch(call, {expected}), std::string());
  }
}

void TestDiagonal::fillsDiagonals() {
  QFETCH(const int, dtype);
  const auto type = static_cast<DType>(dtype);
  const Data value = scalarOf<int8_t>(1);
  const auto check = [&](const Shape& shape, const std::vector<int64_t>& flat) {
    const Data a = convertedTo(rampOf(DType::Int8, shape, 0, 0), type);
    OpCall call{"FillDiagonal", {}, {a, value}, {typeOf(a)}};
    std::string text = mismatch(call, {filled(a, flat, value)});
    call.destroys = {{0, 0}};
    text += mismatch(call, {filled(a, flat, value)});
    return text + (callOp(call).aliases[0] || elementCount(shape) == 0 ? "" : "not in place");
  };
  QCOMPARE(check({3, 3}, {0, 4, 8}), std::string());
  QCOMPARE(check({2, 4}, {0, 5}), std::string());
  QCOMPARE(check({4, 2}, {0, 3}), std::string());
  QCOMPARE(check({2, 2, 2}, {0, 7}), std::string());
  QCOMPARE(check({0, 2}, {}), std::string());
}

void TestDiagonal::fillsDiagonalsOfOffsets_data() {
  QTest::addColumn<qlonglong>("offset");
  QTest::addColumn<Shape>("flat");
  QTest::newRow("main") << 0LL << Shape{0, 4};
  QTest::newRow("above") << 1LL << Shape{1, 5};
  QTest::newRow("corner") << 2LL << Shape{2};
  QTest::newRow("below") << -1LL << Shape{3};
  QTest::newRow("outside") << 3LL << Shape{};
  QTest::newRow("far outside") << std::numeric_limits<qlonglong>::min() << Shape{};
}

void TestDiagonal::fillsDiagonalsOfOffsets() {
  QFETCH(const qlonglong, offset);
  QFETCH(const Shape, flat);
  const Data a = rampOf(DType::Float32, {2, 3}, 10), value = scalarOf(1.5);
  OpCall call{"FillDiagonalOffset", {}, {a, value, scalarOf<int64_t>(offset)}, {typeOf(a)}};
  QCOMPARE(mismatch(call, {filled(a, flat, value)}), std::string());
  call.destroys = {{0, 0}};
  QCOMPARE(mismatch(call, {filled(a, flat, value)}), std::string());
}

void TestDiagonal::fillDiagonalNeedsEqualLengths() {
  const Data a = rampOf(DType::Float64, {2, 2, 3});
  const OpCall call{"FillDiagonal", {}, {a, scalarOf(1.0)}, {typeOf(a)}};
  QCOMPARE(
      callOp(call).errorText(),
      std::string(
          "ValueError: all lengths of an array of rank 3 have to be equal for its diagonal, but its shape is "
          "(2, 2, 3)"));
}

QTEST_APPLESS_MAIN(TestDiagonal)
#include "tst_diagonal.moc"
