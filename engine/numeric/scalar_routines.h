// Routines that compiled kernels call by name where IR alone does not do: complex functions, integer powers.
#pragma once

#include <span>
#include <string_view>

namespace nodewise {

struct NamedRoutine {
  std::string_view name; ///< symbol in compiled code
  void* address;
};

/// nodewise_ipow(int64, int64): wrapping power, exponent >= 0 (a negative one gives 0), and for each
/// elementary function nodewise_c<name>(const double* args, double* result) on complex numbers (real and
/// imaginary parts).
std::span<const NamedRoutine> scalarRoutines();

} // namespace nodewise
