// What the kinds of RandomVariable share: batch axes, parameters, and how one draw of each kind is made.
#pragma once

#include "numeric/strided.h"
#include "numeric/random/samplers.h"
#include "ops/contiguous_input.h"
#include "ops/op.h"

#include <array>

namespace nodewise::random {

/// Inputs of a RandomVariable: generator, size, then parameters.
inline constexpr size_t kFirstParameter = 2;

struct RandomKind;

/// A RandomVariable's params, checked.
struct RandomNode {
  const RandomKind* kind = nullptr;
  const Samplers* samplers = nullptr;
  const Distribution* distribution = nullptr; ///< of single numbers; else null
  std::vector<int> coreRanks;                 ///< axes of each parameter that one draw takes, its last ones
  int drawRank = 0;                           ///< axes of one draw
  std::string method;                         ///< multivariate_normal's

  const Array& parameter(Array* const* in, size_t k) const { return *in[kFirstParameter + k]; }
  int coreRank(size_t k) const { return coreRanks[k]; }
};

/// How draws of one `dist` are made.
struct RandomKind {
  std::string_view dist;
  int leastParameters, mostParameters;
  /// Where the node has no `signature`: axes of each parameter and of a draw.
  std::array<int, 3> coreRanks;
  int drawRank;
  /// Bit k: the value of parameter k decides the shape of a draw.
  uint64_t shapeFromParameters;
  /// Sets the lengths of a draw's own axes. Returns 0 or fails.
  int32_t (*drawShape)(const RandomNode& node, Array* const* in, int64_t* lengths, Context& context);
  /// Fills `out` (C-contiguous). Returns 0 or fails; the generator's value then does not matter.
  int32_t (*fill)(const RandomNode& node, RngState& rng, Array* const* in, const Array& out,
                  Context& context);
};

/// The kinds whose draws or parameters have axes of their own: categorical, multinomial, ...
std::span<const RandomKind> vectorKinds();    // random_vector.cpp
std::span<const RandomKind> selectionKinds(); // random_selection.cpp
/// Draws of single numbers, by RandomNode::distribution.
const RandomKind& numberKind(); // random_numbers.cpp

/// The axes over which draws repeat.
struct Batch {
  int rank = 0;
  std::array<int64_t, kMaxRank> shape{};

  int64_t size() const;
};

/// `rank` axes: size's value, or the parameters' batch axes broadcast together. Fails with ValueError where
/// these do not fit.
int32_t inferBatch(const RandomNode& node, Array* const* in, int rank, Batch& batch, Context& context);
/// The batch axes of an output of the right shape.
Batch batchOf(const RandomNode& node, const Array& out);

/// One parameter, converted and C-contiguous, and where each batch index finds its core elements.
class ParameterBlocks {
public:
  ParameterBlocks(const Array& array, DType dtype, int coreRank, const Batch& batch);

  const std::byte* data() const { return m_values.data(); }
  template <class T> std::span<const T> at(int64_t offset) const {
    return {reinterpret_cast<const T*>(m_values.data() + offset), static_cast<size_t>(m_coreSize)};
  }
  /// Of all elements, not repeated by broadcasting.
  template <class T> std::span<const T> all() const {
    return {m_values.as<T>(), static_cast<size_t>(m_values.size())};
  }
  const int64_t* strides() const { return m_strides.data(); } ///< bytes, one for each batch axis
  int64_t coreSize() const { return m_coreSize; }

private:
  ContiguousInput m_values;
  int64_t m_coreSize = 1;
  std::array<int64_t, kMaxRank> m_strides{};
};

int32_t valueError(Context& context, std::string message);

} // namespace nodewise::random
