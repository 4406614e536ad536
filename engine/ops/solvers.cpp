#include "numeric/solve.h"
#include "numeric/triangular.h"

#include "ops/families.h"
#include "ops/linear_algebra.h"
#include "ops/params.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

using namespace linalg;

namespace {

Result<Lowered> lowerCholesky(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0, 2));
  NW_CHECK(checkOutTensor(node, 0, 2));
  NW_CHECK(checkLapackOutput(node, 0));
  NW_TRY(const bool lower, boolParam(node, "lower", true));
  Lowered lowered = linearAlgebraNode(
      [](Array* const* in, Array* const* out, Context& context) {
        copyShape(*in[0], *out[0]);
        // PyTensor looks at the size first: (0, 3) is empty, not an error.
        return in[0]->size() == 0 ? 0 : checkSquare(context, *in[0]);
      },
      [lower](Array* const* in, Array* const* out, Context&) {
        cholesky(matrixOf(*in[0]), lower, matrixOf(*out[0]));
        return 0;
      });
  allowInPlace(lowered, node, 0, 0);
  return lowered;
}

/// x of a square system a x = b has b's shape.
int32_t systemShape(Array* const* in, Array* const* out, Context& context) {
  const Array &a = *in[0], &b = *in[1];
  if (const int32_t code = checkSquare(context, a)) return code;
  if (a.shape[0] != b.shape[0]) return shapesDoNotFit(context, "system of equations", a, b);
  if (const int32_t code = checkLengths(context, b)) return code;
  copyShape(b, *out[0]);
  return 0;
}

/// A, b -> x with b and x of rank `b_ndim`.
Result<void> checkSystem(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_TRY(const int64_t rank, intParam(node, "b_ndim", node.in(1).rank()));
  if (rank != 1 && rank != 2)
    return node.paramError("b_ndim", fmt::format("expected 1 or 2, found {}", rank));
  NW_CHECK(checkTensor(node, 0, 2));
  NW_CHECK(checkTensor(node, 1, static_cast<int>(rank)));
  NW_CHECK(checkOutTensor(node, 0, static_cast<int>(rank)));
  return checkLapackOutput(node, 0);
}

/// A node that begins with x = b and then solves in place.
Lowered systemNode(const NodeView& node, ArrayFn run) {
  Lowered lowered = linearAlgebraNode(systemShape, std::move(run));
  allowInPlace(lowered, node, 0, 1);
  return lowered;
}

Result<Lowered> lowerCholeskySolve(const NodeView& node) {
  NW_CHECK(checkSystem(node));
  NW_TRY(const bool lower, boolParam(node, "lower", true));
  return systemNode(node, [lower](Array* const* in, Array* const* out, Context&) {
    startFrom(*in[1], *out[0]);
    solveCholesky(matrixOf(*in[0]), lower, matrixOf(*out[0]));
    return 0;
  });
}

Result<Lowered> lowerSolveTriangular(const NodeView& node) {
  NW_CHECK(checkSystem(node));
  NW_TRY(const bool lower, boolParam(node, "lower", false));
  NW_TRY(const bool unitDiagonal, boolParam(node, "unit_diagonal", false));
  return systemNode(node, [lower, unitDiagonal](Array* const* in, Array* const* out, Context&) {
    startFrom(*in[1], *out[0]);
    solveTriangular(matrixOf(*in[0]), lower, unitDiagonal, matrixOf(*out[0]));
    return 0;
  });
}

struct AssumeRow {
  std::string_view name;
  Assume assume;
};
constexpr AssumeRow kAssumptions[] = {
    {"gen", Assume::General},  {"sym", Assume::Symmetric},           {"her", Assume::Hermitian},
    {"pos", Assume::Positive}, {"tridiagonal", Assume::Tridiagonal}, {"banded", Assume::General},
};

Result<Lowered> lowerSolve(const NodeView& node) {
  NW_CHECK(checkSystem(node));
  NW_TRY(const std::string name,
         choiceParam(node, "assume_a", {"gen", "sym", "her", "pos", "tridiagonal", "banded"}, "gen"));
  NW_TRY(const bool lower, boolParam(node, "lower", false));
  const auto* row = std::find_if(std::begin(kAssumptions), std::end(kAssumptions),
                                 [&](const AssumeRow& r) { return r.name == name; });
  return systemNode(node, [assume = row->assume, lower](Array* const* in, Array* const* out, Context&) {
    startFrom(*in[1], *out[0]);
    const MatrixRef x = matrixOf(*out[0]);
    if (!solve(matrixOf(*in[0]), assume, lower, x)) fillNaN(x);
    return 0;
  });
}

int32_t blockDiagonalShape(Array* const* in, Array* const* out, size_t count) {
  setShape(*out[0], 0, 0);
  for (size_t k = 0; k < count; ++k) {
    out[0]->shape[0] += in[k]->shape[0];
    out[0]->shape[1] += in[k]->shape[1];
  }
  return 0;
}

Result<Lowered> lowerBlockDiagonal(const NodeView& node) {
  NW_TRY(const int64_t count, intParam(node, "n_inputs", static_cast<int64_t>(node.inputs())));
  if (count < 1 || count != static_cast<int64_t>(node.inputs()))
    return node.paramError("n_inputs",
                           fmt::format("expected the number of inputs, {}, found {}", node.inputs(), count));
  NW_CHECK(checkArity(node, 1, -1, 1, 1));
  for (size_t k = 0; k < node.inputs(); ++k) NW_CHECK(checkTensor(node, k, 2));
  NW_CHECK(checkOutTensor(node, 0, 2));
  NW_CHECK(checkInputsConvert(node, 0));
  return Lowered::prebuilt([n = node.inputs()](Array* const* in, Array* const* out,
                                               Context&) { return blockDiagonalShape(in, out, n); },
                           [n = node.inputs()](Array* const* in, Array* const* out, Context&) {
                             MatrixRef rest = matrixOf(*out[0]);
                             if (!rest.empty()) fillMatrix(rest, 0);
                             for (size_t k = 0; k < n; ++k) {
                               const MatrixRef block = matrixOf(*in[k]);
                               MatrixRef place = rest;
                               place.rows = block.rows;
                               place.cols = block.cols;
                               copyMatrix(block, place);
                               rest.data = rest.at(block.rows, block.cols);
                             }
                             return 0;
                           });
}

constexpr std::string_view kFamily = "linear algebra";

constexpr OpRow kRows[] = {
    {"Cholesky", kFamily, lowerCholesky, 1, "A",
     "The Cholesky factor L or U of A; reads that triangle only. Not positive definite: all not-a-number."},
    {"CholeskySolve", kFamily, lowerCholeskySolve, 1, "factor, b", "Solves (L L^T) x = b or (U^T U) x = b."},
    {"SolveTriangular", kFamily, lowerSolveTriangular, 1, "A, b",
     "Solves A x = b with a triangle of A. A zero on the diagonal: all not-a-number."},
    {"Solve", kFamily, lowerSolve, 1, "A, b", "Solves A x = b. A singular: all not-a-number."},
    {"BlockDiagonal", kFamily, lowerBlockDiagonal, 1, "matrices",
     "The matrices along the diagonal, 0 elsewhere."},
};

} // namespace

std::span<const OpRow> solverOps() { return kRows; }

} // namespace nodewise
