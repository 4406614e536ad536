// The few types in which sums and products of every dtype are formed, so that a kernel is compiled five times
// and not fourteen.
#pragma once

#include "graph/dtype.h"

#include <complex>
#include <cstdint>
#include <type_traits>

namespace nodewise {

/// The dtype in which sums and products of elements of `dtype` are formed: uint64 for all integers, whose
/// sums wrap and are cut to the narrower dtype afterwards with the same result; for bool too, where 0 is
/// false and a sum or product of true is not 0; float32 for float16; any other dtype itself.
inline DType ringDType(DType dtype) {
  if (isIntegral(dtype)) return DType::UInt64;
  return dtype == DType::Float16 ? DType::Float32 : dtype;
}

/// Calls visit(std::type_identity<T>{}) with the C++ type of a dtype that ringDType() gives.
template <class Visit> decltype(auto) withRingType(DType dtype, Visit&& visit) {
  switch (dtype) {
  case DType::Float32:
    return visit(std::type_identity<float>{});
  case DType::Float64:
    return visit(std::type_identity<double>{});
  case DType::Complex64:
    return visit(std::type_identity<std::complex<float>>{});
  case DType::Complex128:
    return visit(std::type_identity<std::complex<double>>{});
  default:
    return visit(std::type_identity<uint64_t>{});
  }
}

/// A product by the schoolbook formula. std::complex's operator* also mends products of infinities, which
/// costs most of its time.
template <class T> T ringProduct(T a, T b) { return a * b; }
template <class T> std::complex<T> ringProduct(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

} // namespace nodewise
