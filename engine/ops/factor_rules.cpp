#include "ops/factor_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nodewise::linalg {

using Complex = std::complex<double>;

void FactorCheck::small(double size, double scale, int64_t n, std::string_view what) {
  const double limit = m_tolerance * scale * static_cast<double>(std::max<int64_t>(n, 1));
  if (!wrong.empty() || size <= limit) return;
  wrong = fmt::format("{}: off by {:.3g}, at most {:.3g} is right", what, size, limit);
}

void FactorCheck::that(bool holds, std::string_view what) {
  if (wrong.empty() && !holds) wrong = what;
}

void FactorCheck::orthogonal(const FactorMatrix& q, std::string_view name) {
  small(distanceToOrthogonal(q), 1, q.rows, fmt::format("{} is not orthogonal", name));
}

void FactorCheck::equal(const FactorMatrix& product, const FactorMatrix& a, std::string_view equation) {
  that(product.rows == a.rows && product.cols == a.cols, fmt::format("{}: the shapes differ", equation));
  if (wrong.empty()) small(maxAbs(product - a), maxAbs(a), std::max(a.rows, a.cols), equation);
}

void FactorCheck::asRecorded(size_t k, std::string_view what) {
  if (!recorded(k)) return;
  that(expected[k].rows == out[k].rows && expected[k].cols == out[k].cols, fmt::format("{}: shape", what));
  if (wrong.empty()) small(maxAbs(out[k] - expected[k]), maxAbs(expected[k]), out[k].rows, what);
}

void FactorCheck::asRecordedInAnyOrder(size_t k, std::string_view what) {
  if (!recorded(k)) return;
  sameInAnyOrder(out[k].elements, expected[k].elements, what);
}

void FactorCheck::sameInAnyOrder(const std::vector<Complex>& values, std::vector<Complex> left,
                                 std::string_view what) {
  that(left.size() == values.size(), fmt::format("{}: number", what));
  double scale = 0;
  for (const Complex& value : left) scale = std::max(scale, std::abs(value));
  const auto n = static_cast<int64_t>(values.size());
  for (const Complex& value : values) {
    if (!wrong.empty()) return;
    const auto nearest = std::min_element(left.begin(), left.end(), [&](const Complex& a, const Complex& b) {
      return std::abs(a - value) < std::abs(b - value);
    });
    small(std::abs(*nearest - value), scale, n, what);
    left.erase(nearest);
  }
}

namespace {

bool flagOf(const Node& node, const char* key, bool fallback) {
  const auto found = node.params.find(key);
  return found != node.params.end() && found->is_boolean() ? found->get<bool>() : fallback;
}
std::string wordOf(const Node& node, const char* key, const char* fallback) {
  const auto found = node.params.find(key);
  return found != node.params.end() && found->is_string() ? found->get<std::string>() : fallback;
}

/// The absolute values of R, which are determined, beside the recorded ones.
void sameAbsolutes(FactorCheck& c, size_t k) {
  if (k >= c.expected.size()) return;
  for (FactorMatrix* m : {&c.out[k], &c.expected[k]})
    for (Complex& element : m->elements) element = std::abs(element);
  c.asRecorded(k, "absolute values of R");
}

/// Q of LAPACK's packed reflectors: the product of 1 - tau v v^H.
FactorMatrix reflectorProduct(const FactorMatrix& packed, const FactorMatrix& tau) {
  FactorMatrix q(packed.rows, packed.rows);
  for (int64_t i = 0; i < q.rows; ++i) q(i, i) = 1;
  for (int64_t k = std::min({tau.rows, packed.rows, packed.cols}); k-- > 0;) {
    FactorMatrix v(packed.rows, 1);
    v(k, 0) = 1;
    for (int64_t i = k + 1; i < packed.rows; ++i) v(i, 0) = packed(i, k);
    FactorMatrix row = adjoint(v) * q;
    for (Complex& element : row.elements) element *= tau(k, 0);
    q = q - v * row;
  }
  return q;
}

FactorMatrix upperOf(const FactorMatrix& a) {
  FactorMatrix u = a;
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < std::min(i, a.cols); ++j) u(i, j) = 0;
  return u;
}

void checkQr(FactorCheck& c) {
  const std::string mode = wordOf(c.node, "mode", "full");
  const bool pivoting = flagOf(c.node, "pivoting", false);
  const FactorMatrix a = pivoting ? columnsInOrder(c.in[0], c.out.back()) : c.in[0];
  const size_t at = mode == "r" ? 0 : mode == "raw" ? 2 : 1;
  const FactorMatrix r = c.out[at];
  c.that(maxBelow(r) == 0, "R is not upper triangular");
  if (mode == "r") {
    c.equal(adjoint(r) * r, adjoint(a) * a, "R^H R = A^H A");
  } else if (mode == "raw") {
    const FactorMatrix q = reflectorProduct(c.out[0], c.out[1]);
    c.orthogonal(q, "Q");
    const FactorMatrix upper = upperOf(c.out[0]);
    c.equal(q * upper, a, "A = Q R");
    c.equal(adjoint(firstColumns(adjoint(upper), r.rows)), r, "R is the packed factors' upper triangle");
  } else {
    c.orthogonal(c.out[0], "Q");
    c.equal(c.out[0] * r, a, "A = Q R");
  }
  if (pivoting)
    for (int64_t i = 1; i < std::min(r.rows, r.cols); ++i)
      c.small(std::abs(r(i, i)) - std::abs(r(i - 1, i - 1)), maxAbs(r), r.cols,
              "R's diagonal does not descend");
  // Without full rank later rows of R depend on the choices for the earlier ones.
  double least = maxAbs(r);
  for (int64_t i = 0; i < std::min(r.rows, r.cols); ++i) least = std::min(least, std::abs(r(i, i)));
  if (!pivoting && least > 1e-3 * maxAbs(r)) sameAbsolutes(c, at);
}

void checkSvd(FactorCheck& c) {
  const FactorMatrix &u = c.out[0], &s = c.out[1], &vh = c.out[2];
  c.orthogonal(u, "U");
  c.orthogonal(adjoint(vh), "V");
  c.equal(timesDiagonal(u, s) * adjoint(firstColumns(adjoint(vh), s.rows)), c.in[0], "A = U diag(s) V^H");
  for (int64_t i = 0; i < s.rows; ++i)
    c.that(s(i, 0).real() >= 0 && (i == 0 || s(i, 0).real() <= s(i - 1, 0).real()),
           "singular values do not descend");
  c.asRecorded(1, "singular values");
}

void checkEig(FactorCheck& c) {
  const FactorMatrix &w = c.out[0], &v = c.out[1];
  c.equal(c.in[0] * v, timesDiagonal(v, w), "A v = v diag(w)");
  const FactorMatrix gram = adjoint(v) * v;
  for (int64_t i = 0; i < gram.rows; ++i)
    c.small(std::abs(gram(i, i) - 1.0), 1, v.rows, "an eigenvector's norm is not 1");
  c.asRecordedInAnyOrder(0, "eigenvalues");
}

void checkEigh(FactorCheck& c) {
  const bool lower = flagOf(c.node, "lower", true);
  const FactorMatrix a = hermitianOf(c.in[0], lower);
  const FactorMatrix &w = c.out[0], &v = c.out[1];
  for (int64_t i = 1; i < w.rows; ++i)
    c.that(w(i - 1, 0).real() <= w(i, 0).real(), "eigenvalues do not ascend");
  if (c.in.size() < 2) {
    c.orthogonal(v, "v");
    c.equal(timesDiagonal(v, w) * adjoint(v), a, "A = v diag(w) v^H");
  } else {
    const FactorMatrix b = hermitianOf(c.in[1], lower);
    FactorMatrix gram = adjoint(v) * (b * v);
    for (int64_t i = 0; i < gram.rows; ++i) gram(i, i) -= 1;
    c.small(maxAbs(gram), 1, v.rows, "v^H B v is not the identity");
    const double scale = std::max(maxAbs(a), maxAbs(b) * maxAbs(w)) * std::max(1.0, maxAbs(v));
    c.small(maxAbs(a * v - b * timesDiagonal(v, w)), scale, a.rows, "A v = B v diag(w)");
  }
  c.asRecorded(0, "eigenvalues");
}

/// Upper triangular, or with blocks of two on the diagonal.
void quasiTriangular(FactorCheck& c, const FactorMatrix& t, std::string_view name) {
  c.that(maxBelow(t, 1) == 0, fmt::format("{} is not quasi-triangular", name));
  for (int64_t i = 2; i < t.rows; ++i)
    c.that(t(i, i - 1) == 0.0 || t(i - 1, i - 2) == 0.0, fmt::format("{} is not quasi-triangular", name));
}

/// Eigenvalues of the diagonal blocks of (t, s), in order; s may be the identity (no elements).
std::vector<Complex> blockValues(const FactorMatrix& t, const FactorMatrix& s) {
  const auto at = [&](int64_t i, int64_t j) {
    return s.elements.empty() ? Complex(i == j ? 1 : 0) : s(i, j);
  };
  std::vector<Complex> values;
  for (int64_t i = 0; i < t.rows; ++i) {
    if (i + 1 == t.rows || t(i + 1, i) == 0.0) {
      values.push_back(t(i, i) / at(i, i));
      continue;
    }
    // det(t - w s) = 0 for the block, s upper triangular.
    const Complex p = at(i, i) * at(i + 1, i + 1);
    const Complex q = t(i, i) * at(i + 1, i + 1) + t(i + 1, i + 1) * at(i, i) - t(i + 1, i) * at(i, i + 1);
    const Complex r = t(i, i) * t(i + 1, i + 1) - t(i, i + 1) * t(i + 1, i);
    const Complex root = std::sqrt(q * q - 4.0 * p * r);
    values.push_back((q + root) / (2.0 * p));
    values.push_back((q - root) / (2.0 * p));
    ++i;
  }
  return values;
}

/// Values that `sort` names come first; those within 1e-6 of the border may be on either side.
void sorted(FactorCheck& c, const std::vector<Complex>& values) {
  const std::string sort = wordOf(c.node, "sort", "");
  if (sort.empty()) return;
  bool others = false;
  for (const Complex& w : values) {
    const double inside = sort == "lhp"   ? -w.real()
                          : sort == "rhp" ? w.real()
                          : sort == "iuc" ? 1 - std::abs(w)
                                          : std::abs(w) - 1;
    c.that(!(inside > 1e-6 && others), fmt::format("eigenvalues are not sorted by {}", sort));
    others = others || inside < -1e-6;
  }
}

void checkSchur(FactorCheck& c) {
  const FactorMatrix &t = c.out[0], &z = c.out[1];
  quasiTriangular(c, t, "T");
  c.orthogonal(z, "Z");
  c.equal(z * t * adjoint(z), c.in[0], "A = Z T Z^H");
  if (!c.wrong.empty()) return;
  const std::vector<Complex> values = blockValues(t, {});
  sorted(c, values);
  if (c.recorded(0)) c.sameInAnyOrder(values, blockValues(c.expected[0], {}), "eigenvalues");
}

void checkQz(FactorCheck& c) {
  const size_t count = c.out.size();
  const FactorMatrix &aa = c.out[0], &bb = c.out[1], &q = c.out[count - 2], &z = c.out[count - 1];
  quasiTriangular(c, aa, "AA");
  c.that(maxBelow(bb) == 0, "BB is not upper triangular");
  c.orthogonal(q, "Q");
  c.orthogonal(z, "Z");
  c.equal(q * aa * adjoint(z), c.in[0], "A = Q AA Z^H");
  c.equal(q * bb * adjoint(z), c.in[1], "B = Q BB Z^H");
  if (!c.wrong.empty()) return;
  const std::vector<Complex> values = blockValues(aa, bb);
  sorted(c, values);
  if (count < 6) return;
  const auto n = static_cast<int64_t>(values.size());
  c.that(c.out[2].rows == n && c.out[3].rows == n, "number of eigenvalues");
  if (!c.wrong.empty()) return;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    const Complex alpha = c.out[2](row, 0), beta = c.out[3](row, 0);
    // A pair of a block may stand in either order; an infinite eigenvalue has no finite quotient.
    double off = std::abs(alpha - values[i] * beta);
    for (const size_t other : {i - 1, i + 1})
      if (other < values.size()) off = std::min(off, std::abs(alpha - values[other] * beta));
    if (std::isfinite(std::abs(values[i])))
      c.small(off, std::abs(alpha) + std::abs(values[i] * beta), aa.rows,
              "alpha / beta is not an eigenvalue");
    else
      c.small(std::abs(beta), maxAbs(bb), aa.rows, "beta of an infinite eigenvalue is not 0");
  }
}

constexpr FactorRule kRules[] = {
    {"QR", checkQr, 1, 1, -1},    {"SVD", checkSvd, 1, 3, 1},      {"Eig", checkEig, 1, 2, -1},
    {"Eigh", checkEigh, 1, 2, 0}, {"Schur", checkSchur, 1, 2, -1}, {"QZ", checkQz, 2, 4, -1},
};

} // namespace

std::span<const FactorRule> factorRules() { return kRules; }

} // namespace nodewise::linalg
