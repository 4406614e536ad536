// Draws of single numbers: normal, poisson, ...
#include "numeric/element.h"
#include "numeric/index_walk.h"
#include "ops/random_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace nodewise::random {

namespace {

constexpr size_t kMost = 3;
/// Destroyed in reverse order, as their scratch memory wants.
using Blocks = std::array<std::optional<ParameterBlocks>, kMost>;

struct Draws {
  const Distribution& distribution;
  const Batch& batch;
  Blocks blocks;

  size_t parameters() const { return static_cast<size_t>(distribution.parameterCount); }

  /// One value of each parameter serves all draws.
  bool parametersAreEqual() const {
    return std::ranges::all_of(blocks, [](const std::optional<ParameterBlocks>& block) {
      return !block || block->all<Parameter>().size() == 1;
    });
  }

  /// Calls visit(parameters of a draw), in C order of the draws.
  template <class Visit> void forEach(Visit&& visit) const {
    if (!parametersAreEqual()) return forEachDifferent(visit);
    const auto p = first();
    for (int64_t draw = batch.size(); draw > 0; --draw) visit(p);
  }

  /// The same, but once only where the parameters of all draws are equal.
  template <class Visit> void forEachDifferent(Visit&& visit) const {
    if (parametersAreEqual()) return visit(first());
    static constexpr std::array<int64_t, kMaxRank> kStill{};
    std::array<const int64_t*, kMost> strides;
    std::array<const std::byte*, kMost> data{};
    for (size_t k = 0; k < kMost; ++k) {
      strides[k] = blocks[k] ? blocks[k]->strides() : kStill.data();
      data[k] = blocks[k] ? blocks[k]->data() : nullptr;
    }
    std::array<Parameter, kMost> p{};
    forEachIndex<kMost>(batch.shape.data(), batch.rank, strides, [&](const auto& offsets) {
      for (size_t k = 0; k < parameters(); ++k) p[k] = load<Parameter>(data[k] + offsets[k]);
      visit(p);
    });
  }

private:
  std::array<Parameter, kMost> first() const {
    std::array<Parameter, kMost> p{};
    for (size_t k = 0; k < parameters(); ++k) p[k] = blocks[k]->all<Parameter>()[0];
    return p;
  }
};

int32_t checkConstraints(const Draws& draws, Context& context) {
  for (size_t k = 0; k < draws.parameters(); ++k) {
    const ParameterRow& row = draws.distribution.parameters[k];
    for (const Parameter& value : draws.blocks[k]->all<Parameter>())
      if (!satisfies(row.constraint, row.isInteger, value))
        return valueError(context, fmt::format("{} of {} must be {}", row.name, draws.distribution.name,
                                               constraintText(row.constraint)));
  }
  return 0;
}

int32_t checkTogether(const Draws& draws, Context& context) {
  if (!draws.distribution.fault) return 0;
  if (draws.distribution.faultOfDraws && draws.batch.size() == 0) return 0;
  Fault fault;
  draws.forEachDifferent([&](const auto& p) {
    if (!fault.what) fault = draws.distribution.fault(p.data());
  });
  return fault.what ? context.fail(fault.type, fault.what) : 0;
}

/// SciPy's rule: all scales 0, nothing is drawn.
bool isDegenerate(const Draws& draws) {
  const int scale = draws.distribution.scale;
  return scale >= 0 && std::ranges::all_of(draws.blocks[static_cast<size_t>(scale)]->all<double>(),
                                           [](double s) { return s == 0.0; });
}

/// Draws whose parameters depend on another draw: all of the others come first.
template <class Store> void drawInTwoSteps(const Draws& draws, RngState& rng, Store&& store) {
  const Distribution& d = draws.distribution;
  std::vector<double> first;
  draws.forEach([&](const auto& p) { first.push_back(d.first(rng, p.data())); });
  size_t next = 0;
  draws.forEach([&](auto p) {
    p[static_cast<size_t>(d.firstPosition)].real = first[next++];
    store(d.integer(rng, p.data()));
  });
}

/// Calls store(number) for every draw.
template <class Store> void drawAll(const Draws& draws, RngState& rng, Store&& store) {
  const Distribution& d = draws.distribution;
  if (isDegenerate(draws))
    draws.forEach(
        [&](const auto& p) { store(d.location < 0 ? 0.0 : p[static_cast<size_t>(d.location)].real); });
  else if (d.first)
    drawInTwoSteps(draws, rng, store);
  else if (d.real)
    draws.forEach([&](const auto& p) { store(d.real(rng, p.data())); });
  else
    draws.forEach([&](const auto& p) { store(d.integer(rng, p.data())); });
}

int32_t fillNumbers(const RandomNode& node, RngState& rng, Array* const* in, const Array& out,
                    Context& context) {
  const Batch batch = batchOf(node, out);
  Draws draws{*node.distribution, batch, {}};
  for (size_t k = 0; k < draws.parameters(); ++k) {
    const DType dtype = node.distribution->parameters[k].isInteger ? DType::Int64 : DType::Float64;
    draws.blocks[k].emplace(node.parameter(in, k), dtype, 0, batch);
  }
  if (const int32_t code = checkConstraints(draws, context)) return code;
  if (const int32_t code = checkTogether(draws, context)) return code;
  withType(out.dtype, [&]<class T>(std::type_identity<T>) {
    T* place = out.as<T>();
    drawAll(draws, rng, [&](auto number) { *place++ = convertTo<T>(number); });
  });
  return 0;
}

int32_t noAxes(const RandomNode&, Array* const*, int64_t*, Context&) { return 0; }

} // namespace

const RandomKind& numberKind() {
  static constexpr RandomKind kind{"", 1, 3, {0, 0, 0}, 0, 0, noAxes, fillNumbers};
  return kind;
}

} // namespace nodewise::random
