// Ops that choose and permute elements, and that turn indices into positions and back.
#include "ops/op_test.h"

using namespace nodewise;
using namespace nodewise::testing;

namespace {

OpCall permute(const Data& x, const Data& y, bool inverse) {
  OpCall call{"PermuteRowElements", {{"inverse", inverse}}, {x, y}, {}};
  call.outputTypes = {tensorType(x.tensor()->dtype, Shape(x.tensor()->shape.size(), kAny))};
  return call;
}

} // namespace

class TestSelecting : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void permutesRows_data();
  void permutesRows();
  void permutesEveryDType_data();
  void permutesEveryDType();
  void permuteFailures();
  void choosesFromTensors();
  void choosesFromLists();
  void chooseOutOfRange_data();
  void chooseOutOfRange();
  void unravelsPositions_data();
  void unravelsPositions();
  void unravelFailures();
  void ravelsIndices_data();
  void ravelsIndices();
  void ravelFailures();
  void refusesWrongNodes_data();
  void refusesWrongNodes();
};

void TestSelecting::permutesRows_data() {
  QTest::addColumn<Data>("x");
  QTest::addColumn<Data>("y");
  QTest::addColumn<bool>("inverse");
  QTest::addColumn<Data>("expected");
  const auto row = [](const char* name, const Data& x, const Data& y, bool inverse, const Data& expected) {
    QTest::newRow(name) << x << y << inverse << expected;
  };
  const Data x = vectorOf<double>({5, 6, 7}), y = vectorOf<int64_t>({2, 0, 1});
  row("a vector", x, y, false, vectorOf<double>({7, 5, 6}));
  row("inverse", x, y, true, vectorOf<double>({6, 7, 5}));
  row("from the end", x, vectorOf<int8_t>({-1, -3, -2}), false, vectorOf<double>({7, 5, 6}));
  row("y repeated", tensorOf<double>({2, 2}, {1, 2, 3, 4}), tensorOf<int64_t>({1, 2}, {1, 0}), false,
      tensorOf<double>({2, 2}, {2, 1, 4, 3}));
  row("x repeated", tensorOf<double>({1, 2}, {1, 2}), tensorOf<int64_t>({2, 2}, {1, 0, 0, 1}), true,
      tensorOf<double>({2, 2}, {2, 1, 1, 2}));
  row("empty rows", rampOf(DType::Float64, {2, 0}), rampOf(DType::Int64, {2, 0}), false,
      rampOf(DType::Float64, {2, 0}));
}

void TestSelecting::permutesRows() {
  QFETCH(const Data, x);
  QFETCH(const Data, y);
  QFETCH(const bool, inverse);
  QFETCH(const Data, expected);
  QCOMPARE(mismatch(permute(x, y, inverse), {expected}), std::string());
}

void TestSelecting::permutesEveryDType_data() {
  QTest::addColumn<int>("dtype");
  for (const DTypeRow& row : dtypeTable()) QTest::newRow(row.name.data()) << static_cast<int>(row.dtype);
}

void TestSelecting::permutesEveryDType() {
  QFETCH(const int, dtype);
  const auto type = static_cast<DType>(dtype);
  const Data y = vectorOf<int32_t>({2, 0, 1});
  const OpOutcome there = callOp(permute(rampOf(type, {3}), y, false));
  QCOMPARE(there.errorText(), std::string());
  QCOMPARE(mismatch(permute(there.outputs[0], y, true), {rampOf(type, {3})}), std::string());
}

void TestSelecting::permuteFailures() {
  OpCall call = permute(rampOf(DType::Float64, {2, 2}), rampOf(DType::Int64, {1, 2}), false);
  call.inputTypes = {typeOf(call.inputs[0]), tensorType(DType::Int64, {kAny, kAny})};
  QCOMPARE(callOp(call).errorText(),
           std::string("ValueError: x of shape (2, 2) and y of shape (1, 2) differ in axis 0"));
  QCOMPARE(callOp(permute(vectorOf<double>({1, 2}), vectorOf<int64_t>({0, 2}), false)).errorText(),
           std::string("IndexError: y has an index that is out of bounds for length 2"));
}

void TestSelecting::choosesFromTensors() {
  OpCall call{"Choose",
              {{"mode", "raise"}},
              {vectorOf<int64_t>({1, 0, 1}), tensorOf<double>({2, 3}, {0, 1, 2, 10, 11, 12})},
              {tensorType(DType::Float64, {kAny})}};
  QCOMPARE(mismatch(call, {vectorOf<double>({10, 1, 12})}), std::string());
  // Rows of choices broadcast to a matrix of integers, and a row of integers to a matrix of choices.
  call.inputs = {tensorOf<int8_t>({2, 2}, {0, 1, 1, 0}), tensorOf<double>({2, 1}, {5, 6})};
  call.outputTypes = {tensorType(DType::Float64, {kAny, kAny})};
  QCOMPARE(mismatch(call, {tensorOf<double>({2, 2}, {5, 6, 6, 5})}), std::string());
  call.inputs = {vectorOf<uint8_t>({1, 0}), tensorOf<double>({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7})};
  QCOMPARE(mismatch(call, {tensorOf<double>({2, 2}, {4, 1, 6, 3})}), std::string());
}

void TestSelecting::choosesFromLists() {
  OpCall call{
      "Choose",
      {},
      {vectorOf<int64_t>({1, 0, 1}), Data{ListData{{vectorOf<double>({1, 2, 3}), vectorOf<double>({9})}}}},
      {tensorType(DType::Float64, {kAny})}};
  QCOMPARE(mismatch(call, {vectorOf<double>({9, 2, 9})}), std::string());
  call.inputs[1] = Data{ListData{{vectorOf<double>({1, 2})}}};
  QCOMPARE(callOp(call).errorText(),
           std::string("ValueError: a choice of shape (2,) cannot be broadcast to shape (3,)"));
  call.inputs[1] = Data{ListData{}};
  QCOMPARE(callOp(call).errorText(), std::string("ValueError: 1 chooses none of 0 choices"));
}

void TestSelecting::chooseOutOfRange_data() {
  QTest::addColumn<QString>("mode");
  QTest::addColumn<QList<double>>("expected");
  QTest::newRow("wrap") << "wrap" << QList<double>{7, 6, 6};
  QTest::newRow("clip") << "clip" << QList<double>{5, 7, 7};
  QTest::newRow("raise") << "raise" << QList<double>{};
}

void TestSelecting::chooseOutOfRange() {
  QFETCH(const QString, mode);
  QFETCH(const QList<double>, expected);
  const OpCall call{"Choose",
                    {{"mode", mode.toStdString()}},
                    {vectorOf<int64_t>({-1, 4, 7}), tensorOf<double>({3, 1}, {5, 6, 7})},
                    {tensorType(DType::Float64, {kAny})}};
  if (expected.isEmpty())
    QCOMPARE(callOp(call).errorText(), std::string("ValueError: -1 chooses none of 3 choices"));
  else
    QCOMPARE(mismatch(call, {vectorOf<double>({expected.begin(), expected.end()})}), std::string());
}

void TestSelecting::unravelsPositions_data() {
  QTest::addColumn<QString>("order");
  QTest::addColumn<QList<qlonglong>>("rows");
  QTest::addColumn<QList<qlonglong>>("columns");
  QTest::newRow("C") << "C" << QList<qlonglong>{0, 0, 1, 1} << QList<qlonglong>{0, 2, 0, 2};
  QTest::newRow("Fortran") << "F" << QList<qlonglong>{0, 0, 1, 1} << QList<qlonglong>{0, 1, 1, 2};
}

void TestSelecting::unravelsPositions() {
  QFETCH(const QString, order);
  QFETCH(const QList<qlonglong>, rows);
  QFETCH(const QList<qlonglong>, columns);
  const OpCall call{"UnravelIndex",
                    {{"order", order.toStdString()}},
                    {tensorOf<int32_t>({2, 2}, {0, 2, 3, 5}), vectorOf<int64_t>({2, 3})},
                    {tensorType(DType::Int64, {kAny, kAny}), tensorType(DType::Int64, {kAny, kAny})}};
  QCOMPARE(mismatch(call, {tensorOf<int64_t>({2, 2}, {rows.begin(), rows.end()}),
                           tensorOf<int64_t>({2, 2}, {columns.begin(), columns.end()})}),
           std::string());
}

void TestSelecting::unravelFailures() {
  OpCall call{"UnravelIndex",
              {},
              {vectorOf<int64_t>({6}), vectorOf<int64_t>({2, 3})},
              {tensorType(DType::Int64, {kAny}), tensorType(DType::Int64, {kAny})}};
  QCOMPARE(callOp(call).errorText(),
           std::string("ValueError: position 6 is out of bounds for an array of shape (2, 3)"));
  call.inputs = {vectorOf<int64_t>({-1}), vectorOf<int64_t>({2, 3})};
  QCOMPARE(callOp(call).error->type, std::string("ValueError"));
  call.inputs[1] = vectorOf<int64_t>({2, 3, 4});
  QCOMPARE(callOp(call).errorText(), std::string("ValueError: 3 lengths for 2 indices"));
  call.inputs = {vectorOf<int64_t>({}), vectorOf<int64_t>({0, 3})};
  QCOMPARE(mismatch(call, {vectorOf<int64_t>({}), vectorOf<int64_t>({})}), std::string());
}

void TestSelecting::ravelsIndices_data() {
  QTest::addColumn<QString>("params");
  QTest::addColumn<QList<qlonglong>>("rows");
  QTest::addColumn<QList<qlonglong>>("columns");
  QTest::addColumn<QList<qlonglong>>("expected");
  using List = QList<qlonglong>;
  QTest::newRow("C") << "{}" << List{0, 1, 1} << List{2, 0, 2} << List{2, 3, 5};
  QTest::newRow("Fortran") << R"({"order": "F"})" << List{0, 1, 1} << List{2, 0, 2} << List{4, 1, 5};
  QTest::newRow("wrap") << R"({"mode": "wrap"})" << List{-1, 3} << List{3, -4} << List{3, 5};
  QTest::newRow("clip") << R"({"mode": "clip"})" << List{-1, 3} << List{3, -4} << List{2, 3};
  QTest::newRow("broadcast") << "{}" << List{1} << List{0, 1, 2} << List{3, 4, 5};
}

void TestSelecting::ravelsIndices() {
  QFETCH(const QString, params);
  QFETCH(const QList<qlonglong>, rows);
  QFETCH(const QList<qlonglong>, columns);
  QFETCH(const QList<qlonglong>, expected);
  const OpCall call{"RavelMultiIndex",
                    nlohmann::json::parse(params.toStdString()),
                    {vectorOf<int64_t>({rows.begin(), rows.end()}),
                     convertedTo(vectorOf<int64_t>({columns.begin(), columns.end()}), DType::Int16),
                     vectorOf<int64_t>({2, 3})},
                    {tensorType(DType::Int64, {kAny})}};
  QCOMPARE(mismatch(call, {vectorOf<int64_t>({expected.begin(), expected.end()})}), std::string());
}

void TestSelecting::ravelFailures() {
  OpCall call{"RavelMultiIndex",
              {},
              {vectorOf<int64_t>({0, 2}), vectorOf<int64_t>({0, 0}), vectorOf<int64_t>({2, 3})},
              {tensorType(DType::Int64, {kAny})}};
  QCOMPARE(callOp(call).errorText(),
           std::string("ValueError: index 2 is out of bounds for axis 0 of length 2"));
  call.inputs[0] = vectorOf<int64_t>({0, 1, 1});
  QCOMPARE(callOp(call).errorText(),
           std::string("ValueError: indices of shapes (3,) and (2,) cannot be broadcast together"));
  call.inputs[0] = vectorOf<int64_t>({0, 1});
  call.inputs[2] = vectorOf<int64_t>({int64_t{1} << 40, int64_t{1} << 40});
  QCOMPARE(callOp(call).error->type, std::string("ValueError"));
}

void TestSelecting::refusesWrongNodes_data() {
  addWrongNodeColumns();
  addWrongNode("Choose", R"({"mode": "no"})",
               R"(.params.mode: expected one of "raise", "wrap", "clip", found "no")");
  addWrongNode("RavelMultiIndex", R"({"order": "A"})",
               R"(.params.order: expected one of "C", "F", found "A")");
  addWrongNode("PermuteRowElements", R"({"inverse": 1})", ".params.inverse: expected true or false, found 1");
  addWrongNode("UnravelIndex", "{}", ": output 0 has to be int64, but is i32[?]");
}

void TestSelecting::refusesWrongNodes() {
  QFETCH(const QString, op);
  const DType dtype = op == "RavelMultiIndex" ? DType::Int64 : DType::Int32;
  QTEST(errorOfWrongNode({vectorOf<int32_t>({0, 1}), vectorOf<int64_t>({2, 1})}, tensorType(dtype, {kAny})),
        "expected");
}

QTEST_APPLESS_MAIN(TestSelecting)
#include "tst_selecting.moc"
