#include "session/factor_outputs.h"

#include "ops/exponential_check.h"
#include "ops/factor_check.h"
#include "session/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nodewise {

namespace {

/// The node that gives `value`, or -1.
std::ptrdiff_t makerOf(const Graph& graph, ValueId value) {
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    if (std::ranges::find(graph.nodes[n].out, value) != graph.nodes[n].out.end())
      return static_cast<std::ptrdiff_t>(n);
  return -1;
}

/// The value that `value` is a copy of, through any number of copies.
ValueId originalOf(const Graph& graph, ValueId value) {
  constexpr std::array<std::string_view, 3> kCopies{"DeepCopyOp", "ViewOp", "CpuContiguous"};
  for (;;) {
    const std::ptrdiff_t maker = makerOf(graph, value);
    if (maker < 0) return value;
    const Node& node = graph.nodes[static_cast<size_t>(maker)];
    if (std::ranges::find(kCopies, node.op) == kCopies.end()) return value;
    value = node.in[0];
  }
}

/// The node that an op's rules speak of: the core of a Blockwise.
const Node& coreOf(const Node& node) {
  return node.op == "Blockwise" && node.inner && node.inner->nodes.size() == 1 ? node.inner->nodes[0] : node;
}

/// The graph up to a node, with that node's inputs and outputs as its outputs. Nothing is overwritten.
GraphFile upTo(const GraphFile& file, size_t last) {
  GraphFile part;
  part.path = file.path;
  part.name = file.name;
  part.graph.values = file.graph.values;
  part.graph.inputs = file.graph.inputs;
  part.graph.nodes.assign(file.graph.nodes.begin(),
                          file.graph.nodes.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  for (Node& node : part.graph.nodes) node.destroys.clear();
  const Node& node = part.graph.nodes.back();
  part.graph.outputs = node.in;
  part.graph.outputs.insert(part.graph.outputs.end(), node.out.begin(), node.out.end());
  return part;
}

std::vector<const Tensor*> tensorsOf(const std::vector<const Data*>& data) {
  std::vector<const Tensor*> tensors;
  for (const Data* one : data) tensors.push_back(one ? one->tensor() : nullptr);
  return tensors;
}

} // namespace

std::optional<FactorVerdict> checkFactorOutput(const Session& session, const std::shared_ptr<Engine>& engine,
                                               const Case& recorded, const std::vector<Data>& found, size_t k,
                                               std::stop_token stop) {
  const Graph& graph = session.file().graph;
  const ValueId factor = originalOf(graph, graph.outputs[k]);
  const std::ptrdiff_t maker = makerOf(graph, factor);
  if (maker < 0) return {};
  const Node& node = graph.nodes[static_cast<size_t>(maker)];
  const Node& core = coreOf(node);
  const auto position = static_cast<size_t>(std::ranges::find(node.out, factor) - node.out.begin());
  if (!isFactor(core, position)) return {};

  FactorVerdict verdict;
  const auto failed = [&](const Error& error) {
    verdict.wrong = fmt::format("the factors could not be checked: {}", error.text());
    return verdict;
  };
  auto part = Session::open(upTo(session.file(), static_cast<size_t>(maker)), session.settings(), engine);
  if (!part) return failed(part.error());
  auto compiled = (*part)->compile({}, {}, stop);
  if (!compiled) return failed(compiled.error());
  verdict.compile = *compiled;
  auto run = (*part)->run(recorded.inputs, 1, false, stop);
  if (!run) return failed(run.error());

  std::vector<const Data*> inputs, ours, theirs;
  for (size_t j = 0; j < node.in.size(); ++j) inputs.push_back(&run->outputs[j]);
  for (size_t j = 0; j < node.out.size(); ++j) {
    ours.push_back(&run->outputs[node.in.size() + j]);
    theirs.push_back(nullptr);
    for (size_t out = 0; out < graph.outputs.size() && out < found.size(); ++out)
      if (originalOf(graph, graph.outputs[out]) == node.out[j]) {
        ours.back() = &found[out];
        theirs.back() = &recorded.outputs[out];
      }
  }
  const std::vector<const Tensor*> in = tensorsOf(inputs), out = tensorsOf(ours), known = tensorsOf(theirs);
  const double tolerance =
      toleranceOf(recorded, session.file().graph.values[static_cast<size_t>(graph.outputs[k])].type.dtype)
          .rtol;
  verdict.wrong = checkFactors({core, in, out, known}, tolerance);
  if (verdict.wrong.empty() && std::ranges::find(known, nullptr) == known.end())
    if (const std::string why = checkFactors({core, in, known, {}}, tolerance); !why.empty())
      verdict.wrong = "the recorded factors: " + why;
  return verdict;
}

std::optional<std::string> checkExponentialOutput(const Graph& graph, const Case& recorded,
                                                  const std::vector<Data>& found, size_t k) {
  const std::ptrdiff_t maker = makerOf(graph, originalOf(graph, graph.outputs[k]));
  if (maker < 0) return {};
  const Node& node = graph.nodes[static_cast<size_t>(maker)];
  if (coreOf(node).op != "Expm" || node.in.size() != 1) return {};

  // Computed inputs carry rounding of their own, which the bound does not know.
  const ValueId source = originalOf(graph, node.in[0]);
  const auto input = std::ranges::find(graph.inputs, source);
  const Data* data = graph.values[static_cast<size_t>(source)].constant.get();
  if (input != graph.inputs.end()) data = &recorded.inputs[static_cast<size_t>(input - graph.inputs.begin())];
  const Tensor* a = data ? data->tensor() : nullptr;
  const Tensor *ours = found[k].tensor(), *theirs = recorded.outputs[k].tensor();
  if (!a || !ours || !theirs || (a->dtype != DType::Float32 && a->dtype != DType::Complex64)) return {};
  const Tolerance tolerance = toleranceOf(recorded, a->dtype);
  return checkExponential({*a, *ours, *theirs}, tolerance.rtol, tolerance.atol);
}

} // namespace nodewise
