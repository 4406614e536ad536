#include "ops/families.h"

namespace nodewise {

namespace {

Result<Lowered> lowerOptimiser(const NodeView&) {
  return Lowered::unsupported(
      "SciPy's optimizers choose their steps from the values they meet, in Python; run this part "
      "of the model with the program that made the graph");
}

Result<Lowered> lowerNumbaOnly(const NodeView&) {
  return Lowered::unsupported(
      "made for PyTensor's Numba backend only; export the graph before that backend rewrites it, "
      "or export the node as OpFromGraph");
}

constexpr std::string_view kOptimiserInputs = "x0, the objective's other inputs";

constexpr OpRow kRows[] = {
    {"BlockwiseWithCoreShape", "optimizer", lowerNumbaOnly, 1, "as its graph",
     "Unsupported: made for PyTensor's Numba backend."},
    {"IndexedElemwise", "optimizer", lowerNumbaOnly, 1, "as its graph",
     "Unsupported: made for PyTensor's Numba backend."},
    {"MinimizeOp", "optimizer", lowerOptimiser, 1, kOptimiserInputs, "Unsupported: SciPy's minimize."},
    {"MinimizeScalarOp", "optimizer", lowerOptimiser, 1, kOptimiserInputs,
     "Unsupported: SciPy's minimize_scalar."},
    {"RandomVariableWithCoreShape", "optimizer", lowerNumbaOnly, 1, "as its graph",
     "Unsupported: made for PyTensor's Numba backend."},
    {"RootOp", "optimizer", lowerOptimiser, 1, kOptimiserInputs, "Unsupported: SciPy's root."},
    {"RootScalarOp", "optimizer", lowerOptimiser, 1, kOptimiserInputs, "Unsupported: SciPy's root_scalar."},
};

} // namespace

std::span<const OpRow> optimiserOps() { return kRows; }

} // namespace nodewise
