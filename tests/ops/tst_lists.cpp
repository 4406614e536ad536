#include "ops/op_harness.h"

#include <QtTest>

#include <limits>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

Type listType(const Type& elem) {
  Type type;
  type.kind = Kind::List;
  type.elem = std::make_shared<const Type>(elem);
  return type;
}

Type vectorType(DType dtype = DType::Int64) { return tensorType(dtype, {kUnknownLength}); }

Data listOf(std::vector<Data> items) { return Data{ListData{std::move(items)}}; }

Data slice(std::optional<int64_t> start, std::optional<int64_t> stop, std::optional<int64_t> step = {}) {
  return Data{SliceData{start, stop, step}};
}

Type sliceType() {
  Type type;
  type.kind = Kind::Slice;
  return type;
}

const Data a = vectorOf<int64_t>({1, 2}), b = vectorOf<int64_t>({3}), c = vectorOf<int64_t>({});

/// A call on a list of int64 vectors that gives such a list.
OpCall onVectors(const std::string& op, std::vector<Data> inputs, std::vector<Type> more = {}) {
  OpCall call{op, {}, std::move(inputs), {listType(vectorType())}};
  call.inputTypes = {listType(vectorType())};
  call.inputTypes.insert(call.inputTypes.end(), more.begin(), more.end());
  return call;
}

/// The same that gives a number.
OpCall counting(const std::string& op, std::vector<Data> inputs, std::vector<Type> more = {}) {
  OpCall call = onVectors(op, std::move(inputs), std::move(more));
  call.outputTypes = {tensorType(DType::Int64, {})};
  return call;
}

Data sparse(bool csc, std::vector<double> data, std::vector<int32_t> indices, std::vector<int32_t> indptr) {
  return Data{SparseData{
      csc, {2, 2}, *vectorOf(data).tensor(), *vectorOf(indices).tensor(), *vectorOf(indptr).tensor()}};
}

} // namespace

class TestLists : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void makeListKeepsTheValues();
  void makeListNestsLists();
  void appendAndExtendPutBehind();
  void insertPlacesAsPython_data();
  void insertPlacesAsPython();
  void removeTakesTheFirstEqualOne();
  void removeOfAnAbsentValueChangesNothing();
  void reverseTurnsRound();
  void getItemTakesElements_data();
  void getItemTakesElements();
  void getItemRefusesIndicesOutside();
  void getItemTakesSlices_data();
  void getItemTakesSlices();
  void getItemRefusesStepZero();
  void getItemGivesLists();
  void indexFindsTheFirst();
  void indexRefusesAnAbsentValue();
  void countComparesShapeAndElements();
  void equalityFindsNotANumbers();
  void equalityOfSparseMatricesIsThatOfDenseOnes();
  void lengthCounts();
  void inputsStayAsTheyAre();
  void wrongElementsAreRefused();
  void otherObjectsAreRefused();
};

void TestLists::makeListKeepsTheValues() {
  OpCall call{"MakeList", {}, {a, b}, {listType(vectorType())}};
  call.inputTypes = {vectorType(), vectorType()};
  QCOMPARE(mismatch(call, {listOf({a, b})}), std::string());
  const Data matrix = rampOf(DType::Complex64, {2, 3});
  QCOMPARE(mismatch({"MakeList", {}, {matrix}, {listType(typeOf(matrix))}}, {listOf({matrix})}),
           std::string());
}

void TestLists::makeListNestsLists() {
  const Data first = listOf({a}), second = listOf({});
  OpCall call{"MakeList", {}, {first, second}, {listType(listType(vectorType()))}};
  call.inputTypes = {listType(vectorType()), listType(vectorType())};
  QCOMPARE(mismatch(call, {listOf({first, second})}), std::string());
}

void TestLists::appendAndExtendPutBehind() {
  QCOMPARE(mismatch(onVectors("Append", {listOf({a}), b}, {vectorType()}), {listOf({a, b})}), std::string());
  QCOMPARE(mismatch(onVectors("Extend", {listOf({a}), listOf({c, b})}, {listType(vectorType())}),
                    {listOf({a, c, b})}),
           std::string());
  QCOMPARE(mismatch(onVectors("Extend", {listOf({}), listOf({})}, {listType(vectorType())}), {listOf({})}),
           std::string());
}

void TestLists::insertPlacesAsPython_data() {
  QTest::addColumn<int>("index");
  QTest::addColumn<int>("place");
  for (const auto& [index, place] : {std::pair(0, 0), {1, 1}, {2, 2}, {99, 2}, {-1, 1}, {-2, 0}, {-99, 0}})
    QTest::addRow("%d", index) << index << place;
}

void TestLists::insertPlacesAsPython() {
  QFETCH(int, index);
  QFETCH(int, place);
  std::vector<Data> items{a, b};
  items.insert(items.begin() + place, c);
  QCOMPARE(mismatch(onVectors("Insert", {listOf({a, b}), scalarOf<int64_t>(index), c},
                              {tensorType(DType::Int64, {}), vectorType()}),
                    {listOf(items)}),
           std::string());
}

void TestLists::removeTakesTheFirstEqualOne() {
  QCOMPARE(mismatch(onVectors("Remove", {listOf({b, a, c, a}), a}, {vectorType()}), {listOf({b, c, a})}),
           std::string());
}

void TestLists::removeOfAnAbsentValueChangesNothing() {
  QCOMPARE(mismatch(onVectors("Remove", {listOf({b, c}), a}, {vectorType()}), {listOf({b, c})}),
           std::string());
}

void TestLists::reverseTurnsRound() {
  QCOMPARE(mismatch(onVectors("Reverse", {listOf({a, b, c})}), {listOf({c, b, a})}), std::string());
}

void TestLists::getItemTakesElements_data() {
  QTest::addColumn<int>("index");
  for (int index = -3; index < 3; ++index) QTest::addRow("%d", index) << index;
}

void TestLists::getItemTakesElements() {
  QFETCH(int, index);
  const std::vector<Data> items{a, b, c};
  OpCall call =
      counting("GetItem", {listOf(items), scalarOf<int64_t>(index)}, {tensorType(DType::Int64, {})});
  call.outputTypes = {vectorType()};
  QCOMPARE(mismatch(call, {items[static_cast<size_t>((index + 3) % 3)]}), std::string());
}

void TestLists::getItemRefusesIndicesOutside() {
  for (const int64_t index : {2, -3}) {
    OpCall call = counting("GetItem", {listOf({a, b}), scalarOf(index)}, {tensorType(DType::Int64, {})});
    call.outputTypes = {vectorType()};
    QCOMPARE(callOp(call).errorText(),
             "IndexError: index " + std::to_string(index) + " is outside a list of 2");
  }
}

void TestLists::getItemTakesSlices_data() {
  QTest::addColumn<QList<int>>("taken");
  QTest::addColumn<int>("start");
  QTest::addColumn<int>("stop");
  QTest::addColumn<int>("step");
  constexpr int none = INT_MAX;
  QTest::newRow("all") << QList<int>{0, 1, 2, 3} << none << none << none;
  QTest::newRow("1:3") << QList<int>{1, 2} << 1 << 3 << none;
  QTest::newRow("-2:") << QList<int>{2, 3} << -2 << none << none;
  QTest::newRow("::-1") << QList<int>{3, 2, 1, 0} << none << none << -1;
  QTest::newRow("2::-2") << QList<int>{2, 0} << 2 << none << -2;
  QTest::newRow("9:-9:-3") << QList<int>{3, 0} << 9 << -9 << -3;
  QTest::newRow("3:1") << QList<int>{} << 3 << 1 << none;
  QTest::newRow("::2") << QList<int>{0, 2} << none << none << 2;
  QTest::newRow("-9:99:3") << QList<int>{0, 3} << -9 << 99 << 3;
}

void TestLists::getItemTakesSlices() {
  QFETCH(QList<int>, taken);
  QFETCH(int, start);
  QFETCH(int, stop);
  QFETCH(int, step);
  const auto part = [](int number) {
    return number == INT_MAX ? std::nullopt : std::optional<int64_t>(number);
  };
  const Data d = vectorOf<int64_t>({4, 4});
  const std::vector<Data> items{a, b, c, d};
  std::vector<Data> expected;
  for (const int i : taken) expected.push_back(items[static_cast<size_t>(i)]);
  QCOMPARE(mismatch(onVectors("GetItem", {listOf(items), slice(part(start), part(stop), part(step))},
                              {sliceType()}),
                    {listOf(expected)}),
           std::string());
}

void TestLists::getItemRefusesStepZero() {
  QCOMPARE(callOp(onVectors("GetItem", {listOf({a}), slice({}, {}, 0)}, {sliceType()})).errorText(),
           std::string("ValueError: a slice's step cannot be 0"));
}

void TestLists::getItemGivesLists() {
  OpCall call{
      "GetItem", {}, {listOf({listOf({a}), listOf({b, c})}), scalarOf<int64_t>(1)}, {listType(vectorType())}};
  call.inputTypes = {listType(listType(vectorType())), tensorType(DType::Int64, {})};
  QCOMPARE(mismatch(call, {listOf({b, c})}), std::string());
}

void TestLists::indexFindsTheFirst() {
  QCOMPARE(mismatch(counting("Index", {listOf({c, a, b, a}), a}, {vectorType()}), {scalarOf<int64_t>(1)}),
           std::string());
}

void TestLists::indexRefusesAnAbsentValue() {
  QCOMPARE(callOp(counting("Index", {listOf({c, a}), b}, {vectorType()})).errorText(),
           std::string("ValueError: no element of the list is equal to the value"));
}

void TestLists::countComparesShapeAndElements() {
  const Data longer = vectorOf<int64_t>({1, 2, 0}), other = vectorOf<int64_t>({1, 3});
  QCOMPARE(mismatch(counting("Count", {listOf({a, longer, other, a, c}), a}, {vectorType()}),
                    {scalarOf<int64_t>(2)}),
           std::string());
  QCOMPARE(mismatch(counting("Count", {listOf({}), a}, {vectorType()}), {scalarOf<int64_t>(0)}),
           std::string());
}

void TestLists::equalityFindsNotANumbers() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Data x = vectorOf<double>({nan, 0.0}), y = vectorOf<double>({-nan, -0.0});
  OpCall call{"Count", {}, {listOf({x, y, vectorOf<double>({nan, 1})}), x}, {tensorType(DType::Int64, {})}};
  call.inputTypes = {listType(vectorType(DType::Float64)), vectorType(DType::Float64)};
  QCOMPARE(mismatch(call, {scalarOf<int64_t>(2)}), std::string());
}

void TestLists::equalityOfSparseMatricesIsThatOfDenseOnes() {
  // [[0, 3], [1, 0]]: in order, in disorder with a stored zero and a repeated place, and with another
  // element.
  const Data plain = sparse(false, {3, 1}, {1, 0}, {0, 1, 2}),
             wild = sparse(false, {1, 0, 2, 1}, {1, 0, 1, 0}, {0, 3, 4}),
             other = sparse(false, {3, 1}, {1, 1}, {0, 1, 2});
  QCOMPARE(mismatch({"Count", {}, {listOf({plain, wild, other}), plain}, {tensorType(DType::Int64, {})}},
                    {scalarOf<int64_t>(2)}),
           std::string());
  QCOMPARE(mismatch({"Index", {}, {listOf({plain, wild, other}), other}, {tensorType(DType::Int64, {})}},
                    {scalarOf<int64_t>(2)}),
           std::string());
}

void TestLists::lengthCounts() {
  QCOMPARE(mismatch(counting("Length", {listOf({a, b, a})}), {scalarOf<int64_t>(3)}), std::string());
  QCOMPARE(mismatch(counting("Length", {listOf({})}), {scalarOf<int64_t>(0)}), std::string());
}

void TestLists::inputsStayAsTheyAre() {
  const OpOutcome outcome = callOp(onVectors("Append", {listOf({a}), b}, {vectorType()}));
  QCOMPARE(difference(outcome.inputsAfter.at(0), listOf({a})), std::string());
}

void TestLists::wrongElementsAreRefused() {
  const std::string text =
      callOp(onVectors("Append", {listOf({a}), rampOf(DType::Float64, {2})}, {vectorType(DType::Float64)}))
          .errorText();
  QVERIFY2(text.starts_with("$.graph.nodes[0]: input 1 has to be an element of"), text.c_str());
  const std::string notAList = callOp({"Length", {}, {a}, {tensorType(DType::Int64, {})}}).errorText();
  QVERIFY2(notAList.starts_with("$.graph.nodes[0]: input 0 has to be a list"), notAList.c_str());
}

void TestLists::otherObjectsAreRefused() {
  QCOMPARE(callOp(counting("Length", {Data{OpaqueData{"<list>"}}})).errorText(),
           std::string("TypeError: a list was expected, but the value is something else"));
}

QTEST_APPLESS_MAIN(TestLists)
#include "tst_lists.moc"
