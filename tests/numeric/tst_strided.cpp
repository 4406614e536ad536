// Copies, conversions and sums between strided arrays, against one element at a time.
#include "numeric/element.h"
#include "numeric/index_walk.h"
#include "numeric/strided.h"

#include <QtTest>

#include <random>

using namespace nodewise;

namespace {

/// An array with its own memory, laid out at random: permuted axes, gaps, reversed axes, and for reading also
/// axes of stride 0.
struct Layout {
  std::vector<std::byte> memory;
  std::vector<int64_t> strides;
  int64_t origin = 0;
};

using Random = std::mt19937_64;

int64_t pick(Random& random, int64_t least, int64_t most) {
  return std::uniform_int_distribution<int64_t>(least, most)(random);
}

Layout makeLayout(Random& random, const std::vector<int64_t>& shape, DType dtype, bool mayRepeat) {
  std::vector<size_t> order(shape.size());
  for (size_t k = 0; k < order.size(); ++k) order[k] = k;
  if (pick(random, 0, 1) == 1)
    std::shuffle(order.begin(), order.end(), random);
  else
    std::reverse(order.begin(), order.end()); // the first is the densest: C order
  Layout layout;
  layout.strides.resize(shape.size());
  int64_t extent = dtypeSize(dtype);
  for (const size_t axis : order) {
    const int64_t stride = extent * (pick(random, 0, 3) == 0 ? 2 : 1);
    const int64_t reach = stride * std::max<int64_t>(shape[axis] - 1, 0);
    if (mayRepeat && pick(random, 0, 5) == 0) continue; // stride 0
    const bool reversed = pick(random, 0, 3) == 0;
    layout.strides[axis] = reversed ? -stride : stride;
    if (reversed) layout.origin += reach;
    extent = stride * std::max<int64_t>(shape[axis], 1);
  }
  layout.memory.resize(static_cast<size_t>(extent));
  return layout;
}

/// Small whole numbers, which every dtype holds, so that sums are exact.
void fillSmall(Random& random, Layout& layout, DType dtype) {
  const int64_t size = dtypeSize(dtype);
  withType(dtype, [&]<class T>(std::type_identity<T>) {
    for (size_t at = 0; at + static_cast<size_t>(size) <= layout.memory.size();
         at += static_cast<size_t>(size)) {
      if constexpr (std::is_same_v<T, Bool8>)
        store(layout.memory.data() + at, Bool8{static_cast<uint8_t>(pick(random, 0, 1))});
      else
        store(layout.memory.data() + at, convertTo<T>(static_cast<int8_t>(pick(random, 0, 50))));
    }
  });
}

void oneByOne(const StridedOut& out, const StridedIn& in, const std::vector<int64_t>& shape, bool adds) {
  forEachIndex<2>(
      shape.data(), static_cast<int>(shape.size()), {out.strides, in.strides}, [&](const auto& at) {
        withType(out.dtype, [&]<class To>(std::type_identity<To>) {
          withType(in.dtype, [&]<class From>(std::type_identity<From>) {
            const To value = convertTo<To>(load<From>(in.data + at[1]));
            store(out.data + at[0], adds ? addElements(load<To>(out.data + at[0]), value) : value);
          });
        });
      });
}

std::vector<int64_t> randomShape(Random& random) {
  std::vector<int64_t> shape(static_cast<size_t>(pick(random, 0, 4)));
  for (int64_t& length : shape) length = pick(random, 0, 9) == 0 ? 0 : pick(random, 1, 6);
  return shape;
}

} // namespace

class TestStrided : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void everyPairOfDtypes_data();
  void everyPairOfDtypes();
  void largeTranspositionsGoByTiles_data();
  void largeTranspositionsGoByTiles();
  void longRunsAreConvertedAndAdded();
  void conversionRules_data();
  void conversionRules();
  void stridesOfCOrder();
};

void TestStrided::everyPairOfDtypes_data() {
  QTest::addColumn<int>("to");
  for (const DTypeRow& row : dtypeTable()) QTest::newRow(row.name.data()) << static_cast<int>(row.dtype);
}

void TestStrided::everyPairOfDtypes() {
  QFETCH(const int, to);
  const auto toDType = static_cast<DType>(to);
  Random random(20240 + static_cast<uint64_t>(to));
  for (const DTypeRow& from : dtypeTable()) {
    for (int round = 0; round < 60; ++round) {
      const std::vector<int64_t> shape = randomShape(random);
      const bool adds = round % 2 == 1;
      Layout out = makeLayout(random, shape, toDType, false),
             in = makeLayout(random, shape, from.dtype, true);
      fillSmall(random, out, toDType);
      fillSmall(random, in, from.dtype);
      Layout expected = out;
      const StridedIn source{in.memory.data() + in.origin, in.strides.data(), from.dtype};
      oneByOne({expected.memory.data() + expected.origin, expected.strides.data(), toDType}, source, shape,
               adds);
      (adds ? accumulate : assign)({out.memory.data() + out.origin, out.strides.data(), toDType}, source,
                                   shape.data(), static_cast<int>(shape.size()));
      QVERIFY2(out.memory == expected.memory, from.name.data());
    }
  }
}

void TestStrided::largeTranspositionsGoByTiles_data() {
  QTest::addColumn<int>("dtype");
  for (const DType dtype : {DType::Int8, DType::Float16, DType::Float32, DType::Float64, DType::Complex128})
    QTest::newRow(dtypeName(dtype).data()) << static_cast<int>(dtype);
}

void TestStrided::largeTranspositionsGoByTiles() {
  QFETCH(const int, dtype);
  const auto type = static_cast<DType>(dtype);
  const int64_t size = dtypeSize(type);
  // An axis outside of the two that are exchanged, and lengths that are no multiple of a tile's.
  const std::vector<int64_t> shape{3, 70, 101};
  Random random(7);
  Layout in{
      std::vector<std::byte>(static_cast<size_t>(3 * 70 * 101 * size)), {size, 3 * size, 210 * size}, 0};
  fillSmall(random, in, type);
  Layout out{std::vector<std::byte>(in.memory.size()), {70 * 101 * size, 101 * size, size}, 0},
      expected = out;
  const StridedIn source{in.memory.data(), in.strides.data(), type};
  oneByOne({expected.memory.data(), expected.strides.data(), type}, source, shape, false);
  assign({out.memory.data(), out.strides.data(), type}, source, shape.data(), 3);
  QVERIFY(out.memory == expected.memory);
}

void TestStrided::longRunsAreConvertedAndAdded() {
  constexpr int64_t kCount = 1000;
  std::vector<double> out(kCount, 0.5);
  std::vector<int16_t> in(kCount);
  for (int64_t i = 0; i < kCount; ++i) in[static_cast<size_t>(i)] = static_cast<int16_t>(i - 500);
  const int64_t outStride = 8, inStride = 2;
  accumulate({reinterpret_cast<std::byte*>(out.data()), &outStride, DType::Float64},
             {reinterpret_cast<const std::byte*>(in.data()), &inStride, DType::Int16}, &kCount, 1);
  for (int64_t i = 0; i < kCount; ++i)
    QCOMPARE(out[static_cast<size_t>(i)], static_cast<double>(i - 500) + 0.5);
}

void TestStrided::conversionRules_data() {
  QTest::addColumn<double>("value");
  QTest::addColumn<int>("to");
  QTest::addColumn<double>("expected");
  const auto row = [](const char* name, double value, DType to, double expected) {
    QTest::newRow(name) << value << static_cast<int>(to) << expected;
  };
  row("not-a-number is true", std::nan(""), DType::Bool, 1);
  row("a fraction is true", 0.25, DType::Bool, 1);
  row("minus zero is false", -0.0, DType::Bool, 0);
  row("positive toward zero", 2.9, DType::Int32, 2);
  row("negative toward zero", -2.9, DType::Int32, -2);
  row("to float16 rounds to even", 2049, DType::Float16, 2048);
  row("to float16 overflows", 65520, DType::Float16, HUGE_VAL);
  row("to float16 stays finite", 65519, DType::Float16, 65504);
  row("to complex", 1.5, DType::Complex64, 1.5);
}

void TestStrided::conversionRules() {
  QFETCH(const double, value);
  QFETCH(const int, to);
  QFETCH(const double, expected);
  const auto dtype = static_cast<DType>(to);
  alignas(16) std::byte element[16];
  convertElement(element, dtype, reinterpret_cast<const std::byte*>(&value), DType::Float64);
  double back = 0;
  convertElement(reinterpret_cast<std::byte*>(&back), DType::Float64, element, dtype);
  QCOMPARE(back, expected);
}

void TestStrided::stridesOfCOrder() {
  const int64_t shape[] = {2, 3, 4};
  int64_t strides[3];
  contiguousStrides(shape, 3, 8, strides);
  QCOMPARE(strides[0], 96);
  QCOMPARE(strides[1], 32);
  QCOMPARE(strides[2], 8);
}

QTEST_APPLESS_MAIN(TestStrided)
#include "tst_strided.moc"
