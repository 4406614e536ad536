#include "ops/params.h"
#include "ops/sparse_ops.h"
#include "ops/sparse_value.h"

#include "numeric/strided.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

namespace {

enum class Comparison { Equal, NotEqual, LessThan, LessEqual, GreaterThan, GreaterEqual };

struct ComparisonRow {
  std::string_view name; ///< of the op, without "Sparse" and the operands' kinds
  Comparison comparison;
};
constexpr ComparisonRow kComparisons[] = {
    {"Equal", Comparison::Equal},
    {"NotEqual", Comparison::NotEqual},
    {"LessThan", Comparison::LessThan},
    {"LessEqual", Comparison::LessEqual},
    {"GreaterThan", Comparison::GreaterThan},
    {"GreaterEqual", Comparison::GreaterEqual},
};

/// "SparseLessThanSS" -> LessThan.
Result<Comparison> comparisonOf(const NodeView& node) {
  for (const ComparisonRow& row : kComparisons)
    if (std::string_view(node.node.op).substr(6).starts_with(row.name)) return row.comparison;
  return node.error(fmt::format("{} is no comparison", node.node.op));
}

/// The four dtypes in which elements of any dtype are compared, without change of their order.
DType comparisonDType(DType common) {
  if (common == DType::UInt64) return DType::UInt64;
  if (isIntegral(common)) return DType::Int64;
  return isComplex(common) ? DType::Complex128 : DType::Float64;
}

template <class T> bool less(T a, T b) { return a < b; }
/// Lexicographic.
template <class T> bool less(std::complex<T> a, std::complex<T> b) {
  return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
}

template <class T> bool holds(Comparison comparison, T a, T b) {
  switch (comparison) {
  case Comparison::Equal:
    return a == b;
  case Comparison::NotEqual:
    return a != b;
  case Comparison::LessThan:
    return less(a, b);
  case Comparison::LessEqual:
    return less(a, b) || a == b;
  case Comparison::GreaterThan:
    return less(b, a);
  case Comparison::GreaterEqual:
    return less(b, a) || a == b;
  }
  return false;
}

template <class Visit> void withComparisonType(DType dtype, Visit visit) {
  switch (dtype) {
  case DType::Int64:
    return visit(std::type_identity<int64_t>{});
  case DType::UInt64:
    return visit(std::type_identity<uint64_t>{});
  case DType::Complex128:
    return visit(std::type_identity<std::complex<double>>{});
  default:
    return visit(std::type_identity<double>{});
  }
}

/// Canonical matrices of one format: the places where the comparison holds, absent elements being 0.
template <class T>
SparseResult<uint8_t> comparePlaces(Comparison comparison, const SparseTerms<T>& a, const SparseTerms<T>& b) {
  SparseResult<uint8_t> result;
  const bool ofZeros = holds(comparison, T{}, T{});
  for (int64_t m = 0; m < a.at.major; ++m) {
    int32_t next = 0;
    const auto fillTo = [&](int64_t end) {
      for (; ofZeros && next < end; ++next) result.add(next, 1);
    };
    mergeRow(a, b, m, [&](int32_t place, T x, T y) {
      fillTo(place);
      if (holds(comparison, x, y)) result.add(place, 1);
      next = place + 1;
    });
    fillTo(a.at.minor);
    result.endRow();
  }
  return result;
}

struct ComparisonParams {
  Comparison comparison;
  DType common;
};

int32_t compareSparse(const ComparisonParams& params, Array* const* in, Array* const* out, Context& context) {
  SparseInput a(*in[0], context), b(*in[1], context);
  if (!a || !b) return 1;
  if (const int32_t code = checkSameShape(context, *a, b->shape, "AssertionError")) return code;
  const bool csc = a->csc;
  a.canonical();
  b.in(csc).canonical();
  if (holds(params.comparison, 0, 0) && a->shape[0] * a->shape[1] > INT32_MAX)
    return context.fail("ValueError", "the comparison holds at too many places for a sparse matrix");
  // Elements are compared in the common dtype: int64 and uint64 as doubles.
  SparseData aCommon, bCommon;
  const SparseData &x = inDType(*a, params.common, aCommon), &y = inDType(*b, params.common, bCommon);
  const DType dtype = comparisonDType(params.common);
  Scratch scratch;
  withComparisonType(dtype, [&]<class T>(std::type_identity<T>) {
    setSparse(*out[0], csc, a->shape,
              comparePlaces(params.comparison, termsOf<T>(x, dtype, scratch), termsOf<T>(y, dtype, scratch)),
              DType::UInt8);
  });
  return 0;
}

int32_t compareDense(const ComparisonParams& params, Array* const* in, Array* const*, Context& context) {
  SparseInput s(*in[0], context);
  if (!s.canonical()) return 1;
  if (const int32_t code = checkSameShape(context, *s, matrixShape(*in[1]), "AssertionError")) return code;
  const ContiguousInput common(*in[1], params.common);
  const DType dtype = comparisonDType(params.common);
  const std::vector<int64_t> shape{s->shape[0], s->shape[1]};
  Scratch scratch;
  withComparisonType(dtype, [&]<class T>(std::type_identity<T>) {
    SparseData sCommon;
    const SparseTerms<T> terms = termsOf<T>(inDType(*s, params.common, sCommon), dtype, scratch);
    // The dense matrix, in the two steps of the sparse one.
    T* d = scratch.take<T>(common.size());
    const int64_t n = common.size(), to = sizeof(T), from = dtypeSize(params.common);
    assign({reinterpret_cast<std::byte*>(d), &to, dtype}, {common.data(), &from, params.common}, &n, 1);
    std::vector<uint8_t> truth(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i) truth[static_cast<size_t>(i)] = holds(params.comparison, T{}, d[i]);
    forEachStored(terms, s->csc, [&](int64_t row, int64_t column, T element) {
      const int64_t i = row * shape[1] + column;
      truth[static_cast<size_t>(i)] = holds(params.comparison, element, d[i]);
    });
    setDense(context, shape, reinterpret_cast<const std::byte*>(truth.data()), DType::UInt8);
  });
  return 0;
}

} // namespace

Result<Lowered> lowerSparseCompare(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkOutFormatOf(node, 0));
  NW_CHECK(checkSparse(node, 1));
  NW_TRY(const Comparison comparison, comparisonOf(node));
  const ComparisonParams params{comparison, promote(node.in(0).dtype, node.in(1).dtype)};
  return sparseNode([params](Array* const* in, Array* const* out, Context& context) {
    return compareSparse(params, in, out, context);
  });
}

Result<Lowered> lowerSparseCompareDense(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkSparse(node, 0));
  NW_CHECK(checkTensor(node, 1, 2));
  NW_CHECK(checkOutTensor(node, 0, 2));
  NW_TRY(const Comparison comparison, comparisonOf(node));
  const ComparisonParams params{comparison, promote(node.in(0).dtype, node.in(1).dtype)};
  return sparseNode([params](Array* const* in, Array* const* out, Context& context) {
    return compareDense(params, in, out, context);
  });
}

} // namespace nodewise
