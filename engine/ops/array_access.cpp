#include "ops/array_access.h"

#include <fmt/format.h>

namespace nodewise {

std::string shapeText(const int64_t* shape, int rank) {
  std::string text = "(";
  for (int axis = 0; axis < rank; ++axis) text += fmt::format("{}{}", axis == 0 ? "" : ", ", shape[axis]);
  return text + (rank == 1 ? ",)" : ")");
}

} // namespace nodewise
