// Scan: its params and how they must fit its inputs, its outputs and its body.
#include "ops/control.h"
#include "ops/families.h"
#include "ops/params.h"

#include <fmt/format.h>

#include <array>

namespace nodewise {
namespace {

Result<std::vector<std::vector<int64_t>>> tapsParam(const NodeView& node, std::string_view key) {
  std::vector<std::vector<int64_t>> lists;
  const auto& params = node.node.params;
  const auto it = params.find(std::string(key));
  if (it == params.end()) return lists;
  const Error bad = node.paramError(key, "expected a list of lists of integers");
  if (!it->is_array()) return bad;
  for (const auto& list : *it) {
    if (!list.is_array()) return bad;
    std::vector<int64_t> taps;
    for (const auto& tap : list) {
      if (!tap.is_number_integer()) return bad;
      const auto value = tap.get<int64_t>();
      if (value < -1'000'000 || value > 1'000'000)
        return node.paramError(key, "expected taps within a million steps");
      taps.push_back(value);
    }
    lists.push_back(std::move(taps));
  }
  return lists;
}

Result<int> countParam(const NodeView& node, std::string_view key) {
  NW_TRY(int64_t n, intParam(node, key, 0));
  if (n < 0 || n > 1'000'000) return node.paramError(key, "expected a number of values, 0 or more");
  return static_cast<int>(n);
}

Result<Lowered> lowerScan(const NodeView& node) {
  ControlParams params;
  params.kind = ControlParams::Kind::Scan;
  ScanParams& scan = params.scan;
  NW_TRY(scan.sequences, countParam(node, "n_seqs"));
  NW_TRY(scan.nitSots, countParam(node, "n_nit_sot"));
  NW_TRY(scan.untraced, countParam(node, "n_untraced"));
  NW_TRY(scan.nonSequences, countParam(node, "n_non_seqs"));
  NW_TRY(scan.mitMotIn, tapsParam(node, "mit_mot_in"));
  NW_TRY(scan.mitMotOut, tapsParam(node, "mit_mot_out"));
  NW_TRY(scan.mitSotIn, tapsParam(node, "mit_sot_in"));
  NW_TRY(auto sitSots, tapsParam(node, "sit_sot_in"));
  NW_TRY(scan.asWhile, boolParam(node, "as_while", false));
  scan.sitSots = static_cast<int>(sitSots.size());
  scan.mitSotIn.insert(scan.mitSotIn.end(), sitSots.begin(), sitSots.end());
  if (scan.mitMotIn.size() != scan.mitMotOut.size())
    return node.paramError("mit_mot_out",
                           fmt::format("expected {} lists, as in mit_mot_in", scan.mitMotIn.size()));

  size_t innerInputs = static_cast<size_t>(scan.sequences + scan.untraced + scan.nonSequences);
  size_t innerOutputs =
      static_cast<size_t>(scan.sots() + scan.nitSots + scan.untraced) + (scan.asWhile ? 1 : 0);
  for (const auto& taps : scan.mitMotIn) innerInputs += taps.size();
  for (const auto& taps : scan.mitMotOut) innerOutputs += taps.size();
  for (const auto& taps : scan.mitSotIn) innerInputs += taps.size();
  const size_t states = static_cast<size_t>(scan.mitMots() + scan.sots());
  const size_t outerInputs =
      1 + static_cast<size_t>(scan.sequences + scan.untraced + scan.nitSots + scan.nonSequences) + states;
  const size_t outerOutputs = states + static_cast<size_t>(scan.nitSots + scan.untraced);
  if (node.inputs() != outerInputs)
    return node.error(fmt::format("expected {} inputs by its params, found {}", outerInputs, node.inputs()));
  if (node.outputs() != outerOutputs)
    return node.error(
        fmt::format("expected {} outputs by its params, found {}", outerOutputs, node.outputs()));
  if (!node.node.inner) return node.paramError("graph", "expected a graph");
  const Graph& inner = *node.node.inner;
  if (inner.inputs.size() != innerInputs)
    return node.paramError(
        "graph", fmt::format("expected {} inputs by the params, found {}", innerInputs, inner.inputs.size()));
  if (inner.outputs.size() != innerOutputs)
    return node.paramError("graph", fmt::format("expected {} outputs by the params, found {}", innerOutputs,
                                                inner.outputs.size()));

  // Row types: the outer value has the time axis more than the inner one.
  auto innerIn = [&](size_t k) -> const Type& {
    return inner.values[static_cast<size_t>(inner.inputs[k])].type;
  };
  auto innerOut = [&](size_t k) -> const Type& {
    return inner.values[static_cast<size_t>(inner.outputs[k])].type;
  };
  auto isRow = [](const Type& row, const Type& whole) {
    return whole.kind == Kind::Tensor && row.kind == Kind::Tensor && row.dtype == whole.dtype &&
           row.rank() + 1 == whole.rank();
  };
  auto same = [](const Type& a, const Type& b) {
    return a.kind == b.kind && (a.kind != Kind::Tensor || (a.dtype == b.dtype && a.rank() == b.rank()));
  };
  size_t in = 1, at = 0, out = 0, result = 0;
  auto rowError = [&](std::string_view what, size_t k) {
    return node.error(
        fmt::format("{} {}: a row of {} does not fit the body", what, k, shortText(node.in(k))));
  };
  NW_CHECK(checkIndexScalar(node, 0));
  for (int s = 0; s < scan.sequences; ++s, ++in, ++at)
    if (!isRow(innerIn(at), node.in(in))) return rowError("sequence, input", in);
  for (int s = 0; s < scan.mitMots(); ++s, ++in, ++out) {
    for (size_t tap = 0; tap < scan.mitMotIn[static_cast<size_t>(s)].size(); ++tap, ++at)
      if (!isRow(innerIn(at), node.in(in))) return rowError("mit-mot state, input", in);
    for (size_t tap = 0; tap < scan.mitMotOut[static_cast<size_t>(s)].size(); ++tap, ++result)
      if (!isRow(innerOut(result), node.in(in))) return rowError("mit-mot state, output for input", in);
    if (!same(node.in(in), node.out(out)))
      return node.error(fmt::format("output {} is not of the type of its state, input {}", out, in));
  }
  for (int s = 0; s < scan.sots(); ++s, ++in, ++out, ++result) {
    for (size_t tap = 0; tap < scan.mitSotIn[static_cast<size_t>(s)].size(); ++tap, ++at)
      if (!isRow(innerIn(at), node.in(in))) return rowError("state, input", in);
    if (!isRow(innerOut(result), node.in(in))) return rowError("state, output for input", in);
    if (!same(node.in(in), node.out(out)))
      return node.error(fmt::format("output {} is not of the type of its state, input {}", out, in));
  }
  for (int s = 0; s < scan.nitSots; ++s, ++out, ++result)
    if (!isRow(innerOut(result), node.out(out)))
      return node.error(fmt::format("output {}: its rows do not fit the body", out));
  for (int s = 0; s < scan.untraced; ++s, ++in, ++out, ++at, ++result)
    if (!same(node.in(in), innerIn(at)) || !same(node.out(out), innerOut(result)))
      return node.error(fmt::format("untraced state, input {}, does not fit the body", in));
  for (int s = 0; s < scan.nitSots; ++s, ++in) NW_CHECK(checkIndexScalar(node, in));
  for (int s = 0; s < scan.nonSequences; ++s, ++in, ++at)
    if (!same(node.in(in), innerIn(at)))
      return node.error(fmt::format("input {} is {} outside and {} inside", in, shortText(node.in(in)),
                                    shortText(innerIn(at))));
  if (scan.asWhile && (innerOut(result).rank() != 0 ||
                       (innerOut(result).kind != Kind::Tensor && innerOut(result).kind != Kind::Scalar)))
    return node.paramError("graph", "expected a 0-d condition as last output");

  params.inner = node.node.inner;
  Lowered lowered;
  lowered.kind = NodeKind::Prebuilt;
  // A buffer may be written where it stands.
  for (const auto& pair : node.destroys()) lowered.inPlace.push_back(pair);
  lowered.control = std::make_shared<const ControlParams>(std::move(params));
  return lowered;
}

constexpr std::array kRows{
    OpRow{"Scan", "control", lowerScan, 1, "steps, sequences, states, lengths, non-sequences",
          "A loop over a body graph, whose nodes are compiled one by one; states live in buffers whose first "
          "axis is time."},
};

} // namespace

std::span<const OpRow> scanOps() { return kRows; }

} // namespace nodewise
