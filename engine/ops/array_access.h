// Reading what arrays of a running node hold and look like.
#pragma once

#include "codegen/abi.h"

#include <algorithm>
#include <string>

namespace nodewise {

/// Element i of a vector of an integral dtype, as int64.
inline int64_t intAt(const Array& vector, int64_t i) {
  Array element;
  element.dtype = vector.dtype;
  element.data = vector.data + i * vector.strides[0];
  return vector.dtype == DType::Int64 ? *element.as<int64_t>() : element.toInt();
}

/// The memory from first to last element of one overlaps that of the other. (They may still have no element
/// in common.)
bool shareMemory(const Array& a, const Array& b);

/// The bit of Lowered::shapeFromValues for input k; inputs from the 63rd on share one.
inline uint64_t valueBit(size_t k) { return uint64_t{1} << std::min<size_t>(k, 63); }

/// "(2, 3)", "(4,)", "()": as Python writes a shape.
std::string shapeText(const int64_t* shape, int rank);
inline std::string shapeText(const Array& array) { return shapeText(array.shape, array.rank); }

} // namespace nodewise
