// Where a machine's outputs live: in its pool, in memory of the caller's, or in what they are views of.
#include "numeric/strided.h"
#include "runtime/array_memory.h"
#include "runtime/machine.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace nodewise {

int64_t bytesOf(const Array& array) {
  if (array.kind == Kind::Rng) return static_cast<int64_t>(sizeof(RngState));
  int64_t bytes = dtypeSize(array.dtype);
  if (std::find(array.shape, array.shape + array.rank, 0) != array.shape + array.rank) return 0;
  for (int32_t axis = 0; axis < array.rank; ++axis)
    if (__builtin_mul_overflow(bytes, array.shape[axis], &bytes)) throw std::bad_alloc();
  return bytes;
}

void setContiguousStrides(Array& array) {
  int64_t stride = dtypeSize(array.dtype);
  for (int32_t axis = array.rank - 1; axis >= 0; --axis) {
    array.strides[axis] = stride;
    stride *= std::max<int64_t>(array.shape[axis], 1);
  }
}

std::byte* Machine::memory(Array* out, int64_t bytes) {
  ValueState& value = stateOf(out);
  if (value.placed) return value.placed;
  if (value.block != BlockPool::kNone && m_pool.capacity(value.block) >= bytes)
    return m_pool.data(value.block);
  value.block = m_assigning ? m_pool.take(bytes) : m_pool.takeNew(bytes);
  return m_pool.data(value.block);
}

std::byte* Machine::provide(Array* out, const int64_t* shape, int rank) {
  bool same = stateOf(out).block != BlockPool::kNone || stateOf(out).placed;
  for (int axis = 0; axis < rank; ++axis) {
    same = same && out->shape[axis] == shape[axis];
    out->shape[axis] = shape[axis];
  }
  const int64_t bytes = bytesOf(*out);
  setContiguousStrides(*out);
  if (!same) markChanged(out);
  return out->data = memory(out, bytes);
}

void Machine::alias(Array* out, const Array& from) {
  const auto n = static_cast<size_t>(out->rank);
  if (n > 0 && (std::memcmp(out->shape, from.shape, n * sizeof(int64_t)) != 0 ||
                std::memcmp(out->strides, from.strides, n * sizeof(int64_t)) != 0)) {
    std::copy_n(from.shape, n, out->shape);
    std::copy_n(from.strides, n, out->strides);
    markChanged(out);
  }
  if (m_assigning) markChanged(out);
  out->data = from.data;
  out->object = from.object;
}

void Machine::shorten(Array* out, int64_t length) {
  if (out->shape[0] == length) return;
  out->shape[0] = length;
  markChanged(out);
}

void Machine::copy(Array* out, const Array& from) {
  if (!holdsMemory(out->kind)) {
    out->object = from.object;
    return;
  }
  provide(out, from.shape, out->rank);
  if (out->kind == Kind::Rng)
    std::memcpy(out->data, from.data, sizeof(RngState));
  else
    assign({out->data, out->strides, out->dtype}, {from.data, from.strides, from.dtype}, out->shape,
           out->rank);
}

bool Machine::ownsOutput(size_t k) const {
  const ValueId v = m_plan.graph->outputs[k];
  const ValueId root = m_roots[static_cast<size_t>(v)];
  if (std::ranges::count_if(m_plan.graph->outputs,
                            [&](ValueId o) { return m_roots[static_cast<size_t>(o)] == root; }) != 1)
    return false;
  return std::ranges::any_of(m_plan.graph->nodes, [&](const Node& node) {
    return std::ranges::find(node.out, root) != node.out.end();
  });
}

bool Machine::canPlaceOutput(size_t k) const {
  const ValueId v = m_plan.graph->outputs[k];
  const Array* array = &m_arrays[static_cast<size_t>(v)];
  if (!ownsOutput(k) || m_roots[static_cast<size_t>(v)] != v || array->kind != Kind::Tensor) return false;
  for (const Step& s : m_steps)
    if (std::ranges::find(s.out, array) != s.out.end())
      return !s.control && !s.aliases && !s.planned->lowered.mayAlias && !s.planned->lowered.allocatesOutputs;
  return false;
}

void Machine::placeOutput(size_t k, std::byte* data) {
  ValueState& value = stateOf(m_outputs[k]);
  if (!data && value.placed) m_assigning = true;
  value.placed = data;
  if (data) m_outputs[k]->data = data;
}

} // namespace nodewise
