#include "numeric/lapack_lu.h"
#include "numeric/lapack_svd.h"
#include "numeric/matrix_exponential.h"
#include "numeric/solve.h"
#include "numeric/strided.h"

#include "ops/families.h"
#include "ops/linear_algebra.h"
#include "ops/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace nodewise {

using namespace linalg;

namespace {

int32_t singular(Context& context) { return linAlgError(context, "the matrix is singular"); }

/// A, square -> a matrix of its shape.
Result<void> checkMatrixToMatrix(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0, 2));
  NW_CHECK(checkOutTensor(node, 0, 2));
  return checkLapackOutput(node, 0);
}

int32_t squareShape(Array* const* in, Array* const* out, Context& context) {
  copyShape(*in[0], *out[0]);
  return checkSquare(context, *in[0], "LinAlgError");
}

Result<Lowered> lowerMatrixInverse(const NodeView& node) {
  NW_CHECK(checkMatrixToMatrix(node));
  return linearAlgebraNode(squareShape, [](Array* const* in, Array* const* out, Context& context) {
    return invert(matrixOf(*in[0]), matrixOf(*out[0])) ? 0 : singular(context);
  });
}

Result<Lowered> lowerMatrixPinv(const NodeView& node) {
  NW_CHECK(checkMatrixToMatrix(node));
  NW_TRY(const bool hermitian, boolParam(node, "hermitian", false));
  return linearAlgebraNode(
      [hermitian](Array* const* in, Array* const* out, Context& context) {
        setShape(*out[0], in[0]->shape[1], in[0]->shape[0]);
        return hermitian ? checkSquare(context, *in[0], "LinAlgError") : checkLengths(context, *in[0]);
      },
      [hermitian](Array* const* in, Array* const* out, Context& context) {
        if (pseudoInverse(matrixOf(*in[0]), hermitian, matrixOf(*out[0]))) return 0;
        return linAlgError(context, "the singular values did not converge");
      });
}

Result<Lowered> lowerExpm(const NodeView& node) {
  NW_CHECK(checkMatrixToMatrix(node));
  return linearAlgebraNode(squareShape, [](Array* const* in, Array* const* out, Context&) {
    matrixExponential(matrixOf(*in[0]), matrixOf(*out[0]));
    return 0;
  });
}

Result<Lowered> lowerDet(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0, 2));
  NW_CHECK(checkOutTensor(node, 0, 0));
  NW_CHECK(checkLapackOutput(node, 0));
  return linearAlgebraNode(
      [](Array* const* in, Array* const*, Context& context) { return checkSquare(context, *in[0]); },
      [](Array* const* in, Array* const* out, Context&) {
        fillMatrix(matrixOf(*out[0]), determinant(matrixOf(*in[0]), out[0]->dtype).value);
        return 0;
      });
}

Result<Lowered> lowerSLogDet(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 2, 2));
  NW_CHECK(checkTensor(node, 0, 2));
  NW_CHECK(checkOutTensor(node, 0, 0));
  NW_CHECK(checkOutTensor(node, 1, 0));
  NW_CHECK(checkLapackOutput(node, 0));
  NW_CHECK(checkOutDType(node, 1, realPart(node.out(0).dtype)));
  return linearAlgebraNode(
      [](Array* const* in, Array* const*, Context& context) { return checkSquare(context, *in[0]); },
      [](Array* const* in, Array* const* out, Context&) {
        const LogDeterminant det = determinant(matrixOf(*in[0]), out[0]->dtype);
        fillMatrix(matrixOf(*out[0]), det.sign);
        fillMatrix(matrixOf(*out[1]), det.logAbs);
        return 0;
      });
}

/// Product of some lengths of a.
int64_t productOfLengths(const Array& a, int32_t first, int32_t last) {
  int64_t n = 1;
  for (int32_t axis = first; axis < last; ++axis) n *= a.shape[axis];
  return n;
}

/// Elements of `a` in C order, its axes in the order given, converted, in scratch memory.
std::byte* flattened(const Array& a, const std::vector<int32_t>& order, DType dtype, Scratch& scratch) {
  auto* data = scratch.take<std::byte>(a.size() * dtypeSize(dtype));
  std::vector<int64_t> shape, strides, to(order.size());
  for (const int32_t axis : order) {
    shape.push_back(a.shape[axis]);
    strides.push_back(a.strides[axis]);
  }
  const int rank = static_cast<int>(order.size());
  contiguousStrides(shape.data(), rank, dtypeSize(dtype), to.data());
  assign({data, to.data(), dtype}, {a.data, strides.data(), a.dtype}, shape.data(), rank);
  return data;
}

std::vector<int32_t> axesInOrder(const Array& a) {
  std::vector<int32_t> order(static_cast<size_t>(a.rank));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

int32_t tensorInvShape(int32_t ind, Array* const* in, Array* const* out, Context& context) {
  const Array& a = *in[0];
  if (ind <= 0) return context.fail("ValueError", fmt::format("ind has to be positive, found {}", ind));
  const int32_t split = std::min(ind, a.rank);
  for (int32_t axis = 0; axis < a.rank; ++axis) out[0]->shape[axis] = a.shape[(axis + split) % a.rank];
  const int64_t rows = productOfLengths(a, 0, split), cols = productOfLengths(a, split, a.rank);
  if (rows != cols)
    return linAlgError(context, fmt::format("{} cannot be seen as a square matrix: {} by {} elements",
                                            shapeText(a), rows, cols));
  return checkLengths(context, a);
}

Result<Lowered> lowerTensorInv(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkOutTensor(node, 0, node.in(0).rank()));
  NW_CHECK(checkLapackOutput(node, 0));
  NW_TRY(const int64_t ind, intParam(node, "ind", 2));
  if (node.in(0).rank() == 0) return node.error("input 0 of TensorInv has to have an axis");
  const auto split = static_cast<int32_t>(std::clamp<int64_t>(ind, 0, node.in(0).rank()));
  return linearAlgebraNode([split](Array* const* in, Array* const* out,
                                   Context& context) { return tensorInvShape(split, in, out, context); },
                           [split](Array* const* in, Array* const* out, Context& context) {
                             Scratch scratch;
                             const Array &a = *in[0], &x = *out[0];
                             const int64_t n = productOfLengths(a, 0, split);
                             std::byte* flat = flattened(a, axesInOrder(a), x.dtype, scratch);
                             return invert(rowMajor(flat, x.dtype, n, n), rowMajor(x.data, x.dtype, n, n))
                                        ? 0
                                        : singular(context);
                           });
}

/// The order of a's axes that NumPy's tensorsolve computes with: the named ones moved to the end.
std::vector<int32_t> tensorSolveOrder(int32_t rank, const std::vector<int64_t>& moved) {
  std::vector<int32_t> order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  for (const int64_t axis : moved) {
    order.erase(std::find(order.begin(), order.end(), static_cast<int32_t>(axis)));
    order.push_back(static_cast<int32_t>(axis));
  }
  return order;
}

Result<std::vector<int32_t>> tensorSolveAxes(const NodeView& node) {
  NW_TRY(const auto axes, intListParam(node, "axes", true));
  const int rank = node.in(0).rank();
  std::vector<int64_t> moved = axes.value_or(std::vector<int64_t>{});
  for (size_t i = 0; i < moved.size(); ++i) {
    const bool twice = std::find(moved.begin(), moved.begin() + static_cast<std::ptrdiff_t>(i), moved[i]) !=
                       moved.begin() + static_cast<std::ptrdiff_t>(i);
    if (moved[i] < 0 || moved[i] >= rank || twice)
      return node.paramError("axes",
                             fmt::format("expected different axes below {}, found {}", rank, moved[i]));
  }
  return tensorSolveOrder(rank, moved);
}

/// x has the lengths of a's axes beyond b's.
int32_t tensorSolveShape(const std::vector<int32_t>& order, Array* const* in, Array* const* out,
                         Context& context) {
  const Array &a = *in[0], &b = *in[1];
  int64_t unknowns = 1;
  for (int32_t axis = 0; axis < out[0]->rank; ++axis) {
    out[0]->shape[axis] = a.shape[order[static_cast<size_t>(b.rank + axis)]];
    unknowns *= out[0]->shape[axis];
  }
  if (unknowns == 0 ? a.size() != 0 : a.size() != unknowns * unknowns)
    return linAlgError(
        context, fmt::format("{} cannot be seen as a square matrix of {} columns", shapeText(a), unknowns));
  if (b.size() != unknowns) return shapesDoNotFit(context, "tensor equation", a, b);
  return checkLengths(context, a);
}

Result<Lowered> lowerTensorSolve(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkTensor(node, 1));
  const int rank = node.in(0).rank() - node.in(1).rank();
  if (rank < 1)
    return node.error(
        fmt::format("input 0 of TensorSolve has to have more axes than input 1, but they are {} and {}",
                    shortText(node.in(0)), shortText(node.in(1))));
  NW_CHECK(checkOutTensor(node, 0, rank));
  NW_CHECK(checkLapackOutput(node, 0));
  NW_TRY(const std::vector<int32_t> order, tensorSolveAxes(node));
  return linearAlgebraNode([order](Array* const* in, Array* const* out,
                                   Context& context) { return tensorSolveShape(order, in, out, context); },
                           [order](Array* const* in, Array* const* out, Context& context) {
                             Scratch scratch;
                             const Array &x = *out[0], &b = *in[1];
                             const int64_t n = x.size();
                             std::byte* matrix = flattened(*in[0], order, x.dtype, scratch);
                             std::byte* right = flattened(b, axesInOrder(b), x.dtype, scratch);
                             const MatrixRef unknowns = rowMajor(x.data, x.dtype, n, 1);
                             copyMatrix(rowMajor(right, x.dtype, n, 1), unknowns);
                             const bool done =
                                 solve(rowMajor(matrix, x.dtype, n, n), Assume::General, false, unknowns);
                             return done ? 0 : singular(context);
                           });
}

int32_t runLstsq(Array* const* in, Array* const* out, Context& context) {
  const Array &a = *in[0], &b = *in[1];
  if (a.rank != 2)
    return linAlgError(
        context, fmt::format("the first matrix has to have 2 dimensions, but has shape {}", shapeText(a)));
  if (b.rank != 1 && b.rank != 2)
    return linAlgError(
        context, fmt::format("the right side has to have 1 or 2 dimensions, but has shape {}", shapeText(b)));
  if (a.shape[0] != b.shape[0])
    return linAlgError(context, fmt::format("shapes {} and {} do not fit", shapeText(a), shapeText(b)));
  if (const int32_t code = checkLengths(context, a)) return code;
  if (const int32_t code = checkLengths(context, b)) return code;

  Scratch scratch;
  const int64_t m = a.shape[0], n = a.shape[1], k = b.rank == 2 ? b.shape[1] : 1, few = std::min(m, n);
  const int64_t xShape[] = {n, k}, sShape[] = {few};
  LeastSquares result;
  result.x = rowMajor(context.allocate(0, xShape, out[0]->rank), out[0]->dtype, n, k);
  result.residuals = rowMajor(scratch.take<double>(k), DType::Float64, k, 1);
  result.s = rowMajor(context.allocate(3, sShape, 1), out[3]->dtype, few, 1);
  if (!leastSquares(matrixOf(a), matrixOf(b), in[2]->toDouble(), result))
    return linAlgError(context, "the SVD did not converge in linear least squares");
  // NumPy gives sums of squares only where the solution is unique and there are equations left.
  const int64_t count[] = {result.rank == n && m > n ? k : 0};
  std::byte* residuals = context.allocate(1, count, 1);
  if (count[0] > 0) copyMatrix(result.residuals, rowMajor(residuals, out[1]->dtype, k, 1));
  store<int32_t>(context.allocate(2, nullptr, 0), result.rank);
  return 0;
}

Result<Lowered> lowerLstsq(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 4, 4));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkTensor(node, 1));
  NW_CHECK(checkZeroRank(node, 2));
  NW_CHECK(checkOutTensor(node, 0));
  NW_CHECK(checkOutTensor(node, 1, 1));
  NW_CHECK(checkOutTensor(node, 2, 0));
  NW_CHECK(checkOutTensor(node, 3, 1));
  if (isComplex(node.in(0).dtype) || isComplex(node.in(1).dtype))
    return Lowered::unsupported("least squares are computed for real numbers only");
  for (const size_t k : {size_t{0}, size_t{1}, size_t{3}})
    if (node.out(k).dtype != DType::Float32) NW_CHECK(checkOutDType(node, k, DType::Float64));
  NW_CHECK(checkOutDType(node, 2, DType::Int32));
  NW_CHECK(checkInputsConvert(node, 0));
  if (node.out(0).rank() != 1 && node.out(0).rank() != 2)
    return node.error("output 0 of Lstsq has to have 1 or 2 axes");
  if (node.out(0).rank() == 1 && node.in(1).rank() != 1)
    return node.error("output 0 of Lstsq has to have input 1's rank");
  Lowered lowered = linearAlgebraNode({}, runLstsq);
  lowered.allocatesOutputs = true;
  return lowered;
}

constexpr std::string_view kFamily = "linear algebra";

constexpr OpRow kRows[] = {
    {"MatrixInverse", kFamily, lowerMatrixInverse, 1, "A", "The inverse of A. A singular: LinAlgError."},
    {"MatrixPinv", kFamily, lowerMatrixPinv, 1, "A", "The pseudo-inverse of A."},
    {"TensorInv", kFamily, lowerTensorInv, 1, "a", "NumPy's tensorinv."},
    {"TensorSolve", kFamily, lowerTensorSolve, 1, "a, b", "NumPy's tensorsolve."},
    {"Det", kFamily, lowerDet, 1, "A", "The determinant of A."},
    {"SLogDet", kFamily, lowerSLogDet, 1, "A",
     "Sign and logarithm of the absolute value of the determinant of A."},
    {"Expm", kFamily, lowerExpm, 1, "A", "The exponential of the matrix A."},
    {"Lstsq", kFamily, lowerLstsq, 1, "A, b, 0-d rcond",
     "The least squares solution of A x = b, the residuals, the rank and the singular values of A."},
};

} // namespace

std::span<const OpRow> inverseOps() { return kRows; }

} // namespace nodewise
