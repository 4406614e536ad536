#include "numeric/element.h"
#include "ops/op_test.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/// An element as a wide number: exact for all dtypes but the longest integers.
std::complex<double> wideAt(const Data& data, int64_t i) {
  const Tensor& t = *data.tensor();
  return withType(t.dtype, [&]<class T>(std::type_identity<T>) {
    return convertTo<std::complex<double>>(load<T>(t.bytes.data() + i * dtypeSize(t.dtype)));
  });
}

int64_t intAt(const Data& data, int64_t i) { return data.tensor()->as<int64_t>()[i]; }

/// NumPy's order of numbers, by its definition.
bool comesBefore(std::complex<double> a, std::complex<double> b) {
  const auto rank = [](std::complex<double> x) { return 2 * std::isnan(x.real()) + std::isnan(x.imag()); };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  if (a.real() < b.real()) return true;
  if (a.real() > b.real()) return false;
  return a.imag() < b.imag();
}

/// Numbers in no order, with repetitions.
Data shuffled(DType dtype, std::vector<int64_t> shape) {
  const int64_t count = elementCount(shape);
  Data numbers = rampOf(DType::Int64, std::move(shape));
  auto* element = std::get<Tensor>(numbers.v).as<int64_t>();
  const int64_t least = isUnsigned(dtype) || dtype == DType::Bool ? 0 : 50;
  for (int64_t i = 0; i < count; ++i) element[i] = (i * 7919 + i * i * 31) % 101 - least;
  Data data = convertedTo(numbers, dtype);
  if (!isComplex(dtype)) return data;
  // Equal real parts with imaginary parts that differ.
  auto& tensor = std::get<Tensor>(data.v);
  for (int64_t i = 0; i < count; ++i)
    withType(dtype, [&]<class T>(std::type_identity<T>) {
      if constexpr (isComplexType<T>)
        tensor.as<T>()[i] = T(static_cast<typename T::value_type>(i * 13 % 5), tensor.as<T>()[i].real());
    });
  return data;
}

OpCall sortCall(const std::string& op, const Data& x, int64_t axis, const std::string& kind = "quicksort") {
  Type type = typeOf(x);
  if (op == "ArgSortOp") type.dtype = DType::Int64;
  return {op, {{"kind", kind}}, {x, scalarOf<int64_t>(axis)}, {type}};
}

/// Elements of `data` at positions along an axis: what argsort's result stands for.
Data takeAlong(const Data& data, const Data& positions, int axis) {
  const Tensor &from = *data.tensor(), &at = *positions.tensor();
  Tensor to = from;
  const int64_t size = dtypeSize(from.dtype);
  int64_t inner = 1;
  for (size_t i = static_cast<size_t>(axis) + 1; i < from.shape.size(); ++i) inner *= from.shape[i];
  const int64_t n = from.shape[static_cast<size_t>(axis)];
  for (int64_t i = 0; i < elementCount(from.shape); ++i) {
    const int64_t line = i / (n * inner) * n * inner + i % inner;
    std::memcpy(to.bytes.data() + i * size, from.bytes.data() + (line + at.as<int64_t>()[i] * inner) * size,
                static_cast<size_t>(size));
  }
  return Data{to};
}

OpCall uniqueCall(const Data& x, int axis = -1) {
  Type values = withoutLengths(typeOf(x), true);
  if (axis < 0) values.shape = {kUnknownLength};
  const Type vector = tensorType(DType::Int64, {kUnknownLength});
  nlohmann::json params{
      {"return_index", true}, {"return_inverse", true}, {"return_counts", true}, {"axis", nullptr}};
  if (axis >= 0) params["axis"] = axis;
  return {"Unique", params, {x}, {values, vector, vector, vector}};
}

OpCall searchCall(const Data& sorted, const Data& values, const char* side) {
  Type type = typeOf(values);
  type.dtype = DType::Int64;
  return {"SearchsortedOp", {{"side", side}}, {sorted, values}, {type}};
}

OpCall nonzeroCall(const Data& x) {
  return {"Nonzero",
          {},
          {x},
          std::vector<Type>(x.tensor()->shape.size(), tensorType(DType::Int64, {kUnknownLength}))};
}

} // namespace

class TestSearching : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void argsortIsAStableSortingPermutation_data() { addDTypeRows(); }
  void argsortIsAStableSortingPermutation();
  void sortAgreesWithArgsort_data() { addDTypeRows(); }
  void sortAgreesWithArgsort();
  void sortsAlongEveryAxis_data();
  void sortsAlongEveryAxis();
  void sortKeepsIntegerLimitsApart();
  void sortPutsNotANumberLast();
  void sortOrdersComplexNumbersAsNumPyDoes();
  void sortKeepsTheOrderOfSignedZeros_data();
  void sortKeepsTheOrderOfSignedZeros();
  void sortTakesEmptyArrays();
  void sortTakesEightAxes();
  void sortRefusesAnAxisOutside();
  void sortRefusesUnknownKinds();
  void sortRefusesTheWrongNumberOfInputs();

  void searchCountsSmallerElements_data() { addDTypeRows(); }
  void searchCountsSmallerElements();
  void searchComparesInTheCommonDType();
  void searchFindsNotANumberAtTheEnd();
  void searchOfAnUnsortedVectorIsNumPys();
  void searchGoesThroughTheSorter();
  void searchRefusesABadSorter();

  void uniqueReconstructsItsInput_data() { addDTypeRows(); }
  void uniqueReconstructsItsInput();
  void uniqueFindsSlices();
  void uniqueTakesAllNotANumbersForOne();
  void uniqueTakesEmptyArrays();
  void uniqueGivesOnlyWhatIsAsked();
  void uniqueRefusesAnAxisOutside();

  void nonzeroFindsEveryIndex_data() { addDTypeRows(); }
  void nonzeroFindsEveryIndex();
  void nonzeroCountsNotANumber();
  void nonzeroOfEmptyArraysIsEmpty();
};

void TestSearching::argsortIsAStableSortingPermutation() {
  QFETCH(int, dtype);
  // 40: merge sort; 3,000: counting digits.
  for (const int64_t n : {1, 2, 40, 3000}) {
    const Data x = shuffled(static_cast<DType>(dtype), {n});
    const OpOutcome outcome = callOp(sortCall("ArgSortOp", x, 0));
    QCOMPARE(outcome.errorText(), std::string());
    const Data& order = outcome.outputs[0];
    std::vector<int64_t> seen;
    for (int64_t i = 0; i < n; ++i) seen.push_back(intAt(order, i));
    for (int64_t i = 1; i < n; ++i) {
      const auto a = wideAt(x, seen[static_cast<size_t>(i - 1)]), b = wideAt(x, seen[static_cast<size_t>(i)]);
      QVERIFY(!comesBefore(b, a));
      if (!comesBefore(a, b)) QVERIFY(seen[static_cast<size_t>(i - 1)] < seen[static_cast<size_t>(i)]);
    }
    std::sort(seen.begin(), seen.end());
    for (int64_t i = 0; i < n; ++i) QCOMPARE(seen[static_cast<size_t>(i)], i);
    QCOMPARE(mismatch(sortCall("ArgSortOp", x, -1), {order}), std::string());
  }
}

void TestSearching::sortAgreesWithArgsort() {
  QFETCH(int, dtype);
  for (const int64_t n : {0, 1, 2, 40, 127, 128, 3000}) {
    const Data x = shuffled(static_cast<DType>(dtype), {n});
    const Data order = callOp(sortCall("ArgSortOp", x, 0)).outputs.at(0);
    const Data sorted = takeAlong(x, order, 0);
    QCOMPARE(mismatch(sortCall("SortOp", x, 0, "stable"), {sorted}), std::string());
    // Not stable: the signs of zeros and the bits of not-a-numbers may come in any order.
    QCOMPARE(mismatch(sortCall("SortOp", x, 0, "quicksort"), {sorted}, 1e-300), std::string());
  }
}

void TestSearching::sortsAlongEveryAxis_data() {
  QTest::addColumn<int>("axis");
  for (int axis = -3; axis < 3; ++axis) QTest::newRow(std::to_string(axis).c_str()) << axis;
}

void TestSearching::sortsAlongEveryAxis() {
  QFETCH(int, axis);
  const int positive = axis < 0 ? axis + 3 : axis;
  const Data x = shuffled(DType::Float32, {3, 4, 5});
  const Data order = callOp(sortCall("ArgSortOp", x, axis)).outputs.at(0);
  const Data sorted = takeAlong(x, order, positive);
  int64_t step = 1;
  const std::vector<int64_t> shape{3, 4, 5};
  for (size_t i = static_cast<size_t>(positive) + 1; i < 3; ++i) step *= shape[i];
  for (int64_t i = 0; i < 60; ++i)
    if (i / step % shape[static_cast<size_t>(positive)] > 0)
      QVERIFY(wideAt(sorted, i - step).real() <= wideAt(sorted, i).real());
  QCOMPARE(mismatch(sortCall("ArgSortOp", x, axis), {order}), std::string());
  QCOMPARE(mismatch(sortCall("SortOp", x, axis), {sorted}), std::string());
}

void TestSearching::sortKeepsIntegerLimitsApart() {
  constexpr int64_t least = INT64_MIN, most = INT64_MAX;
  QCOMPARE(mismatch(sortCall("SortOp", vectorOf<int64_t>({most, least, most - 1, least + 1, 0}), 0),
                    {vectorOf<int64_t>({least, least + 1, 0, most - 1, most})}),
           std::string());
  QCOMPARE(
      mismatch(sortCall("SortOp", vectorOf<uint64_t>({UINT64_MAX, 0, UINT64_MAX - 1, uint64_t{1} << 63}), 0),
               {vectorOf<uint64_t>({0, uint64_t{1} << 63, UINT64_MAX - 1, UINT64_MAX})}),
      std::string());
}

void TestSearching::sortPutsNotANumberLast() {
  for (const DType dtype : {DType::Float16, DType::Float32, DType::Float64}) {
    const Data x = convertedTo(vectorOf<double>({kNaN, 1, -kInf, kNaN, kInf, -1, -kNaN}), dtype);
    QCOMPARE(mismatch(sortCall("ArgSortOp", x, 0), {vectorOf<int64_t>({2, 5, 1, 4, 0, 3, 6})}),
             std::string());
    for (const char* kind : {"quicksort", "heapsort", "mergesort", "stable"})
      QCOMPARE(mismatch(sortCall("SortOp", x, 0, kind),
                        {convertedTo(vectorOf<double>({-kInf, -1, 1, kInf, kNaN, kNaN, kNaN}), dtype)}, 1e-3),
               std::string());
  }
}

void TestSearching::sortOrdersComplexNumbersAsNumPyDoes() {
  using C = std::complex<double>;
  const std::vector<C> numbers{{kNaN, kNaN}, {kNaN, 1}, {2, kNaN}, {3, -1},
                               {3, -2},      {1, kNaN}, {kNaN, 0}, {-4, 9}};
  Tensor tensor{DType::Complex128, {8}, std::vector<std::byte>(8 * sizeof(C))};
  std::memcpy(tensor.bytes.data(), numbers.data(), tensor.bytes.size());
  for (const DType dtype : {DType::Complex64, DType::Complex128}) {
    const Data x = convertedTo(Data{tensor}, dtype);
    QCOMPARE(mismatch(sortCall("ArgSortOp", x, 0), {vectorOf<int64_t>({7, 4, 3, 5, 2, 6, 1, 0})}),
             std::string());
  }
}

void TestSearching::sortKeepsTheOrderOfSignedZeros_data() {
  QTest::addColumn<int>("count");
  QTest::newRow("merge sort") << 10;
  QTest::newRow("digits") << 1000;
}

void TestSearching::sortKeepsTheOrderOfSignedZeros() {
  QFETCH(int, count);
  std::vector<double> zeros;
  for (int i = 0; i < count; ++i) zeros.push_back(i % 3 == 0 ? -0.0 : 0.0);
  std::vector<double> x = zeros;
  x.insert(x.begin(), 5);
  zeros.push_back(5);
  // Byte by byte: the signs count.
  QCOMPARE(mismatch(sortCall("SortOp", vectorOf(x), 0, "stable"), {vectorOf(zeros)}), std::string());
}

void TestSearching::sortTakesEmptyArrays() {
  for (const std::vector<int64_t>& shape : {std::vector<int64_t>{0}, {0, 3}, {3, 0}, {2, 0, 4}}) {
    const Data x = rampOf(DType::Float64, shape);
    for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
      QCOMPARE(mismatch(sortCall("SortOp", x, axis), {x}), std::string());
      QCOMPARE(mismatch(sortCall("ArgSortOp", x, axis), {rampOf(DType::Int64, shape)}), std::string());
    }
  }
}

void TestSearching::sortTakesEightAxes() {
  const std::vector<int64_t> shape{1, 2, 1, 3, 1, 2, 1, 2};
  const Data x = shuffled(DType::Int16, shape);
  const Data order = callOp(sortCall("ArgSortOp", x, 3)).outputs.at(0);
  QCOMPARE(mismatch(sortCall("SortOp", x, 3), {takeAlong(x, order, 3)}), std::string());
}

void TestSearching::sortRefusesAnAxisOutside() {
  const Data x = rampOf(DType::Float64, {2, 3});
  for (const int axis : {2, -3})
    for (const char* op : {"SortOp", "ArgSortOp"})
      QCOMPARE(callOp(sortCall(op, x, axis)).errorText(),
               "AxisError: axis " + std::to_string(axis) + " is out of bounds for an array of rank 2");
}

void TestSearching::sortRefusesUnknownKinds() {
  const std::string text = callOp(sortCall("SortOp", rampOf(DType::Float64, {2}), 0, "bogo")).errorText();
  QVERIFY2(text.starts_with("$.graph.nodes[0].params.kind: expected one of"), text.c_str());
}

void TestSearching::sortRefusesTheWrongNumberOfInputs() {
  const Data x = rampOf(DType::Float64, {2});
  const std::string text = callOp({"SortOp", {}, {x}, {typeOf(x)}}).errorText();
  QCOMPARE(text, std::string("$.graph.nodes[0]: SortOp takes 2 inputs, found 1"));
}

void TestSearching::searchCountsSmallerElements() {
  QFETCH(int, dtype);
  const auto d = static_cast<DType>(dtype);
  const Data sorted = callOp(sortCall("SortOp", shuffled(d, {60}), 0)).outputs.at(0),
             values = shuffled(d, {5, 7});
  for (const bool right : {false, true}) {
    std::vector<int64_t> counts;
    for (int64_t i = 0; i < 35; ++i) {
      int64_t count = 0;
      for (int64_t j = 0; j < 60; ++j) {
        const auto element = wideAt(sorted, j), value = wideAt(values, i);
        count += right ? !comesBefore(value, element) : comesBefore(element, value);
      }
      counts.push_back(count);
    }
    QCOMPARE(
        mismatch(searchCall(sorted, values, right ? "right" : "left"), {tensorOf<int64_t>({5, 7}, counts)}),
        std::string());
  }
}

void TestSearching::searchComparesInTheCommonDType() {
  QCOMPARE(mismatch(searchCall(vectorOf<int32_t>({1, 2, 3}), scalarOf<double>(2.5), "left"),
                    {scalarOf<int64_t>(2)}),
           std::string());
  // int64 with uint64: as doubles, -1 is the least.
  QCOMPARE(mismatch(searchCall(vectorOf<uint64_t>({0, 1, UINT64_MAX}), vectorOf<int64_t>({-1, 2}), "left"),
                    {vectorOf<int64_t>({0, 2})}),
           std::string());
}

void TestSearching::searchFindsNotANumberAtTheEnd() {
  const Data sorted = vectorOf<double>({1, 2, kNaN, kNaN});
  QCOMPARE(mismatch(searchCall(sorted, vectorOf<double>({kNaN, kInf}), "left"), {vectorOf<int64_t>({2, 2})}),
           std::string());
  QCOMPARE(mismatch(searchCall(sorted, vectorOf<double>({kNaN}), "right"), {vectorOf<int64_t>({4})}),
           std::string());
  QCOMPARE(
      mismatch(searchCall(vectorOf<double>({}), vectorOf<double>({1}), "left"), {vectorOf<int64_t>({0})}),
      std::string());
}

void TestSearching::searchOfAnUnsortedVectorIsNumPys() {
  // As NumPy 1.24 gives them. A search that started anew for each value would find 5 for both of 2 and of 1.
  const Data x = vectorOf<double>({3, 1, 2, 9, 0, 5, 4, 7});
  const Data values = vectorOf<double>({2, 5, 1, 3, 2, 1});
  QCOMPARE(mismatch(searchCall(x, values, "left"), {vectorOf<int64_t>({5, 7, 5, 5, 2, 0})}), std::string());
}

void TestSearching::searchGoesThroughTheSorter() {
  const Data x = vectorOf<double>({3, 1, 2}), v = vectorOf<double>({1.5, 3});
  OpCall call = searchCall(x, v, "right");
  call.inputs.push_back(vectorOf<int32_t>({1, 2, 0}));
  QCOMPARE(mismatch(call, {vectorOf<int64_t>({1, 3})}), std::string());
}

void TestSearching::searchRefusesABadSorter() {
  OpCall call = searchCall(vectorOf<double>({3, 1}), vectorOf<double>({1}), "left");
  call.inputs.push_back(vectorOf<int64_t>({0, 2}));
  QCOMPARE(callOp(call).errorText(),
           std::string("ValueError: sorter[1] is 2, outside the vector of 2 elements"));
  call.inputs.back() = vectorOf<int64_t>({0});
  QCOMPARE(callOp(call).errorText(), std::string("ValueError: the sorter has 1 elements, but the vector 2"));
}

void TestSearching::uniqueReconstructsItsInput() {
  QFETCH(int, dtype);
  const Data x = shuffled(static_cast<DType>(dtype), {9, 31});
  const OpOutcome outcome = callOp(uniqueCall(x));
  QCOMPARE(outcome.errorText(), std::string());
  const Data &values = outcome.outputs[0], &first = outcome.outputs[1], &inverse = outcome.outputs[2],
             &counts = outcome.outputs[3];
  const int64_t distinct = values.tensor()->shape[0];
  for (int64_t r = 1; r < distinct; ++r) QVERIFY(comesBefore(wideAt(values, r - 1), wideAt(values, r)));
  int64_t total = 0;
  for (int64_t r = 0; r < distinct; ++r) {
    QCOMPARE(wideAt(x, intAt(first, r)), wideAt(values, r));
    total += intAt(counts, r);
  }
  QCOMPARE(total, int64_t{9 * 31});
  std::vector<int64_t> seen(static_cast<size_t>(distinct), -1), times(static_cast<size_t>(distinct), 0);
  for (int64_t i = 0; i < 9 * 31; ++i) {
    const int64_t r = intAt(inverse, i);
    QCOMPARE(wideAt(values, r), wideAt(x, i));
    if (seen[static_cast<size_t>(r)] < 0) seen[static_cast<size_t>(r)] = i;
    ++times[static_cast<size_t>(r)];
  }
  for (int64_t r = 0; r < distinct; ++r) {
    QCOMPARE(seen[static_cast<size_t>(r)], intAt(first, r));
    QCOMPARE(times[static_cast<size_t>(r)], intAt(counts, r));
  }
  QCOMPARE(mismatch(uniqueCall(x), outcome.outputs), std::string());
}

void TestSearching::uniqueFindsSlices() {
  const Data x = tensorOf<int32_t>({4, 2}, {3, 1, 1, 9, 3, 1, 1, 2});
  QCOMPARE(
      mismatch(uniqueCall(x, 0), {tensorOf<int32_t>({3, 2}, {1, 2, 1, 9, 3, 1}), vectorOf<int64_t>({3, 1, 0}),
                                  vectorOf<int64_t>({2, 1, 2, 0}), vectorOf<int64_t>({1, 1, 2})}),
      std::string());
  const Data y = tensorOf<int32_t>({2, 3}, {5, 4, 5, 7, 8, 7});
  QCOMPARE(mismatch(uniqueCall(y, 1), {tensorOf<int32_t>({2, 2}, {4, 5, 8, 7}), vectorOf<int64_t>({1, 0}),
                                       vectorOf<int64_t>({1, 0, 1}), vectorOf<int64_t>({1, 2})}),
           std::string());
  // The middle axis of three.
  const Data z = tensorOf<int8_t>({2, 2, 2}, {1, 2, 1, 2, 3, 4, 3, 4});
  QCOMPARE(mismatch(uniqueCall(z, 1), {tensorOf<int8_t>({2, 1, 2}, {1, 2, 3, 4}), vectorOf<int64_t>({0}),
                                       vectorOf<int64_t>({0, 0}), vectorOf<int64_t>({2})}),
           std::string());
}

void TestSearching::uniqueTakesAllNotANumbersForOne() {
  const Data x = vectorOf<double>({kNaN, 1, -kNaN, 0.0, -0.0, 1});
  const OpOutcome outcome = callOp(uniqueCall(x));
  QCOMPARE(difference(outcome.outputs.at(0), vectorOf<double>({0, 1, kNaN}), 1e-9), std::string());
  QCOMPARE(difference(outcome.outputs.at(2), vectorOf<int64_t>({2, 1, 2, 0, 0, 1})), std::string());
  using C = std::complex<double>;
  const std::vector<C> numbers{{kNaN, 1}, {0, kNaN}, {1, 1}};
  Tensor tensor{DType::Complex128, {3}, std::vector<std::byte>(3 * sizeof(C))};
  std::memcpy(tensor.bytes.data(), numbers.data(), tensor.bytes.size());
  QCOMPARE(difference(callOp(uniqueCall(Data{tensor})).outputs.at(3), vectorOf<int64_t>({1, 2})),
           std::string());
}

void TestSearching::uniqueTakesEmptyArrays() {
  const Data none = vectorOf<int64_t>({});
  QCOMPARE(
      mismatch(uniqueCall(rampOf(DType::Float32, {0, 3})), {rampOf(DType::Float32, {0}), none, none, none}),
      std::string());
  QCOMPARE(mismatch(uniqueCall(rampOf(DType::Float32, {0, 3}), 0),
                    {rampOf(DType::Float32, {0, 3}), none, none, none}),
           std::string());
  // Slices without elements are all equal.
  QCOMPARE(mismatch(uniqueCall(rampOf(DType::Float32, {2, 0}), 0),
                    {rampOf(DType::Float32, {1, 0}), vectorOf<int64_t>({0}), vectorOf<int64_t>({0, 0}),
                     vectorOf<int64_t>({2})}),
           std::string());
}

void TestSearching::uniqueGivesOnlyWhatIsAsked() {
  OpCall call{"Unique", {{"return_counts", true}, {"axis", nullptr}}, {vectorOf<int8_t>({2, 1, 2})}, {}};
  call.outputTypes = {tensorType(DType::Int8, {kUnknownLength}), tensorType(DType::Int64, {kUnknownLength})};
  QCOMPARE(mismatch(call, {vectorOf<int8_t>({1, 2}), vectorOf<int64_t>({1, 2})}), std::string());
  call.outputTypes.pop_back();
  QCOMPARE(callOp(call).errorText(), std::string("$.graph.nodes[0]: Unique takes 2 outputs, found 1"));
}

void TestSearching::uniqueRefusesAnAxisOutside() {
  const std::string text = callOp(uniqueCall(rampOf(DType::Float64, {2, 2}), 2)).errorText();
  QVERIFY2(text.starts_with("$.graph.nodes[0].params.axis: expected null or an axis"), text.c_str());
}

void TestSearching::nonzeroFindsEveryIndex() {
  QFETCH(int, dtype);
  const Data x = convertedTo(tensorOf<int8_t>({2, 2, 3}, {0, 1, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0}),
                             static_cast<DType>(dtype));
  QCOMPARE(mismatch(nonzeroCall(x), {vectorOf<int64_t>({0, 0, 1}), vectorOf<int64_t>({0, 1, 0}),
                                     vectorOf<int64_t>({1, 2, 0})}),
           std::string());
}

void TestSearching::nonzeroCountsNotANumber() {
  QCOMPARE(mismatch(nonzeroCall(vectorOf<double>({-0.0, kNaN, 0.0, 1e-320})), {vectorOf<int64_t>({1, 3})}),
           std::string());
}

void TestSearching::nonzeroOfEmptyArraysIsEmpty() {
  const Data none = vectorOf<int64_t>({});
  QCOMPARE(mismatch(nonzeroCall(rampOf(DType::Float64, {0, 2})), {none, none}), std::string());
  QCOMPARE(mismatch(nonzeroCall(rampOf(DType::Float64, {2, 0})), {none, none}), std::string());
}

QTEST_APPLESS_MAIN(TestSearching)
#include "tst_searching.moc"
