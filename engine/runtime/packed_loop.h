// Elementwise kernels on inputs that are not contiguous along the inner axis (transposed, every second
// element).
//
// The kernel's strided loop works on one element at a time, and calls scalar functions where there are vector
// ones. So such inputs are copied into small contiguous tiles, and the vector loop runs on these: exp of
// every second element takes 0.8 ns an element where there are a hundred of them, and 5 ns one by one.
#pragma once

#include "codegen/abi.h"
#include "numeric/strided_planes.h"

#include <memory>
#include <span>
#include <vector>

namespace nodewise {

/// How a loop over rows (the last of the outer axes) and columns (the inner axis) is cut into tiles. Strides
/// in bytes.
struct PackedLoop {
  struct Operand {
    int64_t column = 0, row = 0;
    std::vector<int64_t> outer; ///< over the other axes
    int64_t size = 0;           ///< of an element
    PlaneFn copy = nullptr;     ///< into `tile`; null where the operand is read and written where it lies
    std::byte* tile = nullptr;
  };
  std::vector<Operand> operands; ///< inputs, then outputs
  int64_t rows = 1, columns = 1;
  std::vector<int64_t> shape; ///< of the other axes
  int64_t tileRows = 1, tileColumns = 1;

  // Scratch, made once.
  std::vector<int64_t> plan;    ///< the kernel's, for one tile
  std::vector<int64_t> counter; ///< over the other axes
  std::vector<std::byte*> at;   ///< of each operand: the first element of the current rows and columns
  std::vector<Array> arrays;    ///< of each operand: what the kernel gets
  std::vector<Array*> in, out;
  std::vector<std::byte> memory; ///< of the tiles
};

/// Null where the plan does not ask for it (see elementwise_plan::kPack).
std::unique_ptr<PackedLoop> makePackedLoop(std::span<const int64_t> plan, std::span<Array* const> in,
                                           std::span<Array* const> out);

/// Runs the kernel on all tiles; returns what it returns. Allocates nothing.
int32_t runPacked(PackedLoop& loop, KernelFn kernel, std::span<Array* const> in, std::span<Array* const> out,
                  Context& context);

} // namespace nodewise
