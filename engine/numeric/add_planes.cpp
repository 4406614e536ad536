#include "numeric/element.h"
#include "numeric/strided_planes.h"

namespace nodewise {

namespace {

template <class T> void addPlaneOf(std::byte* out, const std::byte* in, const Plane& plane) {
  constexpr auto kSize = static_cast<int64_t>(sizeof(T));
  const auto add = [](std::byte* to, const std::byte* from) {
    store(to, addElements(load<T>(to), load<T>(from)));
  };
  for (int64_t row = 0; row < plane.rows; ++row, out += plane.outRow, in += plane.inRow) {
    if (plane.outColumn == kSize && plane.inColumn == kSize) {
      for (int64_t i = 0; i < plane.columns; ++i) add(out + i * kSize, in + i * kSize);
    } else {
      for (int64_t i = 0; i < plane.columns; ++i) add(out + i * plane.outColumn, in + i * plane.inColumn);
    }
  }
}

} // namespace

PlaneFn addPlane(DType dtype) {
  return withType(dtype, []<class T>(std::type_identity<T>) -> PlaneFn { return addPlaneOf<T>; });
}

} // namespace nodewise
