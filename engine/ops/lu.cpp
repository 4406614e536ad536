#include "numeric/lapack_lu.h"

#include "ops/families.h"
#include "ops/linear_algebra.h"
#include "ops/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace nodewise {

using namespace linalg;

namespace {

/// Elements of a contiguous int32 output.
int32_t* integersOf(const Array& out) { return out.as<int32_t>(); }

/// SciPy's lu looks for elements that are not finite first.
int32_t checkFinite(Context& context, const Array& a) {
  if (allFinite(matrixOf(a))) return 0;
  return context.fail("ValueError", "the matrix has to be finite");
}

void permutationMatrix(const int32_t* rowOf, const MatrixRef& p) {
  if (p.empty()) return;
  fillMatrix(p, 0);
  for (int64_t i = 0; i < p.rows; ++i) fillMatrix({p.at(i, rowOf[i]), p.dtype, 1, 1, 0, 0}, 1);
}

/// to[i] = from[rowOf[i]]
void permuteRows(const MatrixRef& from, const int32_t* rowOf, const MatrixRef& to) {
  for (int64_t i = 0; i < to.rows; ++i) {
    const MatrixRef row{from.at(rowOf[i], 0), from.dtype, 1, from.cols, from.rowStride, from.colStride};
    copyMatrix(row, {to.at(i, 0), to.dtype, 1, to.cols, to.rowStride, to.colStride});
  }
}

/// What comes before U: P and L, P L, or row numbers and L.
enum class LuForm : uint8_t { Matrices, Permuted, Indices };

int32_t luShape(LuForm form, Array* const* in, Array* const* out, Context& context) {
  const int64_t m = in[0]->shape[0], n = in[0]->shape[1], k = std::min(m, n);
  if (form == LuForm::Matrices) setShape(*out[0], m, m);
  if (form == LuForm::Indices) setShape(*out[0], m);
  const size_t l = form == LuForm::Permuted ? 0 : 1;
  setShape(*out[l], m, k);
  setShape(*out[l + 1], k, n);
  return checkLengths(context, *in[0]);
}

int32_t runLu(LuForm form, Array* const* in, Array* const* out, Context& context) {
  if (const int32_t code = checkFinite(context, *in[0])) return code;
  Scratch scratch;
  const MatrixRef a = matrixOf(*in[0]);
  auto* rowOf = form == LuForm::Indices ? integersOf(*out[0]) : scratch.take<int32_t>(a.rows);
  if (form != LuForm::Permuted) {
    luFactors(a, matrixOf(*out[1]), matrixOf(*out[2]), rowOf);
    if (form == LuForm::Matrices) permutationMatrix(rowOf, matrixOf(*out[0]));
    return 0;
  }
  const MatrixRef pl = matrixOf(*out[0]);
  auto* memory = scratch.take<std::byte>(pl.rows * pl.cols * dtypeSize(pl.dtype));
  const MatrixRef l = rowMajor(memory, pl.dtype, pl.rows, pl.cols);
  luFactors(a, l, matrixOf(*out[1]), rowOf);
  permuteRows(l, rowOf, pl);
  return 0;
}

Result<Lowered> lowerLu(const NodeView& node) {
  NW_TRY(const bool permuteL, boolParam(node, "permute_l", false));
  NW_TRY(const bool indices, boolParam(node, "p_indices", false));
  if (permuteL && indices) return node.paramError("p_indices", "expected false where permute_l is true");
  const LuForm form = permuteL ? LuForm::Permuted : indices ? LuForm::Indices : LuForm::Matrices;
  const int outputs = permuteL ? 2 : 3;
  NW_CHECK(checkArity(node, 1, 1, outputs, outputs));
  NW_CHECK(checkTensor(node, 0, 2));
  for (size_t k = 0; k < static_cast<size_t>(outputs); ++k)
    NW_CHECK(checkOutTensor(node, k, k == 0 && indices ? 1 : 2));
  const auto last = static_cast<size_t>(outputs - 1);
  NW_CHECK(checkLapackOutput(node, last));
  NW_CHECK(checkOutDType(node, last - 1, node.out(last).dtype));
  if (indices) NW_CHECK(checkOutDType(node, 0, DType::Int32));
  return linearAlgebraNode([form](Array* const* in, Array* const* out,
                                  Context& context) { return luShape(form, in, out, context); },
                           [form](Array* const* in, Array* const* out, Context& context) {
                             return runLu(form, in, out, context);
                           });
}

Result<Lowered> lowerLuFactor(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 2, 2));
  NW_CHECK(checkTensor(node, 0, 2));
  NW_CHECK(checkOutTensor(node, 0, 2));
  NW_CHECK(checkOutTensor(node, 1, 1));
  NW_CHECK(checkLapackOutput(node, 0));
  NW_CHECK(checkOutDType(node, 1, DType::Int32));
  return linearAlgebraNode(
      [](Array* const* in, Array* const* out, Context& context) {
        copyShape(*in[0], *out[0]);
        setShape(*out[1], std::min(in[0]->shape[0], in[0]->shape[1]));
        return checkLengths(context, *in[0]);
      },
      [](Array* const* in, Array* const* out, Context&) {
        luFactor(matrixOf(*in[0]), matrixOf(*out[0]), integersOf(*out[1]));
        return 0;
      });
}

Result<Lowered> lowerPivotToPermutations(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkIndexVector(node, 0));
  NW_CHECK(checkOutTensor(node, 0, 1));
  NW_CHECK(checkOutDType(node, 0, DType::Int64));
  NW_TRY(const bool inverse, boolParam(node, "inverse", true));
  return linearAlgebraNode(
      [](Array* const* in, Array* const* out, Context&) {
        copyShape(*in[0], *out[0]);
        return 0;
      },
      [inverse](Array* const* in, Array* const* out, Context& context) {
        Scratch scratch;
        const int64_t n = in[0]->shape[0];
        auto* pivots = scratch.take<int64_t>(n);
        auto* permutation = scratch.take<int64_t>(n);
        copyMatrix(matrixOf(*in[0]), columnMajor(pivots, DType::Int64, n, 1));
        if (!permutationOf(pivots, n, permutation))
          return context.fail("IndexError", fmt::format("a pivot is outside of the {} rows", n));
        auto* result = out[0]->as<int64_t>();
        for (int64_t i = 0; i < n; ++i) {
          if (inverse)
            result[i] = permutation[i];
          else
            result[permutation[i]] = i;
        }
        return 0;
      });
}

/// Lengths of a tridiagonal matrix's diagonals.
int32_t checkDiagonals(Context& context, const Array& below, const Array& main, const Array& above) {
  const int64_t n = main.shape[0], beside = std::max<int64_t>(n - 1, 0);
  if (below.shape[0] != beside || above.shape[0] != beside)
    return context.fail("ValueError",
                        fmt::format("the diagonals beside one of {} elements need {}, found {} and {}", n,
                                    beside, below.shape[0], above.shape[0]));
  return checkLengths(context, main);
}

Result<Lowered> lowerLuFactorTridiagonal(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 5, 5));
  for (size_t k = 0; k < 3; ++k) NW_CHECK(checkTensor(node, k, 1));
  for (size_t k = 0; k < 5; ++k) NW_CHECK(checkOutTensor(node, k, 1));
  NW_CHECK(checkLapackOutput(node, 0));
  for (size_t k = 1; k < 4; ++k) NW_CHECK(checkOutDType(node, k, node.out(0).dtype));
  NW_CHECK(checkOutDType(node, 4, DType::Int32));
  return linearAlgebraNode(
      [](Array* const* in, Array* const* out, Context& context) {
        for (int k = 0; k < 3; ++k) copyShape(*in[k], *out[k]);
        setShape(*out[3], std::max<int64_t>(in[1]->shape[0] - 2, 0));
        copyShape(*in[1], *out[4]);
        return checkDiagonals(context, *in[0], *in[1], *in[2]);
      },
      [](Array* const* in, Array* const* out, Context&) {
        for (int k = 0; k < 3; ++k) startFrom(*in[k], *out[k]);
        tridiagonalFactor(matrixOf(*out[0]), matrixOf(*out[1]), matrixOf(*out[2]), matrixOf(*out[3]),
                          integersOf(*out[4]));
        return 0;
      });
}

Result<Lowered> lowerSolveLuFactorTridiagonal(const NodeView& node) {
  NW_CHECK(checkArity(node, 6, 6, 1, 1));
  NW_TRY(const int64_t rank, intParam(node, "b_ndim", node.in(5).rank()));
  if (rank != 1 && rank != 2)
    return node.paramError("b_ndim", fmt::format("expected 1 or 2, found {}", rank));
  NW_TRY(const bool transposed, boolParam(node, "transposed", false));
  for (size_t k = 0; k < 5; ++k) NW_CHECK(checkTensor(node, k, 1));
  NW_CHECK(checkIndexVector(node, 4));
  NW_CHECK(checkTensor(node, 5, static_cast<int>(rank)));
  NW_CHECK(checkOutTensor(node, 0, static_cast<int>(rank)));
  NW_CHECK(checkLapackOutput(node, 0));
  Lowered lowered = linearAlgebraNode(
      [](Array* const* in, Array* const* out, Context& context) {
        const Array &main = *in[1], &above2 = *in[3], &pivots = *in[4], &b = *in[5];
        copyShape(b, *out[0]);
        if (const int32_t code = checkDiagonals(context, *in[0], main, *in[2])) return code;
        if (above2.shape[0] != std::max<int64_t>(main.shape[0] - 2, 0))
          return shapesDoNotFit(context, "second diagonal above", main, above2);
        if (pivots.shape[0] != main.shape[0]) return shapesDoNotFit(context, "pivots", main, pivots);
        if (b.shape[0] != main.shape[0]) return shapesDoNotFit(context, "system of equations", main, b);
        return checkLengths(context, b);
      },
      [transposed](Array* const* in, Array* const* out, Context& context) {
        startFrom(*in[5], *out[0]);
        const bool done = tridiagonalSolve(matrixOf(*in[0]), matrixOf(*in[1]), matrixOf(*in[2]),
                                           matrixOf(*in[3]), matrixOf(*in[4]), transposed, matrixOf(*out[0]));
        return done ? 0 : context.fail("ValueError", "pivot i of a tridiagonal factor has to be i or i + 1");
      });
  allowInPlace(lowered, node, 0, 5);
  return lowered;
}

constexpr std::string_view kFamily = "linear algebra";

constexpr OpRow kRows[] = {
    {"LU", kFamily, lowerLu, 1, "A", "A = P L U: P, L, U, or P L, U, or int32 row numbers, L, U."},
    {"LUFactor", kFamily, lowerLuFactor, 1, "A", "Packed L and U, and int32 pivots from 0."},
    {"PivotToPermutations", kFamily, lowerPivotToPermutations, 1, "pivots",
     "The swaps of pivots carried out on 0, 1, ... (inverse), or the inverse permutation."},
    {"LUFactorTridiagonal", kFamily, lowerLuFactorTridiagonal, 1, "lower, main, upper diagonal",
     "LAPACK's gttrf: dl, d, du, du2 and int32 pivots."},
    {"SolveLUFactorTridiagonal", kFamily, lowerSolveLuFactorTridiagonal, 1, "dl, d, du, du2, pivots, b",
     "LAPACK's gttrs: solves with the factors of LUFactorTridiagonal."},
};

} // namespace

std::span<const OpRow> luOps() { return kRows; }

} // namespace nodewise
