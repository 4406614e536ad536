// Subtensor and IncSubtensor, against NumPy's rule element by element.
#include "ops/index_reference.h"

#include "numeric/element.h"

#include <QtTest>

#include <limits>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

/// Slices and single integers, for some or all axes of a shape. Axes of length 0 only get slices.
std::vector<IndexPart> randomBasic(Random& random, const std::vector<int64_t>& shape) {
  std::vector<IndexPart> parts;
  const int64_t count = pick(random, 0, static_cast<int64_t>(shape.size()));
  for (int64_t axis = 0; axis < count; ++axis) {
    const int64_t length = shape[static_cast<size_t>(axis)];
    if (length > 0 && pick(random, 0, 2) == 0)
      parts.push_back({IndexPart::Kind::Integers, {}, {}, {}, {}, {pick(random, -length, length - 1)}});
    else
      parts.push_back(randomSlice(random, length));
  }
  return parts;
}

OpCall subtensor(const Data& x, const std::vector<IndexPart>& parts, size_t rank) {
  const IndexInputs indices = makeInputs(parts, 1);
  OpCall call{"Subtensor", {{"idx_list", indices.list}}, {x}, {}};
  call.inputTypes = {typeOf(x)};
  call.inputs.insert(call.inputs.end(), indices.data.begin(), indices.data.end());
  call.inputTypes.insert(call.inputTypes.end(), indices.types.begin(), indices.types.end());
  call.outputTypes = {tensorType(x.tensor()->dtype, std::vector<int64_t>(rank, kUnknownLength))};
  call.views = {{0, 0}};
  return call;
}

OpCall incSubtensor(const Data& x, const Data& y, const std::vector<IndexPart>& parts, bool set) {
  const IndexInputs indices = makeInputs(parts, 2);
  OpCall call{"IncSubtensor", {{"idx_list", indices.list}, {"set_instead_of_inc", set}}, {x, y}, {}};
  call.inputTypes = {typeOf(x), typeOf(y)};
  call.inputs.insert(call.inputs.end(), indices.data.begin(), indices.data.end());
  call.inputTypes.insert(call.inputTypes.end(), indices.types.begin(), indices.types.end());
  call.outputTypes = {typeOf(x)};
  return call;
}

/// x with y's elements set at, or added to, these places, one after the other.
Data written(const Data& x, const Data& y, const ReadPlaces& read, bool set) {
  Tensor result = *x.tensor();
  const Data converted = convertedTo(y, result.dtype);
  const Tensor& from = *converted.tensor();
  const std::vector<int64_t> sources = broadcastPlaces(from.shape, read.shape);
  withType(result.dtype, [&]<class T>(std::type_identity<T>) {
    for (size_t i = 0; i < sources.size(); ++i) {
      std::byte* place = result.bytes.data() + read.places[i] * static_cast<int64_t>(sizeof(T));
      const T value = load<T>(from.bytes.data() + sources[i] * static_cast<int64_t>(sizeof(T)));
      store(place, set ? value : addElements(load<T>(place), value));
    }
  });
  return Data{std::move(result)};
}

IndexPart integer(int64_t value) { return {IndexPart::Kind::Integers, {}, {}, {}, {}, {value}}; }
IndexPart slice(std::optional<int64_t> start, std::optional<int64_t> stop, std::optional<int64_t> step) {
  return {IndexPart::Kind::Slice, start, stop, step, {}, {}};
}

} // namespace

class TestIndexing : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void readsLikeNumPy_data();
  void readsLikeNumPy();
  void readsAreViewsWherePermitted();
  void writesLikeNumPy_data();
  void writesLikeNumPy();
  void writesInPlaceWherePermitted();
  void readsYBeforeItWritesOverIt();
  void bounds_data();
  void bounds();
  void failures_data();
  void failures();
  void refusesWrongNodes_data();
  void refusesWrongNodes();
};

void TestIndexing::readsLikeNumPy_data() {
  QTest::addColumn<int>("dtype");
  for (const DTypeRow& row : dtypeTable()) QTest::newRow(row.name.data()) << static_cast<int>(row.dtype);
}

void TestIndexing::readsLikeNumPy() {
  QFETCH(const int, dtype);
  Random random(static_cast<uint64_t>(dtype) + 100);
  for (int round = 0; round < 60; ++round) {
    const Data x = rampOf(static_cast<DType>(dtype), randomShape(random, 4));
    const std::vector<IndexPart> parts = randomBasic(random, x.tensor()->shape);
    const ReadPlaces read = placesOf(parts, x.tensor()->shape);
    OpCall call = subtensor(x, parts, read.shape.size());
    QCOMPARE(mismatch(call, {readPlaces(x, read)}), std::string());
    call.views.clear();
    QCOMPARE(mismatch(call, {readPlaces(x, read)}), std::string());
  }
}

void TestIndexing::readsAreViewsWherePermitted() {
  OpCall call = subtensor(rampOf(DType::Float64, {4, 3}), {slice({}, {}, -1)}, 2);
  QCOMPARE(callOp(call).lowered.kind, NodeKind::View);
  QVERIFY(callOp(call).aliases[0]);
  call.views.clear();
  QCOMPARE(callOp(call).lowered.kind, NodeKind::Prebuilt);
  QVERIFY(!callOp(call).aliases[0]);
}

void TestIndexing::writesLikeNumPy_data() { readsLikeNumPy_data(); }

void TestIndexing::writesLikeNumPy() {
  QFETCH(const int, dtype);
  Random random(static_cast<uint64_t>(dtype) + 200);
  for (int round = 0; round < 60; ++round) {
    const Data x = rampOf(static_cast<DType>(dtype), randomShape(random, 4));
    const std::vector<IndexPart> parts = randomBasic(random, x.tensor()->shape);
    const ReadPlaces read = placesOf(parts, x.tensor()->shape);
    // y lacks leading axes or has lengths 1, and is of x's dtype or another.
    std::vector<int64_t> yShape(read.shape.begin() + pick(random, 0, static_cast<int64_t>(read.shape.size())),
                                read.shape.end());
    for (int64_t& length : yShape)
      if (pick(random, 0, 3) == 0) length = 1;
    const Data y = rampOf(pick(random, 0, 1) == 1 ? static_cast<DType>(dtype) : DType::Int16, yShape, 1);
    const bool set = pick(random, 0, 1) == 1;
    OpCall call = incSubtensor(x, y, parts, set);
    QCOMPARE(mismatch(call, {written(x, y, read, set)}), std::string());
    call.destroys = {{0, 0}};
    QCOMPARE(mismatch(call, {written(x, y, read, set)}), std::string());
  }
}

void TestIndexing::writesInPlaceWherePermitted() {
  OpCall call = incSubtensor(rampOf(DType::Float64, {3}), scalarOf(10.0), {integer(-1)}, false);
  OpOutcome outcome = callOp(call);
  QVERIFY(!outcome.aliases[0]);
  call.destroys = {{0, 0}};
  outcome = callOp(call);
  QVERIFY(outcome.aliases[0]);
  QCOMPARE(difference(outcome.inputsAfter[0], vectorOf<double>({0, 1, 12})), std::string());
}

void TestIndexing::readsYBeforeItWritesOverIt() {
  // x[1:] = x[:-1] where x is overwritten: y is a view of x.
  std::vector<double> memory{1, 2, 3, 4};
  std::vector<int64_t> lengths{4, 3}, strides{8, 8};
  int64_t one = 1;
  Graph graph;
  graph.values = {{tensorType(DType::Float64, {kUnknownLength}), {}, nullptr, false},
                  {tensorType(DType::Float64, {kUnknownLength}), {}, nullptr, false},
                  {scalarType(DType::Int64), {}, nullptr, false},
                  {tensorType(DType::Float64, {kUnknownLength}), {}, nullptr, false}};
  Node node;
  node.op = "IncSubtensor";
  node.params = {{"idx_list", {{2, nullptr, nullptr}}}, {"set_instead_of_inc", true}};
  node.in = {0, 1, 2};
  node.out = {3};
  node.destroys = {{0, 0}};
  const Result<Lowered> lowered = lowerNode(NodeView{graph, node, "$"});
  QVERIFY(lowered.ok());
  Array x, y, index;
  x.data = y.data = reinterpret_cast<std::byte*>(memory.data());
  x.shape = &lengths[0], y.shape = &lengths[1];
  x.strides = &strides[0], y.strides = &strides[1];
  x.rank = y.rank = 1;
  index.data = reinterpret_cast<std::byte*>(&one);
  index.dtype = DType::Int64;
  Array* in[] = {&x, &y, &index};
  Array* out[] = {&x};
  Context context;
  QCOMPARE(lowered->run(in, out, context), 0);
  QCOMPARE(memory, (std::vector<double>{1, 1, 2, 3}));
}

void TestIndexing::bounds_data() {
  QTest::addColumn<qlonglong>("start");
  QTest::addColumn<qlonglong>("stop");
  QTest::addColumn<qlonglong>("step");
  QTest::addColumn<QList<qlonglong>>("expected");
  constexpr qlonglong kLeast = std::numeric_limits<qlonglong>::min(),
                      kMost = std::numeric_limits<qlonglong>::max();
  QTest::newRow("all") << 0LL << kMost << 1LL << QList<qlonglong>{0, 1, 2, 3};
  QTest::newRow("greatest step") << 1LL << kMost << kMost << QList<qlonglong>{1};
  QTest::newRow("least step") << kMost << kLeast << kLeast << QList<qlonglong>{3};
  QTest::newRow("backwards from the end") << kMost << kLeast << -2LL << QList<qlonglong>{3, 1};
  QTest::newRow("beyond the end") << 9LL << kMost << 1LL << QList<qlonglong>{};
  QTest::newRow("before the start") << kLeast << 2LL << 1LL << QList<qlonglong>{0, 1};
}

void TestIndexing::bounds() {
  QFETCH(const qlonglong, start);
  QFETCH(const qlonglong, stop);
  QFETCH(const qlonglong, step);
  QFETCH(const QList<qlonglong>, expected);
  const OpCall call = subtensor(rampOf(DType::Int64, {4}), {slice(start, stop, step)}, 1);
  QCOMPARE(mismatch(call, {vectorOf<int64_t>({expected.begin(), expected.end()})}), std::string());
}

void TestIndexing::failures_data() {
  QTest::addColumn<std::vector<IndexPart>>("parts");
  QTest::addColumn<std::vector<int64_t>>("yShape");
  QTest::addColumn<bool>("set");
  QTest::addColumn<std::string>("expected");
  using Parts = std::vector<IndexPart>;
  using Shape = std::vector<int64_t>;
  const auto row = [](const char* name, const Parts& parts, const Shape& y, bool set,
                      const std::string& text) { QTest::newRow(name) << parts << y << set << text; };
  row("index too great", {integer(3)}, {}, false,
      "IndexError: index 3 is out of bounds for axis 0 of an array of shape (3, 4)");
  row("index too small", {slice({}, {}, {}), integer(-5)}, {}, false,
      "IndexError: index -5 is out of bounds for axis 1 of an array of shape (3, 4)");
  row("step 0", {slice({}, {}, 0)}, {}, true, "ValueError: the step of a slice is 0");
  row("unequal lengths", {integer(0)}, {3}, true,
      "ValueError: y of shape (3,) cannot be broadcast to shape (4,) of the place in x");
  row("adding a leading axis", {integer(0)}, {1, 4}, false,
      "ValueError: y of shape (1, 4) cannot be broadcast to shape (4,) of the place in x");
  row("setting a leading axis", {integer(0)}, {2, 4}, true,
      "ValueError: y of shape (2, 4) cannot be broadcast to shape (4,) of the place in x");
  row("setting a leading axis of length 1", {integer(0)}, {1, 4}, true, "");
}

void TestIndexing::failures() {
  QFETCH(const std::vector<IndexPart>, parts);
  QFETCH(const std::vector<int64_t>, yShape);
  QFETCH(const bool, set);
  QFETCH(const std::string, expected);
  const Data x = rampOf(DType::Float64, {3, 4});
  OpCall call = incSubtensor(x, rampOf(DType::Float64, yShape), parts, set);
  QCOMPARE(callOp(call).errorText(), expected);
  if (expected.empty()) return;
  call.destroys = {{0, 0}};
  const OpOutcome outcome = callOp(call);
  QCOMPARE(outcome.errorText(), expected);
  QCOMPARE(difference(outcome.inputsAfter[0], x), std::string());
}

void TestIndexing::refusesWrongNodes_data() {
  QTest::addColumn<std::string>("params");
  QTest::addColumn<int>("indexDType");
  QTest::addColumn<std::string>("expected");
  const auto row = [](const char* name, const std::string& params, DType dtype, const std::string& text) {
    QTest::newRow(name) << params << static_cast<int>(dtype) << text;
  };
  const std::string at = "$.graph.nodes[0].params.idx_list";
  row("no list", "{}", DType::Int64, at + ": expected a list with an entry for each indexed axis");
  row("not a position", R"({"idx_list": ["a"]})", DType::Int64,
      at + "[0]: expected a position of an index among the 2 inputs, or [start, stop, step]");
  row("the position of x", R"({"idx_list": [0]})", DType::Int64,
      at + "[0]: expected a position of an index among the 2 inputs, or [start, stop, step]");
  row("a position too great", R"({"idx_list": [[null, 2, null]]})", DType::Int64,
      at + "[0][1]: expected a position of an index among the 2 inputs, or null");
  row("a short slice", R"({"idx_list": [[1, null]]})", DType::Int64,
      at + "[0]: expected [start, stop, step]");
  row("too many entries", R"({"idx_list": [1, 1, 1]})", DType::Int64,
      at + ": expected at most 2 entries, one for each axis of x");
  row("a float index", R"({"idx_list": [1]})", DType::Float64,
      "$.graph.nodes[0]: input 1 has to be an integer scalar or 0-d tensor, but is f64[]");
  row("a bool index", R"({"idx_list": [1]})", DType::Bool,
      "$.graph.nodes[0]: input 1 has to be an integer, but is bool");
  row("a float bound", R"({"idx_list": [[1, null, null]]})", DType::Float64,
      "$.graph.nodes[0]: input 1 has to be an integer scalar or 0-d tensor, but is f64[]");
  row("output of another rank", R"({"idx_list": [[1, null, null]]})", DType::Int64,
      "$.graph.nodes[0]: output 0 has to be a tensor of rank 2, but is f64[?]");
}

void TestIndexing::refusesWrongNodes() {
  QFETCH(const std::string, params);
  QFETCH(const int, indexDType);
  QFETCH(const std::string, expected);
  const OpCall call{"Subtensor",
                    nlohmann::json::parse(params),
                    {rampOf(DType::Float64, {2, 2}), rampOf(static_cast<DType>(indexDType), {})},
                    {tensorType(DType::Float64, {kUnknownLength})}};
  QCOMPARE(callOp(call).errorText(), expected);
}

QTEST_APPLESS_MAIN(TestIndexing)
#include "tst_indexing.moc"
