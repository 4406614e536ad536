// The error function and its like of complex arguments.
#pragma once

#include <complex>

namespace nodewise::special {

// Faddeeva's algorithms (libcerf), to about 13 digits.
std::complex<double> complexErf(const std::complex<double>& z);
std::complex<double> complexErfc(const std::complex<double>& z);
/// exp(z^2) erfc(z).
std::complex<double> complexErfcx(const std::complex<double>& z);

} // namespace nodewise::special
