// Checking matrix factors by what defines them, where LAPACK libraries differ in signs, phases and order.
#pragma once

#include "graph/graph.h"

#include <span>
#include <string>
#include <string_view>

namespace nodewise {

/// Output k of this node is determined only up to sign, phase or order: those of QR, SVD, Eig, Eigh, Schur
/// and QZ, but not singular values and ascending eigenvalues.
bool isFactor(const Node& node, size_t k);

/// What a node was given and what it gave; tensors of the core op's rank, or with batch axes before (all
/// found ones the same, inputs' of length 1 or missing ones repeat).
struct FactorCall {
  const Node& node; ///< the op and its params (of a Blockwise: the core's)
  std::span<const Tensor* const> inputs;
  std::span<const Tensor* const> found;    ///< all outputs of the node
  std::span<const Tensor* const> expected; ///< recorded outputs; null where not known
};

/// Empty if the found outputs are factors of the inputs: they satisfy the op's equation, are orthogonal,
/// triangular and sorted as they have to be, and the determined values (singular values, eigenvalues, the
/// absolute values of R) are the expected ones. Else what is wrong. Differences count relative to the
/// greatest element of the input (1 for orthogonality), times the size of the matrix; not-a-number is never
/// right.
std::string checkFactors(const FactorCall& call, double tolerance);

} // namespace nodewise
