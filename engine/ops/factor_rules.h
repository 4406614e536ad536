// What defines the factors of each op, checked on matrices without batch axes.
#pragma once

#include "graph/graph.h"
#include "ops/factor_matrix.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nodewise::linalg {

/// The matrices of one call, and the first thing that is found wrong with them.
class FactorCheck {
public:
  /// Differences up to `relative`, times scale and size, are rounding.
  FactorCheck(const Node& callNode, double relative) : node(callNode), m_tolerance(relative) {}

  const Node& node;
  std::vector<FactorMatrix> in, out, expected; ///< expected[k] has no rows where it is not known
  std::string wrong;                           ///< empty: nothing so far; later checks do not replace it

  /// `size` (a greatest absolute difference) is small beside `scale`, for matrices of n rows or columns.
  void small(double size, double scale, int64_t n, std::string_view what);
  void that(bool holds, std::string_view what);
  void orthogonal(const FactorMatrix& q, std::string_view name);
  /// a = product, of one shape.
  void equal(const FactorMatrix& product, const FactorMatrix& a, std::string_view equation);
  /// Output k is as recorded, in the same order.
  void asRecorded(size_t k, std::string_view what);
  /// Output k has the recorded values in any order.
  void asRecordedInAnyOrder(size_t k, std::string_view what);
  void sameInAnyOrder(const std::vector<std::complex<double>>& values,
                      std::vector<std::complex<double>> other, std::string_view what);
  bool recorded(size_t k) const { return k < expected.size() && expected[k].rows > 0; }

private:
  double m_tolerance;
};

/// One op whose outputs are factors.
struct FactorRule {
  std::string_view op;
  void (*check)(FactorCheck&);
  size_t leastInputs, leastOutputs;
  int determined; ///< the output that is no factor but determined (singular values); -1: none
};
std::span<const FactorRule> factorRules();

} // namespace nodewise::linalg
