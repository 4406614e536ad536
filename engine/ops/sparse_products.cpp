#include "ops/params.h"
#include "ops/sparse_ops.h"
#include "ops/sparse_value.h"

#include "numeric/strided.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace nodewise {

namespace {

/// A factor of a product: a sparse matrix, or a tensor as a matrix (a vector is a row on the left, a column
/// on the right).
struct Factor {
  const Array& array;
  std::unique_ptr<SparseInput> sparse; ///< null: dense
  std::array<int64_t, 2> shape{1, 1};

  Factor(const Array& from, bool left, Context& context) : array(from) {
    if (array.kind == Kind::Sparse) {
      sparse = std::make_unique<SparseInput>(array, context);
      if (*sparse) shape = (*sparse)->shape;
    } else if (array.rank == 2) {
      shape = matrixShape(array);
    } else {
      shape[left ? 1 : 0] = array.shape[0];
    }
  }
  bool failed() const { return sparse && !*sparse; }
  const SparseData& matrix() const { return **sparse; }
};

int32_t checkInner(Context& context, const Factor& a, const Factor& b) {
  if (a.failed() || b.failed()) return 1;
  if (a.shape[1] == b.shape[0]) return 0;
  return context.fail("ValueError",
                      fmt::format("a matrix of {} columns times one of {} rows", a.shape[1], b.shape[0]));
}

/// out += a b, one of which is sparse at least; `out` is C-contiguous.
template <class T> void addProduct(const Factor& a, const Factor& b, DType ring, T* out) {
  Scratch scratch;
  if (a.sparse && b.sparse) {
    SparseData buffer;
    const SparseData& right = inFormat(b.matrix(), false, buffer);
    const SparseTerms<T> rows = termsOf<T>(right, ring, scratch);
    forEachStored(termsOf<T>(a.matrix(), ring, scratch), a.matrix().csc,
                  [&](int64_t i, int64_t inner, T element) {
                    for (int32_t k = rows.at.start[inner]; k < rows.at.start[inner + 1]; ++k)
                      out[i * b.shape[1] + rows.at.index[k]] += ringProduct(element, rows.value[k]);
                  });
  } else if (a.sparse) {
    const ContiguousInput d(b.array, ring);
    addSparseDense(termsOf<T>(a.matrix(), ring, scratch), a.matrix().csc, {d.as<T>(), b.shape[0], b.shape[1]},
                   out);
  } else {
    const ContiguousInput d(a.array, ring);
    addDenseSparse({d.as<T>(), a.shape[0], a.shape[1]}, termsOf<T>(b.matrix(), ring, scratch), b.matrix().csc,
                   b.shape[1], out);
  }
}

/// a b as a tensor: the axis that a vector lacks is left out.
int32_t denseProduct(Array* const* in, Array* const* out, Context& context) {
  const Factor a(*in[0], true, context), b(*in[1], false, context);
  if (const int32_t code = checkInner(context, a, b)) return code;
  std::vector<int64_t> shape;
  if (a.sparse || a.array.rank == 2) shape.push_back(a.shape[0]);
  if (b.sparse || b.array.rank == 2) shape.push_back(b.shape[1]);
  const DType ring = ringDType(out[0]->dtype);
  withRingType(ring, [&]<class T>(std::type_identity<T>) {
    std::vector<T> product(static_cast<size_t>(a.shape[0] * b.shape[1]));
    addProduct(a, b, ring, product.data());
    setDense(context, shape, reinterpret_cast<const std::byte*>(product.data()), ring);
  });
  return 0;
}

/// a b of sparse matrices, sparse.
int32_t sparseProductOf(bool csc, Array* const* in, Array* const* out, Context& context) {
  const Factor a(*in[0], true, context), b(*in[1], false, context);
  if (const int32_t code = checkInner(context, a, b)) return code;
  const DType ring = ringDType(out[0]->dtype);
  SparseData aBuffer, bBuffer;
  const SparseData &left = inFormat(a.matrix(), csc, aBuffer), &right = inFormat(b.matrix(), csc, bBuffer);
  Scratch scratch;
  return withRingType(ring, [&]<class T>(std::type_identity<T>) {
    const SparseTerms<T> x = termsOf<T>(left, ring, scratch), y = termsOf<T>(right, ring, scratch);
    SparseResult<T> product;
    // The columns of a csc matrix are the rows of its transpose: (a b)ᵀ = bᵀ aᵀ.
    const bool fits = csc ? sparseProduct(y, x, product) : sparseProduct(x, y, product);
    if (!fits) return context.fail("ValueError", "too many elements for a sparse matrix");
    setSparse(*out[0], csc, {a.shape[0], b.shape[1]}, product, ring);
    return 0;
  });
}

/// A dense result of TrueDot's dense factor, as a sparse matrix.
int32_t productAsSparse(bool csc, Array* const* in, Array* const* out, Context& context) {
  const Factor a(*in[0], true, context), b(*in[1], false, context);
  if (const int32_t code = checkInner(context, a, b)) return code;
  const DType ring = ringDType(out[0]->dtype);
  return withRingType(ring, [&]<class T>(std::type_identity<T>) {
    const std::array<int64_t, 2> shape{a.shape[0], b.shape[1]};
    constexpr int64_t size = sizeof(T);
    std::vector<T> product(static_cast<size_t>(shape[0] * shape[1]));
    addProduct(a, b, ring, product.data());
    SparseData result;
    std::string problem = denseToSparse(ring, reinterpret_cast<const std::byte*>(product.data()), shape,
                                        {shape[1] * size, size}, csc, result);
    if (!problem.empty()) return context.fail("ValueError", std::move(problem));
    setSparse(*out[0], std::move(result));
    return 0;
  });
}

/// s's structure with each element times a dot product of rows: s ∘ (x yᵀ).
int32_t sampledProduct(Array* const* in, Array* const* out, Context& context) {
  const Array &x = *in[0], &y = *in[1];
  const SparseInput s(*in[2], context);
  if (!s) return 1;
  if (x.shape[1] != y.shape[1])
    return context.fail("ValueError", fmt::format("rows of {} and of {} elements", x.shape[1], y.shape[1]));
  if (const int32_t code = checkSameShape(context, *s, {x.shape[0], y.shape[0]}, "ValueError")) return code;
  const DType ring = ringDType(out[0]->dtype);
  const int64_t n = x.shape[1];
  Scratch scratch;
  const ContiguousInput left(x, ring), right(y, ring);
  withRingType(ring, [&]<class T>(std::type_identity<T>) {
    std::vector<T> values;
    forEachStored(termsOf<T>(*s, ring, scratch), s->csc, [&](int64_t row, int64_t column, T element) {
      T dot{};
      for (int64_t i = 0; i < n; ++i)
        dot += ringProduct(left.as<T>()[row * n + i], right.as<T>()[column * n + i]);
      values.push_back(ringProduct(element, dot));
    });
    setSparseValues(*out[0], *s, values, ring);
  });
  return 0;
}

/// α x y + z; z's lengths of 1 broadcast.
int32_t scaledProduct(Array* const* in, Array* const* out, Context& context) {
  const Factor x(*in[1], true, context), y(*in[2], false, context);
  if (const int32_t code = checkInner(context, x, y)) return code;
  const Array& z = *in[3];
  const std::array<int64_t, 2> shape{x.shape[0], y.shape[1]};
  std::array<int64_t, 2> strides{z.strides[0], z.strides[1]};
  for (size_t axis = 0; axis < 2; ++axis) {
    if (z.shape[axis] == shape[axis]) continue;
    if (z.shape[axis] != 1)
      return context.fail("ValueError",
                          fmt::format("z of shape ({}, {}) does not fit a product of shape ({}, {})",
                                      z.shape[0], z.shape[1], shape[0], shape[1]));
    strides[axis] = 0;
  }
  const DType ring = ringDType(out[0]->dtype);
  const ContiguousInput alpha(*in[0], ring);
  if (alpha.size() != 1) return context.fail("ValueError", "alpha has to have one element");
  withRingType(ring, [&]<class T>(std::type_identity<T>) {
    const auto count = static_cast<size_t>(shape[0] * shape[1]);
    std::vector<T> product(count), sum(count);
    addProduct(x, y, ring, product.data());
    const std::array<int64_t, 2> to{shape[1] * static_cast<int64_t>(sizeof(T)), sizeof(T)};
    assign({reinterpret_cast<std::byte*>(sum.data()), to.data(), ring}, {z.data, strides.data(), z.dtype},
           shape.data(), 2);
    for (size_t i = 0; i < count; ++i) sum[i] += ringProduct(product[i], alpha.as<T>()[0]);
    setDense(context, {shape[0], shape[1]}, reinterpret_cast<const std::byte*>(sum.data()), ring);
  });
  return 0;
}

/// Rows of a matrix, dense or csr, to be spread into a workspace and multiplied with one.
template <class T> class Rows {
public:
  Rows(const Array& array, SparseInput* sparse, DType ring, Scratch& scratch) {
    if (sparse) {
      m_sparse = termsOf<T>(**sparse, ring, scratch);
    } else {
      m_dense.emplace(array, ring);
      m_columns = array.shape[1];
    }
  }
  void spread(int64_t row, std::vector<T>& to) const {
    if (m_dense)
      return static_cast<void>(
          std::copy_n(m_dense->template as<T>() + row * m_columns, m_columns, to.data()));
    std::fill(to.begin(), to.end(), T{});
    for (int32_t k = m_sparse.at.start[row]; k < m_sparse.at.start[row + 1]; ++k)
      to[static_cast<size_t>(m_sparse.at.index[k])] += m_sparse.value[k];
  }
  T dot(int64_t row, const std::vector<T>& with) const {
    T sum{};
    if (m_dense) {
      const T* from = m_dense->template as<T>() + row * m_columns;
      for (int64_t i = 0; i < m_columns; ++i) sum += ringProduct(from[i], with[static_cast<size_t>(i)]);
    } else {
      for (int32_t k = m_sparse.at.start[row]; k < m_sparse.at.start[row + 1]; ++k)
        sum += ringProduct(m_sparse.value[k], with[static_cast<size_t>(m_sparse.at.index[k])]);
    }
    return sum;
  }

private:
  std::optional<ContiguousInput> m_dense;
  int64_t m_columns = 0;
  SparseTerms<T> m_sparse{};
};

/// For each stored place (i, j) of a matrix of this structure: g[i, :] · b[j, :].
int32_t dotGradient(bool csc, Array* const* in, Array* const* out, Context& context) {
  const ContiguousInput index(*in[0], DType::Int64), start(*in[1], DType::Int64);
  Factor b(*in[2], true, context), g(*in[3], true, context);
  if (b.failed() || g.failed()) return 1;
  if (b.shape[1] != g.shape[1])
    return context.fail("ValueError", fmt::format("rows of {} and of {} elements", g.shape[1], b.shape[1]));
  const Factor &major = csc ? b : g, &minor = csc ? g : b;
  const int64_t* starts = start.as<int64_t>();
  for (int64_t m = 0; m + 1 < start.size(); ++m) {
    if (starts[m] < 0 || starts[m] > starts[m + 1] || starts[m + 1] > index.size())
      return context.fail("ValueError", fmt::format("indptr has to ascend to at most {}, found {} at {}",
                                                    index.size(), starts[m + 1], m + 1));
    if (m >= major.shape[0] && starts[m] < starts[m + 1])
      return context.fail("IndexError",
                          fmt::format("row {} is outside a matrix of {} rows", m, major.shape[0]));
    for (int64_t k = starts[m]; k < starts[m + 1]; ++k)
      if (index.as<int64_t>()[k] < 0 || index.as<int64_t>()[k] >= minor.shape[0])
        return context.fail("IndexError", fmt::format("row {} is outside a matrix of {} rows",
                                                      index.as<int64_t>()[k], minor.shape[0]));
  }
  for (Factor* factor : {&b, &g})
    if (factor->sparse) factor->sparse->in(false);
  const DType ring = ringDType(out[0]->dtype);
  Scratch scratch;
  withRingType(ring, [&]<class T>(std::type_identity<T>) {
    const Rows<T> majorRows(major.array, major.sparse.get(), ring, scratch),
        minorRows(minor.array, minor.sparse.get(), ring, scratch);
    std::vector<T> row(static_cast<size_t>(b.shape[1])), gradient(static_cast<size_t>(index.size()));
    for (int64_t m = 0; m + 1 < start.size(); ++m) {
      if (starts[m] == starts[m + 1]) continue;
      majorRows.spread(m, row);
      for (int64_t k = starts[m]; k < starts[m + 1]; ++k)
        gradient[static_cast<size_t>(k)] = minorRows.dot(index.as<int64_t>()[k], row);
    }
    setDense(context, {index.size()}, reinterpret_cast<const std::byte*>(gradient.data()), ring);
  });
  return 0;
}

Result<void> checkFactor(const NodeView& node, size_t k, bool vectorToo) {
  if (node.in(k).kind == Kind::Sparse) return {};
  if (vectorToo && node.in(k).kind == Kind::Tensor && node.in(k).rank() == 1) return {};
  return checkTensor(node, k, 2);
}

Result<void> checkOneSparse(const NodeView& node, size_t first) {
  if (node.in(first).kind == Kind::Sparse || node.in(first + 1).kind == Kind::Sparse) return {};
  return node.error(fmt::format("input {} or {} has to be a sparse matrix", first, first + 1));
}

/// A sparse output of the format of input 0, from two sparse matrices or from one and a dense one.
Result<Lowered> sparseProductNode(const NodeView& node) {
  NW_CHECK(checkOutFormatOf(node, 0));
  const bool csc = isCsc(node.out(0)), bothSparse = node.in(1).kind == Kind::Sparse;
  return sparseNode([csc, bothSparse](Array* const* in, Array* const* out, Context& context) {
    return bothSparse ? sparseProductOf(csc, in, out, context) : productAsSparse(csc, in, out, context);
  });
}

Result<Lowered> dotGradNode(const NodeView& node, bool csc) {
  NW_CHECK(checkArity(node, 4, 4, 1, 1));
  NW_CHECK(checkIndexVector(node, 0));
  NW_CHECK(checkIndexVector(node, 1));
  NW_CHECK(checkFactor(node, 2, false));
  NW_CHECK(checkFactor(node, 3, false));
  NW_CHECK(checkOutTensor(node, 0, 1));
  return sparseNode([csc](Array* const* in, Array* const* out, Context& context) {
    return dotGradient(csc, in, out, context);
  });
}

} // namespace

Result<Lowered> lowerSparseDot(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkFactor(node, 0, true));
  NW_CHECK(checkFactor(node, 1, true));
  NW_CHECK(checkOneSparse(node, 0));
  NW_CHECK(checkOutTensor(node, 0, node.in(0).rank() + node.in(1).rank() - 2));
  return sparseNode(denseProduct);
}

Result<Lowered> lowerSparseStructuredDot(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkSparse(node, 0));
  NW_CHECK(checkFactor(node, 1, false));
  if (node.in(1).kind == Kind::Sparse) return sparseProductNode(node);
  NW_CHECK(checkOutTensor(node, 0, 2));
  return sparseNode(denseProduct);
}

Result<Lowered> lowerSparseTrueDot(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkSparse(node, 0));
  NW_CHECK(checkFactor(node, 1, false));
  return sparseProductNode(node);
}

Result<Lowered> lowerSparseSamplingDot(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 1, 1));
  NW_CHECK(checkTensor(node, 0, 2));
  NW_CHECK(checkTensor(node, 1, 2));
  NW_CHECK(checkOutFormatOf(node, 2));
  return sparseNode(sampledProduct);
}

Result<Lowered> lowerSparseUsmm(const NodeView& node) {
  NW_CHECK(checkArity(node, 4, 4, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkFactor(node, 1, false));
  NW_CHECK(checkFactor(node, 2, false));
  NW_CHECK(checkOneSparse(node, 1));
  NW_CHECK(checkTensor(node, 3, 2));
  NW_CHECK(checkOutTensor(node, 0, 2));
  return sparseNode(scaledProduct);
}

Result<Lowered> lowerSparseDotGradCsc(const NodeView& node) { return dotGradNode(node, true); }
Result<Lowered> lowerSparseDotGradCsr(const NodeView& node) { return dotGradNode(node, false); }

} // namespace nodewise
