#include "ops/contiguous_input.h"

#include "numeric/strided.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nodewise {

ContiguousInput::ContiguousInput(const Array& array, DType dtype) : m_data(array.data), m_size(array.size()) {
  if (array.dtype == dtype && array.contiguous()) return;
  std::byte* copy = m_scratch.take<std::byte>(m_size * dtypeSize(dtype));
  m_data = copy;
  std::array<int64_t, kMaxRank> strides;
  contiguousStrides(array.shape, array.rank, dtypeSize(dtype), strides.data());
  assign({copy, strides.data(), dtype}, {array.data, array.strides, array.dtype}, array.shape, array.rank);
}

void shapeLike(const Array& in, const Array& out) { std::copy_n(in.shape, in.rank, out.shape); }

bool normalizeAxis(int64_t& axis, int rank, Context& context) {
  if (axis >= -rank && axis < rank) {
    if (axis < 0) axis += rank;
    return true;
  }
  context.fail("AxisError", fmt::format("axis {} is out of bounds for an array of rank {}", axis, rank));
  return false;
}

} // namespace nodewise
