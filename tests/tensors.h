// Values for tests, from C++ numbers and back.
#pragma once

#include "graph/data.h"

#include <cstring>
#include <vector>

namespace nodewise::testing {

template <class T> constexpr DType dtypeOf();
template <> constexpr DType dtypeOf<bool>() { return DType::Bool; }
template <> constexpr DType dtypeOf<int8_t>() { return DType::Int8; }
template <> constexpr DType dtypeOf<int16_t>() { return DType::Int16; }
template <> constexpr DType dtypeOf<int32_t>() { return DType::Int32; }
template <> constexpr DType dtypeOf<int64_t>() { return DType::Int64; }
template <> constexpr DType dtypeOf<uint8_t>() { return DType::UInt8; }
template <> constexpr DType dtypeOf<uint16_t>() { return DType::UInt16; }
template <> constexpr DType dtypeOf<uint32_t>() { return DType::UInt32; }
template <> constexpr DType dtypeOf<uint64_t>() { return DType::UInt64; }
template <> constexpr DType dtypeOf<float>() { return DType::Float32; }
template <> constexpr DType dtypeOf<double>() { return DType::Float64; }

/// A tensor Data from its elements in C order.
template <class T> Data tensorOf(std::vector<int64_t> shape, const std::vector<T>& elements) {
  Tensor tensor{dtypeOf<T>(), std::move(shape), std::vector<std::byte>(elements.size() * sizeof(T))};
  for (size_t i = 0; i < elements.size(); ++i) {
    const T element = elements[i];
    std::memcpy(tensor.bytes.data() + i * sizeof(T), &element, sizeof(T));
  }
  return Data{std::move(tensor)};
}
template <class T> Data vectorOf(const std::vector<T>& elements) {
  return tensorOf<T>({static_cast<int64_t>(elements.size())}, elements);
}
template <class T> Data scalarOf(T element) { return tensorOf<T>({}, {element}); }

/// The elements of a tensor of T, in C order.
template <class T> std::vector<T> elementsOf(const Data& data) {
  const Tensor& tensor = *data.tensor();
  std::vector<T> elements(static_cast<size_t>(elementCount(tensor.shape)));
  for (size_t i = 0; i < elements.size(); ++i) {
    T element;
    std::memcpy(&element, tensor.bytes.data() + i * sizeof(T), sizeof(T));
    elements[i] = element;
  }
  return elements;
}

} // namespace nodewise::testing
