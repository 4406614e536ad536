#include "ops/exponential_check.h"

#include "ops/factor_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nodewise {

using namespace linalg;

namespace {

constexpr double kDoubleRoundoff = 0x1p-53, kSingleRoundoff = 0x1p-24;

/// Greatest column sum of absolute values; not-a-number if there is one.
double norm1(const FactorMatrix& a) {
  double greatest = 0;
  for (int64_t j = 0; j < a.cols; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < a.rows; ++i) sum += std::abs(a(i, j));
    if (!(sum <= greatest)) greatest = sum;
    if (std::isnan(sum)) break;
  }
  return greatest;
}

FactorMatrix times(FactorMatrix a, double factor) {
  for (std::complex<double>& element : a.elements) element *= factor;
  return a;
}

/// The least s >= 0 with norm / 2^s <= most.
int squaringsFor(double norm, double most) {
  return norm > most ? static_cast<int>(std::ceil(std::log2(norm / most))) : 0;
}

/// A matrix and a bound of its error in the 1-norm.
struct Bounded {
  FactorMatrix matrix;
  double error;
};

/// x^(2^s), with what rounding to `roundoff` adds to the error; `terms` of an inner product.
Bounded squared(Bounded x, int s, double terms, double roundoff) {
  for (; s > 0; --s) {
    const double norm = norm1(x.matrix);
    x.error = 2 * norm * x.error + terms * roundoff * norm * norm;
    x.matrix = x.matrix * x.matrix;
  }
  return x;
}

/// The Taylor series of exp(a / 2^s), |a / 2^s| <= 1/2, squared s times.
Bounded exponential(const FactorMatrix& a, double terms) {
  constexpr int kDegree = 18; // what is left out is below 2^-19 / 19!, far under the roundoff
  const int s = squaringsFor(norm1(a), .5);
  const FactorMatrix scaled = times(a, std::exp2(-s));
  FactorMatrix sum(a.rows, a.cols);
  for (int64_t i = 0; i < a.rows; ++i) sum(i, i) = 1;
  FactorMatrix power = sum;
  for (int k = 1; k <= kDegree; ++k) {
    power = times(power * scaled, 1.0 / k);
    for (size_t i = 0; i < sum.elements.size(); ++i) sum.elements[i] += power.elements[i];
  }
  // Rounding of the terms sums up to at most |a / 2^s| times this, that of the additions to less.
  const double error = 2 * terms * kDoubleRoundoff * norm1(sum);
  return squared({std::move(sum), error}, s, terms, kDoubleRoundoff);
}

/// How far a single-precision exponential of `a` may be from the exact one.
double singleBound(const FactorMatrix& a, double terms) {
  constexpr double kTheta13 = 4.25;
  const double norm = norm1(a);
  const int s = squaringsFor(norm, kTheta13);
  FactorMatrix first = exponential(times(a, std::exp2(-s)), terms).matrix;
  const double error = kSingleRoundoff * (terms + std::ldexp(norm, -s)) * norm1(first);
  return squared({std::move(first), error}, s, terms, kSingleRoundoff).error;
}

FactorMatrix matrixAt(const Tensor& tensor, int64_t index) {
  const int64_t n = tensor.shape.back(), bytes = n * n * dtypeSize(tensor.dtype);
  // Copied, because a MatrixRef is of memory that may be written.
  std::vector<std::byte> memory(tensor.bytes.begin() + index * bytes,
                                tensor.bytes.begin() + (index + 1) * bytes);
  FactorMatrix m(n, n);
  copyMatrix(rowMajor(memory.data(), tensor.dtype, n, n),
             rowMajor(m.elements.data(), DType::Complex128, n, n));
  return m;
}

/// The strict comparison, of one matrix.
bool near(const FactorMatrix& found, const FactorMatrix& expected, double rtol, double atol) {
  for (size_t k = 0; k < found.elements.size(); ++k)
    if (!(std::abs(found.elements[k] - expected.elements[k]) <= atol + rtol * std::abs(expected.elements[k])))
      return false;
  return true;
}

std::string wrongIn(const FactorMatrix& a, const FactorMatrix& found, const FactorMatrix& recorded,
                    bool complex, double rtol, double atol) {
  // A complex product rounds like three additions.
  const double terms = static_cast<double>(a.rows) + (complex ? 2 : 0);
  const Bounded exact = exponential(a, terms);
  for (size_t k = 0; k < found.elements.size(); ++k) {
    const double off = std::abs(found.elements[k] - exact.matrix.elements[k]),
                 most = atol + rtol * std::abs(exact.matrix.elements[k]);
    if (!(off + exact.error <= most))
      return fmt::format(
          "element {}: {:.3g} from the exact exponential (itself within {:.1g}), at most {:.3g} "
          "is right",
          k, off, exact.error, most);
  }
  const double theirs = norm1(recorded - exact.matrix), bound = singleBound(a, terms);
  if (!(theirs <= bound))
    return fmt::format("the recorded exponential is {:.3g} from the exact one (1-norm), more than the {:.3g} "
                       "that rounding explains",
                       theirs, bound);
  if (!(norm1(found - exact.matrix) < theirs)) return "the recorded exponential is closer to the exact one";
  return {};
}

} // namespace

std::string checkExponential(const ExponentialCall& call, double rtol, double atol) {
  const Tensor& a = call.input;
  const bool single = a.dtype == DType::Float32 || a.dtype == DType::Complex64;
  const size_t rank = a.shape.size();
  if (!single || rank < 2 || a.shape[rank - 1] != a.shape[rank - 2])
    return "not square matrices in single precision";
  for (const Tensor* other : {&call.found, &call.recorded})
    if (other->dtype != a.dtype || other->shape != a.shape) return "dtypes or shapes differ";
  const int64_t size = a.shape.back() * a.shape.back(), count = size ? elementCount(a.shape) / size : 0;
  for (int64_t index = 0; index < count; ++index) {
    const FactorMatrix found = matrixAt(call.found, index), recorded = matrixAt(call.recorded, index);
    if (near(found, recorded, rtol, atol)) continue;
    if (std::string why = wrongIn(matrixAt(a, index), found, recorded, isComplex(a.dtype), rtol, atol);
        !why.empty())
      return rank == 2 ? why : fmt::format("batch {}: {}", index, why);
  }
  return {};
}

} // namespace nodewise
