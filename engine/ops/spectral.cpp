#include "numeric/lapack_eigen.h"
#include "numeric/lapack_schur.h"

#include "ops/families.h"
#include "ops/linear_algebra.h"
#include "ops/params.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

using namespace linalg;

namespace {

Result<Lowered> lowerEig(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 2, 2));
  NW_CHECK(checkTensor(node, 0, 2));
  NW_CHECK(checkOutTensor(node, 0, 1));
  NW_CHECK(checkOutTensor(node, 1, 2));
  const DType dtype = node.out(0).dtype;
  if (!isComplex(dtype)) return node.error("output 0 of Eig has to be complex64 or complex128");
  NW_CHECK(checkOutDType(node, 1, dtype));
  return linearAlgebraNode(
      [](Array* const* in, Array* const* out, Context& context) {
        setShape(*out[0], in[0]->shape[0]);
        copyShape(*in[0], *out[1]);
        return checkSquare(context, *in[0], "LinAlgError");
      },
      [](Array* const* in, Array* const* out, Context& context) {
        const MatrixRef a = matrixOf(*in[0]);
        if (!allFinite(a)) return linAlgError(context, "the matrix has to be finite");
        if (generalEigen(a, matrixOf(*out[0]), matrixOf(*out[1]))) return 0;
        return linAlgError(context, "the eigenvalues did not converge");
      });
}

/// One square matrix, or two of one size.
int32_t checkProblem(Context& context, Array* const* in, bool generalized) {
  if (const int32_t code = checkSquare(context, *in[0])) return code;
  if (!generalized) return 0;
  if (const int32_t code = checkSquare(context, *in[1])) return code;
  return in[0]->shape[0] == in[1]->shape[0]
             ? 0
             : shapesDoNotFit(context, "generalized eigenproblem", *in[0], *in[1]);
}

int32_t runHermitian(bool generalized, bool lower, EigenDriver driver, Array* const* in, const MatrixRef& w,
                     const MatrixRef& v, Context& context) {
  const MatrixRef a = matrixOf(*in[0]);
  if (!allFinite(a) || (generalized && !allFinite(matrixOf(*in[1]))))
    return context.fail("ValueError", "the matrices have to be finite");
  if (!generalized)
    return hermitianEigen(a, lower, driver, w, v) ? 0
                                                  : linAlgError(context, "the eigenvalues did not converge");
  if (generalizedEigen(a, matrixOf(*in[1]), lower, w, v)) return 0;
  return linAlgError(context, "B is not positive definite, or the eigenvalues did not converge");
}

/// A, maybe B; outputs of rank 1 (and 2).
Result<void> checkHermitianNode(const NodeView& node, int outputs) {
  NW_CHECK(checkArity(node, 1, 2, outputs, outputs));
  for (size_t k = 0; k < node.inputs(); ++k) NW_CHECK(checkTensor(node, k, 2));
  for (size_t k = 0; k < static_cast<size_t>(outputs); ++k)
    NW_CHECK(checkOutTensor(node, k, static_cast<int>(k) + 1));
  const DType real = node.out(0).dtype;
  if (real == DType::Float32 || real == DType::Float64) return {};
  return node.error(
      fmt::format("output 0 of {} has to be float32 or float64, but is {}", node.node.op, dtypeName(real)));
}

Result<Lowered> lowerEigh(const NodeView& node) {
  NW_CHECK(checkHermitianNode(node, 2));
  NW_CHECK(checkLapackOutput(node, 1));
  NW_CHECK(checkOutDType(node, 0, realPart(node.out(1).dtype)));
  NW_TRY(const bool lower, boolParam(node, "lower", true));
  NW_TRY(const std::string name, choiceParam(node, "driver", {"evr", "evd"}, "evr"));
  const EigenDriver driver = name == "evr" ? EigenDriver::Robust : EigenDriver::DivideAndConquer;
  const bool generalized = node.inputs() == 2;
  return linearAlgebraNode(
      [generalized](Array* const* in, Array* const* out, Context& context) {
        setShape(*out[0], in[0]->shape[0]);
        copyShape(*in[0], *out[1]);
        return checkProblem(context, in, generalized);
      },
      [=](Array* const* in, Array* const* out, Context& context) {
        return runHermitian(generalized, lower, driver, in, matrixOf(*out[0]), matrixOf(*out[1]), context);
      });
}

Result<Lowered> lowerEigvalsh(const NodeView& node) {
  NW_CHECK(checkHermitianNode(node, 1));
  NW_TRY(const bool lower, boolParam(node, "lower", true));
  const bool generalized = node.inputs() == 2;
  return linearAlgebraNode(
      [generalized](Array* const* in, Array* const* out, Context& context) {
        setShape(*out[0], in[0]->shape[0]);
        return checkProblem(context, in, generalized);
      },
      [=](Array* const* in, Array* const* out, Context& context) {
        return runHermitian(generalized, lower, EigenDriver::Robust, in, matrixOf(*out[0]), {}, context);
      });
}

Result<SchurSort> sortParam(const NodeView& node) {
  NW_TRY(const std::string name, choiceParam(node, "sort", {"lhp", "rhp", "iuc", "ouc"}, ""));
  if (name == "lhp") return SchurSort::LeftHalfPlane;
  if (name == "rhp") return SchurSort::RightHalfPlane;
  if (name == "iuc") return SchurSort::InsideCircle;
  if (name == "ouc") return SchurSort::OutsideCircle;
  return SchurSort::None;
}

Result<Lowered> lowerSchur(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 2, 2));
  NW_CHECK(checkTensor(node, 0, 2));
  NW_CHECK(checkOutTensor(node, 0, 2));
  NW_CHECK(checkOutTensor(node, 1, 2));
  NW_TRY(const std::string output, choiceParam(node, "output", {"real", "complex"}, "real"));
  NW_TRY(const SchurSort sort, sortParam(node));
  NW_CHECK(checkLapackOutput(node, 0));
  NW_CHECK(checkOutDType(node, 1, node.out(0).dtype));
  if (output == "complex" && !isComplex(node.out(0).dtype))
    return node.paramError("output", "expected \"real\" where the outputs are real");
  return linearAlgebraNode(
      [](Array* const* in, Array* const* out, Context& context) {
        copyShape(*in[0], *out[0]);
        copyShape(*in[0], *out[1]);
        return checkSquare(context, *in[0]);
      },
      [sort](Array* const* in, Array* const* out, Context&) {
        schur(matrixOf(*in[0]), sort, matrixOf(*out[0]), matrixOf(*out[1]));
        return 0;
      });
}

int32_t qzShape(bool values, Array* const* in, Array* const* out, Context& context) {
  const int matrices[] = {0, 1, values ? 4 : 2, values ? 5 : 3};
  for (const int k : matrices) copyShape(*in[0], *out[k]);
  if (values) {
    setShape(*out[2], in[0]->shape[0]);
    setShape(*out[3], in[0]->shape[0]);
  }
  return checkProblem(context, in, true);
}

Result<Lowered> lowerQz(const NodeView& node) {
  NW_TRY(const bool values, boolParam(node, "return_eigenvalues", false));
  NW_TRY(const bool complexOutput, boolParam(node, "complex_output", false));
  NW_TRY(const SchurSort sort, sortParam(node));
  const int outputs = values ? 6 : 4;
  NW_CHECK(checkArity(node, 2, 2, outputs, outputs));
  NW_CHECK(checkTensor(node, 0, 2));
  NW_CHECK(checkTensor(node, 1, 2));
  NW_CHECK(checkLapackOutput(node, 0));
  const DType dtype = node.out(0).dtype;
  for (size_t k = 0; k < static_cast<size_t>(outputs); ++k) {
    const bool vector = values && (k == 2 || k == 3), alpha = values && k == 2;
    NW_CHECK(checkOutTensor(node, k, vector ? 1 : 2));
    const DType single = realPart(dtype);
    NW_CHECK(checkOutDType(node, k,
                           !alpha                     ? dtype
                           : single == DType::Float32 ? DType::Complex64
                                                      : DType::Complex128));
  }
  if (complexOutput && !isComplex(dtype))
    return node.paramError("complex_output", "expected false where the outputs are real");
  return linearAlgebraNode([values](Array* const* in, Array* const* out,
                                    Context& context) { return qzShape(values, in, out, context); },
                           [values, sort](Array* const* in, Array* const* out, Context&) {
                             QzParts parts;
                             parts.aa = matrixOf(*out[0]);
                             parts.bb = matrixOf(*out[1]);
                             parts.q = matrixOf(*out[values ? 4 : 2]);
                             parts.z = matrixOf(*out[values ? 5 : 3]);
                             if (values) {
                               parts.alpha = matrixOf(*out[2]);
                               parts.beta = matrixOf(*out[3]);
                             }
                             generalizedSchur(matrixOf(*in[0]), matrixOf(*in[1]), sort, parts);
                             return 0;
                           });
}

Result<Lowered> lowerTrsyl(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 1, 1));
  for (size_t k = 0; k < 3; ++k) NW_CHECK(checkTensor(node, k, 2));
  NW_CHECK(checkOutTensor(node, 0, 2));
  NW_CHECK(checkLapackOutput(node, 0));
  Lowered lowered = linearAlgebraNode(
      [](Array* const* in, Array* const* out, Context& context) {
        const Array &a = *in[0], &b = *in[1], &c = *in[2];
        if (const int32_t code = checkSquare(context, a)) return code;
        if (const int32_t code = checkSquare(context, b)) return code;
        if (a.shape[0] != c.shape[0]) return shapesDoNotFit(context, "Sylvester equation", a, c);
        if (b.shape[0] != c.shape[1]) return shapesDoNotFit(context, "Sylvester equation", b, c);
        copyShape(c, *out[0]);
        return 0;
      },
      [](Array* const* in, Array* const* out, Context&) {
        startFrom(*in[2], *out[0]);
        solveSylvester(matrixOf(*in[0]), matrixOf(*in[1]), matrixOf(*out[0]));
        return 0;
      });
  allowInPlace(lowered, node, 0, 2);
  return lowered;
}

constexpr std::string_view kFamily = "linear algebra";

constexpr OpRow kRows[] = {
    {"Eig", kFamily, lowerEig, 1, "A", "Eigenvalues w and eigenvectors (columns of v), complex."},
    {"Eigh", kFamily, lowerEigh, 1, "A, maybe B",
     "w ascending and v of a Hermitian A, of which one triangle is read; with B: A v = w B v."},
    {"Eigvalsh", kFamily, lowerEigvalsh, 1, "A, maybe B", "The eigenvalues of Eigh alone."},
    {"Schur", kFamily, lowerSchur, 1, "A", "A = Z T Z^H; the eigenvalues that `sort` names come first."},
    {"QZ", kFamily, lowerQz, 1, "A, B", "A = Q AA Z^H, B = Q BB Z^H; eigenvalues are alpha / beta."},
    {"TRSYL", kFamily, lowerTrsyl, 1, "A, B, C", "X with A X + X B = C; A and B are upper quasi-triangular."},
};

} // namespace

std::span<const OpRow> spectralOps() { return kRows; }

} // namespace nodewise
