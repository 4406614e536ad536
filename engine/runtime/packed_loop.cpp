#include "runtime/packed_loop.h"

#include "codegen/loop_plan.h"

#include <algorithm>
#include <cstdlib>

namespace nodewise {

namespace {

namespace ep = elementwise_plan;

/// Elements of a tile: 16 kB of doubles, so that some inputs stay in the first-level cache.
constexpr int64_t kTile = 2048;
/// Rows of a tile that is transposed: lines of memory that are read across are used whole.
constexpr int64_t kTransposedRows = 32;
constexpr size_t kAlignment = 64;

void chooseTile(PackedLoop& loop) {
  bool transposes = false;
  for (const PackedLoop::Operand& operand : loop.operands)
    transposes =
        transposes || (operand.copy && std::abs(operand.row) < std::abs(operand.column) && operand.row != 0);
  loop.tileColumns = std::min(loop.columns, transposes ? kTile / kTransposedRows : kTile);
  loop.tileRows = std::clamp<int64_t>(kTile / loop.tileColumns, 1, loop.rows);
}

/// The kernel's plan for a tile: an inner loop over columns, an odometer of one axis over rows.
void makeTilePlan(PackedLoop& loop) {
  loop.plan = {ep::kContiguous, loop.tileColumns};
  for (const PackedLoop::Operand& operand : loop.operands)
    loop.plan.push_back(operand.copy ? operand.size : operand.column);
  loop.plan.insert(loop.plan.end(), {loop.tileRows, 1, loop.tileRows, 0});
  for (const PackedLoop::Operand& operand : loop.operands)
    loop.plan.push_back(operand.copy ? loop.tileColumns * operand.size : operand.row);
}

void makeTiles(PackedLoop& loop) {
  size_t bytes = kAlignment;
  const auto rounded = [&](const PackedLoop::Operand& operand) {
    const auto tile = static_cast<size_t>(loop.tileRows * loop.tileColumns * operand.size);
    return (tile + kAlignment - 1) / kAlignment * kAlignment;
  };
  for (const PackedLoop::Operand& operand : loop.operands)
    if (operand.copy) bytes += rounded(operand);
  loop.memory.resize(bytes);
  auto address = reinterpret_cast<uintptr_t>(loop.memory.data());
  std::byte* next = loop.memory.data() + (kAlignment - address % kAlignment) % kAlignment;
  for (PackedLoop::Operand& operand : loop.operands) {
    if (!operand.copy) continue;
    operand.tile = next;
    next += rounded(operand);
  }
}

int32_t runTile(PackedLoop& loop, KernelFn kernel, int64_t row, int64_t column, Context& context) {
  const int64_t rows = std::min(loop.tileRows, loop.rows - row);
  const int64_t columns = std::min(loop.tileColumns, loop.columns - column);
  for (size_t k = 0; k < loop.operands.size(); ++k) {
    const PackedLoop::Operand& operand = loop.operands[k];
    std::byte* first = loop.at[k] + row * operand.row + column * operand.column;
    if (operand.copy)
      operand.copy(
          operand.tile, first,
          {rows, columns, loop.tileColumns * operand.size, operand.size, operand.row, operand.column});
    loop.arrays[k].data = operand.copy ? operand.tile : first;
  }
  const auto odometer = static_cast<size_t>(ep::odometer(static_cast<int64_t>(loop.operands.size())));
  loop.plan[ep::kLength] = columns;
  loop.plan[odometer + OdometerLayout::kTotal] = rows;
  loop.plan[odometer + OdometerLayout::kShape] = rows;
  context.plan = loop.plan.data();
  return kernel(loop.in.data(), loop.out.data(), &context);
}

/// One step over the other axes; false behind the last.
bool advance(PackedLoop& loop) {
  for (size_t axis = loop.shape.size(); axis-- > 0;) {
    const bool more = ++loop.counter[axis] < loop.shape[axis];
    for (size_t k = 0; k < loop.operands.size(); ++k)
      loop.at[k] += loop.operands[k].outer[axis] * (more ? 1 : 1 - loop.shape[axis]);
    if (more) return true;
    loop.counter[axis] = 0;
  }
  return false;
}

} // namespace

std::unique_ptr<PackedLoop> makePackedLoop(std::span<const int64_t> plan, std::span<Array* const> in,
                                           std::span<Array* const> out) {
  if (plan.empty() || (plan[ep::kVector] & ep::kPack) != ep::kPack) return nullptr;
  const auto packed = static_cast<uint64_t>(plan[ep::kVector]) >> ep::kPackShift;
  auto loop = std::make_unique<PackedLoop>();
  const size_t count = in.size() + out.size();
  const auto odometer = static_cast<size_t>(ep::odometer(static_cast<int64_t>(count)));
  const auto rank = static_cast<size_t>(plan[odometer + OdometerLayout::kRank]);
  const auto shape = plan.subspan(odometer + OdometerLayout::kShape, rank);
  const auto strides = plan.subspan(odometer + OdometerLayout::kShape + 2 * rank);
  loop->columns = plan[ep::kLength];
  if (rank > 0) {
    loop->rows = shape.back();
    loop->shape.assign(shape.begin(), shape.end() - 1);
  }
  loop->arrays.resize(count);
  for (size_t k = 0; k < count; ++k) {
    const DType dtype = k < in.size() ? in[k]->dtype : out[k - in.size()]->dtype;
    PackedLoop::Operand operand;
    operand.size = dtypeSize(dtype);
    operand.column = plan[ep::kStrides + k];
    const auto own = strides.subspan(k * rank, rank);
    if (rank > 0) {
      operand.row = own.back();
      operand.outer.assign(own.begin(), own.end() - 1);
    }
    if (k < ep::kMaxPacked && (packed >> k & 1)) operand.copy = copyPlane(dtype);
    loop->operands.push_back(std::move(operand));
    (k < in.size() ? loop->in : loop->out).push_back(&loop->arrays[k]);
  }
  loop->at.resize(count);
  loop->counter.assign(loop->shape.size(), 0);
  chooseTile(*loop);
  makeTilePlan(*loop);
  makeTiles(*loop);
  return loop;
}

int32_t runPacked(PackedLoop& loop, KernelFn kernel, std::span<Array* const> in, std::span<Array* const> out,
                  Context& context) {
  for (size_t k = 0; k < loop.at.size(); ++k)
    loop.at[k] = k < in.size() ? in[k]->data : out[k - in.size()]->data;
  std::ranges::fill(loop.counter, 0);
  do {
    for (int64_t row = 0; row < loop.rows; row += loop.tileRows)
      for (int64_t column = 0; column < loop.columns; column += loop.tileColumns)
        if (const int32_t code = runTile(loop, kernel, row, column, context)) return code;
  } while (advance(loop));
  return 0;
}

} // namespace nodewise
