#include "numeric/complex_error.h"

#include <bit>
#include <cerf.h>

namespace nodewise::special {

namespace {

// C's complex numbers, which C++ has as an extension only, lie in memory as std::complex does.
__extension__ typedef double _Complex CComplex;

template <CComplex (*f)(CComplex)> std::complex<double> call(const std::complex<double>& z) {
  return std::bit_cast<std::complex<double>>(f(std::bit_cast<CComplex>(z)));
}

} // namespace

std::complex<double> complexErf(const std::complex<double>& z) { return call<cerf>(z); }
std::complex<double> complexErfc(const std::complex<double>& z) { return call<cerfc>(z); }
std::complex<double> complexErfcx(const std::complex<double>& z) { return call<cerfcx>(z); }

} // namespace nodewise::special
