#include "numeric/products.h"
#include "numeric/strided.h"

#include "ops/families.h"
#include "ops/linear_algebra.h"
#include "ops/params.h"

#include <fmt/format.h>

namespace nodewise {

using namespace linalg;

namespace {

int32_t productShape(Array* const* in, Array* const* out, Context& context) {
  const Array &x = *in[0], &y = *in[1];
  if (x.shape[1] != y.shape[0]) return shapesDoNotFit(context, "matrix product", x, y);
  if (const int32_t code = checkLengths(context, x)) return code;
  if (const int32_t code = checkLengths(context, y)) return code;
  setShape(*out[0], x.shape[0], y.shape[1]);
  return 0;
}

/// One float or complex dtype of the output; float16 is fine.
Result<void> checkInexactOutput(const NodeView& node) {
  const DType dtype = node.out(0).dtype;
  if (isFloat(dtype) || isComplex(dtype)) return checkInputsConvert(node, 0);
  return node.error(
      fmt::format("output 0 of {} has to be float or complex, but is {}", node.node.op, dtypeName(dtype)));
}

/// As many inputs as there are ranks, and one output. Rank 0 may be a tensor or a scalar.
Result<void> checkRanks(const NodeView& node, std::initializer_list<int> inputs, int output) {
  const auto count = static_cast<int>(inputs.size());
  NW_CHECK(checkArity(node, count, count, 1, 1));
  size_t k = 0;
  for (const int rank : inputs) {
    NW_CHECK(rank == 0 ? checkZeroRank(node, k) : checkTensor(node, k, rank));
    ++k;
  }
  return checkOutTensor(node, 0, output);
}

Result<Lowered> lowerDot(const NodeView& node) {
  NW_CHECK(checkRanks(node, {2, 2}, 2));
  NW_CHECK(checkInputsConvert(node, 0));
  return linearAlgebraNode(productShape, [](Array* const* in, Array* const* out, Context&) {
    multiply(matrixOf(*out[0]), 1, matrixOf(*in[0]), matrixOf(*in[1]), 0);
    return 0;
  });
}

Result<Lowered> lowerDot22Scalar(const NodeView& node) {
  NW_CHECK(checkRanks(node, {2, 2, 0}, 2));
  NW_CHECK(checkInexactOutput(node));
  return linearAlgebraNode(productShape, [](Array* const* in, Array* const* out, Context&) {
    multiply(matrixOf(*out[0]), valueOf(*in[2]), matrixOf(*in[0]), matrixOf(*in[1]), 0);
    return 0;
  });
}

/// Matrix `i` of a rank 3 array.
MatrixRef slice(const Array& a, int64_t i) {
  return {a.data + i * a.strides[0], a.dtype, a.shape[1], a.shape[2], a.strides[1], a.strides[2]};
}

int32_t batchedShape(Array* const* in, Array* const* out, Context& context) {
  const Array &x = *in[0], &y = *in[1];
  if (x.shape[0] != y.shape[0])
    return context.fail("TypeError", fmt::format("batched product: shapes {} and {} differ in axis 0",
                                                 shapeText(x), shapeText(y)));
  if (x.shape[2] != y.shape[1]) return shapesDoNotFit(context, "batched product", x, y);
  if (const int32_t code = checkLengths(context, x)) return code;
  if (const int32_t code = checkLengths(context, y)) return code;
  out[0]->shape[0] = x.shape[0];
  out[0]->shape[1] = x.shape[1];
  out[0]->shape[2] = y.shape[2];
  return 0;
}

Result<Lowered> lowerBatchedDot(const NodeView& node) {
  NW_CHECK(checkRanks(node, {3, 3}, 3));
  NW_CHECK(checkInputsConvert(node, 0));
  return linearAlgebraNode(batchedShape, [](Array* const* in, Array* const* out, Context&) {
    for (int64_t i = 0; i < out[0]->shape[0]; ++i)
      multiply(slice(*out[0], i), 1, slice(*in[0], i), slice(*in[1], i), 0);
    return 0;
  });
}

int32_t gemvShape(Array* const* in, Array* const* out, Context& context) {
  const Array &y = *in[0], &a = *in[2], &x = *in[3];
  if (a.shape[1] != x.shape[0]) return shapesDoNotFit(context, "matrix times vector", a, x);
  if (a.shape[0] != y.shape[0]) return shapesDoNotFit(context, "matrix times vector added to a vector", a, y);
  if (const int32_t code = checkLengths(context, a)) return code;
  copyShape(y, *out[0]);
  return 0;
}

Result<Lowered> lowerGemv(const NodeView& node) {
  NW_CHECK(checkRanks(node, {1, 0, 2, 1, 0}, 1));
  NW_CHECK(checkInexactOutput(node));
  Lowered lowered = linearAlgebraNode(gemvShape, [](Array* const* in, Array* const* out, Context&) {
    const Factor beta = valueOf(*in[4]);
    if (beta != 0.0) startFrom(*in[0], *out[0]);
    multiplyVector(matrixOf(*out[0]), valueOf(*in[1]), matrixOf(*in[2]), matrixOf(*in[3]), beta);
    return 0;
  });
  allowInPlace(lowered, node, 0, 0);
  return lowered;
}

/// Lengths of a sum of two matrices of which either's lengths of 1 repeat; -1 where they do not fit.
int64_t broadcastLength(int64_t a, int64_t b) { return a == b || b == 1 ? a : a == 1 ? b : -1; }

int32_t gemmShape(Array* const* in, Array* const* out, Context& context) {
  const Array &z = *in[0], &x = *in[2], &y = *in[3];
  if (x.shape[1] != y.shape[0]) return shapesDoNotFit(context, "matrix product", x, y);
  const int64_t rows = broadcastLength(z.shape[0], x.shape[0]),
                cols = broadcastLength(z.shape[1], y.shape[1]);
  if (rows < 0 || cols < 0)
    return context.fail("ValueError",
                        fmt::format("matrix product of shape ({}, {}) added to a matrix of shape {}",
                                    x.shape[0], y.shape[1], shapeText(z)));
  if (const int32_t code = checkLengths(context, x)) return code;
  if (const int32_t code = checkLengths(context, y)) return code;
  setShape(*out[0], rows, cols);
  return 0;
}

/// m seen in the shape (rows, cols): its lengths of 1 repeat.
MatrixRef broadcastTo(MatrixRef m, int64_t rows, int64_t cols) {
  if (m.rows != rows) m.rowStride = 0;
  if (m.cols != cols) m.colStride = 0;
  m.rows = rows;
  m.cols = cols;
  return m;
}

/// sum = beta z + alpha x y where x y has lengths of 1 that repeat in the sum.
void addBroadcastProduct(const MatrixRef& sum, Factor alpha, const MatrixRef& x, const MatrixRef& y,
                         Factor beta) {
  Scratch scratch;
  auto* memory = scratch.take<std::byte>(x.rows * y.cols * dtypeSize(sum.dtype));
  const MatrixRef product = rowMajor(memory, sum.dtype, x.rows, y.cols);
  multiply(product, alpha, x, y, 0);
  const MatrixRef repeated = broadcastTo(product, sum.rows, sum.cols);
  if (beta == 0.0) return copyMatrix(repeated, sum);
  scale(sum, beta);
  const int64_t shape[] = {sum.rows, sum.cols}, to[] = {sum.rowStride, sum.colStride},
                from[] = {repeated.rowStride, repeated.colStride};
  accumulate({sum.data, to, sum.dtype}, {repeated.data, from, repeated.dtype}, shape, 2);
}

int32_t runGemm(Array* const* in, Array* const* out, Context& context) {
  const MatrixRef z = matrixOf(*in[0]), x = matrixOf(*in[2]), y = matrixOf(*in[3]);
  const int64_t rows = broadcastLength(z.rows, x.rows), cols = broadcastLength(z.cols, y.cols);
  const MatrixRef sum = matrixOf(*out[0]);
  const Factor alpha = valueOf(*in[1]), beta = valueOf(*in[4]);
  const bool inPlace = z.data == sum.data && rows * cols > 0;
  if (inPlace && (z.rows != rows || z.cols != cols))
    return context.fail("ValueError", "a matrix that broadcasts cannot be overwritten by the sum");
  if (beta != 0.0 && !inPlace) copyMatrix(broadcastTo(z, rows, cols), sum);
  if (x.rows == rows && y.cols == cols)
    multiply(sum, alpha, x, y, beta);
  else
    addBroadcastProduct(sum, alpha, x, y, beta);
  return 0;
}

Result<Lowered> lowerGemm(const NodeView& node) {
  NW_CHECK(checkRanks(node, {2, 0, 2, 2, 0}, 2));
  NW_CHECK(checkInexactOutput(node));
  Lowered lowered = linearAlgebraNode(gemmShape, runGemm);
  allowInPlace(lowered, node, 0, 0);
  return lowered;
}

int32_t gerShape(Array* const* in, Array* const* out, Context& context) {
  const Array &a = *in[0], &x = *in[2], &y = *in[3];
  if (a.shape[0] != x.shape[0]) return shapesDoNotFit(context, "outer product added to a matrix", a, x);
  if (a.shape[1] != y.shape[0]) return shapesDoNotFit(context, "outer product added to a matrix", a, y);
  if (const int32_t code = checkLengths(context, a)) return code;
  copyShape(a, *out[0]);
  return 0;
}

Result<Lowered> lowerGer(const NodeView& node) {
  NW_CHECK(checkRanks(node, {2, 0, 1, 1}, 2));
  NW_CHECK(checkInexactOutput(node));
  Lowered lowered = linearAlgebraNode(gerShape, [](Array* const* in, Array* const* out, Context&) {
    startFrom(*in[0], *out[0]);
    addOuter(matrixOf(*out[0]), valueOf(*in[1]), matrixOf(*in[2]), matrixOf(*in[3]));
    return 0;
  });
  allowInPlace(lowered, node, 0, 0);
  return lowered;
}

Result<Lowered> lowerDot22(const NodeView& node) {
  NW_TRY(Lowered lowered, lowerDot(node));
  NW_CHECK(checkInexactOutput(node));
  return lowered;
}

constexpr std::string_view kFamily = "linear algebra";

constexpr OpRow kRows[] = {
    {"Dot", kFamily, lowerDot, 1, "matrices x, y", "The matrix product x y, of any dtype."},
    {"Dot22", kFamily, lowerDot22, 1, "matrices x, y",
     "The matrix product x y of one float or complex dtype."},
    {"Dot22Scalar", kFamily, lowerDot22Scalar, 1, "matrices x, y, 0-d a", "a x y."},
    {"BatchedDot", kFamily, lowerBatchedDot, 1, "x, y of rank 3",
     "A matrix product for each index of axis 0."},
    {"Gemv", kFamily, lowerGemv, 1, "vector y, 0-d alpha, matrix A, vector x, 0-d beta",
     "beta y + alpha A x. With beta 0, y is not read."},
    {"Gemm", kFamily, lowerGemm, 1, "matrix z, 0-d alpha, matrices x, y, 0-d beta",
     "beta z + alpha x y. With beta 0, z is not read; z's lengths of 1 broadcast."},
    {"Ger", kFamily, lowerGer, 1, "matrix A, 0-d alpha, vectors x, y", "A + alpha x y^T."},
};

} // namespace

std::span<const OpRow> productOps() { return kRows; }

} // namespace nodewise
