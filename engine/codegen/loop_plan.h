// Loop plans: how a kernel walks its operands, worked out once while shapes repeat and read by the code from
// Context::plan. Axes are dropped (length 1), merged (where all operands allow it) and split into one inner
// loop, which the code has, and outer loops, which nodewise_advance walks. So the code depends on neither
// rank nor layout: one kernel serves all of them, and its cache key names dtypes only.
#pragma once

#include "codegen/abi.h"

#include <cstdint>
#include <span>
#include <vector>

namespace nodewise {

/// One operand of a loop: byte strides over the loop's axes (0 where it broadcasts).
struct LoopOperand {
  std::vector<int64_t> strides;
  int64_t innerStride =
      0; ///< what the vector loop expects along the inner axis: the element size, or 0 (broadcast)
};

/// Words of an odometer: total, rank, then shape[rank], counter[rank], strides[operand][rank].
struct OdometerLayout {
  static constexpr int64_t kTotal = 0, kRank = 1, kShape = 2;
};

/// Elementwise plan: [0] whether the vector loop applies (below), [1] inner length, [2 ..] inner stride of
/// each operand, then an odometer over the outer axes.
namespace elementwise_plan {
inline constexpr int64_t kVector = 0, kLength = 1, kStrides = 2;
inline constexpr int64_t odometer(int64_t operands) { return kStrides + operands; }
/// Values of [0]: no; yes; yes, with stores that bypass the cache. Or (never seen by kernels, see
/// runtime/packed_loop.h) not as the inputs lie, but on copies of some of them: kPack, with bit k of what is
/// shifted by kPackShift for input k.
inline constexpr int64_t kStrided = 0, kContiguous = 1, kStreaming = 2, kPack = 3;
inline constexpr int kPackShift = 2;
inline constexpr size_t kMaxPacked = 48; ///< inputs
} // namespace elementwise_plan

/// Writes an elementwise plan for a loop over `shape`.
void planElementwise(std::span<const int64_t> shape, std::vector<LoopOperand> operands,
                     std::vector<int64_t>& plan);

/// The inputs, a bit each, that keep an elementwise plan from its vector loop and are to be copied tile by
/// tile; 0 where that is not possible (outputs have to lie as the loop expects, and so does every input that
/// broadcasts) or too small to pay. `expected` has what the vector loop expects as strides of the inner axis,
/// inputs first.
uint64_t inputsToPack(std::span<const int64_t> plan, std::span<const int64_t> expected, size_t inputs);

/// Reduction plan, operands (input, output). The inner axis is a reduced one (`kModeReduced`) or a kept one
/// (`kModeKept`, rows accumulate into a block): whichever gives long contiguous inner loops.
/// [0] mode, [1] 1 if inner strides are contiguous, [2] inner length, [3] inner input stride, [4] inner
/// output stride, [5] number of reduced elements, [6] word of the reduced odometer, then the kept odometer
/// (input, output), then the reduced odometer (input).
namespace reduction_plan {
inline constexpr int64_t kMode = 0, kVector = 1, kLength = 2, kInStride = 3, kOutStride = 4, kReduced = 5,
                         kReducedOdometer = 6, kKeptOdometer = 7;
inline constexpr int64_t kModeReduced = 0, kModeKept = 1;
} // namespace reduction_plan

/// `reduced[axis]` says which axes of the input go; `outStrides` has one entry for each kept axis, in order.
/// `keepOrder`: elements must be visited in C order within the reduced axes (Argmax), so axes are not
/// reordered and the inner axis is always a reduced one.
void planReduction(std::span<const int64_t> shape, std::span<const int64_t> inStrides,
                   const std::vector<bool>& reduced, std::span<const int64_t> outStrides, int64_t inSize,
                   int64_t outSize, bool keepOrder, std::vector<int64_t>& plan);

extern "C" {
/// One step of an odometer over `operands` pointers; returns 0 after the last step (and is then at the start
/// again). Compiled kernels call it by this name.
int64_t nodewise_advance(int64_t* odometer, std::byte** pointers, int64_t operands);
}

} // namespace nodewise
