#include "graph/generate.h"

#include "graph/graph_builder.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <span>

#include <fmt/format.h>

namespace nodewise {

namespace {

using nlohmann::json;

constexpr int64_t kWidth = 8;
constexpr size_t kWeights = 12; ///< matrices that the blocks share
constexpr DType kF64 = DType::Float64;
constexpr int64_t kSteps = 3; ///< of a recurrent block

Type rows(int64_t width) { return tensorType(kF64, {kUnknownLength, width}); }

Data tensorOf(const Type& type, const std::vector<double>& numbers) {
  const auto bytes = std::as_bytes(std::span(numbers));
  return Data{Tensor{kF64, type.shape, {bytes.begin(), bytes.end()}}};
}

json elementwise(const char* scalarOp) { return {{"scalar_op", scalarOp}}; }

/// x s + (y - x s) s with s = sigmoid(g), fused as a producer's rewriting would.
std::shared_ptr<const Graph> gateGraph() {
  const Type f64 = scalarType(kF64);
  GraphBuilder b;
  const ValueId x = b.input(f64), g = b.input(f64), y = b.input(f64);
  const ValueId s = b.apply("sigmoid", {g}, f64);
  const ValueId kept = b.apply("mul", {x, s}, f64);
  const ValueId difference = b.apply("sub", {y, kept}, f64);
  const ValueId scaled = b.apply("mul", {difference, s}, f64);
  b.graph.outputs = {b.apply("add", {kept, scaled}, f64)};
  return std::make_shared<const Graph>(std::move(b.graph));
}

/// Softmax over the last axis of a matrix.
std::shared_ptr<const Graph> softmaxGraph() {
  const Type matrix = rows(kUnknownLength), vector = tensorType(kF64, {kUnknownLength}), column = rows(1);
  const json asColumn{{"new_order", {0, "x"}}};
  GraphBuilder b;
  const ValueId x = b.input(matrix);
  const ValueId greatest = b.apply("Max", {x}, vector, {{"scalar_op", "maximum"}, {"axis", {1}}});
  const ValueId shift = b.apply("DimShuffle", {greatest}, column, asColumn);
  const ValueId shifted = b.apply("Elemwise", {x, shift}, matrix, elementwise("sub"));
  const ValueId powers = b.apply("Elemwise", {shifted}, matrix, elementwise("exp"));
  const ValueId total = b.apply("Sum", {powers}, vector, {{"scalar_op", "add"}, {"axis", {1}}});
  const ValueId divisor = b.apply("DimShuffle", {total}, column, asColumn);
  b.graph.outputs = {b.apply("Elemwise", {powers, divisor}, matrix, elementwise("true_div"))};
  return std::make_shared<const Graph>(std::move(b.graph));
}

/// One step of a recurrent block: tanh(h W).
std::shared_ptr<const Graph> stepGraph() {
  GraphBuilder b;
  const ValueId h = b.input(rows(kWidth), "h"), w = b.input(tensorType(kF64, {kWidth, kWidth}), "W");
  const ValueId product = b.apply("Dot22", {h, w}, rows(kWidth));
  b.graph.outputs = {b.apply("Elemwise", {product}, rows(kWidth), elementwise("tanh"))};
  return std::make_shared<const Graph>(std::move(b.graph));
}

/// Makes a network block by block; every block takes and gives f64[?,8], between about -1 and 1.
class Network {
public:
  Network(int nodes, uint64_t seed) : m_limit(static_cast<size_t>(std::max(nodes, 0))), m_random(seed) {}

  Graph build() {
    m_b.graph.nodes.reserve(m_limit);
    ValueId x = m_b.input(rows(kWidth), "x");
    for (int stage = 0; room(1); ++stage) x = addStage(stage, x);
    m_b.graph.outputs = {x};
    return std::move(m_b.graph);
  }

private:
  struct Block {
    const char* name;
    size_t nodes;
    ValueId (Network::*add)(ValueId x);
  };
  static const std::array<Block, 6> kBlocks;

  bool room(size_t nodes) const { return m_limit - m_b.graph.nodes.size() >= nodes; }

  /// The same few kinds of blocks over and over, as networks are.
  ValueId addStage(int stage, ValueId x) {
    std::array<size_t, 3> pattern{};
    for (size_t& kind : pattern) kind = 1 + m_random() % (kBlocks.size() - 1); // the first is for filling up
    const uint64_t repeats = 2 + m_random() % 6;
    for (uint64_t block = 0; block < repeats && room(1); ++block)
      for (const size_t kind : pattern)
        x = addBlock(kBlocks[kind], fmt::format("net/stage{}/block{}", stage, block), x);
    return x;
  }

  /// Near the end, where a whole block no longer fits, single nodes make up the number.
  ValueId addBlock(const Block& block, const std::string& scope, ValueId x) {
    if (!room(1)) return x;
    const Block& fitting = room(block.nodes) ? block : kBlocks[0];
    m_scope = fmt::format("{}/{}", scope, fitting.name);
    m_line = 20 * static_cast<int>(&fitting - kBlocks.data()) + 10;
    return (this->*fitting.add)(x);
  }

  ValueId apply(std::string op, std::vector<ValueId> in, Type out, json params = json::object(),
                std::shared_ptr<const Graph> inner = {}) {
    const ValueId id =
        m_b.apply(std::move(op), std::move(in), std::move(out), std::move(params), std::move(inner));
    m_b.lastNode().scope = m_scope;
    m_b.lastNode().origin = fmt::format("network.py:{}", m_line++);
    return id;
  }
  ValueId elemwise(const char* scalarOp, std::vector<ValueId> in) {
    return apply("Elemwise", std::move(in), rows(kWidth), elementwise(scalarOp));
  }
  /// DimShuffle, whose output is a view.
  ValueId shuffle(ValueId x, Type out, json order) {
    const ValueId id = apply("DimShuffle", {x}, std::move(out), {{"new_order", std::move(order)}});
    m_b.lastNode().views = {{0, 0}};
    return id;
  }

  /// Uniform between -1 and 1: large enough that numbers do not die away over many layers. (The standard's
  /// distributions differ between libraries.)
  ValueId weights(int64_t height, const std::string& name) {
    const Type type = tensorType(kF64, {height, kWidth});
    std::vector<double> numbers(static_cast<size_t>(height * kWidth));
    for (double& number : numbers) number = static_cast<double>(m_random() >> 11) * 0x1p-52 - 1;
    return m_b.constant(type, tensorOf(type, numbers), name);
  }
  ValueId pooled(std::vector<ValueId>& pool, int64_t height, const char* name) {
    const size_t k = m_random() % kWeights;
    if (k < pool.size()) return pool[k];
    pool.push_back(weights(height, fmt::format("{}{}", name, pool.size())));
    return pool.back();
  }
  ValueId product(ValueId x) { return apply("Dot22", {x, pooled(m_matrices, kWidth, "W")}, rows(kWidth)); }
  ValueId number(int64_t value, bool scalar) {
    const auto [it, missing] = m_numbers.try_emplace({value, scalar}, ValueId{-1});
    if (missing) it->second = m_b.integer(value, scalar);
    return it->second;
  }

  /// Keeps the divisor of a norm away from 0.
  ValueId little() {
    const Type type = tensorType(kF64, {1, 1});
    if (m_little < 0) m_little = m_b.constant(type, tensorOf(type, {0.01}));
    return m_little;
  }

  ValueId addActivation(ValueId x) { return elemwise("tanh", {x}); }

  ValueId addDense(ValueId x) {
    const ValueId biased = elemwise("add", {product(x), pooled(m_biases, 1, "b")});
    return elemwise("tanh", {biased});
  }

  ValueId addNorm(ValueId x) {
    const ValueId squares = elemwise("sqr", {x});
    const ValueId total =
        apply("Sum", {squares}, tensorType(kF64, {kUnknownLength}), {{"scalar_op", "add"}, {"axis", {1}}});
    const ValueId column = shuffle(total, rows(1), {0, "x"});
    const ValueId sum = apply("Elemwise", {column, little()}, rows(1), elementwise("add"));
    const ValueId length = apply("Elemwise", {sum}, rows(1), elementwise("sqrt"));
    return elemwise("true_div", {x, length});
  }

  ValueId addGate(ValueId x) {
    const ValueId gate = product(x);
    const ValueId mixed =
        apply("Elemwise", {x, gate, product(x)}, rows(kWidth), elementwise("composite"), m_gate);
    return elemwise("tanh", {mixed});
  }

  ValueId addAttention(ValueId x) {
    const ValueId query = product(x), keys = product(x), values = product(x);
    const ValueId columns = shuffle(keys, tensorType(kF64, {kWidth, kUnknownLength}), {1, 0});
    const ValueId scores = apply("Dot22", {query, columns}, rows(kUnknownLength));
    const ValueId shares =
        apply("OpFromGraph", {scores}, rows(kUnknownLength), {{"class", "Softmax"}}, m_softmax);
    const ValueId mean = apply("Dot22", {shares, values}, rows(kWidth));
    return elemwise("tanh", {elemwise("add", {x, mean})});
  }

  /// A loop over a buffer of two rows, of which the first is x; the last row goes out.
  ValueId addRecurrent(ValueId x) {
    const Type buffer = tensorType(kF64, {2, kUnknownLength, kWidth});
    const ValueId height = apply("Shape_i", {x}, tensorType(DType::Int64, {}), {{"i", 0}});
    const ValueId start = apply("Alloc", {x, number(2, false), height, number(kWidth, false)}, buffer);
    const json params{{"n_seqs", 0},
                      {"mit_mot_in", json::array()},
                      {"mit_mot_out", json::array()},
                      {"n_nit_sot", 0},
                      {"mit_sot_in", json::array()},
                      {"sit_sot_in", {json::array({-1})}},
                      {"n_untraced", 0},
                      {"n_non_seqs", 1},
                      {"as_while", false}};
    const ValueId states = apply("Scan", {number(kSteps, false), start, pooled(m_matrices, kWidth, "W")},
                                 buffer, params, m_step);
    const ValueId last = apply("Subtensor", {states, number(-1, true)}, rows(kWidth), {{"idx_list", {1}}});
    m_b.lastNode().views = {{0, 0}};
    return last;
  }

  size_t m_limit;
  std::mt19937_64 m_random;
  GraphBuilder m_b;
  std::string m_scope;
  int m_line = 0;
  std::vector<ValueId> m_matrices, m_biases;
  ValueId m_little = -1;
  std::map<std::pair<int64_t, bool>, ValueId> m_numbers; ///< constants that are made when first asked for
  std::shared_ptr<const Graph> m_gate = gateGraph(), m_softmax = softmaxGraph(), m_step = stepGraph();
};

const std::array<Network::Block, 6> Network::kBlocks{{{"activation", 1, &Network::addActivation},
                                                      {"dense", 3, &Network::addDense},
                                                      {"norm", 6, &Network::addNorm},
                                                      {"gate", 4, &Network::addGate},
                                                      {"attention", 9, &Network::addAttention},
                                                      {"recurrent", 4, &Network::addRecurrent}}};

} // namespace

GraphFile generateNetwork(int nodes, uint64_t seed) {
  GraphFile file;
  file.graph = Network(nodes, seed).build();
  file.name = fmt::format("network of {} nodes", file.graph.nodes.size());
  file.source = fmt::format("generated, seed {}", seed);
  return file;
}

} // namespace nodewise
