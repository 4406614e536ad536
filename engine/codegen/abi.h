// The kernel ABI: what compiled nodes and library routines are called with.
//
//   int32_t kernel(Array* const* in, Array* const* out, Context* context)
//
// returns 0, or non-zero after something went wrong (context->fail said what, or the code is one of
// KernelError). Each value of a graph has one Array, shared by all its readers by pointer: a view or a
// changed input writes one descriptor, and no copy of it goes stale. IR reads the first three fields of Array
// and the first of Context; their offsets are part of the engine ABI version that is in every cache key.
#pragma once

#include "graph/data.h"
#include "graph/type.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace nodewise {

/// One value at run time. Tensors and scalars: `data` is the first element, `strides` are in bytes and may be
/// 0 or negative. Rng: `data` points to a RngState. All other kinds: `object` holds the value, `data` is
/// null. The producer of a value sets shape (and, for a view, strides and data); the VM allocates the rest.
struct Array {
  std::byte* data = nullptr;
  int64_t* shape = nullptr;   ///< `rank` lengths; storage belongs to the VM
  int64_t* strides = nullptr; ///< `rank` byte strides
  int32_t rank = 0;
  DType dtype = DType::Float64;
  Kind kind = Kind::Tensor;
  std::shared_ptr<const Data> object;

  template <class T> T* as() const { return reinterpret_cast<T*>(data); }
  int64_t size() const {
    int64_t n = 1;
    for (int32_t i = 0; i < rank; ++i) n *= shape[i];
    return n;
  }
  /// C-contiguous (axes of length 1 may have any stride; an empty array is contiguous).
  bool contiguous() const;
  /// A 0-d (or one-element) integer of any integral dtype, as int64 (uint64 above 2^63 wraps).
  int64_t toInt() const;
  /// A 0-d real number of any dtype, as double.
  double toDouble() const;
};

/// What a running node may ask of its surroundings.
struct Context {
  /// Loop plan of the running node (see loop_plan.h); null where the kernel has none. IR reads it at offset
  /// 0.
  int64_t* plan = nullptr;

  /// Records the error of the running node and returns a non-zero code to be returned from the kernel.
  /// `type` is the Python class that a recorded case would name: "ValueError", "IndexError", "LinAlgError",
  /// ...
  int32_t fail(std::string type, std::string message);
  /// Makes output `k` an owned C-contiguous array of this shape (for outputs whose size depends on values).
  /// Returns its data. Only for nodes that are lowered with `allocatesOutputs`.
  std::byte* allocate(int k, const int64_t* shape, int rank);

  std::string errorType, errorMessage;
  Array* const* outputs = nullptr; ///< of the running node, for allocate()
  void* owner = nullptr;           ///< the VM
  std::byte* (*allocateFn)(void* owner, Array* out, const int64_t* shape, int rank) = nullptr;
};

using KernelFn = int32_t (*)(Array* const* in, Array* const* out, Context* context);

/// Return codes that compiled kernels use, with the message the VM gives them.
enum class KernelError : int32_t { None = 0, Failed = 1, NegativeIntegerPower = 2, NegativeRadius = 3 };

/// Version of all of the above; part of every cache key.
inline constexpr int kEngineAbi = 1;

} // namespace nodewise
