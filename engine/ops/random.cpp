// RandomVariable and DefaultGeneratorMakerOp.
#include "numeric/random/seed_sequence.h"
#include "ops/array_access.h"
#include "ops/families.h"
#include "ops/linear_algebra.h"
#include "ops/params.h"
#include "ops/random_node.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

namespace {

using namespace random;

constexpr std::string_view kWithoutNumpy = "built without NumPy's sampler library (Debian: python3-numpy)";

const Distribution* findDistribution(std::string_view dist) {
  const Samplers* samplers = numpySamplers();
  if (!samplers) return nullptr;
  const auto it = std::ranges::find(samplers->distributions, dist, &Distribution::name);
  return it == samplers->distributions.end() ? nullptr : &*it;
}

const RandomKind* findKind(std::string_view dist) {
  for (const auto kinds : {vectorKinds(), selectionKinds()})
    for (const RandomKind& kind : kinds)
      if (kind.dist == dist) return &kind;
  return nullptr;
}

/// Axes named in each pair of parentheses: "(),(n,n)" gives 0, 2.
std::vector<int> axesOf(std::string_view side) {
  std::vector<int> axes;
  for (size_t open = side.find('('); open != side.npos; open = side.find('(', open)) {
    const size_t close = std::min(side.find(')', open), side.size());
    const std::string_view inside = side.substr(open + 1, close - open - 1);
    axes.push_back(inside.empty() ? 0 : static_cast<int>(std::ranges::count(inside, ',')) + 1);
    open = close;
  }
  return axes;
}

/// Sets coreRanks and drawRank from the `signature`, or from the kind where there is none.
Result<void> readSignature(const NodeView& node, size_t parameters, RandomNode& random) {
  NW_TRY(const std::string signature, textParam(node, "signature", std::string()));
  if (signature.empty()) {
    const auto& ranks = random.kind->coreRanks;
    random.coreRanks.assign(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(parameters));
    random.drawRank = random.kind->drawRank;
    return {};
  }
  const size_t arrow = signature.find("->");
  const std::vector<int> outputs =
      arrow == signature.npos ? std::vector<int>{} : axesOf(signature.substr(arrow));
  random.coreRanks = axesOf(signature.substr(0, std::min(arrow, signature.size())));
  if (outputs.size() != 1 || random.coreRanks.size() != parameters)
    return node.paramError("signature",
                           fmt::format("\"(..),..->(..)\" for {} parameters and one draw", parameters));
  random.drawRank = outputs[0];
  return {};
}

/// Every kind but the selections has one possible signature.
Result<void> checkSignature(const NodeView& node, const RandomNode& random) {
  const RandomKind& kind = *random.kind;
  const std::span<const RandomKind> selections = selectionKinds();
  if (&kind >= selections.data() && &kind < selections.data() + selections.size()) return {};
  const bool asExpected =
      random.drawRank == kind.drawRank &&
      std::equal(random.coreRanks.begin(), random.coreRanks.end(), kind.coreRanks.begin());
  if (!asExpected)
    return node.paramError("signature", "the axes that this distribution's parameters and draws have");
  return {};
}

/// A selection draws rows of its first parameter, or numbers below it.
Result<void> checkSelection(const NodeView& node, const RandomNode& random) {
  const auto& ranks = random.coreRanks;
  if (random.kind->dist == "permutation") {
    if (random.drawRank != std::max(ranks[0], 1))
      return node.paramError("signature", "a draw of the items' rank");
  } else if (random.kind->dist == "choice_without_replacement") {
    const bool weighted = ranks.size() == 3;
    if ((weighted && ranks[1] != 1) || ranks.back() != 1)
      return node.paramError("signature", "vectors of probabilities and of lengths");
    if (random.drawRank < std::max(ranks[0] - 1, 0))
      return node.paramError("signature", "a draw of whole items");
  }
  return {};
}

Result<void> checkTypes(const NodeView& node, const RandomNode& random) {
  if (node.in(0).kind != Kind::Rng) return node.error("input 0 must be a generator");
  if (node.out(0).kind != Kind::Rng) return node.error("output 0 must be a generator");
  if (node.in(1).kind != Kind::None) NW_CHECK(checkIndexVector(node, 1));
  NW_CHECK(checkOutTensor(node, 1));
  const int batchRank = node.out(1).rank() - random.drawRank;
  if (batchRank < 0) return node.error(fmt::format("output 1 must have at least {} axes", random.drawRank));
  for (size_t k = 0; k < random.coreRanks.size(); ++k) {
    const size_t input = kFirstParameter + k;
    NW_CHECK(checkTensor(node, input));
    if (isComplex(node.in(input).dtype)) return node.error(fmt::format("input {} must be real", input));
    const int axes = node.in(input).rank() - random.coreRanks[k];
    if (axes < 0 || axes > batchRank)
      return node.error(fmt::format("input {} must have {} to {} axes", input, random.coreRanks[k],
                                    random.coreRanks[k] + batchRank));
  }
  return {};
}

/// The parameters' number is right for the kind.
Result<void> checkCount(const NodeView& node, const RandomNode& random, size_t parameters) {
  const auto count = static_cast<int>(parameters);
  const bool fits = random.distribution
                        ? count == random.distribution->parameterCount
                        : count >= random.kind->leastParameters && count <= random.kind->mostParameters;
  if (!fits) return node.error(fmt::format("has {} parameters, which is not what its `dist` takes", count));
  return {};
}

uint64_t valuesForShape(const RandomNode& random) {
  uint64_t bits = valueBit(1);
  for (size_t k = 0; k < random.coreRanks.size(); ++k) {
    const bool isItems = k == 0 && random.coreRanks[0] > 0; // only their lengths matter
    if ((random.kind->shapeFromParameters >> k & 1) && !isItems) bits |= valueBit(kFirstParameter + k);
  }
  return bits;
}

Lowered loweredDraw(const NodeView& node, RandomNode random) {
  const auto shape = [random](Array* const* in, Array* const* out, Context& context) {
    Array& draw = *out[1];
    Batch batch;
    if (const int32_t code = inferBatch(random, in, draw.rank - random.drawRank, batch, context)) return code;
    std::copy_n(batch.shape.begin(), batch.rank, draw.shape);
    return random.kind->drawShape(random, in, draw.shape + batch.rank, context);
  };
  const auto run = [random](Array* const* in, Array* const* out, Context& context) {
    RngState rng = *in[0]->as<RngState>();
    if (const int32_t code = random.kind->fill(random, rng, in, *out[1], context)) return code;
    *out[0]->as<RngState>() = rng;
    return 0;
  };
  Lowered lowered = Lowered::prebuilt(shape, linalg::catchingBadAlloc(run), valuesForShape(random));
  if (std::ranges::find(node.destroys(), std::pair(0, 0)) != node.destroys().end())
    lowered.inPlace = {{0, 0}};
  return lowered;
}

Result<Lowered> lowerRandomVariable(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 5, 2, 2));
  NW_TRY(const std::string dist, textParam(node, "dist"));
  if (!numpySamplers()) return Lowered::unsupported(std::string(kWithoutNumpy));
  RandomNode random;
  random.samplers = numpySamplers();
  random.distribution = findDistribution(dist);
  random.kind = random.distribution ? &numberKind() : findKind(dist);
  if (!random.kind) return Lowered::unsupported(fmt::format("unknown distribution {}", dist));
  const size_t parameters = node.inputs() - kFirstParameter;
  NW_CHECK(checkCount(node, random, parameters));
  NW_CHECK(readSignature(node, parameters, random));
  NW_CHECK(checkSignature(node, random));
  NW_CHECK(checkSelection(node, random));
  NW_CHECK(checkTypes(node, random));
  if (dist == "multivariate_normal") {
    NW_TRY(random.method, choiceParam(node, "method", {"cholesky", "svd", "eigh"}, std::string("cholesky")));
  }
  return loweredDraw(node, std::move(random));
}

// DefaultGeneratorMakerOp

/// The 32-bit words of an integer, low word first, at least one.
void appendWords(uint64_t value, std::vector<uint32_t>& words) {
  words.push_back(static_cast<uint32_t>(value));
  if (value >> 32) words.push_back(static_cast<uint32_t>(value >> 32));
}

int32_t runMaker(Array* const* in, Array* const* out, Context& context) {
  std::vector<uint32_t> words;
  if (in[0]->kind == Kind::None) {
    words = systemEntropy();
  } else {
    const bool isUnsigned = in[0]->dtype == DType::UInt64;
    const ContiguousInput seed(*in[0], DType::Int64);
    for (const int64_t value : std::span(seed.as<int64_t>(), static_cast<size_t>(seed.size()))) {
      if (value < 0 && !isUnsigned) return context.fail("ValueError", "expected non-negative integer");
      appendWords(static_cast<uint64_t>(value), words);
    }
  }
  *out[0]->as<RngState>() = defaultGenerator(words);
  return 0;
}

Result<Lowered> lowerGeneratorMaker(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  if (node.out(0).kind != Kind::Rng) return node.error("output 0 must be a generator");
  const Type& seed = node.in(0);
  const bool isTensor = seed.kind == Kind::Tensor || seed.kind == Kind::Scalar;
  if (seed.kind != Kind::None && !(isTensor && isIntegral(seed.dtype)))
    return node.error("the seed must be None or integers");
  return Lowered::prebuilt({}, linalg::catchingBadAlloc(runMaker));
}

constexpr OpRow kRows[] = {
    {"DefaultGeneratorMakerOp", "random", lowerGeneratorMaker, 1, "seed",
     "A PCG64 generator from a seed (None, or integers), as NumPy's default_rng makes it."},
    {"RandomVariable", "random", lowerRandomVariable, 1, "generator, size, parameters",
     "Draws from a distribution (`dist`) with NumPy's samplers, element by element in C order. Gives the "
     "advanced "
     "generator and the draw."},
};

} // namespace

std::span<const OpRow> randomOps() { return kRows; }

} // namespace nodewise
