#include "numeric/strided.h"

namespace nodewise {

void contiguousStrides(const int64_t* shape, int rank, int64_t elementSize, int64_t* strides) {
  for (int axis = rank - 1; axis >= 0; --axis) {
    strides[axis] = elementSize;
    elementSize *= shape[axis];
  }
}

} // namespace nodewise
