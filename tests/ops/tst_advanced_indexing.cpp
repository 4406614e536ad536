// Indexing by tensors of integers and masks, against NumPy's rule element by element.
#include "ops/index_reference.h"
#include "ops/op_test.h"

#include "numeric/element.h"

using namespace nodewise;
using namespace nodewise::testing;

namespace {

IndexPart integers(std::vector<int64_t> shape, std::vector<int64_t> elements) {
  return {IndexPart::Kind::Integers, {}, {}, {}, std::move(shape), std::move(elements)};
}
IndexPart mask(std::vector<int64_t> shape, std::vector<int64_t> elements) {
  return {IndexPart::Kind::Mask, {}, {}, {}, std::move(shape), std::move(elements)};
}
IndexPart slice(std::optional<int64_t> start, std::optional<int64_t> stop, std::optional<int64_t> step) {
  return {IndexPart::Kind::Slice, start, stop, step, {}, {}};
}

/// Lists of slices, integers that broadcast to `b`, and (where `b` is a vector) masks with as many true
/// elements.
std::vector<IndexPart> randomAdvanced(Random& random, const std::vector<int64_t>& shape,
                                      const std::vector<int64_t>& b) {
  std::vector<IndexPart> parts;
  const auto count = static_cast<size_t>(pick(random, 0, static_cast<int64_t>(shape.size())));
  size_t axis = 0;
  while (axis < count) {
    const int64_t length = shape[axis];
    const int64_t kind = pick(random, 0, 5);
    if (kind == 0 && b.size() == 1 && b[0] <= length) {
      IndexPart part = mask({length}, std::vector<int64_t>(static_cast<size_t>(length), 0));
      for (int64_t i = 0; i < b[0]; ++i) part.elements[static_cast<size_t>(length - 1 - i)] = 1;
      std::shuffle(part.elements.begin(), part.elements.end(), random);
      parts.push_back(part);
    } else if (kind <= 3 && length > 0) {
      std::vector<int64_t> own(b.begin() + pick(random, 0, static_cast<int64_t>(b.size())), b.end());
      for (int64_t& n : own)
        if (pick(random, 0, 3) == 0) n = 1;
      IndexPart part = integers(own, {});
      part.elements.resize(static_cast<size_t>(elementCount(own)));
      for (int64_t& element : part.elements) element = pick(random, -length, length - 1);
      parts.push_back(part);
    } else {
      parts.push_back(randomSlice(random, length));
    }
    ++axis;
  }
  return parts;
}

void addIndices(OpCall& call, const std::vector<IndexPart>& parts) {
  const IndexInputs indices = makeInputs(parts, call.inputs.size());
  call.params["idx_list"] = indices.list;
  for (const Data& input : call.inputs) call.inputTypes.push_back(typeOf(input));
  call.inputs.insert(call.inputs.end(), indices.data.begin(), indices.data.end());
  call.inputTypes.insert(call.inputTypes.end(), indices.types.begin(), indices.types.end());
}

OpCall subtensor(const Data& x, const std::vector<IndexPart>& parts, size_t rank) {
  OpCall call{"AdvancedSubtensor",
              {},
              {x},
              {tensorType(x.tensor()->dtype, std::vector<int64_t>(rank, kUnknownLength))}};
  addIndices(call, parts);
  return call;
}

enum class Mode { Set, Add, AddLast };

OpCall incSubtensor(const Data& x, const Data& y, const std::vector<IndexPart>& parts, Mode mode) {
  OpCall call{"AdvancedIncSubtensor",
              {{"set_instead_of_inc", mode == Mode::Set}, {"ignore_duplicates", mode == Mode::AddLast}},
              {x, y},
              {typeOf(x)}};
  addIndices(call, parts);
  return call;
}

Data written(const Data& x, const Data& y, const ReadPlaces& read, Mode mode) {
  const Tensor& original = *x.tensor();
  Tensor result = original;
  const Data converted = convertedTo(y, result.dtype);
  const Tensor& from = *converted.tensor();
  const std::vector<int64_t> sources = broadcastPlaces(from.shape, read.shape);
  withType(result.dtype, [&]<class T>(std::type_identity<T>) {
    for (size_t i = 0; i < sources.size(); ++i) {
      const int64_t at = read.places[i] * static_cast<int64_t>(sizeof(T));
      const T value = load<T>(from.bytes.data() + sources[i] * static_cast<int64_t>(sizeof(T)));
      const std::byte* base = (mode == Mode::AddLast ? original : result).bytes.data() + at;
      store(result.bytes.data() + at, mode == Mode::Set ? value : addElements(load<T>(base), value));
    }
  });
  return Data{std::move(result)};
}

} // namespace

class TestAdvancedIndexing : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void readsLikeNumPy_data() { addDTypeRows(); }
  void readsLikeNumPy();
  void whereTheIndexedAxesGo_data();
  void whereTheIndexedAxesGo();
  void masksOfAnyRank();
  void indicesOfAnyIntegerDType_data();
  void indicesOfAnyIntegerDType();
  void longListsOfPlaces();
  void writesLikeNumPy_data() { addDTypeRows(); }
  void writesLikeNumPy();
  void equalPlaces_data();
  void equalPlaces();
  void indexTensorInTheMemoryWrittenTo();
  void failuresLeaveXAlone_data();
  void failuresLeaveXAlone();
  void rows();
  void rowsOfStaticAndOtherOnes();
  void refusesWrongNodes_data();
  void refusesWrongNodes();
};

void TestAdvancedIndexing::readsLikeNumPy() {
  QFETCH(const int, dtype);
  Random random(static_cast<uint64_t>(dtype) + 300);
  for (int round = 0; round < 80; ++round) {
    const Data x = rampOf(static_cast<DType>(dtype), randomShape(random, 4));
    const std::vector<IndexPart> parts = randomAdvanced(random, x.tensor()->shape, randomShape(random, 2));
    const ReadPlaces read = placesOf(parts, x.tensor()->shape);
    QCOMPARE(mismatch(subtensor(x, parts, read.shape.size()), {readPlaces(x, read)}), std::string());
  }
}

void TestAdvancedIndexing::whereTheIndexedAxesGo_data() {
  QTest::addColumn<std::vector<IndexPart>>("parts");
  QTest::addColumn<std::vector<int64_t>>("expected");
  using Parts = std::vector<IndexPart>;
  const IndexPart two = integers({2}, {0, 1}), one = integers({}, {1}), all = slice({}, {}, {});
  const auto row = [](const char* name, const Parts& parts, const Shape& shape) {
    QTest::newRow(name) << parts << shape;
  };
  row("first axis", {two}, {2, 4, 5, 6});
  row("a middle axis", {all, two}, {3, 2, 5, 6});
  row("neighbours become one", {all, two, two}, {3, 2, 6});
  row("a slice between: first", {two, all, two}, {2, 4, 6});
  row("a slice between a 0-d index and another: first", {all, one, all, two}, {2, 3, 5});
  row("0-d indices only", {one, all, one}, {4, 6});
  row("a matrix of indices", {all, integers({2, 2}, {0, 1, 1, 0})}, {3, 2, 2, 5, 6});
  row("broadcast together", {integers({2, 1}, {0, 1}), integers({3}, {0, 1, 2})}, {2, 3, 5, 6});
  row("slices keep their order", {slice(1, {}, {}), two, slice({}, 2, {})}, {2, 2, 2, 6});
  row("a mask", {mask({3}, {1, 0, 1})}, {2, 4, 5, 6});
  row("a mask of two axes", {all, mask({4, 5}, std::vector<int64_t>(20, 1))}, {3, 20, 6});
}

void TestAdvancedIndexing::whereTheIndexedAxesGo() {
  QFETCH(const std::vector<IndexPart>, parts);
  QFETCH(const std::vector<int64_t>, expected);
  const Data x = rampOf(DType::Int32, {3, 4, 5, 6});
  const ReadPlaces read = placesOf(parts, x.tensor()->shape);
  QCOMPARE(read.shape, expected);
  QCOMPARE(mismatch(subtensor(x, parts, expected.size()), {readPlaces(x, read)}), std::string());
}

void TestAdvancedIndexing::masksOfAnyRank() {
  const Data x = rampOf(DType::Float64, {2, 3, 2});
  const auto check = [&x](const std::vector<IndexPart>& parts) {
    const ReadPlaces read = placesOf(parts, x.tensor()->shape);
    return mismatch(subtensor(x, parts, read.shape.size()), {readPlaces(x, read)});
  };
  QCOMPARE(check({mask({2, 3}, {1, 0, 1, 0, 0, 1})}), std::string());
  QCOMPARE(check({mask({2, 3, 2}, {1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1})}), std::string());
  QCOMPARE(check({mask({2, 3}, {0, 0, 0, 0, 0, 0})}), std::string());
  QCOMPARE(check({mask({2}, {0, 1}), integers({2}, {2, 0})}), std::string());
  // A mask of rank 0 reads nothing or one more axis of length 1.
  const OpCall none = subtensor(x, {mask({}, {0})}, 4), whole = subtensor(x, {mask({}, {1})}, 4);
  QCOMPARE(mismatch(none, {rampOf(DType::Float64, {0, 2, 3, 2})}), std::string());
  QCOMPARE(mismatch(whole, {rampOf(DType::Float64, {1, 2, 3, 2})}), std::string());
}

void TestAdvancedIndexing::indicesOfAnyIntegerDType_data() {
  QTest::addColumn<int>("dtype");
  for (const DTypeRow& row : dtypeTable())
    if (isIntegral(row.dtype) && row.dtype != DType::Bool)
      QTest::newRow(row.name.data()) << static_cast<int>(row.dtype);
}

void TestAdvancedIndexing::indicesOfAnyIntegerDType() {
  QFETCH(const int, dtype);
  const auto type = static_cast<DType>(dtype);
  OpCall call{"AdvancedSubtensor1", {}, {}, {tensorType(DType::Float64, {kUnknownLength})}};
  call.inputs = {vectorOf<double>({5, 6, 7}), convertedTo(vectorOf<int8_t>({2, 0, 2, 1}), type)};
  QCOMPARE(mismatch(call, {vectorOf<double>({7, 5, 7, 6})}), std::string());
  call.inputs[1] = convertedTo(vectorOf<int8_t>({0, -1}), type);
  if (isSigned(type))
    QCOMPARE(mismatch(call, {vectorOf<double>({5, 7})}), std::string());
  else
    QCOMPARE(callOp(call).error->type, std::string("IndexError"));
}

void TestAdvancedIndexing::longListsOfPlaces() {
  // More places than are taken at a time, as one run and as rows of runs, with blocks of several sizes.
  Random random(9);
  for (const std::vector<int64_t>& b : {std::vector<int64_t>{2500}, {3, 1500}, {700, 3}}) {
    for (const std::vector<int64_t>& block : {std::vector<int64_t>{}, {3}, {7}, {3, 5}}) {
      std::vector<int64_t> shape{40, 30};
      shape.insert(shape.end(), block.begin(), block.end());
      const Data x = rampOf(DType::Float64, shape);
      // Broadcast over the first axis of B, so that its axes cannot be merged.
      IndexPart first = integers({b.back()}, {}), second = integers(b, {});
      for (int64_t i = 0; i < b.back(); ++i) first.elements.push_back(pick(random, -40, 39));
      for (int64_t i = 0; i < elementCount(b); ++i) second.elements.push_back(pick(random, -30, 29));
      const ReadPlaces read = placesOf({first, second}, shape);
      QCOMPARE(mismatch(subtensor(x, {first, second}, read.shape.size()), {readPlaces(x, read)}),
               std::string());
      const Data y = rampOf(DType::Float64, read.shape, 1);
      for (const Mode mode : {Mode::Set, Mode::Add, Mode::AddLast})
        QCOMPARE(mismatch(incSubtensor(x, y, {first, second}, mode), {written(x, y, read, mode)}),
                 std::string());
    }
  }
}

void TestAdvancedIndexing::writesLikeNumPy() {
  QFETCH(const int, dtype);
  Random random(static_cast<uint64_t>(dtype) + 400);
  for (int round = 0; round < 80; ++round) {
    const Data x = rampOf(static_cast<DType>(dtype), randomShape(random, 4));
    const std::vector<IndexPart> parts = randomAdvanced(random, x.tensor()->shape, randomShape(random, 2));
    const ReadPlaces read = placesOf(parts, x.tensor()->shape);
    std::vector<int64_t> yShape(read.shape.begin() + pick(random, 0, static_cast<int64_t>(read.shape.size())),
                                read.shape.end());
    for (int64_t& length : yShape)
      if (pick(random, 0, 3) == 0) length = 1;
    const Data y = rampOf(pick(random, 0, 1) == 1 ? static_cast<DType>(dtype) : DType::UInt8, yShape, 1);
    const auto mode = static_cast<Mode>(pick(random, 0, 2));
    OpCall call = incSubtensor(x, y, parts, mode);
    QCOMPARE(mismatch(call, {written(x, y, read, mode)}), std::string());
    call.destroys = {{0, 0}};
    QCOMPARE(mismatch(call, {written(x, y, read, mode)}), std::string());
  }
}

void TestAdvancedIndexing::equalPlaces_data() {
  QTest::addColumn<int>("mode");
  QTest::addColumn<QList<double>>("expected");
  QTest::newRow("set: the last wins") << static_cast<int>(Mode::Set) << QList<double>{10, 4, 2};
  QTest::newRow("add: each counts") << static_cast<int>(Mode::Add) << QList<double>{11, 28, 32};
  QTest::newRow("add, duplicates ignored") << static_cast<int>(Mode::AddLast) << QList<double>{11, 24, 32};
}

void TestAdvancedIndexing::equalPlaces() {
  QFETCH(const int, mode);
  QFETCH(const QList<double>, expected);
  const bool sets = mode == static_cast<int>(Mode::Set);
  const Data x = vectorOf<double>({10, 20, 30}), y = vectorOf<double>({1, 4, 2, 4});
  const IndexPart places = integers({4}, {0, 1, 2, -2});
  const Data y2 = sets ? vectorOf<double>({10, 1, 2, 4}) : y;
  const OpCall call = incSubtensor(x, y2, {places}, static_cast<Mode>(mode));
  QCOMPARE(mismatch(call, {vectorOf<double>({expected.begin(), expected.end()})}), std::string());
}

void TestAdvancedIndexing::indexTensorInTheMemoryWrittenTo() {
  // x[x] = [7, 8, 9], x being overwritten and its own index.
  std::vector<int64_t> memory{2, 0, 1}, values{7, 8, 9};
  int64_t length = 3, stride = 8;
  Graph graph;
  for (int k = 0; k < 4; ++k)
    graph.values.push_back({tensorType(DType::Int64, {kUnknownLength}), {}, nullptr, false});
  Node node;
  node.op = "AdvancedIncSubtensor";
  node.params = {{"idx_list", {2}}, {"set_instead_of_inc", true}};
  node.in = {0, 1, 2};
  node.out = {3};
  node.destroys = {{0, 0}};
  const Result<Lowered> lowered = lowerNode(NodeView{graph, node, "$"});
  QVERIFY(lowered.ok());
  Array x, y;
  for (Array* array : {&x, &y}) {
    array->dtype = DType::Int64;
    array->rank = 1;
    array->shape = &length;
    array->strides = &stride;
  }
  x.data = reinterpret_cast<std::byte*>(memory.data());
  y.data = reinterpret_cast<std::byte*>(values.data());
  Array index = x;
  Array* in[] = {&x, &y, &index};
  Array* out[] = {&x};
  Context context;
  QCOMPARE(lowered->run(in, out, context), 0);
  QCOMPARE(memory, (std::vector<int64_t>{8, 9, 7}));
}

void TestAdvancedIndexing::failuresLeaveXAlone_data() {
  QTest::addColumn<std::vector<IndexPart>>("parts");
  QTest::addColumn<std::vector<int64_t>>("yShape");
  QTest::addColumn<std::string>("expected");
  using Parts = std::vector<IndexPart>;
  const auto row = [](const char* name, const Parts& parts, const Shape& y, const std::string& text) {
    QTest::newRow(name) << parts << y << text;
  };
  row("too great", {integers({2}, {0, 3})}, {},
      "IndexError: index 3 is out of bounds for axis 0 of length 3");
  row("too small", {slice({}, {}, {}), integers({2}, {-4, -5})}, {},
      "IndexError: index -5 is out of bounds for axis 1 of length 4");
  row("late in a long list",
      {integers({3000},
                [] {
                  std::vector<int64_t> places(3000, 1);
                  places[2999] = 17;
                  return places;
                }())},
      {}, "IndexError: index 17 is out of bounds for axis 0 of length 3");
  row("a mask too short", {mask({2}, {1, 1})}, {},
      "IndexError: a bool index of shape (2,) does not match axes 0 to 0 of an array of shape (3, 4)");
  row("indices that do not broadcast", {integers({2}, {0, 1}), integers({3}, {0, 1, 2})}, {},
      "IndexError: index tensors cannot be broadcast together: one has shape (3,), others (2,)");
  row("step 0", {integers({1}, {0}), slice({}, {}, 0)}, {}, "ValueError: the step of a slice is 0");
  row("y does not fit", {integers({2}, {0, 1})}, {3},
      "ValueError: y of shape (3,) cannot be broadcast to shape (2, 4) of the indexed places");
  row("y has an axis more", {integers({2}, {0, 1})}, {1, 2, 4},
      "ValueError: y of shape (1, 2, 4) cannot be broadcast to shape (2, 4) of the indexed places");
}

void TestAdvancedIndexing::failuresLeaveXAlone() {
  QFETCH(const std::vector<IndexPart>, parts);
  QFETCH(const std::vector<int64_t>, yShape);
  QFETCH(const std::string, expected);
  const Data x = rampOf(DType::Float64, {3, 4});
  OpCall call = incSubtensor(x, rampOf(DType::Float64, yShape, 1), parts, Mode::Add);
  call.destroys = {{0, 0}};
  const OpOutcome outcome = callOp(call);
  QCOMPARE(outcome.errorText(), expected);
  QCOMPARE(difference(outcome.inputsAfter[0], x), std::string());
}

void TestAdvancedIndexing::rows() {
  const Data x = rampOf(DType::Float32, {4, 3}), i = vectorOf<int64_t>({3, -4, 3});
  const ReadPlaces read = placesOf({integers({3}, {3, -4, 3})}, {4, 3});
  const OpCall call{"AdvancedSubtensor1", {}, {x, i}, {tensorType(DType::Float32, {kUnknownLength, 3})}};
  QCOMPARE(mismatch(call, {readPlaces(x, read)}), std::string());
  const OpCall none{
      "AdvancedSubtensor1", {}, {x, vectorOf<int64_t>({})}, {tensorType(DType::Float32, {0, 3})}};
  QCOMPARE(mismatch(none, {rampOf(DType::Float32, {0, 3})}), std::string());
  for (const Mode mode : {Mode::Set, Mode::Add}) {
    const Data y = rampOf(DType::Float64, {3, 3}, 1);
    OpCall write{
        "AdvancedIncSubtensor1", {{"set_instead_of_inc", mode == Mode::Set}}, {x, y, i}, {typeOf(x)}};
    QCOMPARE(mismatch(write, {written(x, y, read, mode)}), std::string());
    write.destroys = {{0, 0}};
    QCOMPARE(mismatch(write, {written(x, y, read, mode)}), std::string());
  }
}

void TestAdvancedIndexing::rowsOfStaticAndOtherOnes() {
  const Data x = rampOf(DType::Float64, {4, 3}), y = rampOf(DType::Float64, {1, 3}, 1);
  const ReadPlaces read = placesOf({integers({2}, {1, 2})}, {4, 3});
  OpCall call{"AdvancedIncSubtensor1", {}, {x, y, vectorOf<int64_t>({1, 2})}, {typeOf(x)}};
  QCOMPARE(mismatch(call, {written(x, y, read, Mode::Add)}), std::string());
  call.inputTypes = {typeOf(x), withoutLengths(typeOf(y), true), tensorType(DType::Int64, {kUnknownLength})};
  QCOMPARE(
      callOp(call).errorText(),
      std::string("ValueError: y of shape (1, 3) cannot be broadcast to shape (2, 3) of the indexed places"));
}

void TestAdvancedIndexing::refusesWrongNodes_data() {
  QTest::addColumn<std::string>("params");
  QTest::addColumn<int>("indexDType");
  QTest::addColumn<std::string>("expected");
  const auto row = [](const char* name, const std::string& params, DType dtype, const std::string& text) {
    QTest::newRow(name) << params << static_cast<int>(dtype) << text;
  };
  const std::string node = "$.graph.nodes[0]", list = node + ".params.idx_list";
  row("no list", "{}", DType::Int64, list + ": expected a list with an entry for each indexed axis");
  row("a float tensor", R"({"idx_list": [2]})", DType::Float32,
      node + ": input 2 has to hold integers or bool, but is f32[2]");
  row("more axes than x has", R"({"idx_list": [2, 2, 2]})", DType::Int64,
      list + ": expected indices for at most the 2 axes of x, found 3");
  row("a tensor as bound", R"({"idx_list": [[2, null, null]]})", DType::Int64,
      node + ": input 2 has to be an integer scalar or 0-d tensor, but is i64[2]");
  row("a word for a flag", R"({"idx_list": [2], "ignore_duplicates": "no"})", DType::Int64,
      node + R"(.params.ignore_duplicates: expected true or false, found "no")");
}

void TestAdvancedIndexing::refusesWrongNodes() {
  QFETCH(const std::string, params);
  QFETCH(const int, indexDType);
  QFETCH(const std::string, expected);
  const Data x = rampOf(DType::Float64, {2, 2});
  const OpCall call{"AdvancedIncSubtensor",
                    nlohmann::json::parse(params),
                    {x, scalarOf(1.0), rampOf(static_cast<DType>(indexDType), {2})},
                    {typeOf(x)}};
  QCOMPARE(callOp(call).errorText(), expected);
}

QTEST_APPLESS_MAIN(TestAdvancedIndexing)
#include "tst_advanced_indexing.moc"
