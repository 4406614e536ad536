#include "ops/array_access.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

/// First byte, and the one past the last.
struct Extent {
  uintptr_t first, end;
};

Extent extentOf(const Array& array) {
  const auto data = reinterpret_cast<uintptr_t>(array.data);
  Extent extent{data, data + static_cast<uintptr_t>(dtypeSize(array.dtype))};
  for (int32_t axis = 0; axis < array.rank; ++axis) {
    const auto reach = static_cast<uintptr_t>((array.shape[axis] - 1) * array.strides[axis]);
    (array.strides[axis] < 0 ? extent.first : extent.end) += reach;
  }
  return extent;
}

} // namespace

bool shareMemory(const Array& a, const Array& b) {
  if (a.size() == 0 || b.size() == 0) return false;
  const Extent first = extentOf(a), second = extentOf(b);
  return first.first < second.end && second.first < first.end;
}

std::string shapeText(const int64_t* shape, int rank) {
  std::string text = "(";
  for (int axis = 0; axis < rank; ++axis) text += fmt::format("{}{}", axis == 0 ? "" : ", ", shape[axis]);
  return text + (rank == 1 ? ",)" : ")");
}

} // namespace nodewise
