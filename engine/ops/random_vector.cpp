// Draws whose parameters are vectors or matrices.
#include "numeric/element.h"
#include "numeric/index_walk.h"
#include "numeric/lapack_eigen.h"
#include "numeric/lapack_svd.h"
#include "numeric/random/bit_generator.h"
#include "numeric/random/dirichlet.h"
#include "numeric/random/selection.h"
#include "numeric/triangular.h"
#include "ops/linear_algebra.h"
#include "ops/random_node.h"

#include <algorithm>
#include <cmath>

namespace nodewise::random {

namespace {

using linalg::MatrixRef;
using linalg::rowMajor;

/// Stores the draws of one batch after the other, converted.
template <class T> void appendConverted(const Array& out, int64_t& position, std::span<const T> values) {
  withType(out.dtype, [&]<class To>(std::type_identity<To>) {
    for (const T value : values) out.as<To>()[position++] = convertTo<To>(value);
  });
}

int64_t lastLength(const Array& a) { return a.shape[a.rank - 1]; }

// categorical (p)

int32_t noAxes(const RandomNode&, Array* const*, int64_t*, Context&) { return 0; }

/// Number of cumulative sums below u. NumPy adds in the probabilities' dtype.
int64_t category(std::span<const double> p, bool single, double u) {
  double sum = 0.0;
  for (size_t k = 0; k < p.size(); ++k) {
    sum = single ? static_cast<double>(static_cast<float>(sum + p[k])) : sum + p[k];
    if (u <= sum) return static_cast<int64_t>(k);
  }
  return static_cast<int64_t>(p.size());
}

int32_t fillCategorical(const RandomNode& node, RngState& rng, Array* const* in, const Array& out, Context&) {
  const Batch batch = batchOf(node, out);
  const Array& p = node.parameter(in, 0);
  const ParameterBlocks blocks(p, DType::Float64, 1, batch);
  int64_t position = 0;
  forEachIndex<1>(batch.shape.data(), batch.rank, {blocks.strides()}, [&](const auto& offsets) {
    const int64_t k = category(blocks.at<double>(offsets[0]), p.dtype == DType::Float32, nextDouble(rng));
    appendConverted<int64_t>(out, position, {&k, 1});
  });
  return 0;
}

// dirichlet (alphas)

int32_t vectorLikeLast(const RandomNode& node, Array* const* in, int64_t* lengths, Context&) {
  lengths[0] = lastLength(node.parameter(in, node.coreRanks.size() - 1));
  return 0;
}

int32_t fillDirichlet(const RandomNode& node, RngState& rng, Array* const* in, const Array& out,
                      Context& context) {
  const Batch batch = batchOf(node, out);
  const ParameterBlocks alphas(node.parameter(in, 0), DType::Float64, 1, batch);
  if (std::ranges::any_of(alphas.all<double>(), [](double a) { return a < 0.0; }))
    return valueError(context, "alpha < 0");
  std::vector<double> draw(static_cast<size_t>(alphas.coreSize()));
  int64_t position = 0;
  forEachIndex<1>(batch.shape.data(), batch.rank, {alphas.strides()}, [&](const auto& offsets) {
    dirichlet(*node.samplers, rng, alphas.at<double>(offsets[0]), draw.data());
    appendConverted<double>(out, position, draw);
  });
  return 0;
}

// multinomial (n, p)

int32_t checkMultinomial(const ParameterBlocks& n, const ParameterBlocks& p, Context& context) {
  const auto isNegative = [](int64_t k) { return k < 0; };
  if (std::ranges::any_of(n.all<int64_t>(), isNegative)) return valueError(context, "n < 0");
  if (p.coreSize() == 0) return valueError(context, "pvals must not be empty");
  const std::span<const double> all = p.all<double>();
  if (!std::ranges::all_of(all, [](double x) { return x >= 0.0 && x <= 1.0; }))
    return valueError(context, "pvals < 0, pvals > 1 or pvals contains NaNs");
  const auto length = static_cast<size_t>(p.coreSize());
  for (size_t row = 0; row < all.size(); row += length)
    if (compensatedSum(all.subspan(row, length - 1)) > 1.0 + 1e-12)
      return valueError(context, "sum(pvals[:-1]) > 1.0");
  return 0;
}

int32_t fillMultinomial(const RandomNode& node, RngState& rng, Array* const* in, const Array& out,
                        Context& context) {
  const Batch batch = batchOf(node, out);
  const ParameterBlocks n(node.parameter(in, 0), DType::Int64, 0, batch);
  const ParameterBlocks p(node.parameter(in, 1), DType::Float64, 1, batch);
  if (const int32_t code = checkMultinomial(n, p, context)) return code;
  std::vector<int64_t> counts(static_cast<size_t>(p.coreSize()));
  int64_t position = 0;
  forEachIndex<2>(batch.shape.data(), batch.rank, {n.strides(), p.strides()}, [&](const auto& offsets) {
    node.samplers->multinomial(rng, n.at<int64_t>(offsets[0])[0], p.at<double>(offsets[1]).data(),
                               p.coreSize(), counts.data());
    appendConverted<int64_t>(out, position, counts);
  });
  return 0;
}

// multivariate_normal (mean, cov)

int32_t normalShape(const RandomNode& node, Array* const* in, int64_t* lengths, Context& context) {
  const Array &mean = node.parameter(in, 0), &cov = node.parameter(in, 1);
  lengths[0] = lastLength(mean);
  if (lastLength(cov) != lengths[0] || cov.shape[cov.rank - 2] != lengths[0])
    return valueError(context, "mean and cov must have the same length");
  return 0;
}

/// a := a diag(sqrt(w))
void scaleColumns(double* a, const double* w, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) a[i * n + j] *= std::sqrt(w[j]);
}

/// a (n, n), C-contiguous: a a^T = cov. False where the method has no such factor.
bool factor(const std::string& method, const double* cov, int64_t n, double* a) {
  // A MatrixRef is for both sides of a copy; this one is read only.
  const MatrixRef from = rowMajor(const_cast<double*>(cov), DType::Float64, n, n);
  const MatrixRef to = rowMajor(a, DType::Float64, n, n);
  if (method == "cholesky") {
    linalg::cholesky(from, true, to);
    return n == 0 || !std::isnan(a[n * n - 1]);
  }
  std::vector<double> w(static_cast<size_t>(n)), vh(static_cast<size_t>(n * n));
  const MatrixRef values = linalg::columnMajor(w.data(), DType::Float64, n, 1);
  const bool found =
      method == "svd" ? linalg::singularValues(from, DType::Float64, to, values,
                                               rowMajor(vh.data(), DType::Float64, n, n))
                      : linalg::hermitianEigen(from, true, linalg::EigenDriver::DivideAndConquer, values, to);
  scaleColumns(a, w.data(), n);
  return found;
}

int32_t fillNormal(const RandomNode& node, RngState& rng, Array* const* in, const Array& out,
                   Context& context) {
  const Batch batch = batchOf(node, out);
  const ParameterBlocks mean(node.parameter(in, 0), DType::Float64, 1, batch);
  const ParameterBlocks cov(node.parameter(in, 1), DType::Float64, 2, batch);
  const int64_t n = mean.coreSize();
  // One factor for each matrix, not for each draw.
  std::vector<double> factors(cov.all<double>().size());
  for (size_t start = 0; start < factors.size(); start += static_cast<size_t>(n * n))
    if (!factor(node.method, cov.all<double>().data() + start, n, factors.data() + start))
      return context.fail("LinAlgError", node.method == "cholesky"
                                             ? "Matrix is not positive definite"
                                             : "the decomposition of cov did not converge");
  std::vector<double> z(static_cast<size_t>(n)), draw(static_cast<size_t>(n));
  int64_t position = 0;
  forEachIndex<2>(batch.shape.data(), batch.rank, {mean.strides(), cov.strides()}, [&](const auto& offsets) {
    for (double& value : z) value = node.samplers->standardNormal(rng);
    const double* row = factors.data() + offsets[1] / static_cast<int64_t>(sizeof(double));
    for (size_t i = 0; i < draw.size(); ++i, row += n) {
      draw[i] = 0.0;
      for (size_t j = 0; j < z.size(); ++j) draw[i] += row[j] * z[j];
      draw[i] += mean.at<double>(offsets[0])[i];
    }
    appendConverted<double>(out, position, draw);
  });
  return 0;
}

constexpr RandomKind kKinds[] = {
    {"categorical", 1, 1, {1}, 0, 0, noAxes, fillCategorical},
    {"dirichlet", 1, 1, {1}, 1, 0, vectorLikeLast, fillDirichlet},
    {"multinomial", 2, 2, {0, 1}, 1, 0, vectorLikeLast, fillMultinomial},
    {"multivariate_normal", 2, 2, {1, 2}, 1, 0, normalShape, fillNormal},
};

} // namespace

std::span<const RandomKind> vectorKinds() { return kKinds; }

} // namespace nodewise::random
