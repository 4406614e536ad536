// Ops that join, split and repeat.
#include "ops/op_test.h"

#include <limits>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

OpCall split(const Data& x, int64_t axis, const std::vector<int64_t>& sizes) {
  OpCall call{"Split", {{"len_splits", sizes.size()}}, {x, scalarOf(axis), vectorOf<int64_t>(sizes)}, {}};
  for (size_t k = 0; k < sizes.size(); ++k) {
    call.outputTypes.push_back(withoutLengths(typeOf(x), true));
    call.views.emplace_back(static_cast<int>(k), 0);
  }
  return call;
}

OpCall repeat(const Data& x, int64_t axis, const std::vector<int64_t>& repeats) {
  return {"Repeat", {{"axis", axis}}, {x, vectorOf<int64_t>(repeats)}, {withoutLengths(typeOf(x), true)}};
}

} // namespace

class TestJoining : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void joinsAlongEachAxis_data();
  void joinsAlongEachAxis();
  void joinConverts_data() { addDTypeRows(); }
  void joinConverts();
  void joinFailures();
  void splits_data() { addDTypeRows(); }
  void splits();
  void splitFailures_data();
  void splitFailures();
  void repeats_data() { addDTypeRows(); }
  void repeats();
  void repeatFailures_data();
  void repeatFailures();
  void refusesWrongNodes_data();
  void refusesWrongNodes();
};

void TestJoining::joinsAlongEachAxis_data() {
  QTest::addColumn<qlonglong>("axis");
  QTest::addColumn<Shape>("second");
  QTest::addColumn<Data>("expected");
  const auto row = [](const char* name, qlonglong axis, const Shape& second, const Data& expected) {
    QTest::newRow(name) << axis << second << expected;
  };
  row("rows", 0, {1, 2}, tensorOf<double>({3, 2}, {0, 1, 2, 3, 0, 1}));
  row("columns", 1, {2, 1}, tensorOf<double>({2, 3}, {0, 1, 0, 2, 3, 1}));
  row("last axis from the end", -1, {2, 1}, tensorOf<double>({2, 3}, {0, 1, 0, 2, 3, 1}));
  row("nothing", 0, {0, 2}, tensorOf<double>({2, 2}, {0, 1, 2, 3}));
}

void TestJoining::joinsAlongEachAxis() {
  QFETCH(const qlonglong, axis);
  QFETCH(const Shape, second);
  QFETCH(const Data, expected);
  const OpCall call{"Join",
                    {},
                    {scalarOf<int64_t>(axis), rampOf(DType::Float64, {2, 2}), rampOf(DType::Float64, second)},
                    {tensorType(DType::Float64, {kAny, kAny})}};
  QCOMPARE(mismatch(call, {expected}), std::string());
}

void TestJoining::joinConverts() {
  QFETCH(const int, dtype);
  const auto type = static_cast<DType>(dtype);
  const Data ones = vectorOf<int8_t>({1, 0, 1});
  const OpCall call{"Join",
                    {},
                    {scalarOf<int8_t>(0), convertedTo(ones, type), ones, vectorOf<bool>({true})},
                    {tensorType(type, {kAny})}};
  QCOMPARE(mismatch(call, {convertedTo(vectorOf<int8_t>({1, 0, 1, 1, 0, 1, 1}), type)}), std::string());
}

void TestJoining::joinFailures() {
  OpCall call{"Join",
              {},
              {scalarOf<int64_t>(0), rampOf(DType::Float64, {2, 2}), rampOf(DType::Float64, {2, 3})},
              {tensorType(DType::Float64, {kAny, kAny})}};
  QCOMPARE(callOp(call).errorText(),
           std::string("ValueError: arrays of shapes (2, 2) and (2, 3) cannot be joined along axis 0"));
  call.inputs[0] = scalarOf<int64_t>(-3);
  QCOMPARE(callOp(call).errorText(),
           std::string("AxisError: axis -3 is out of bounds for an array of rank 2"));
}

void TestJoining::splits() {
  QFETCH(const int, dtype);
  const Data x = rampOf(static_cast<DType>(dtype), {2, 4});
  OpCall call = split(x, -1, {1, 0, 3});
  const std::vector<Data> expected{picked(x, {0, 4}, {2, 1}), picked(x, {}, {2, 0}),
                                   picked(x, {1, 2, 3, 5, 6, 7}, {2, 3})};
  QCOMPARE(mismatch(call, expected), std::string());
  QCOMPARE(callOp(call).lowered.kind, NodeKind::View);
  call.views.pop_back(); // one output may not alias: all are copied
  QCOMPARE(mismatch(call, expected), std::string());
  QVERIFY(!callOp(call).aliases[0]);
  QCOMPARE(mismatch(split(x, 0, {2}), {x}), std::string());
}

void TestJoining::splitFailures_data() {
  QTest::addColumn<Shape>("sizes");
  QTest::addColumn<QString>("expected");
  QTest::newRow("negative") << Shape{5, -1} << "ValueError: the sizes of the parts exceed length 4 of axis 0";
  QTest::newRow("negative first") << Shape{-1, 5} << "ValueError: the size -1 of part 0 is negative";
  QTest::newRow("too little") << Shape{1, 2}
                              << "ValueError: the sizes of the parts sum to 3, but axis 0 has length 4";
  QTest::newRow("too much") << Shape{2, 3} << "ValueError: the sizes of the parts exceed length 4 of axis 0";
  QTest::newRow("far too much") << Shape{std::numeric_limits<int64_t>::max(),
                                         std::numeric_limits<int64_t>::max()}
                                << "ValueError: the sizes of the parts exceed length 4 of axis 0";
}

void TestJoining::splitFailures() {
  QFETCH(const Shape, sizes);
  QFETCH(const QString, expected);
  OpCall call = split(rampOf(DType::Float64, {4}), 0, sizes);
  QCOMPARE(QString::fromStdString(callOp(call).errorText()), expected);
  call.inputs[2] = vectorOf<int64_t>({1, 1, 2});
  QCOMPARE(callOp(call).errorText(), std::string("ValueError: 3 sizes for 2 parts"));
}

void TestJoining::repeats() {
  QFETCH(const int, dtype);
  const Data x = rampOf(static_cast<DType>(dtype), {2, 3});
  QCOMPARE(mismatch(repeat(x, 0, {2, 1}), {picked(x, {0, 1, 2, 0, 1, 2, 3, 4, 5}, {3, 3})}), std::string());
  QCOMPARE(mismatch(repeat(x, 1, {0, 2, 1}), {picked(x, {1, 1, 2, 4, 4, 5}, {2, 3})}), std::string());
  QCOMPARE(mismatch(repeat(x, 1, {2}), {picked(x, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}, {2, 6})}),
           std::string());
  QCOMPARE(mismatch(repeat(x, 0, {0}), {picked(x, {}, {0, 3})}), std::string());
}

void TestJoining::repeatFailures_data() {
  QTest::addColumn<Shape>("given");
  QTest::addColumn<QString>("expected");
  QTest::newRow("too few") << Shape{1, 2} << "ValueError: 2 repeats for axis 0 of length 3";
  QTest::newRow("negative") << Shape{1, -2, 1} << "ValueError: the repeat -2 at position 1 is negative";
  QTest::newRow("too many elements") << Shape{std::numeric_limits<int64_t>::max()}
                                     << "MemoryError: the repeats make an array that is too large";
}

void TestJoining::repeatFailures() {
  QFETCH(const Shape, given);
  QFETCH(const QString, expected);
  QCOMPARE(QString::fromStdString(callOp(repeat(rampOf(DType::Int8, {3}), 0, given)).errorText()), expected);
}

void TestJoining::refusesWrongNodes_data() {
  addWrongNodeColumns();
  addWrongNode("Join", "{}", ": input 0 has to be an integer scalar or 0-d tensor, but is f64[2,2]");
  addWrongNode("Split", "{}", ".params.len_splits: expected an integer, but it is missing");
  addWrongNode("Split", R"({"len_splits": 2})",
               ".params.len_splits: expected the number of outputs, 1, found 2");
  addWrongNode("Repeat", R"({"axis": 2})", ".params.axis: expected an axis of x, which has 2, found 2");
  addWrongNode("ExtractDiag", R"({"axis1": 1, "axis2": 1})", ": ExtractDiag takes 1 inputs, found 2");
  addWrongNode("FillDiagonal", "{}", ": input 1 has to be a tensor of rank 0, but is i64[2]");
}

void TestJoining::refusesWrongNodes() {
  QTEST(errorOfWrongNode({rampOf(DType::Float64, {2, 2}), vectorOf<int64_t>({1, 1})},
                         tensorType(DType::Float64, {kAny, kAny})),
        "expected");
}

QTEST_APPLESS_MAIN(TestJoining)
#include "tst_joining.moc"
