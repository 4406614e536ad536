#include "numeric/lapack_qr.h"
#include "numeric/lapack_svd.h"

#include "ops/families.h"
#include "ops/linear_algebra.h"
#include "ops/params.h"

#include <algorithm>

namespace nodewise {

using namespace linalg;

namespace {

enum class QrMode : uint8_t { Full, Economic, R, Raw };

/// Positions of a mode's outputs; -1: it has none.
struct QrOutputs {
  int q, packed, tau, r, columns, count;
};

QrOutputs qrOutputs(QrMode mode, bool pivoting) {
  QrOutputs at{-1, -1, -1, 0, -1, 1};
  if (mode == QrMode::Raw)
    at = {-1, 0, 1, 2, -1, 3};
  else if (mode != QrMode::R)
    at = {0, -1, -1, 1, -1, 2};
  if (pivoting) at.columns = at.count++;
  return at;
}

int32_t qrShape(QrMode mode, const QrOutputs& at, Array* const* in, Array* const* out, Context& context) {
  const int64_t m = in[0]->shape[0], n = in[0]->shape[1], k = std::min(m, n);
  const bool cut = (mode == QrMode::Economic || mode == QrMode::Raw) && m >= n;
  if (at.q >= 0) setShape(*out[at.q], m, mode == QrMode::Full ? m : k);
  if (at.packed >= 0) setShape(*out[at.packed], m, n);
  if (at.tau >= 0) setShape(*out[at.tau], k);
  setShape(*out[at.r], cut ? k : m, n);
  if (at.columns >= 0) setShape(*out[at.columns], n);
  return checkLengths(context, *in[0]);
}

void runQr(const QrOutputs& at, Array* const* in, Array* const* out) {
  QrParts parts;
  parts.r = matrixOf(*out[at.r]);
  if (at.q >= 0) parts.q = matrixOf(*out[at.q]);
  if (at.packed >= 0) parts.packed = matrixOf(*out[at.packed]);
  if (at.tau >= 0) parts.tau = matrixOf(*out[at.tau]);
  if (at.columns >= 0) parts.columns = out[at.columns]->as<int32_t>();
  qrFactor(matrixOf(*in[0]), parts.r.dtype, parts);
}

Result<Lowered> lowerQr(const NodeView& node) {
  NW_TRY(const std::string name, choiceParam(node, "mode", {"full", "economic", "r", "raw"}, "full"));
  NW_TRY(const bool pivoting, boolParam(node, "pivoting", false));
  const QrMode mode = name == "full"       ? QrMode::Full
                      : name == "economic" ? QrMode::Economic
                      : name == "r"        ? QrMode::R
                                           : QrMode::Raw;
  const QrOutputs at = qrOutputs(mode, pivoting);
  NW_CHECK(checkArity(node, 1, 1, at.count, at.count));
  NW_CHECK(checkTensor(node, 0, 2));
  for (int k = 0; k < at.count; ++k)
    NW_CHECK(checkOutTensor(node, static_cast<size_t>(k), k == at.tau || k == at.columns ? 1 : 2));
  NW_CHECK(checkLapackOutput(node, 0));
  for (int k = 1; k < at.count; ++k)
    NW_CHECK(checkOutDType(node, static_cast<size_t>(k), k == at.columns ? DType::Int32 : node.out(0).dtype));
  return linearAlgebraNode([mode, at](Array* const* in, Array* const* out,
                                      Context& context) { return qrShape(mode, at, in, out, context); },
                           [at](Array* const* in, Array* const* out, Context&) {
                             runQr(at, in, out);
                             return 0;
                           });
}

int32_t svdFailed(Context& context) { return linAlgError(context, "the SVD did not converge"); }

DType complexOf(DType real) { return real == DType::Float32 ? DType::Complex64 : DType::Complex128; }

Result<Lowered> lowerSingularValues(const NodeView& node) {
  NW_CHECK(checkOutTensor(node, 0, 1));
  const DType real = node.out(0).dtype;
  if (real != DType::Float32 && real != DType::Float64)
    return node.error("output 0 of SVD without vectors has to be float32 or float64");
  const DType work = isComplex(node.in(0).dtype) ? complexOf(real) : real;
  return linearAlgebraNode(
      [](Array* const* in, Array* const* out, Context& context) {
        setShape(*out[0], std::min(in[0]->shape[0], in[0]->shape[1]));
        return checkLengths(context, *in[0]);
      },
      [work](Array* const* in, Array* const* out, Context& context) {
        return singularValues(matrixOf(*in[0]), work, {}, matrixOf(*out[0]), {}) ? 0 : svdFailed(context);
      });
}

Result<Lowered> lowerSvd(const NodeView& node) {
  NW_TRY(const bool full, boolParam(node, "full_matrices", true));
  NW_TRY(const bool vectors, boolParam(node, "compute_uv", true));
  const int outputs = vectors ? 3 : 1;
  NW_CHECK(checkArity(node, 1, 1, outputs, outputs));
  NW_CHECK(checkTensor(node, 0, 2));
  if (!vectors) return lowerSingularValues(node);
  for (size_t k = 0; k < 3; ++k) NW_CHECK(checkOutTensor(node, k, k == 1 ? 1 : 2));
  NW_CHECK(checkLapackOutput(node, 0));
  NW_CHECK(checkOutDType(node, 1, realPart(node.out(0).dtype)));
  NW_CHECK(checkOutDType(node, 2, node.out(0).dtype));
  return linearAlgebraNode(
      [full](Array* const* in, Array* const* out, Context& context) {
        const int64_t m = in[0]->shape[0], n = in[0]->shape[1], k = std::min(m, n);
        setShape(*out[0], m, full ? m : k);
        setShape(*out[1], k);
        setShape(*out[2], full ? n : k, n);
        return checkLengths(context, *in[0]);
      },
      [](Array* const* in, Array* const* out, Context& context) {
        const MatrixRef u = matrixOf(*out[0]);
        const bool done = singularValues(matrixOf(*in[0]), u.dtype, u, matrixOf(*out[1]), matrixOf(*out[2]));
        return done ? 0 : svdFailed(context);
      });
}

constexpr std::string_view kFamily = "linear algebra";

constexpr OpRow kRows[] = {
    {"QR", kFamily, lowerQr, 1, "A",
     "A = Q R: Q, R, or R, or LAPACK's packed form, tau, R; with pivoting also the int32 column order."},
    {"SVD", kFamily, lowerSvd, 1, "A", "A = U diag(s) V^H, s descending; or s alone."},
};

} // namespace

std::span<const OpRow> decompositionOps() { return kRows; }

} // namespace nodewise
