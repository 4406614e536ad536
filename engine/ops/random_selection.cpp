// Draws that reorder or choose: permutation, choice_without_replacement.
#include "numeric/index_walk.h"
#include "numeric/random/selection.h"
#include "ops/array_access.h"
#include "ops/random_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace nodewise::random {

namespace {

/// What is drawn from: the rows of `items`, or, where it is a number n, 0 ... n - 1.
struct Population {
  Population(const Array& items, DType dtype, int coreRank, const Batch& batch)
      : blocks(items, coreRank == 0 ? DType::Int64 : dtype, coreRank, batch), isCount(coreRank == 0),
        rows(isCount ? 0 : items.shape[items.rank - coreRank]), rowBytes(dtypeSize(dtype)) {
    for (int axis = items.rank - coreRank + 1; axis < items.rank; ++axis) rowBytes *= items.shape[axis];
  }
  int64_t size(int64_t offset) const {
    return isCount ? std::max<int64_t>(blocks.at<int64_t>(offset)[0], 0) : rows;
  }
  /// Writes the chosen rows to `to` and moves it on.
  void take(int64_t offset, const std::vector<int64_t>& chosen, DType dtype, std::byte*& to) const {
    for (const int64_t k : chosen) {
      if (isCount)
        convertElement(to, dtype, reinterpret_cast<const std::byte*>(&k), DType::Int64);
      else
        std::memcpy(to, blocks.data() + offset + k * rowBytes, static_cast<size_t>(rowBytes));
      to += rowBytes;
    }
  }

  ParameterBlocks blocks;
  bool isCount;
  int64_t rows, rowBytes;
};

int32_t permutationShape(const RandomNode& node, Array* const* in, int64_t* lengths, Context& context) {
  const Array& x = node.parameter(in, 0);
  if (const int coreRank = node.coreRank(0); coreRank > 0) {
    std::copy_n(x.shape + x.rank - coreRank, coreRank, lengths);
    return 0;
  }
  const ContiguousInput counts(x, DType::Int64);
  const std::span<const int64_t> all(counts.as<int64_t>(), static_cast<size_t>(counts.size()));
  lengths[0] = all.empty() ? 0 : std::max<int64_t>(all[0], 0);
  if (std::ranges::any_of(all, [&](int64_t n) { return std::max<int64_t>(n, 0) != lengths[0]; }))
    return valueError(context, "permutations of different lengths do not form an array");
  return 0;
}

int32_t fillPermutation(const RandomNode& node, RngState& rng, Array* const* in, const Array& out, Context&) {
  const Batch batch = batchOf(node, out);
  const Population population(node.parameter(in, 0), out.dtype, node.coreRank(0), batch);
  std::byte* to = out.data;
  forEachIndex<1>(batch.shape.data(), batch.rank, {population.blocks.strides()}, [&](const auto& offsets) {
    population.take(offsets[0], permutationOf(*node.samplers, rng, population.size(offsets[0])), out.dtype,
                    to);
  });
  return 0;
}

// choice_without_replacement (a, p?, shape)

bool hasWeights(const RandomNode& node) { return node.coreRanks.size() == 3; }
const Array& choiceShapeParameter(const RandomNode& node, Array* const* in) {
  return node.parameter(in, node.coreRanks.size() - 1);
}

/// The shape is the same for all batch indices; the first row is read.
int32_t choiceShape(const RandomNode& node, Array* const* in, int64_t* lengths, Context& context) {
  const Array &a = node.parameter(in, 0), &shape = choiceShapeParameter(node, in);
  const int rest = std::max(node.coreRank(0) - 1, 0), own = node.drawRank - rest;
  if (shape.shape[shape.rank - 1] != own)
    return valueError(context,
                      fmt::format("the shape has {} lengths, expected {}", shape.shape[shape.rank - 1], own));
  if (own > 0 && shape.size() == 0) return valueError(context, "no shape to choose for");
  Array row = shape;
  row.shape = shape.shape + shape.rank - 1;
  row.strides = shape.strides + shape.rank - 1;
  row.rank = 1;
  for (int k = 0; k < own; ++k) {
    lengths[k] = intAt(row, k);
    if (lengths[k] < 0) return valueError(context, "negative dimensions are not allowed");
  }
  std::copy_n(a.shape + a.rank - rest, rest, lengths + own);
  return 0;
}

int32_t checkWeights(std::span<const double> p, double tolerance, int64_t population, int64_t count,
                     Context& context) {
  if (static_cast<int64_t>(p.size()) != population) return valueError(context, "a and p must have same size");
  const double sum = compensatedSum(p);
  if (std::isnan(sum)) return valueError(context, "Probabilities contain NaN");
  if (std::ranges::any_of(p, [](double x) { return x < 0.0; }))
    return valueError(context, "Probabilities are not non-negative");
  if (std::fabs(sum - 1.0) > tolerance) return valueError(context, "Probabilities do not sum to 1");
  if (std::ranges::count_if(p, [](double x) { return x > 0.0; }) < count)
    return valueError(context, "Fewer non-zero entries in p than size");
  return 0;
}

/// NumPy's: the square root of an epsilon of p's dtype, at least of double's.
double sumTolerance(DType dtype) {
  if (dtype == DType::Float16) return 0x1p-5;
  return dtype == DType::Float32 ? std::sqrt(0x1p-23) : std::sqrt(0x1p-52);
}

struct Choice {
  const RandomNode& node;
  const Population& population;
  const ParameterBlocks* weights;
  double tolerance;
  int64_t count;

  int32_t operator()(RngState& rng, int64_t offset, int64_t weightsOffset, std::vector<int64_t>& chosen,
                     Context& context) const {
    const int64_t size = population.size(offset);
    if (size == 0 && count != 0)
      return valueError(context, "a must not be empty unless no samples are taken");
    if (count > size)
      return valueError(context, "Cannot take a larger sample than population when replace is False");
    if (!weights) {
      chosen = sampleWithoutReplacement(*node.samplers, rng, size, count);
      return 0;
    }
    const std::span<const double> p = weights->at<double>(weightsOffset);
    if (const int32_t code = checkWeights(p, tolerance, size, count, context)) return code;
    chosen = weightedSampleWithoutReplacement(rng, {p.begin(), p.end()}, count);
    return 0;
  }
};

int32_t fillChoice(const RandomNode& node, RngState& rng, Array* const* in, const Array& out,
                   Context& context) {
  const Batch batch = batchOf(node, out);
  const Population population(node.parameter(in, 0), out.dtype, node.coreRank(0), batch);
  // Without weights a stand-in that is not read.
  const Array& weightsArray = node.parameter(in, hasWeights(node) ? 1 : 0);
  const ParameterBlocks weights(weightsArray, DType::Float64, hasWeights(node) ? 1 : node.coreRank(0), batch);
  int64_t count = 1;
  for (int axis = batch.rank; axis < batch.rank + node.drawRank - std::max(node.coreRank(0) - 1, 0); ++axis)
    count *= out.shape[axis];
  const Choice choice{node, population, hasWeights(node) ? &weights : nullptr,
                      sumTolerance(weightsArray.dtype), count};
  std::byte* to = out.data;
  std::vector<int64_t> chosen;
  int32_t code = 0;
  forEachIndex<2>(batch.shape.data(), batch.rank, {population.blocks.strides(), weights.strides()},
                  [&](const auto& offsets) {
                    if (code == 0) code = choice(rng, offsets[0], offsets[1], chosen, context);
                    if (code == 0) population.take(offsets[0], chosen, out.dtype, to);
                  });
  return code;
}

constexpr RandomKind kKinds[] = {
    {"choice_without_replacement", 2, 3, {1, 1, 1}, 1, 0b110, choiceShape, fillChoice},
    {"permutation", 1, 1, {1}, 1, 0b1, permutationShape, fillPermutation},
};

} // namespace

std::span<const RandomKind> selectionKinds() { return kKinds; }

} // namespace nodewise::random
