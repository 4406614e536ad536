#include "codegen/abi.h"

#include "numeric/element.h"

namespace nodewise {

bool Array::contiguous() const {
  int64_t expected = dtypeSize(dtype);
  bool packed = true;
  for (int32_t axis = rank - 1; axis >= 0; --axis) {
    if (shape[axis] == 0) return true;
    if (shape[axis] == 1) continue;
    packed = packed && strides[axis] == expected;
    expected *= shape[axis];
  }
  return packed;
}

int64_t Array::toInt() const {
  return withType(dtype,
                  [this]<class T>(std::type_identity<T>) { return convertTo<int64_t>(load<T>(data)); });
}

double Array::toDouble() const {
  return withType(dtype, [this]<class T>(std::type_identity<T>) { return convertTo<double>(load<T>(data)); });
}

int32_t Context::fail(std::string type, std::string message) {
  errorType = std::move(type);
  errorMessage = std::move(message);
  return static_cast<int32_t>(KernelError::Failed);
}

std::byte* Context::allocate(int k, const int64_t* shape, int rank) {
  return allocateFn(owner, outputs[k], shape, rank);
}

} // namespace nodewise
