// The lowerings of the sparse family, one file a kind; sparse.cpp has the table.
#pragma once

#include "ops/op.h"

namespace nodewise {

// sparse_building.cpp
Result<Lowered> lowerSparseFromDense(const NodeView& node);
Result<Lowered> lowerSparseToDense(const NodeView& node);
Result<Lowered> lowerSparseCsm(const NodeView& node);
Result<Lowered> lowerSparseCsmProperties(const NodeView& node);
Result<Lowered> lowerSparseCsmGrad(const NodeView& node);
Result<Lowered> lowerSparseFromRows(const NodeView& node);

// sparse_reforming.cpp
Result<Lowered> lowerSparseTranspose(const NodeView& node);
Result<Lowered> lowerSparseCast(const NodeView& node);
Result<Lowered> lowerSparseRemove0(const NodeView& node);
// Shape and Shape_i of a sparse matrix.
Result<Lowered> lowerSparseShape(const NodeView& node);
Result<Lowered> lowerSparseLength(const NodeView& node);
Result<Lowered> lowerSparseSort(const NodeView& node);
Result<Lowered> lowerSparseHStack(const NodeView& node);
Result<Lowered> lowerSparseVStack(const NodeView& node);
Result<Lowered> lowerSparseBlockDiagonal(const NodeView& node);

// sparse_indexing.cpp
Result<Lowered> lowerSparseGetItem2d(const NodeView& node);
Result<Lowered> lowerSparseGetItemScalar(const NodeView& node);
Result<Lowered> lowerSparseGetItemList(const NodeView& node);
Result<Lowered> lowerSparseGetItem2Lists(const NodeView& node);
Result<Lowered> lowerSparseGetItemListGrad(const NodeView& node);
Result<Lowered> lowerSparseGetItem2ListsGrad(const NodeView& node);

// sparse_arithmetic.cpp
Result<Lowered> lowerSparseAdd(const NodeView& node);
Result<Lowered> lowerSparseAddData(const NodeView& node);
Result<Lowered> lowerSparseAddDense(const NodeView& node);
Result<Lowered> lowerSparseAddRow(const NodeView& node);
Result<Lowered> lowerSparseMultiply(const NodeView& node);
Result<Lowered> lowerSparseMultiplyDense(const NodeView& node);
Result<Lowered> lowerSparseMultiplyRow(const NodeView& node);
Result<Lowered> lowerSparseScaleColumns(const NodeView& node);
Result<Lowered> lowerSparseScaleRows(const NodeView& node);
Result<Lowered> lowerSparseDiag(const NodeView& node);
Result<Lowered> lowerSparseSum(const NodeView& node);

// sparse_comparison.cpp: the op's name says which comparison
Result<Lowered> lowerSparseCompare(const NodeView& node);
Result<Lowered> lowerSparseCompareDense(const NodeView& node);

// sparse_products.cpp
Result<Lowered> lowerSparseDot(const NodeView& node);
Result<Lowered> lowerSparseStructuredDot(const NodeView& node);
Result<Lowered> lowerSparseTrueDot(const NodeView& node);
Result<Lowered> lowerSparseSamplingDot(const NodeView& node);
Result<Lowered> lowerSparseUsmm(const NodeView& node);
Result<Lowered> lowerSparseDotGradCsc(const NodeView& node);
Result<Lowered> lowerSparseDotGradCsr(const NodeView& node);

} // namespace nodewise
