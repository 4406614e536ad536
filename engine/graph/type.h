// The type of a value in a function graph.
#pragma once

#include "graph/dtype.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nodewise {

enum class Kind : uint8_t { Tensor, Scalar, Rng, Slice, None, List, Sparse, Opaque };

/// A length that is not known when the graph is built.
inline constexpr int64_t kUnknownLength = -1;

/// NumPy's limit; a file that says more axes is refused.
inline constexpr int kMostAxes = 64;

struct Type {
  Kind kind = Kind::Opaque;
  DType dtype = DType::Float64;     ///< tensor, scalar, sparse
  std::vector<int64_t> shape;       ///< tensor, sparse: a length or kUnknownLength for each axis
  std::string text;                 ///< rng: bit generator; sparse: "csr" or "csc"; opaque: its repr
  std::shared_ptr<const Type> elem; ///< list: the type of its elements

  int rank() const { return static_cast<int>(shape.size()); }
  /// The axis has static length 1, and so may broadcast.
  bool broadcasts(int axis) const { return shape[static_cast<size_t>(axis)] == 1; }
  bool operator==(const Type& other) const;
};

std::string_view kindName(Kind kind);
/// Short text for edges and tables: "f64[919]", "f32[?,3]", "i64 scalar", "rng", "csr f64[?,?]".
std::string shortText(const Type& type);

} // namespace nodewise
