// Ops that give the same elements in C order under other lengths.
#include "ops/op_test.h"

using namespace nodewise;
using namespace nodewise::testing;

namespace {

/// The same elements in C order under another shape.
Data reshaped(const Data& data, const Shape& shape) {
  Tensor tensor = *data.tensor();
  tensor.shape = shape;
  return Data{std::move(tensor)};
}

/// A call of a unary op whose output may alias its input.
OpCall viewing(const std::string& op, const nlohmann::json& params, const Data& x, const Shape& outShape) {
  OpCall call{op, params, {x}, {tensorType(x.tensor()->dtype, outShape)}};
  call.views = {{0, 0}};
  return call;
}

} // namespace

class TestReshaping : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void reshape_data();
  void reshape();
  void reshapeFailures_data();
  void reshapeFailures();
  void reshapeIsAViewWhereStridesAllow();
  void reshapeFollowsStridesOfPartsOfAnArray();
  void joinDims_data();
  void joinDims();
  void splitDims_data();
  void splitDims();
};

void TestReshaping::reshape_data() {
  QTest::addColumn<Shape>("from");
  QTest::addColumn<Shape>("lengths");
  QTest::addColumn<Shape>("expected");
  const auto row = [](const char* name, const Shape& from, const Shape& lengths, const Shape& expected) {
    QTest::newRow(name) << from << lengths << expected;
  };
  row("flattened", {2, 3, 4}, {24}, {24});
  row("regrouped", {2, 3, 4}, {6, 4}, {6, 4});
  row("across axes", {4, 3}, {2, 6}, {2, 6});
  row("one length open", {2, 3, 4}, {-1, 4}, {6, 4});
  row("ones put in", {2, 3}, {1, 2, 1, 3, 1}, {1, 2, 1, 3, 1});
  row("ones taken out", {1, 2, 1, 3}, {2, 3}, {2, 3});
  row("to 0-d", {1, 1}, {}, {});
  row("from 0-d", {}, {1, 1}, {1, 1});
  row("empty", {0, 3}, {3, 0, 2}, {3, 0, 2});
  row("empty, one length open", {0, 3}, {3, -1}, {3, 0});
}

void TestReshaping::reshape() {
  QFETCH(const Shape, from);
  QFETCH(const Shape, lengths);
  QFETCH(const Shape, expected);
  for (const DType dtype : {DType::Int8, DType::Float32, DType::Complex128}) {
    const Data x = rampOf(dtype, from);
    OpCall call{"Reshape",
                {{"ndim", expected.size()}},
                {x, vectorOf<int64_t>(lengths)},
                {tensorType(dtype, Shape(expected.size(), kAny))}};
    QCOMPARE(mismatch(call, {reshaped(x, expected)}), std::string());
    call.views = {{0, 0}};
    QCOMPARE(mismatch(call, {reshaped(x, expected)}), std::string());
  }
}

void TestReshaping::reshapeFailures_data() {
  QTest::addColumn<Shape>("lengths");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char* name, const Shape& lengths, const char* text) {
    QTest::newRow(name) << lengths
                        << QString("ValueError: 6 elements, of an array of shape (2, 3), cannot have the "
                                   "lengths (%1)")
                               .arg(text);
  };
  row("too few", {2, 2}, "2, 2");
  row("not divisible", {-1, 4}, "-1, 4");
  row("two open", {-1, -1}, "-1, -1");
  row("negative", {-2, 3}, "-2, 3");
  row("open beside 0", {-1, 0}, "-1, 0");
  row("too many lengths", {1, 2, 3}, "1, 2, 3");
  row("a product beyond 64 bits", {int64_t{1} << 62, 8}, "4611686018427387904, 8");
}

void TestReshaping::reshapeFailures() {
  QFETCH(const Shape, lengths);
  QFETCH(const QString, expected);
  const OpCall call{"Reshape",
                    {{"ndim", 2}},
                    {rampOf(DType::Float64, {2, 3}), vectorOf<int64_t>(lengths)},
                    {tensorType(DType::Float64, {kAny, kAny})},
                    {tensorType(DType::Float64, {kAny, kAny}), tensorType(DType::Int64, {kAny})}};
  QCOMPARE(QString::fromStdString(callOp(call).errorText()), expected);
}

void TestReshaping::reshapeIsAViewWhereStridesAllow() {
  OpCall call{"Reshape",
              {{"ndim", 1}},
              {rampOf(DType::Float64, {2, 3}), vectorOf<int64_t>({6})},
              {tensorType(DType::Float64, {kAny})}};
  QVERIFY(!callOp(call).aliases[0]);
  call.views = {{0, 0}};
  QVERIFY(callOp(call).aliases[0]);
  call.layout = Layout::Fortran;
  QVERIFY(!callOp(call).aliases[0]);
  // Reversed in both axes is one run of negative stride, and gaps within rows do not hinder splitting rows.
  call.layout = Layout::Reversed;
  QVERIFY(callOp(call).aliases[0]);
  OpCall split{"Reshape",
               {{"ndim", 3}},
               {rampOf(DType::Float64, {2, 6}), vectorOf<int64_t>({2, 3, 2})},
               {tensorType(DType::Float64, {kAny, kAny, kAny})}};
  split.views = {{0, 0}};
  split.layout = Layout::Spread;
  QVERIFY(callOp(split).aliases[0]);
}

void TestReshaping::reshapeFollowsStridesOfPartsOfAnArray() {
  // Every way of grouping three axes of an array with gaps, as a view or as a copy.
  const Data x = rampOf(DType::Int32, {4, 6, 2});
  for (const Shape& shape :
       {Shape{24, 2}, {4, 12}, {48}, {2, 2, 6, 2}, {4, 2, 3, 2}, {8, 3, 2}, {2, 24}, {4, 3, 4}}) {
    OpCall call{"Reshape",
                {{"ndim", shape.size()}},
                {x, vectorOf<int64_t>(shape)},
                {tensorType(DType::Int32, shape)}};
    call.views = {{0, 0}};
    QCOMPARE(mismatch(call, {reshaped(x, shape)}), std::string());
  }
}

void TestReshaping::joinDims_data() {
  QTest::addColumn<int>("start");
  QTest::addColumn<int>("count");
  QTest::addColumn<Shape>("expected");
  QTest::newRow("two") << 0 << 2 << Shape{6, 4};
  QTest::newRow("last two") << 1 << 2 << Shape{2, 12};
  QTest::newRow("all") << 0 << 3 << Shape{24};
  QTest::newRow("one") << 1 << 1 << Shape{2, 3, 4};
  QTest::newRow("none, in front") << 0 << 0 << Shape{1, 2, 3, 4};
  QTest::newRow("none, at the end") << 3 << 0 << Shape{2, 3, 4, 1};
}

void TestReshaping::joinDims() {
  QFETCH(const int, start);
  QFETCH(const int, count);
  QFETCH(const Shape, expected);
  const Data x = rampOf(DType::Float32, {2, 3, 4});
  OpCall call = viewing("JoinDims", {{"start_axis", start}, {"n_axes", count}}, x, expected);
  QCOMPARE(mismatch(call, {reshaped(x, expected)}), std::string());
  call.views.clear();
  QCOMPARE(mismatch(call, {reshaped(x, expected)}), std::string());
}

void TestReshaping::splitDims_data() {
  QTest::addColumn<Shape>("lengths");
  QTest::addColumn<QString>("expected");
  QTest::newRow("two") << Shape{2, 3} << "";
  QTest::newRow("three") << Shape{3, 1, 2} << "";
  QTest::newRow("one") << Shape{6} << "";
  QTest::newRow("one open") << Shape{3, -1} << "";
  QTest::newRow("unfit")
      << Shape{2, 2}
      << "ValueError: 6 elements, of an array of shape (2, 6, 4), cannot have the lengths (2, 2)";
}

void TestReshaping::splitDims() {
  QFETCH(const Shape, lengths);
  QFETCH(const QString, expected);
  const Data x = rampOf(DType::Float64, {2, 6, 4});
  OpCall call{"SplitDims",
              {{"axis", 1}},
              {x, vectorOf<int64_t>(lengths)},
              {tensorType(DType::Float64, Shape(lengths.size() + 2, kAny))}};
  call.views = {{0, 0}};
  if (!expected.isEmpty()) {
    QCOMPARE(QString::fromStdString(callOp(call).errorText()), expected);
    return;
  }
  Shape shape{2};
  for (const int64_t length : lengths) shape.push_back(length == -1 ? 2 : length);
  shape.push_back(4);
  QCOMPARE(mismatch(call, {reshaped(x, shape)}), std::string());
  QVERIFY(callOp(call).aliases[0]);
  // No lengths: an axis of length 1 goes.
  OpCall gone{"SplitDims",
              {{"axis", 0}},
              {rampOf(DType::Float64, {1, 3}), vectorOf<int64_t>({})},
              {tensorType(DType::Float64, {3})}};
  QCOMPARE(mismatch(gone, {rampOf(DType::Float64, {3})}), std::string());
}

QTEST_APPLESS_MAIN(TestReshaping)
#include "tst_reshaping.moc"
