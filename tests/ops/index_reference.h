// Indexing by NumPy's rule, one element at a time: what the indexing ops are compared with.
#pragma once

#include "ops/op_harness.h"

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace nodewise::testing {

/// One entry of an idx_list, by value.
struct IndexPart {
  enum class Kind : uint8_t { Slice, Integers, Mask } kind = Kind::Slice;
  std::optional<int64_t> start, stop, step; ///< of a slice
  std::vector<int64_t> shape;               ///< of the tensor
  std::vector<int64_t> elements;            ///< of the tensor; a mask's are 0 or 1
};

/// The inputs that stand for a list of parts, and its JSON.
struct IndexInputs {
  nlohmann::json list = nlohmann::json::array();
  std::vector<Data> data;
  std::vector<Type> types;
};

/// Parts of slices and 0-d integers become scalars or 0-d tensors by turns. Positions count from `first`.
IndexInputs makeInputs(const std::vector<IndexPart>& parts, size_t first);

/// What a list of parts reads from an array of this shape.
struct ReadPlaces {
  std::vector<int64_t> shape;  ///< of the result
  std::vector<int64_t> places; ///< for each element of the result, in C order, its position in x in C order
};

/// Integers have to be in bounds, and masks to match.
ReadPlaces placesOf(const std::vector<IndexPart>& parts, const std::vector<int64_t>& xShape);

/// Python's slice of a list of `length` elements: the positions that it names.
std::vector<int64_t> slicePositions(const IndexPart& slice, int64_t length);

/// The elements of `x` at these places.
Data readPlaces(const Data& x, const ReadPlaces& read);
/// For each element of the result, in C order, the position in `y` (of shape `yShape`) that is broadcast
/// there.
std::vector<int64_t> broadcastPlaces(const std::vector<int64_t>& yShape, const std::vector<int64_t>& shape);

using Random = std::mt19937_64;
int64_t pick(Random& random, int64_t least, int64_t most);
/// Rank 0 to `mostRank`, lengths 0 (rarely) to 5.
std::vector<int64_t> randomShape(Random& random, int mostRank);
IndexPart randomSlice(Random& random, int64_t length);

} // namespace nodewise::testing
