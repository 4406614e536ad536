#include "numeric/element.h"
#include "numeric/strided_planes.h"

#include <array>

namespace nodewise {

namespace {

template <class To, class From> void convertPlaneOf(std::byte* out, const std::byte* in, const Plane& plane) {
  constexpr auto kTo = static_cast<int64_t>(sizeof(To));
  constexpr auto kFrom = static_cast<int64_t>(sizeof(From));
  for (int64_t row = 0; row < plane.rows; ++row, out += plane.outRow, in += plane.inRow) {
    if (plane.outColumn == kTo && plane.inColumn == kFrom) {
      for (int64_t i = 0; i < plane.columns; ++i)
        store(out + i * kTo, convertTo<To>(load<From>(in + i * kFrom)));
    } else {
      for (int64_t i = 0; i < plane.columns; ++i)
        store(out + i * plane.outColumn, convertTo<To>(load<From>(in + i * plane.inColumn)));
    }
  }
}

} // namespace

PlaneFn convertPlane(DType to, DType from) {
  return withType(to, [from]<class To>(std::type_identity<To>) {
    return withType(from,
                    []<class From>(std::type_identity<From>) -> PlaneFn { return convertPlaneOf<To, From>; });
  });
}

} // namespace nodewise
