// Values with their contents: constants of a graph, inputs and outputs of recorded cases.
#pragma once

#include "graph/dtype.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace nodewise {

/// A C-contiguous array. `bytes` holds product(shape) elements, little-endian.
struct Tensor {
  DType dtype = DType::Float64;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;

  template <class T> const T* as() const { return reinterpret_cast<const T*>(bytes.data()); }
  template <class T> T* as() { return reinterpret_cast<T*>(bytes.data()); }
};

/// Product of the lengths; 1 for rank 0; the greatest int64 where the product overflows.
int64_t elementCount(const std::vector<int64_t>& shape);

__extension__ typedef unsigned __int128 UInt128;

/// The full state of a NumPy bit generator of the PCG64 family.
struct RngState {
  enum class Generator : uint32_t { PCG64, PCG64DXSM };
  UInt128 state = 0;
  UInt128 inc = 0;
  Generator generator = Generator::PCG64;
  uint32_t hasUint32 = 0; ///< NumPy keeps the unused half of a 64-bit draw ...
  uint32_t uinteger = 0;  ///< ... here
  uint32_t reserved = 0;
};

struct SliceData {
  std::optional<int64_t> start, stop, step;
};
struct NoneData {};
struct OpaqueData {
  std::string repr;
};
/// SciPy's csr (rows compressed) or csc (columns compressed).
struct SparseData {
  bool csc = false;
  std::array<int64_t, 2> shape{0, 0};
  Tensor data, indices, indptr;
};
struct Data;
struct ListData {
  std::vector<Data> items;
};

struct Data {
  std::variant<Tensor, RngState, SliceData, NoneData, ListData, SparseData, OpaqueData> v;

  const Tensor* tensor() const { return std::get_if<Tensor>(&v); }
};

} // namespace nodewise
