// Ops that make arrays.
#include "ops/op_test.h"

#include <cmath>
#include <limits>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

OpCall alloc(const Data& value, const Shape& lengths, DType dtype) {
  OpCall call{"Alloc", {}, {value}, {tensorType(dtype, Shape(lengths.size(), kAny))}};
  for (const int64_t length : lengths) call.inputs.push_back(scalarOf(length));
  return call;
}

OpCall arange(const Data& start, const Data& stop, const Data& step, DType dtype) {
  return {"ARange", {{"dtype", dtypeName(dtype)}}, {start, stop, step}, {tensorType(dtype, {kAny})}};
}

} // namespace

class TestCreation : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void allocFillsEveryDType_data() { addDTypeRows(); }
  void allocFillsEveryDType();
  void allocBroadcasts_data();
  void allocBroadcasts();
  void allocFailures_data();
  void allocFailures();
  void allocEmptyHasTheShape();
  void makeVectorConverts_data() { addDTypeRows(); }
  void makeVectorConverts();
  void arangeOfIntegers_data();
  void arangeOfIntegers();
  void arangeOfFloats_data();
  void arangeOfFloats();
  void arangeRoundsInItsDType();
  void arangeFailures_data();
  void arangeFailures();
  void eye_data();
  void eye();
  void eyeOfEveryDType_data() { addDTypeRows(); }
  void eyeOfEveryDType();
  void refusesWrongNodes_data();
  void refusesWrongNodes();
};

void TestCreation::allocFillsEveryDType() {
  QFETCH(const int, dtype);
  const auto type = static_cast<DType>(dtype);
  const Data one = convertedTo(scalarOf<int8_t>(1), type);
  const Data ones = convertedTo(rampOf(DType::Int8, {2, 3}, 1, 0), type);
  QCOMPARE(mismatch(alloc(one, {2, 3}, type), {ones}), std::string());
  QCOMPARE(mismatch(alloc(scalarOf<int8_t>(1), {2, 3}, type), {ones}), std::string());
}

void TestCreation::allocBroadcasts_data() {
  QTest::addColumn<Data>("value");
  QTest::addColumn<Shape>("lengths");
  QTest::addColumn<Data>("expected");
  const auto row = [](const char* name, const Data& value, const Shape& lengths, const Data& expected) {
    QTest::newRow(name) << value << lengths << expected;
  };
  const Data v = vectorOf<double>({1, 2});
  row("a vector to rows", v, {3, 2}, tensorOf<double>({3, 2}, {1, 2, 1, 2, 1, 2}));
  row("a column", tensorOf<double>({2, 1}, {1, 2}), {2, 3}, tensorOf<double>({2, 3}, {1, 1, 1, 2, 2, 2}));
  row("as it is", v, {2}, v);
  row("to nothing", tensorOf<double>({1}, {1}), {0}, rampOf(DType::Float64, {0}));
  row("to 0-d", scalarOf(3.0), {}, scalarOf(3.0));
}

void TestCreation::allocBroadcasts() {
  QFETCH(const Data, value);
  QFETCH(const Shape, lengths);
  QFETCH(const Data, expected);
  QCOMPARE(mismatch(alloc(value, lengths, DType::Float64), {expected}), std::string());
}

void TestCreation::allocFailures_data() {
  QTest::addColumn<Shape>("shape");
  QTest::addColumn<Shape>("lengths");
  QTest::addColumn<QString>("expected");
  QTest::newRow("unequal") << Shape{3} << Shape{2, 4}
                           << "ValueError: a value of shape (3,) does not fill shape (2, 4)";
  QTest::newRow("a 1 that is not static") << Shape{1} << Shape{2, 4}
                                          << "ValueError: a value of shape (1,) does not fill shape (2, 4): "
                                             "its length 1 is not static, so does not broadcast";
  QTest::newRow("negative") << Shape{} << Shape{2, -1} << "ValueError: length -1 of axis 1 is negative";
}

void TestCreation::allocFailures() {
  QFETCH(const Shape, shape);
  QFETCH(const Shape, lengths);
  QFETCH(const QString, expected);
  OpCall call = alloc(rampOf(DType::Float64, shape), lengths, DType::Float64);
  call.inputTypes = {withoutLengths(typeOf(call.inputs[0]), true)};
  QCOMPARE(QString::fromStdString(callOp(call).errorText()), expected);
}

void TestCreation::allocEmptyHasTheShape() {
  OpCall call{"AllocEmpty",
              {{"dtype", "float32"}},
              {scalarOf<int64_t>(2), scalarOf<uint8_t>(0)},
              {tensorType(DType::Float32, {kAny, kAny})}};
  OpOutcome outcome = callOp(call);
  QCOMPARE(outcome.errorText(), std::string());
  QCOMPARE(outcome.outputs[0].tensor()->shape, (Shape{2, 0}));
  call.inputs[1] = scalarOf<int8_t>(-3);
  QCOMPARE(callOp(call).errorText(), std::string("ValueError: length -3 of axis 1 is negative"));
}

void TestCreation::makeVectorConverts() {
  QFETCH(const int, dtype);
  const auto type = static_cast<DType>(dtype);
  OpCall call{"MakeVector",
              {{"dtype", dtypeName(type)}},
              {scalarOf<int8_t>(1), scalarOf(0.0), scalarOf(true), convertedTo(scalarOf(1.0), type)},
              {tensorType(type, {4})}};
  QCOMPARE(mismatch(call, {convertedTo(vectorOf<int8_t>({1, 0, 1, 1}), type)}), std::string());
  call.inputs.clear();
  call.outputTypes = {tensorType(type, {0})};
  QCOMPARE(mismatch(call, {rampOf(type, {0})}), std::string());
}

void TestCreation::arangeOfIntegers_data() {
  QTest::addColumn<qlonglong>("start");
  QTest::addColumn<qlonglong>("stop");
  QTest::addColumn<qlonglong>("step");
  QTest::addColumn<QList<qlonglong>>("expected");
  constexpr qlonglong kLeast = std::numeric_limits<qlonglong>::min(),
                      kMost = std::numeric_limits<qlonglong>::max();
  QTest::newRow("up") << 0LL << 5LL << 2LL << QList<qlonglong>{0, 2, 4};
  QTest::newRow("up to a multiple") << 0LL << 4LL << 2LL << QList<qlonglong>{0, 2};
  QTest::newRow("down") << 5LL << 0LL << -2LL << QList<qlonglong>{5, 3, 1};
  QTest::newRow("nothing") << 5LL << 0LL << 2LL << QList<qlonglong>{};
  QTest::newRow("equal") << 3LL << 3LL << -1LL << QList<qlonglong>{};
  QTest::newRow("over all integers") << kLeast << kMost << kMost << QList<qlonglong>{kLeast, -1, kMost - 1};
}

void TestCreation::arangeOfIntegers() {
  QFETCH(const qlonglong, start);
  QFETCH(const qlonglong, stop);
  QFETCH(const qlonglong, step);
  QFETCH(const QList<qlonglong>, expected);
  const OpCall call =
      arange(scalarOf<int64_t>(start), scalarOf<int64_t>(stop), scalarOf<int64_t>(step), DType::Int64);
  QCOMPARE(mismatch(call, {vectorOf<int64_t>({expected.begin(), expected.end()})}), std::string());
}

void TestCreation::arangeOfFloats_data() {
  QTest::addColumn<double>("start");
  QTest::addColumn<double>("stop");
  QTest::addColumn<double>("step");
  QTest::addColumn<int>("length");
  QTest::newRow("exact steps") << 0.0 << 1.0 << 0.25 << 4;
  QTest::newRow("a last one too many by rounding") << 1.0 << 1.3 << 0.1 << 4;
  QTest::newRow("down") << 1.0 << -1.0 << -0.5 << 4;
  QTest::newRow("nothing") << 1.0 << 0.0 << 0.5 << 0;
}

void TestCreation::arangeOfFloats() {
  QFETCH(const double, start);
  QFETCH(const double, stop);
  QFETCH(const double, step);
  QFETCH(const int, length);
  std::vector<double> expected;
  const double delta = (start + step) - start;
  for (int i = 0; i < length; ++i) expected.push_back(i == 1 ? start + step : start + i * delta);
  const OpCall call = arange(scalarOf(start), scalarOf(stop), scalarOf(step), DType::Float64);
  QCOMPARE(mismatch(call, {vectorOf<double>(expected)}), std::string());
}

void TestCreation::arangeRoundsInItsDType() {
  // The length comes from the numbers as they are given, the elements from the dtype's own arithmetic.
  const float delta = (100.0F + 0.1F) - 100.0F;
  std::vector<float> expected{100.0F, 100.0F + 0.1F};
  for (int i = 2; i < 5; ++i) expected.push_back(100.0F + static_cast<float>(i) * delta);
  const Data step = scalarOf(0.1F), start = scalarOf(100.0F), stop = scalarOf(100.45F);
  QCOMPARE(mismatch(arange(start, stop, step, DType::Float32), {vectorOf<float>(expected)}), std::string());
  QCOMPARE(mismatch(arange(scalarOf(0.5), scalarOf(3.5), scalarOf(1.0), DType::Int16),
                    {vectorOf<int16_t>({0, 1, 2})}),
           std::string());
  QCOMPARE(mismatch(arange(scalarOf<int8_t>(0), scalarOf<int8_t>(4), scalarOf<int8_t>(1), DType::Float16),
                    {rampOf(DType::Float16, {4})}),
           std::string());
  QCOMPARE(mismatch(arange(scalarOf<uint64_t>(0x8000000000000000u), scalarOf<uint64_t>(0x8000000000000002u),
                           scalarOf<int64_t>(1), DType::UInt64),
                    {vectorOf<uint64_t>({0x8000000000000000u, 0x8000000000000001u})}),
           std::string());
}

void TestCreation::arangeFailures_data() {
  QTest::addColumn<double>("stop");
  QTest::addColumn<double>("step");
  QTest::addColumn<QString>("expected");
  QTest::newRow("step 0") << 1.0 << 0.0 << "ZeroDivisionError: no range from 0 to 1 by 0: the step is 0";
  QTest::newRow("no number") << std::nan("") << 1.0
                             << "ValueError: no range from 0 to nan by 1: its length is not a number";
  QTest::newRow("endless") << HUGE_VAL << 1.0
                           << "ValueError: no range from 0 to inf by 1: it has too many elements";
}

void TestCreation::arangeFailures() {
  QFETCH(const double, stop);
  QFETCH(const double, step);
  QFETCH(const QString, expected);
  const OpCall call = arange(scalarOf(0.0), scalarOf(stop), scalarOf(step), DType::Float64);
  QCOMPARE(QString::fromStdString(callOp(call).errorText()), expected);
  const OpCall ints = arange(scalarOf<int64_t>(0), scalarOf<int64_t>(5), scalarOf<int64_t>(0), DType::Int64);
  QCOMPARE(callOp(ints).errorText(),
           std::string("ZeroDivisionError: no range from 0 to 5 by 0: the step is 0"));
}

void TestCreation::eye_data() {
  QTest::addColumn<qlonglong>("rows");
  QTest::addColumn<qlonglong>("columns");
  QTest::addColumn<qlonglong>("k");
  for (const qlonglong rows : {0, 1, 3, 4})
    for (const qlonglong columns : {0, 1, 3, 5})
      for (const qlonglong k : {-9, -3, -1, 0, 1, 2, 9})
        QTest::addRow("%lld x %lld, %lld", rows, columns, k) << rows << columns << k;
  QTest::newRow("a greatest k") << 2LL << 2LL << std::numeric_limits<qlonglong>::max();
  QTest::newRow("a least k") << 2LL << 2LL << std::numeric_limits<qlonglong>::min();
}

void TestCreation::eye() {
  QFETCH(const qlonglong, rows);
  QFETCH(const qlonglong, columns);
  QFETCH(const qlonglong, k);
  std::vector<double> expected;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) expected.push_back(j - i == k ? 1 : 0);
  const OpCall call{"Eye",
                    {{"dtype", "float64"}},
                    {scalarOf<int64_t>(rows), scalarOf<int64_t>(columns), scalarOf<int64_t>(k)},
                    {tensorType(DType::Float64, {kAny, kAny})}};
  QCOMPARE(mismatch(call, {tensorOf<double>({rows, columns}, expected)}), std::string());
}

void TestCreation::eyeOfEveryDType() {
  QFETCH(const int, dtype);
  const auto type = static_cast<DType>(dtype);
  const OpCall call{"Eye",
                    {{"dtype", dtypeName(type)}},
                    {scalarOf<int8_t>(2), scalarOf<int8_t>(2), scalarOf<int8_t>(0)},
                    {tensorType(type, {2, 2})}};
  QCOMPARE(mismatch(call, {convertedTo(tensorOf<int8_t>({2, 2}, {1, 0, 0, 1}), type)}), std::string());
}

void TestCreation::refusesWrongNodes_data() {
  addWrongNodeColumns();
  addWrongNode("Eye", R"({"dtype": "float33"})", R"(.params.dtype: expected a dtype, found "float33")");
  addWrongNode("Eye", R"({"dtype": "int8"})",
               ".params.dtype: expected float64, the dtype of output 0, found int8");
  addWrongNode("Eye", "{}", ": input 2 has to be an integer scalar or 0-d tensor, but is f64[]");
  addWrongNode("ARange", R"({"dtype": "float64"})",
               ": output 0 has to be a tensor of rank 1, but is f64[?,?]");
  addWrongNode("Alloc", "{}", ": input 2 has to be an integer scalar or 0-d tensor, but is f64[]");
  addWrongNode("AllocEmpty", "{}", ": output 0 has to be a tensor of rank 3, but is f64[?,?]");
  addWrongNode("MakeVector", "{}", ": output 0 has to be a tensor of rank 1, but is f64[?,?]");
}

void TestCreation::refusesWrongNodes() {
  QFETCH(const QString, op);
  QFETCH(const QString, params);
  const Data third = op == "Eye" && params != "{}" ? scalarOf<int64_t>(0) : scalarOf(1.5);
  QTEST(errorOfWrongNode({scalarOf<int64_t>(1), scalarOf<int64_t>(2), third},
                         tensorType(DType::Float64, {kAny, kAny})),
        "expected");
}

QTEST_APPLESS_MAIN(TestCreation)
#include "tst_creation.moc"
