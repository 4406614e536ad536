// Every op's examples (resources/op_examples.json, computed by NumPy and SciPy): in every memory layout of
// the inputs, with known and unknown lengths, over an input that may be overwritten; and made wrong in many
// ways.
#include "graph_text.h"

#include "graph/generate.h"
#include "numeric/strided.h"
#include "ops/examples.h"
#include "ops/op.h"
#include "ops/param_docs.h"
#include "ops/scalar_op.h"
#include "session/compare.h"
#include "session/factor_outputs.h"

#include <algorithm>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

/// Read once: all rows of an op share them.
const std::vector<GraphFile>& examples(const QString& op) {
  static std::map<QString, std::vector<GraphFile>> known;
  const auto [it, isNew] = known.try_emplace(op);
  if (isNew)
    if (auto found = examplesOf(op.toStdString())) it->second = std::move(*found);
  return it->second;
}

/// What a view node before the op makes of an input.
struct Layout {
  const char* name;
  int64_t step; ///< of the slice that is taken of each axis; 0: the axes are turned around instead
};
constexpr Layout kLayouts[] = {{"reversed", -1}, {"spread", 2}, {"spread and reversed", -3}, {"Fortran", 0}};

ValueId addValue(Graph& graph, Type type, std::optional<Data> constant = {}) {
  Value value;
  value.type = std::move(type);
  if (constant) value.constant = std::make_shared<const Data>(std::move(*constant));
  graph.values.push_back(std::move(value));
  return static_cast<ValueId>(graph.values.size() - 1);
}

/// The elements of `tensor` placed so that taking every step-th of each axis (or turning the axes) gives them
/// back. Gaps are filled with ones.
Tensor laidOut(const Tensor& tensor, int64_t step) {
  const size_t rank = tensor.shape.size();
  Tensor out{tensor.dtype, tensor.shape, {}};
  for (int64_t& length : out.shape) length *= std::max<int64_t>(1, std::abs(step));
  if (step == 0) std::ranges::reverse(out.shape);
  const auto size = static_cast<size_t>(dtypeSize(tensor.dtype));
  out.bytes.assign(static_cast<size_t>(elementCount(out.shape)) * size, std::byte{1});
  std::vector<int64_t> index(rank, 0);
  for (size_t k = 0; k < static_cast<size_t>(elementCount(tensor.shape)); ++k) {
    int64_t at = 0;
    for (size_t axis = 0; axis < rank; ++axis) {
      const size_t from = step == 0 ? rank - 1 - axis : axis;
      const int64_t i =
          step < 0 ? out.shape[axis] - 1 + step * index[from] : index[from] * std::max<int64_t>(step, 1);
      at = at * out.shape[axis] + i;
    }
    std::memcpy(out.bytes.data() + static_cast<size_t>(at) * size, tensor.bytes.data() + k * size, size);
    for (size_t axis = rank; axis-- > 0;) {
      if (++index[axis] < tensor.shape[axis]) break;
      index[axis] = 0;
    }
  }
  return out;
}

/// Puts a view before each tensor input, and lays its elements out for it.
GraphFile withLayout(GraphFile file, int64_t step) {
  Graph& graph = file.graph;
  const Node op = graph.nodes[0];
  graph.nodes.clear();
  Node last = op;
  for (size_t k = 0; k < graph.inputs.size(); ++k) {
    const ValueId input = graph.inputs[k];
    const Type type = graph.values[static_cast<size_t>(input)].type;
    const Tensor* tensor = file.cases[0].inputs[k].tensor();
    if (type.kind != Kind::Tensor || type.rank() == 0 || !tensor) continue;
    Node view;
    view.in = {input};
    view.out = {addValue(graph, type)};
    if (step == 0) {
      view.op = "DimShuffle";
      view.params["new_order"] = nlohmann::json::array();
      for (int axis = type.rank(); axis-- > 0;) view.params["new_order"].push_back(axis);
    } else {
      view.op = "Subtensor";
      const auto places = static_cast<size_t>(type.rank());
      view.params["idx_list"] = nlohmann::json(places, {nullptr, nullptr, 1});
      Type number;
      number.kind = Kind::Tensor;
      number.dtype = DType::Int64;
      view.in.push_back(addValue(graph, number, tensorOf<int64_t>({}, {step})));
    }
    Type& outer = graph.values[static_cast<size_t>(input)].type;
    for (int64_t& length : outer.shape) length = kUnknownLength;
    if (step == 0) {
      outer.shape = type.shape;
      std::ranges::reverse(outer.shape);
    }
    file.cases[0].inputs[k] = Data{laidOut(*tensor, step)};
    std::ranges::replace(last.in, input, view.out[0]);
    graph.nodes.push_back(std::move(view));
  }
  graph.nodes.push_back(std::move(last));
  return file;
}

/// The op may write over each input that an output looks like; the case's own inputs stay as they are.
GraphFile withPermissions(GraphFile file) {
  Graph& graph = file.graph;
  Node op = graph.nodes[0];
  graph.nodes.clear();
  int output = 0;
  for (const ValueId result : op.out) {
    for (size_t k = 0; k < op.in.size(); ++k) {
      const Type type = graph.values[static_cast<size_t>(op.in[k])].type;
      const Type& made = graph.values[static_cast<size_t>(result)].type;
      const bool taken = std::ranges::any_of(
          op.destroys, [k](const auto& pair) { return pair.second == static_cast<int>(k); });
      if (type.kind != Kind::Tensor || made.kind != Kind::Tensor || type.dtype != made.dtype ||
          type.rank() != made.rank() || taken)
        continue;
      Node copy;
      copy.op = "DeepCopyOp";
      copy.in = {op.in[k]};
      copy.out = {addValue(graph, type)};
      op.in[k] = copy.out[0];
      op.destroys.emplace_back(output, static_cast<int>(k));
      graph.nodes.push_back(std::move(copy));
      break;
    }
    ++output;
  }
  graph.nodes.push_back(std::move(op));
  return file;
}

/// All lengths of the inputs are known; outputs keep what they said.
GraphFile withLengths(GraphFile file) {
  for (size_t k = 0; k < file.graph.inputs.size(); ++k)
    if (const Tensor* tensor = file.cases[0].inputs[k].tensor())
      file.graph.values[static_cast<size_t>(file.graph.inputs[k])].type.shape = tensor->shape;
  return file;
}

/// "" where the case's outputs come out, or right factors.
std::string wrongIn(const GraphFile& file) {
  auto session = Session::open(file, withoutCache(), sharedEngine());
  if (!session) return session.error().text();
  if (std::string why = (*session)->whyNotRunnable(); !why.empty()) return why;
  const Case& recorded = file.cases[0];
  auto result = (*session)->run(recorded.inputs, 2, false, {});
  if (!result) return result.error().text();
  for (size_t k = 0; k < recorded.outputs.size(); ++k) {
    std::string why = difference(result->outputs[k], recorded.outputs[k], recorded);
    if (why.empty()) continue;
    const auto factors = checkFactorOutput(**session, sharedEngine(), recorded, result->outputs, k, {});
    if (!factors || !factors->wrong.empty()) return "output " + std::to_string(k) + ": " + why;
  }
  return {};
}

/// `data` as `type` wants it; false where an element would change.
bool convertTo(Data& data, const Type& type) {
  if (auto* list = std::get_if<ListData>(&data.v)) {
    for (Data& item : list->items)
      if (!type.elem || !convertTo(item, *type.elem)) return false;
    return true;
  }
  auto* sparse = std::get_if<SparseData>(&data.v);
  Tensor* tensor = sparse ? &sparse->data : std::get_if<Tensor>(&data.v);
  if (!tensor || tensor->dtype == type.dtype) return true;
  Tensor other{type.dtype, tensor->shape, {}};
  const int64_t count = elementCount(tensor->shape), from = dtypeSize(tensor->dtype),
                to = dtypeSize(type.dtype);
  other.bytes.resize(static_cast<size_t>(count * to));
  std::vector<std::byte> back(static_cast<size_t>(from));
  for (int64_t k = 0; k < count; ++k) {
    convertElement(other.bytes.data() + k * to, other.dtype, tensor->bytes.data() + k * from, tensor->dtype);
    convertElement(back.data(), tensor->dtype, other.bytes.data() + k * to, other.dtype);
    if (std::memcmp(back.data(), tensor->bytes.data() + k * from, back.size()) != 0) return false;
  }
  *tensor = std::move(other);
  return true;
}

/// `data` in a shorter floating dtype.
bool rounded(Data& data, const Type& type) {
  auto* tensor = std::get_if<Tensor>(&data.v);
  if (!tensor) return false;
  Tensor other{type.dtype, tensor->shape, {}};
  const int64_t count = elementCount(tensor->shape), from = dtypeSize(tensor->dtype),
                to = dtypeSize(type.dtype);
  other.bytes.resize(static_cast<size_t>(count * to));
  for (int64_t k = 0; k < count; ++k)
    convertElement(other.bytes.data() + k * to, other.dtype, tensor->bytes.data() + k * from, tensor->dtype);
  *tensor = std::move(other);
  return true;
}

/// The example in another dtype, if that holds its inputs exactly and changes nothing of what it computes.
std::optional<GraphFile> inDType(const GraphFile& file, DType dtype) {
  const bool floats = std::ranges::any_of(file.cases[0].inputs, [](const Data& data) {
    return data.tensor() && !isIntegral(data.tensor()->dtype);
  });
  if (!floats) return {}; // other integers wrap elsewhere
  GraphFile other = file;
  other.graph = withDType(file.graph, dtype);
  for (size_t k = 0; k < other.graph.inputs.size(); ++k)
    if (!convertTo(other.cases[0].inputs[k],
                   other.graph.values[static_cast<size_t>(other.graph.inputs[k])].type))
      return {};
  for (size_t k = 0; k < other.graph.outputs.size(); ++k) {
    const Type& type = other.graph.values[static_cast<size_t>(other.graph.outputs[k])].type;
    // Results need not fit exactly, but have to fit: fractions not into integers.
    if (!convertTo(other.cases[0].outputs[k], type) &&
        (isIntegral(type.dtype) || !rounded(other.cases[0].outputs[k], type)))
      return {};
  }
  // Short floats round their inputs' sums, products and roots.
  if (dtype == DType::Float32 || dtype == DType::Complex64) other.cases[0].rtol = 2e-5;
  if (dtype == DType::Float16) other.cases[0].rtol = 2e-2;
  return other;
}

void addExampleRows() {
  QTest::addColumn<QString>("op");
  for (const std::string& name : namesWithExamples())
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

Type typeFrom(const char* text) {
  auto type = readType(nlohmann::json::parse(text), "$");
  return type ? *type : Type();
}

/// One wrong (or at least another) form of a node.
struct Mistake {
  std::string what;
  GraphFile file;
};

std::vector<Mistake> mistakesIn(const GraphFile& file) {
  const Type others[] = {typeFrom(R"({"kind":"none"})"),
                         typeFrom(R"({"kind":"slice"})"),
                         typeFrom(R"({"kind":"rng"})"),
                         typeFrom(R"({"kind":"scalar","dtype":"float64"})"),
                         typeFrom(R"({"kind":"list","elem":{"kind":"tensor","dtype":"bool","shape":[]}})"),
                         typeFrom(R"({"kind":"sparse","format":"csc","dtype":"int8","shape":[null,null]})"),
                         typeFrom(R"({"kind":"tensor","dtype":"complex64","shape":[null,null,null]})"),
                         typeFrom(R"({"kind":"tensor","dtype":"int8","shape":[]})")};
  const nlohmann::json values[] = {nullptr,
                                   -1,
                                   1000000000,
                                   "x",
                                   1.5,
                                   true,
                                   nlohmann::json::array({-1}),
                                   nlohmann::json::array({0, 0}),
                                   nlohmann::json::object()};
  std::vector<Mistake> all;
  const auto add = [&](std::string what, const auto& change) {
    Mistake mistake{std::move(what), file};
    change(mistake.file.graph, mistake.file.graph.nodes[0]);
    all.push_back(std::move(mistake));
  };
  const Node& node = file.graph.nodes[0];
  add("an input less", [](Graph&, Node& n) {
    if (!n.in.empty()) n.in.pop_back();
  });
  add("an input more", [](Graph&, Node& n) {
    if (!n.in.empty()) n.in.push_back(n.in[0]);
  });
  add("an output less", [](Graph& g, Node& n) {
    n.out.pop_back();
    g.outputs.pop_back();
  });
  add("an output more",
      [&](Graph& g, Node& n) { n.out.push_back(addValue(g, typeFrom(R"({"kind":"none"})"))); });
  for (const auto* list : {&node.in, &node.out})
    for (const ValueId id : *list)
      for (const Type& type : others)
        add("value " + std::to_string(id) + " is " + shortText(type),
            [&](Graph& g, Node&) { g.values[static_cast<size_t>(id)].type = type; });
  for (const auto& [key, old] : node.params.items()) {
    add("without " + key, [key = key](Graph&, Node& n) { n.params.erase(key); });
    for (const nlohmann::json& value : values)
      add(key + " is " + value.dump(), [&, key = key](Graph&, Node& n) { n.params[key] = value; });
  }
  return all;
}

} // namespace

class TestOpExamples : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void everyOpHasAnExample() {
    const std::vector<std::string> names = namesWithExamples();
    std::vector<std::string> without;
    const auto look = [&](std::string_view name) {
      if (std::ranges::find(names, name) == names.end()) without.emplace_back(name);
    };
    for (const OpRow& row : opTable()) {
      QVERIFY2(!row.doc.empty() && !row.inputs.empty(), std::string(row.name).c_str());
      if (row.doc.substr(0, 12) != "Unsupported:") look(row.name);
    }
    for (const ScalarOpRow& row : scalarOpTable()) {
      QVERIFY2(!row.doc.empty(), std::string(row.name).c_str());
      look(row.name);
    }
    QCOMPARE(without, std::vector<std::string>());
  }

  void everyParamOfAnExampleIsDocumented() {
    std::vector<std::string> unknown;
    for (const std::string& name : namesWithExamples())
      for (const GraphFile& file : examples(QString::fromStdString(name))) {
        const Node& node = file.graph.nodes[0];
        std::vector<std::string> params;
        for (const auto& [key, value] : node.params.items()) params.push_back(key);
        if (node.inner) params.emplace_back(innerKey(node.op));
        for (const std::string& param : params)
          if (std::ranges::none_of(paramDocs(), [&](const ParamDoc& doc) {
                return doc.op == node.op && doc.name == param && !doc.doc.empty();
              }))
            unknown.push_back(node.op + "." + param);
      }
    QCOMPARE(unknown, std::vector<std::string>());
    for (const ParamDoc& doc : paramDocs()) QVERIFY2(findOp(doc.op), std::string(doc.op).c_str());
  }

  void examplesPassOnEveryDType_data() { addExampleRows(); }
  /// The example with its floating numbers in another dtype that holds them all exactly: the same results.
  void examplesPassOnEveryDType() {
    QFETCH(QString, op);
    for (const GraphFile& file : examples(op)) {
      const std::vector<DType> dtypes = dtypesOf(file);
      QVERIFY(!dtypes.empty());
      // The tests for a root's convergence are finer than short floats.
      if (op.startsWith("Root")) continue;
      for (const DType dtype : {DType::Float16, DType::Float32, DType::Complex128}) {
        if (std::ranges::find(dtypes, dtype) == dtypes.end()) continue;
        const std::optional<GraphFile> other = inDType(file, dtype);
        if (!other) continue;
        const std::string wrong = wrongIn(*other);
        QVERIFY2(wrong.empty(), (std::string(dtypeName(dtype)) + ": " + wrong).c_str());
      }
    }
  }

  void examplesPass_data() { addExampleRows(); }
  void examplesPass() {
    QFETCH(QString, op);
    QVERIFY(!examples(op).empty());
    for (const GraphFile& file : examples(op)) {
      QCOMPARE(wrongIn(file), std::string());
      QCOMPARE(wrongIn(withLengths(file)), std::string());
      QVERIFY(!exampleText(file).empty());
    }
  }

  void examplesPassInEveryLayout_data() { addExampleRows(); }
  void examplesPassInEveryLayout() {
    QFETCH(QString, op);
    for (const GraphFile& file : examples(op))
      for (const Layout& layout : kLayouts) {
        const std::string wrong = wrongIn(withLayout(file, layout.step));
        QVERIFY2(wrong.empty(), (std::string(layout.name) + ": " + wrong).c_str());
      }
  }

  void examplesPassWhereInputsMayBeOverwritten_data() { addExampleRows(); }
  void examplesPassWhereInputsMayBeOverwritten() {
    QFETCH(QString, op);
    for (const GraphFile& file : examples(op)) QCOMPARE(wrongIn(withPermissions(file)), std::string());
  }

  void mistakesAreErrorsThatNameTheirNode_data() { addExampleRows(); }
  /// Whatever is done to a node, it is refused with its place in the file, or it runs, or its run fails; it
  /// never crashes. (Nodes that still make kernels are not run: what is wrong with them is their arithmetic.)
  void mistakesAreErrorsThatNameTheirNode() {
    QFETCH(QString, op);
    int refused = 0;
    for (const GraphFile& file : examples(op))
      for (const Mistake& mistake : mistakesIn(file)) {
        auto session = Session::open(mistake.file, withoutCache(), sharedEngine());
        if (!session) {
          ++refused;
          QVERIFY2(session.error().text().find("$.graph.nodes[0]") != std::string::npos,
                   (mistake.what + ": " + session.error().text()).c_str());
          continue;
        }
        const NodeKind kind = (*session)->nodes()[0].kind;
        auto inputs = exampleInputs(mistake.file.graph);
        if (kind == NodeKind::Kernel || !(*session)->whyNotRunnable().empty() || !inputs) continue;
        auto result = (*session)->run(*inputs, 1, false, {});
        QVERIFY2(result || !result.error().what.empty(), mistake.what.c_str());
      }
    QVERIFY(refused > 0);
  }
};

QTEST_GUILESS_MAIN(TestOpExamples)
#include "tst_op_examples.moc"
