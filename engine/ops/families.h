// The families of ops: each is one file with one table; op_table.cpp joins them.
#pragma once

#include "ops/op.h"

#include <span>

namespace nodewise {

std::span<const OpRow> elementwiseOps();      // elementwise.cpp: Elemwise
std::span<const OpRow> reductionOps();        // reduction.cpp: Sum ... CAReduce
std::span<const OpRow> orderedReductionOps(); // ordered_reduction.cpp: Argmax, CumOp
std::span<const OpRow> shapeOps();            // shape.cpp: DimShuffle, Reshape, Shape_i, SpecifyShape, ...
std::span<const OpRow> creationOps();         // creation.cpp: Alloc, ARange, Eye, MakeVector, ...
std::span<const OpRow> joiningOps();          // joining.cpp: Join, Split, Repeat, ...
std::span<const OpRow> diagonalOps();         // diagonal.cpp: ExtractDiag, FillDiagonal, ...
std::span<const OpRow> searchingOps();        // searching.cpp: sorts, Unique, Nonzero, SearchsortedOp, ...
std::span<const OpRow> indexingOps();         // indexing.cpp: Subtensor, IncSubtensor
std::span<const OpRow> advancedIndexingOps(); // advanced_indexing.cpp: AdvancedSubtensor, ...
std::span<const OpRow> productOps();          // products.cpp: Dot, Gemm, Gemv, Ger, BatchedDot, ...
std::span<const OpRow> solverOps();           // solvers.cpp: Cholesky, Solve, SolveTriangular, ...
std::span<const OpRow> luOps();               // lu.cpp: LU, LUFactor, tridiagonal factors
std::span<const OpRow> spectralOps();         // spectral.cpp: Eig, Eigh, Schur, QZ, TRSYL
std::span<const OpRow> inverseOps();          // inverses.cpp: MatrixInverse, Det, Expm, Lstsq, ...
std::span<const OpRow> decompositionOps();    // decompositions.cpp: QR, SVD
std::span<const OpRow> signalOps();           // signal.cpp: Convolve1d, Convolve2d, FFTs, Bartlett
std::span<const OpRow> controlOps();          // control.cpp: OpFromGraph, Blockwise, IfElse, CheckAndRaise
std::span<const OpRow> scanOps();             // scan.cpp
std::span<const OpRow> randomOps();           // random.cpp: RandomVariable, DefaultGeneratorMakerOp
std::span<const OpRow> listOps();             // lists.cpp
std::span<const OpRow> sparseOps();           // sparse.cpp
std::span<const OpRow> optimiserOps();        // optimisers.cpp: RootOp, RootScalarOp; minimizers, unsupported
std::span<const OpRow> scalarNodeOps();       // scalar_nodes.cpp: scalar ops as nodes of a graph

} // namespace nodewise
