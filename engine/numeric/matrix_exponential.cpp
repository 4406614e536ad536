#include "numeric/matrix_exponential.h"

#include "numeric/lapack.h"
#include "numeric/products.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace nodewise::linalg {

namespace {

/// A Pade approximant of even-odd form: exp(A) ~ (V - U)^-1 (V + U), U odd and V even in A.
struct Pade {
  int order;
  double theta;                      ///< good where the norm estimates are below this
  std::span<const double> numerator; ///< coefficients of A^0 ... A^order
};

constexpr double kPade3[] = {120, 60, 12, 1};
constexpr double kPade5[] = {30240, 15120, 3360, 420, 30, 1};
constexpr double kPade7[] = {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1};
constexpr double kPade9[] = {17643225600, 8821612800, 2075673600, 302702400, 30270240,
                             2162160,     110880,     3960,       90,        1};
constexpr double kPade13[] = {64764752532480000,
                              32382376266240000,
                              7771770303897600,
                              1187353796428800,
                              129060195264000,
                              10559470521600,
                              670442572800,
                              33522128640,
                              1323241920,
                              40840800,
                              960960,
                              16380,
                              182,
                              1};

constexpr Pade kOrder3{3, 1.495585217958292e-2, kPade3};
constexpr Pade kOrder5{5, 2.539398330063230e-1, kPade5};
constexpr Pade kOrder7{7, 9.504178996162932e-1, kPade7};
constexpr Pade kOrder9{9, 2.097847961257068, kPade9};
constexpr Pade kOrder13{13, 4.25, kPade13};

/// log2 of where powers of a matrix of this norm may overflow before the scaling is known.
constexpr int kSafeExponent = 90;

/// (exp(b) - exp(a)) / (b - a)
template <class T> T dividedDifference(T a, T b) {
  const T middle = (a + b) / 2.0, half = (b - a) / 2.0;
  return std::abs(half) < 1 ? std::exp(middle) * (half == T(0) ? T(1) : std::sinh(half) / half)
                            : (std::exp(b) - std::exp(a)) / (b - a);
}

/// One matrix on its way; matrices are C-contiguous n by n in scratch memory.
template <class T> class Exponential {
public:
  Exponential(const T* a, int64_t n, Scratch& scratch)
      : m_n(n), m_scratch(scratch), m_original(a), m_a(matrix()) {
    std::copy(a, a + n * n, m_a);
  }

  /// exp(a), in memory of the scratch.
  T* compute() {
    const double exponent = std::log2(norm1(m_a));
    if (exponent > kSafeExponent) rescale(static_cast<int>(std::ceil(exponent)));
    T* result = approximate(chooseOrder());
    T* next = m_a2;
    const bool upper = isTriangular(false), lower = isTriangular(true);
    for (int left = m_squarings - 1; left >= 0; --left) {
      multiply(ref(next), 1, ref(result), ref(result), 0);
      std::swap(result, next);
      if (upper || lower) setExactDiagonals(result, lower, left);
    }
    return result;
  }

private:
  T* matrix() { return m_scratch.take<T>(m_n * m_n); }
  MatrixRef ref(T* m) const { return rowMajor(m, lapackDType<T>, m_n, m_n); }

  T* product(T* x, T* y) {
    T* result = matrix();
    multiply(ref(result), 1, ref(x), ref(y), 0);
    return result;
  }

  bool isTriangular(bool lower) const {
    for (int64_t i = 0; i < m_n; ++i)
      for (int64_t j = 0; j < i; ++j)
        if (m_original[lower ? j * m_n + i : i * m_n + j] != T(0)) return false;
    return true;
  }

  /// The diagonal of exp(2^-left a) and the one beside it, which are known (code fragment 2.1 of the paper).
  void setExactDiagonals(T* m, bool lower, int left) const {
    const double factor = std::exp2(-left);
    for (int64_t i = 0; i < m_n; ++i) {
      const T d = factor * m_original[i * m_n + i];
      m[i * m_n + i] = std::exp(d);
      if (i + 1 == m_n) break;
      const int64_t beside = lower ? (i + 1) * m_n + i : i * m_n + i + 1;
      m[beside] =
          factor * m_original[beside] * dividedDifference<T>(d, factor * m_original[(i + 1) * (m_n + 1)]);
    }
  }

  /// Greatest column sum of absolute values.
  double norm1(const T* m) const {
    double greatest = 0;
    for (int64_t j = 0; j < m_n; ++j) {
      double sum = 0;
      for (int64_t i = 0; i < m_n; ++i) sum += std::abs(m[i * m_n + j]);
      greatest = std::max(greatest, sum);
    }
    return greatest;
  }

  void scaleBy(T* m, double factor) const {
    for (int64_t i = 0; i < m_n * m_n; ++i) m[i] *= factor;
  }
  /// a /= 2^s.
  void rescale(int s) {
    scaleBy(m_a, std::exp2(-s));
    m_squarings += s;
  }

  /// Further scaling of 2^-s a that the backward error of the approximant asks for, given the norm of
  /// |2^-s a|^(2 order + 1).
  int extraScaling(int order, int s = 0) {
    Scratch scratch;
    double* sums = scratch.take<double>(m_n);
    double* next = scratch.take<double>(m_n);
    const double factor = std::exp2(-s);
    std::fill(sums, sums + m_n, 1.0);
    for (int power = 0; power < 2 * order + 1; ++power) {
      std::fill(next, next + m_n, 0.0);
      for (int64_t i = 0; i < m_n; ++i)
        for (int64_t j = 0; j < m_n; ++j) next[j] += sums[i] * factor * std::abs(m_a[i * m_n + j]);
      std::swap(sums, next);
    }
    const double powerNorm = *std::max_element(sums, sums + m_n), norm = factor * norm1(m_a);
    if (powerNorm == 0 || norm == 0) return 0;
    // 1 / (binomial(2m, m) (2m + 1)!)
    const double logCoefficient =
        2 * std::lgamma(order + 1) - std::lgamma(2 * order + 1) - std::lgamma(2 * order + 2);
    const double log2Alpha = logCoefficient / std::log(2.0) + std::log2(powerNorm) - std::log2(norm);
    constexpr int kDigits = 53; // of the rounding unit
    return static_cast<int>(std::max(0.0, std::ceil((log2Alpha + kDigits) / (2 * order))));
  }

  bool fits(const Pade& pade, double estimate) {
    return estimate < pade.theta && extraScaling(pade.order) == 0;
  }

  double rootOfNorm(T* m, int power) const { return std::pow(norm1(m), 1.0 / power); }

  /// The smallest order that is exact to rounding; the highest with scaling. Leaves the even powers of a.
  const Pade& chooseOrder() {
    m_a2 = product(m_a, m_a);
    m_a4 = product(m_a2, m_a2);
    m_a6 = product(m_a4, m_a2);
    const double d4 = rootOfNorm(m_a4, 4), d6 = rootOfNorm(m_a6, 6);
    if (fits(kOrder3, std::max(d4, d6))) return kOrder3;
    if (fits(kOrder5, std::max(d4, d6))) return kOrder5;
    m_a8 = product(m_a4, m_a4);
    const double d8 = rootOfNorm(m_a8, 8), low = std::max(d6, d8);
    if (fits(kOrder7, low)) return kOrder7;
    if (fits(kOrder9, low)) return kOrder9;
    const double estimate = std::min(low, std::max(d8, rootOfNorm(product(m_a6, m_a4), 10)));
    int s = estimate > kOrder13.theta ? static_cast<int>(std::ceil(std::log2(estimate / kOrder13.theta))) : 0;
    s += extraScaling(kOrder13.order, s);
    if (s == 0) return kOrder13;
    rescale(s);
    scaleBy(m_a2, std::exp2(-2 * s));
    scaleBy(m_a4, std::exp2(-4 * s));
    scaleBy(m_a6, std::exp2(-6 * s));
    return kOrder13;
  }

  /// c0 + c[first] a^2 + c[first + 2] a^4 + ...
  T* polynomial(double c0, std::span<const double> c, size_t first, size_t terms) {
    const T* const powers[] = {m_a2, m_a4, m_a6, m_a8};
    T* sum = matrix();
    std::fill(sum, sum + m_n * m_n, T(0));
    for (size_t k = terms; k-- > 0;) {
      const double factor = c[first + 2 * k];
      for (int64_t i = 0; i < m_n * m_n; ++i) sum[i] += factor * powers[k][i];
    }
    for (int64_t i = 0; i < m_n; ++i) sum[i * m_n + i] += c0;
    return sum;
  }

  /// (V - U)^-1 (V + U), computed as 1 + 2 (V - U)^-1 U.
  T* approximate(const Pade& pade) {
    const std::span<const double> b = pade.numerator;
    const bool high = pade.order == 13;
    const size_t terms = high ? 3 : b.size() / 2 - 1;
    T* odd = polynomial(b[1], b, 3, terms);
    T* v = polynomial(b[0], b, 2, terms);
    if (high) {
      multiply(ref(odd), 1, ref(m_a6), ref(polynomial(0, b, 9, 3)), 1);
      multiply(ref(v), 1, ref(m_a6), ref(polynomial(0, b, 8, 3)), 1);
    }
    T* u = product(m_a, odd);
    for (int64_t i = 0; i < m_n * m_n; ++i) v[i] -= u[i];
    return onePlusTwice(v, u);
  }

  /// 1 + 2 d^-1 u; d is overwritten. LAPACK sees d transposed.
  T* onePlusTwice(T* d, T* u) {
    const auto n = static_cast<lapack_int>(m_n);
    auto* pivots = m_scratch.take<lapack_int>(n);
    T* columns = lapackCopy<T>(ref(u), m_scratch);
    Lapack<T>::getrf(kColumns, n, n, d, n, pivots);
    Lapack<T>::getrs(kColumns, 'T', n, n, d, n, pivots, columns, n);
    copyOut(columns, m_n, ref(u));
    for (int64_t i = 0; i < m_n * m_n; ++i) u[i] *= 2;
    for (int64_t i = 0; i < m_n; ++i) u[i * m_n + i] += 1;
    return u;
  }

  int64_t m_n;
  Scratch& m_scratch;
  int m_squarings = 0;
  const T* m_original;
  T *m_a, *m_a2 = nullptr, *m_a4 = nullptr, *m_a6 = nullptr, *m_a8 = nullptr;
};

template <class T> bool isDiagonal(const T* a, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if (i != j && a[i * n + j] != T(0)) return false;
  return true;
}

template <class T> void exponential(const MatrixRef& a, const MatrixRef& out) {
  Scratch scratch;
  const int64_t n = a.rows;
  T* copy = scratch.take<T>(n * n);
  copyMatrix(a, rowMajor(copy, lapackDType<T>, n, n));
  T* result = copy;
  if (isDiagonal(copy, n))
    for (int64_t i = 0; i < n; ++i) result[i * n + i] = std::exp(copy[i * n + i]);
  else
    result = Exponential<T>(copy, n, scratch).compute();
  copyMatrix(rowMajor(result, lapackDType<T>, n, n), out);
}

} // namespace

void matrixExponential(const MatrixRef& a, const MatrixRef& out) {
  if (a.empty()) return;
  if (!allFinite(a)) return fillNaN(out);
  // Squaring loses digits of small elements beside great ones, which single precision cannot spare.
  if (isComplex(out.dtype))
    exponential<std::complex<double>>(a, out);
  else
    exponential<double>(a, out);
}

} // namespace nodewise::linalg
