// Elements of tensors as C++ types: loading, storing, converting, and a visitor over the dtypes.
#pragma once

#include "base/half.h"
#include "graph/dtype.h"

#include <complex>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace nodewise {

/// A bool in memory. Any value but 0 is read as true; true is written as 1.
struct Bool8 {
  uint8_t byte;
};

template <class T> inline constexpr bool isComplexType = false;
template <class T> inline constexpr bool isComplexType<std::complex<T>> = true;

/// Calls `visit(std::type_identity<T>{})` with the C++ type of a dtype's elements.
template <class Visit> decltype(auto) withType(DType dtype, Visit&& visit) {
  switch (dtype) {
  case DType::Bool:
    return visit(std::type_identity<Bool8>{});
  case DType::Int8:
    return visit(std::type_identity<int8_t>{});
  case DType::Int16:
    return visit(std::type_identity<int16_t>{});
  case DType::Int32:
    return visit(std::type_identity<int32_t>{});
  case DType::Int64:
    return visit(std::type_identity<int64_t>{});
  case DType::UInt8:
    return visit(std::type_identity<uint8_t>{});
  case DType::UInt16:
    return visit(std::type_identity<uint16_t>{});
  case DType::UInt32:
    return visit(std::type_identity<uint32_t>{});
  case DType::UInt64:
    return visit(std::type_identity<uint64_t>{});
  case DType::Float16:
    return visit(std::type_identity<Half>{});
  case DType::Float32:
    return visit(std::type_identity<float>{});
  case DType::Float64:
    return visit(std::type_identity<double>{});
  case DType::Complex64:
    return visit(std::type_identity<std::complex<float>>{});
  case DType::Complex128:
    return visit(std::type_identity<std::complex<double>>{});
  }
  __builtin_unreachable();
}

/// Reads an element, aligned or not.
template <class T> T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class T> void store(std::byte* to, T value) { std::memcpy(to, &value, sizeof value); }

/// Copies one element of `size` bytes, without the call that memcpy with a variable size is.
inline void copyElement(std::byte* to, const std::byte* from, int64_t size) {
  switch (size) {
  case 1:
    std::memcpy(to, from, 1);
    break;
  case 2:
    std::memcpy(to, from, 2);
    break;
  case 4:
    std::memcpy(to, from, 4);
    break;
  case 8:
    std::memcpy(to, from, 8);
    break;
  default:
    std::memcpy(to, from, 16);
    break;
  }
}

/// NumPy's `astype` of one element: to bool: not 0; float to integer: toward 0 (out of range: unspecified);
/// integer to narrower integer: modulo 2^n; complex to real: the real part.
template <class To, class From> To convertTo(From value) {
  if constexpr (std::is_same_v<To, From>)
    return value;
  else if constexpr (std::is_same_v<From, Bool8>)
    return convertTo<To>(static_cast<uint8_t>(value.byte != 0));
  else if constexpr (std::is_same_v<From, Half>)
    return convertTo<To>(halfToFloat(value));
  else if constexpr (std::is_same_v<To, Bool8>)
    return Bool8{static_cast<uint8_t>(value != From{})};
  else if constexpr (isComplexType<From> && isComplexType<To>)
    return To(value);
  else if constexpr (isComplexType<From>)
    return convertTo<To>(value.real());
  else if constexpr (isComplexType<To>)
    return To(static_cast<typename To::value_type>(value), 0);
  else if constexpr (std::is_same_v<To, Half>)
    return doubleToHalf(static_cast<double>(value));
  else
    return static_cast<To>(value);
}

/// a + b in the dtype: integers wrap, bool is or, float16 is rounded once.
template <class T> T addElements(T a, T b) {
  if constexpr (std::is_same_v<T, Bool8>)
    return Bool8{static_cast<uint8_t>(a.byte != 0 || b.byte != 0)};
  else if constexpr (std::is_same_v<T, Half>)
    return floatToHalf(halfToFloat(a) + halfToFloat(b));
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  else
    return a + b;
}

} // namespace nodewise
