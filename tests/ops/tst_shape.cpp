// Ops that ask for shapes and move axes.
#include "ops/op_test.h"

using namespace nodewise;
using namespace nodewise::testing;

namespace {

/// A call of a unary op whose output may alias its input.
OpCall viewing(const std::string& op, const nlohmann::json& params, const Data& x, const Shape& outShape) {
  OpCall call{op, params, {x}, {tensorType(x.tensor()->dtype, outShape)}};
  call.views = {{0, 0}};
  return call;
}

} // namespace

class TestShape : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void shapeGivesTheLengths();
  void shapeIGivesOneLength();
  void dimShuffle_data();
  void dimShuffle();
  void dimShuffleOfEveryDType_data() { addDTypeRows(); }
  void dimShuffleOfEveryDType();
  void dimShuffleDropsOnlyOnes();
  void specifyShape();
  void identities_data();
  void identities();
  void deepCopyOfEveryKind_data();
  void deepCopyOfEveryKind();
  void contiguousCopiesWhereNeeded();
  void scalarsAndTensors_data() { addDTypeRows(); }
  void scalarsAndTensors();
  void refusesWrongNodes_data();
  void refusesWrongNodes();
};

void TestShape::shapeGivesTheLengths() {
  const OpCall call{"Shape", {}, {rampOf(DType::Float32, {2, 0, 3})}, {tensorType(DType::Int64, {3})}};
  QCOMPARE(mismatch(call, {vectorOf<int64_t>({2, 0, 3})}), std::string());
  const OpCall scalar{"Shape", {}, {scalarOf(1.5)}, {tensorType(DType::Int64, {0})}};
  QCOMPARE(mismatch(scalar, {vectorOf<int64_t>({})}), std::string());
}

void TestShape::shapeIGivesOneLength() {
  const OpCall call{"Shape_i", {{"i", 1}}, {rampOf(DType::Bool, {2, 5})}, {tensorType(DType::Int64, {})}};
  QCOMPARE(mismatch(call, {scalarOf<int64_t>(5)}), std::string());
}

void TestShape::dimShuffle_data() {
  QTest::addColumn<QString>("order");
  QTest::addColumn<Shape>("shape");
  QTest::addColumn<Data>("expected");
  const auto row = [](const char* name, const char* order, const Shape& shape, const Data& expected) {
    QTest::newRow(name) << QString(order) << shape << expected;
  };
  row("transposed", "[1, 0]", {2, 3}, tensorOf<double>({3, 2}, {0, 3, 1, 4, 2, 5}));
  row("new axes", R"(["x", 0, "x"])", {3}, rampOf(DType::Float64, {1, 3, 1}));
  row("dropped", "[2]", {1, 1, 4}, rampOf(DType::Float64, {4}));
  row("all at once", R"([2, "x", 0])", {2, 1, 2}, tensorOf<double>({2, 1, 2}, {0, 2, 1, 3}));
  row("0-d", R"(["x"])", {}, rampOf(DType::Float64, {1}));
  row("empty", "[1, 0]", {0, 3}, rampOf(DType::Float64, {3, 0}));
}

void TestShape::dimShuffle() {
  QFETCH(const QString, order);
  QFETCH(const Shape, shape);
  QFETCH(const Data, expected);
  const nlohmann::json params{{"new_order", nlohmann::json::parse(order.toStdString())}};
  OpCall call = viewing("DimShuffle", params, rampOf(DType::Float64, shape), expected.tensor()->shape);
  QCOMPARE(mismatch(call, {expected}), std::string());
  QCOMPARE(callOp(call).lowered.kind, NodeKind::View);
  call.views.clear(); // not permitted to alias: a copy
  QCOMPARE(mismatch(call, {expected}), std::string());
  QVERIFY(!callOp(call).aliases[0]);
}

void TestShape::dimShuffleOfEveryDType() {
  QFETCH(const int, dtype);
  const Data x = rampOf(static_cast<DType>(dtype), {2, 2});
  const Data expected = convertedTo(tensorOf<int64_t>({2, 2}, {0, 2, 1, 3}), static_cast<DType>(dtype));
  OpCall call = viewing("DimShuffle", {{"new_order", {1, 0}}}, x, {2, 2});
  const OpOutcome outcome = callOp(call);
  QVERIFY(!outcome.error);
  call = viewing("DimShuffle", {{"new_order", {1, 0}}}, outcome.outputs[0], {2, 2});
  QCOMPARE(mismatch(call, {x}), std::string());
  if (!isComplex(static_cast<DType>(dtype)))
    QCOMPARE(difference(outcome.outputs[0], expected), std::string());
}

void TestShape::dimShuffleDropsOnlyOnes() {
  OpCall call = viewing("DimShuffle", {{"new_order", {0}}}, rampOf(DType::Float64, {3, 2}), {kAny});
  QCOMPARE(callOp(call).errorText(),
           std::string("ValueError: axis 1 of an array of shape (3, 2) is dropped, but is not of length 1"));
}

void TestShape::specifyShape() {
  const Data x = rampOf(DType::Float64, {2, 3});
  OpCall call{"SpecifyShape",
              {},
              {x, Data{NoneData{}}, scalarOf<int32_t>(3)},
              {tensorType(DType::Float64, {kAny, 3})}};
  call.views = {{0, 0}};
  QCOMPARE(mismatch(call, {x}), std::string());
  QVERIFY(callOp(call).aliases[0]);
  call.inputs[2] = scalarOf<int32_t>(4);
  QCOMPARE(callOp(call).errorText(),
           std::string("AssertionError: axis 1 of an array of shape (2, 3) has to have length 4"));
}

void TestShape::identities_data() {
  QTest::addColumn<QString>("op");
  for (const char* op :
       {"ViewOp", "TypeCastingOp", "DisconnectedGrad", "ZeroGrad", "UndefinedGrad", "GradClip", "GradScale"})
    QTest::newRow(op) << op;
}

void TestShape::identities() {
  QFETCH(const QString, op);
  const Data x = rampOf(DType::Float64, {2, 3});
  OpCall call = viewing(op.toStdString(), {}, x, {2, 3});
  QCOMPARE(mismatch(call, {x}), std::string());
  QVERIFY(callOp(call).aliases[0]);
  call.views.clear();
  QCOMPARE(mismatch(call, {x}), std::string());
  QVERIFY(!callOp(call).aliases[0]);
}

void TestShape::deepCopyOfEveryKind_data() {
  QTest::addColumn<Data>("value");
  QTest::newRow("tensor") << rampOf(DType::Complex64, {2, 3});
  QTest::newRow("0-d") << scalarOf<int8_t>(3);
  QTest::newRow("empty") << rampOf(DType::Bool, {0, 3});
  QTest::newRow("list") << Data{ListData{{scalarOf(1.0)}}};
  QTest::newRow("slice") << Data{SliceData{1, 2, {}}};
  RngState rng;
  rng.state = 12345;
  QTest::newRow("generator") << Data{rng};
}

void TestShape::deepCopyOfEveryKind() {
  QFETCH(const Data, value);
  const OpCall call{"DeepCopyOp", {}, {value}, {typeOf(value)}};
  const OpOutcome outcome = callOp(call);
  QCOMPARE(outcome.errorText(), std::string());
  QCOMPARE(outcome.outputs[0].v.index(), value.v.index());
  if (const Tensor* tensor = value.tensor()) {
    QVERIFY(!outcome.aliases[0] || tensor->bytes.empty());
    QCOMPARE(mismatch(call, {value}), std::string());
  }
  if (const RngState* rng = std::get_if<RngState>(&value.v)) {
    QVERIFY(std::get<RngState>(outcome.outputs[0].v).state == rng->state);
    QVERIFY(!outcome.aliases[0]);
  }
}

void TestShape::contiguousCopiesWhereNeeded() {
  const Data x = rampOf(DType::Float64, {2, 3});
  OpCall call = viewing("CpuContiguous", {}, x, {2, 3});
  QCOMPARE(mismatch(call, {x}), std::string());
  QVERIFY(callOp(call).aliases[0]);
  call.layout = Layout::Fortran;
  QVERIFY(!callOp(call).aliases[0]);
}

void TestShape::scalarsAndTensors() {
  QFETCH(const int, dtype);
  const auto type = static_cast<DType>(dtype);
  const Data value = rampOf(type, {}, 1);
  OpCall call{"TensorFromScalar", {}, {value}, {tensorType(type, {})}, {scalarType(type)}};
  QCOMPARE(mismatch(call, {value}), std::string());
  QVERIFY(!callOp(call).aliases[0]);
  call = {"ScalarFromTensor", {}, {value}, {scalarType(type)}};
  QCOMPARE(mismatch(call, {value}), std::string());
  QVERIFY(!callOp(call).aliases[0]);
  call.views = {{0, 0}};
  QVERIFY(callOp(call).aliases[0]);
}

void TestShape::refusesWrongNodes_data() {
  addWrongNodeColumns();
  addWrongNode("Shape_i", "{}", ".params.i: expected an integer, but it is missing");
  addWrongNode("Shape_i", R"({"i": 2})", ".params.i: expected an axis of x, which has 2");
  addWrongNode("Shape_i", R"({"i": 1.5})", ".params.i: expected an integer, found 1.5");
  addWrongNode("Shape_i", R"({"i": 18446744073709551615})",
               ".params.i: expected an integer, found 18446744073709551615");
  addWrongNode("DimShuffle", "{}", R"(.params.new_order: expected a list of input axes and "x")");
  addWrongNode("DimShuffle", R"({"new_order": [0, 0]})",
               R"(.params.new_order[1]: expected "x" or an axis of x, each at most once; x has 2)");
  addWrongNode("DimShuffle", R"({"new_order": [2]})",
               R"(.params.new_order[0]: expected "x" or an axis of x, each at most once; x has 2)");
  addWrongNode("DimShuffle", R"({"new_order": [0, 1]})",
               ": output 0 has to be a tensor of rank 2, but is i64[]");
  addWrongNode("JoinDims", R"({"start_axis": 1, "n_axes": 2})", ".params.n_axes: expected 0 to 1, found 2");
  addWrongNode("JoinDims", R"({"start_axis": -1, "n_axes": 0})",
               ".params.start_axis: expected 0 to 2, found -1");
  addWrongNode("Reshape", R"({"ndim": 1})", ": Reshape takes 2 inputs, found 1");
  addWrongNode("ViewOp", "{}", ": output 0 has to be a tensor of rank 2, but is i64[]");
  addWrongNode("ScalarFromTensor", "{}", ": input 0 has to be a tensor of rank 0, but is f64[2,2]");
  addWrongNode("TensorFromScalar", "{}", ": input 0 has to be a scalar, but is f64[2,2]");
}

void TestShape::refusesWrongNodes() {
  QTEST(errorOfWrongNode({rampOf(DType::Float64, {2, 2})}, tensorType(DType::Int64, {})), "expected");
}

QTEST_APPLESS_MAIN(TestShape)
#include "tst_shape.moc"
