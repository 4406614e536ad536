// Sparse matrices with their values: form, format, dtype, and to dense. All functions take int32 indices;
// wide ones are brought to that form by asInt32().
#pragma once

#include "graph/data.h"
#include "numeric/scratch.h"
#include "numeric/sparse_structure.h"

#include <array>
#include <string>

namespace nodewise {

/// Rows of a csr matrix, columns of a csc matrix.
inline int64_t majorLength(const SparseData& a) { return a.shape[a.csc ? 1 : 0]; }
inline int64_t minorLength(const SparseData& a) { return a.shape[a.csc ? 0 : 1]; }

inline SparseView viewOf(const SparseData& a) {
  return {majorLength(a), minorLength(a), a.indptr.as<int32_t>(), a.indices.as<int32_t>()};
}

/// The matrix has int32 indices, and no data behind the last row (column).
bool hasInt32(const SparseData& a);
/// The same matrix in that form. Its indices fit: a matrix of more than 2^31 - 1 stored elements, rows or
/// columns is refused, with the reason as result ("" otherwise).
std::string asInt32(const SparseData& a, SparseData& result);

/// What is wrong with these parts of a matrix, or "": starts ascend from 0 to at most the number of indices,
/// there is one for each row (column) and the end, indices are inside.
std::string checkParts(int64_t major, int64_t minor, const std::vector<int32_t>& start,
                       const std::vector<int32_t>& index, int64_t values);

/// The elements of a dense matrix that are not 0; strides in bytes. Too large a matrix is refused as by
/// asInt32().
std::string denseToSparse(DType dtype, const std::byte* dense, std::array<int64_t, 2> shape,
                          std::array<int64_t, 2> strides, bool csc, SparseData& result);

/// A matrix from its parts; `values` has as many elements as `index`.
SparseData makeSparse(bool csc, std::array<int64_t, 2> shape, std::vector<int32_t> start,
                      std::vector<int32_t> index, Tensor values);
/// A matrix whose elements come from `a`, as `structure` says.
SparseData rearranged(const SparseData& a, const SparseStructure& structure, bool csc);

/// The matrix itself, or in `buffer` the same one: as csc or csr; in canonical form (indices ascend, repeated
/// elements added up); with values of a dtype.
const SparseData& inFormat(const SparseData& a, bool csc, SparseData& buffer);
const SparseData& canonicalForm(const SparseData& a, SparseData& buffer);
const SparseData& inDType(const SparseData& a, DType dtype, SparseData& buffer);

/// The stored values in a dtype: in place, or converted into scratch memory.
const std::byte* valuesAs(const SparseData& a, DType dtype, Scratch& scratch);

/// A part of a larger matrix: where its first row (of csr; column of csc) and its first column (row) are
/// there.
struct SparseBlock {
  const SparseData* matrix;
  int64_t major, minor;
};
/// Puts blocks of one format together, their values converted to a dtype. Refuses too large a matrix as
/// asInt32() does.
std::string joinBlocks(const std::vector<SparseBlock>& blocks, bool csc, std::array<int64_t, 2> shape,
                       DType dtype, SparseData& result);

/// dense[i, j] += each stored element, converted to the dtype first; `dense` is C-contiguous, of a's shape.
void addToDense(const SparseData& a, DType dtype, std::byte* dense);

} // namespace nodewise
