#include "ops/params.h"
#include "ops/sparse_ops.h"
#include "ops/sparse_value.h"

#include "numeric/strided.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

namespace {

/// Brings two matrices of one shape to a format and canonical form.
bool alignPair(SparseInput& a, SparseInput& b, bool csc, Context& context) {
  if (!a || !b || checkSameShape(context, *a, b->shape, "AssertionError") != 0) return false;
  a.in(csc).canonical();
  b.in(csc).canonical();
  return true;
}

int32_t add(bool csc, Array* const* in, Array* const* out, Context& context) {
  SparseInput a(*in[0], context), b(*in[1], context);
  if (!alignPair(a, b, csc, context)) return 1;
  const DType ring = ringDType(out[0]->dtype);
  Scratch scratch;
  withRingType(ring, [&]<class T>(std::type_identity<T>) {
    setSparse(*out[0], csc, a->shape, sparseSum(termsOf<T>(*a, ring, scratch), termsOf<T>(*b, ring, scratch)),
              ring);
  });
  return 0;
}

int32_t multiply(bool csc, Array* const* in, Array* const* out, Context& context) {
  SparseInput a(*in[0], context), b(*in[1], context);
  if (!alignPair(a, b, csc, context)) return 1;
  const DType ring = ringDType(out[0]->dtype);
  Scratch scratch;
  withRingType(ring, [&]<class T>(std::type_identity<T>) {
    setSparse(*out[0], csc, a->shape,
              sparseElementProduct(termsOf<T>(*a, ring, scratch), termsOf<T>(*b, ring, scratch)), ring);
  });
  return 0;
}

/// Matrices of one structure: their data added up in the order in which they are stored.
int32_t addData(Array* const* in, Array* const* out, Context& context) {
  const SparseInput a(*in[0], context), b(*in[1], context);
  if (!a || !b) return 1;
  if (const int32_t code = checkSameShape(context, *a, b->shape, "AssertionError")) return code;
  if (a->data.shape != b->data.shape)
    return context.fail("AssertionError", fmt::format("{} and {} stored elements: the structures differ",
                                                      a->data.shape[0], b->data.shape[0]));
  const DType ring = ringDType(out[0]->dtype);
  Scratch scratch;
  withRingType(ring, [&]<class T>(std::type_identity<T>) {
    const T *x = termsOf<T>(*a, ring, scratch).value, *y = termsOf<T>(*b, ring, scratch).value;
    std::vector<T> sums(static_cast<size_t>(a->data.shape[0]));
    for (size_t k = 0; k < sums.size(); ++k) sums[k] = x[k] + y[k];
    setSparseValues(*out[0], *a, sums, ring);
  });
  return 0;
}

/// s + d, dense; d's lengths of 1 broadcast to s.
int32_t addDense(Array* const* in, Array* const* out, Context& context) {
  const SparseInput s(*in[0], context);
  if (!s) return 1;
  const Array& d = *in[1];
  std::array<int64_t, 2> strides{d.strides[0], d.strides[1]};
  for (size_t axis = 0; axis < 2; ++axis) {
    if (d.shape[axis] == s->shape[axis]) continue;
    if (d.shape[axis] != 1) return checkSameShape(context, *s, matrixShape(d), "ValueError");
    strides[axis] = 0;
  }
  context.allocate(0, s->shape.data(), 2);
  const Array& z = *out[0];
  assign({z.data, z.strides, z.dtype}, {d.data, strides.data(), d.dtype}, z.shape, 2);
  addToDense(*s, z.dtype, z.data);
  return 0;
}

/// Changes each stored element: change(row, column, element).
template <class T, class Change>
void setChanged(Array& out, const SparseData& s, DType ring, Scratch& scratch, Change change) {
  const SparseTerms<T> terms = termsOf<T>(s, ring, scratch);
  std::vector<T> values;
  values.reserve(static_cast<size_t>(terms.at.stored()));
  forEachStored(terms, s.csc, [&](int64_t row, int64_t column, T element) {
    values.push_back(change(row, column, element));
  });
  setSparseValues(out, s, values, ring);
}

/// A row (or column) vector is as long as it has to be.
int32_t checkVector(Context& context, const Array& v, int64_t length) {
  if (v.shape[0] == length) return 0;
  return context.fail("AssertionError",
                      fmt::format("a vector of {} elements where {} are needed", v.shape[0], length));
}

/// s + v at the stored places whose element is not 0.
int32_t addRow(Array* const* in, Array* const* out, Context& context) {
  SparseInput s(*in[0], context);
  if (!s.canonical()) return 1;
  if (const int32_t code = checkVector(context, *in[1], s->shape[1])) return code;
  const DType ring = ringDType(out[0]->dtype);
  Scratch scratch;
  const ContiguousInput v(*in[1], ring);
  withRingType(ring, [&]<class T>(std::type_identity<T>) {
    setChanged<T>(*out[0], *s, ring, scratch, [&v](int64_t, int64_t column, T element) {
      return element == T{} ? element : element + v.as<T>()[column];
    });
  });
  return 0;
}

/// s times a vector that stands for its rows (axis 0) or its columns (axis 1).
int32_t scale(size_t axis, Array* const* in, Array* const* out, Context& context) {
  const SparseInput s(*in[0], context);
  if (!s) return 1;
  if (const int32_t code = checkVector(context, *in[1], s->shape[axis])) return code;
  const DType ring = ringDType(out[0]->dtype);
  Scratch scratch;
  const ContiguousInput v(*in[1], ring);
  withRingType(ring, [&]<class T>(std::type_identity<T>) {
    setChanged<T>(*out[0], *s, ring, scratch, [&](int64_t row, int64_t column, T element) {
      return ringProduct(element, v.as<T>()[axis == 0 ? row : column]);
    });
  });
  return 0;
}

/// s times a 0-d number or a matrix, element by element.
int32_t multiplyDense(Array* const* in, Array* const* out, Context& context) {
  const SparseInput s(*in[0], context);
  if (!s) return 1;
  const bool matrix = in[1]->rank == 2;
  if (matrix)
    if (const int32_t code = checkSameShape(context, *s, matrixShape(*in[1]), "AssertionError")) return code;
  const DType ring = ringDType(out[0]->dtype);
  Scratch scratch;
  const ContiguousInput d(*in[1], ring);
  const int64_t rowStep = matrix ? s->shape[1] : 0, columnStep = matrix ? 1 : 0;
  withRingType(ring, [&]<class T>(std::type_identity<T>) {
    setChanged<T>(*out[0], *s, ring, scratch, [&](int64_t row, int64_t column, T element) {
      return ringProduct(element, d.as<T>()[row * rowStep + column * columnStep]);
    });
  });
  return 0;
}

/// Output 0 of this shape: each stored element is added at place(row, column) in it, unless that is negative.
template <class Place>
void sumInto(Context& context, const SparseData& s, const std::vector<int64_t>& shape, DType dtype,
             Place place) {
  Scratch scratch;
  withRingType(dtype, [&]<class T>(std::type_identity<T>) {
    std::vector<T> sums(static_cast<size_t>(elementCount(shape)));
    forEachStored(termsOf<T>(s, dtype, scratch), s.csc, [&](int64_t row, int64_t column, T element) {
      const int64_t to = place(row, column);
      if (to >= 0) sums[static_cast<size_t>(to)] += element;
    });
    setDense(context, shape, reinterpret_cast<const std::byte*>(sums.data()), dtype);
  });
}

int32_t diagonal(Array* const* in, Array* const* out, Context& context) {
  const SparseInput s(*in[0], context);
  if (!s) return 1;
  if (s->shape[0] != s->shape[1])
    return context.fail("ValueError", fmt::format("the diagonal of a matrix of shape {}, which is not square",
                                                  shapeText(*s)));
  sumInto(context, *s, {s->shape[0]}, ringDType(out[0]->dtype),
          [](int64_t row, int64_t column) { return row == column ? row : -1; });
  return 0;
}

/// Floats are summed in double.
DType sumDType(DType dtype) {
  if (isIntegral(dtype)) return DType::UInt64;
  return isComplex(dtype) ? DType::Complex128 : DType::Float64;
}

int32_t sum(std::optional<int64_t> axis, Array* const* in, Array* const* out, Context& context) {
  const SparseInput s(*in[0], context);
  if (!s) return 1;
  std::vector<int64_t> shape;
  if (axis) shape.push_back(s->shape[*axis == 0 ? 1 : 0]);
  sumInto(context, *s, shape, sumDType(out[0]->dtype), [axis](int64_t row, int64_t column) {
    if (!axis) return int64_t{0};
    return *axis == 0 ? column : row;
  });
  return 0;
}

/// Two sparse matrices, a sparse output of the first one's format.
template <int32_t (*run)(bool, Array* const*, Array* const*, Context&)>
Result<Lowered> ofPair(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkOutFormatOf(node, 0));
  NW_CHECK(checkSparse(node, 1));
  return sparseNode([csc = isCsc(node.out(0))](Array* const* in, Array* const* out, Context& context) {
    return run(csc, in, out, context);
  });
}

/// A sparse matrix and a tensor, a sparse output of the same format.
Result<void> checkWithTensor(const NodeView& node, int rank) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkOutFormatOf(node, 0));
  return checkTensor(node, 1, rank);
}

} // namespace

Result<Lowered> lowerSparseAdd(const NodeView& node) { return ofPair<add>(node); }
Result<Lowered> lowerSparseMultiply(const NodeView& node) { return ofPair<multiply>(node); }

Result<Lowered> lowerSparseAddData(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkOutFormatOf(node, 0));
  NW_CHECK(checkOutFormatOf(node, 1));
  return sparseNode(addData);
}

Result<Lowered> lowerSparseAddDense(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkSparse(node, 0));
  NW_CHECK(checkTensor(node, 1, 2));
  NW_CHECK(checkOutTensor(node, 0, 2));
  return sparseNode(addDense);
}

Result<Lowered> lowerSparseAddRow(const NodeView& node) {
  NW_CHECK(checkWithTensor(node, 1));
  return sparseNode(addRow);
}

Result<Lowered> lowerSparseMultiplyDense(const NodeView& node) {
  NW_CHECK(checkWithTensor(node, -1));
  if (node.in(1).rank() != 0) NW_CHECK(checkTensor(node, 1, 2));
  return sparseNode(multiplyDense);
}

Result<Lowered> lowerSparseMultiplyRow(const NodeView& node) {
  NW_CHECK(checkWithTensor(node, 1));
  return sparseNode(
      [](Array* const* in, Array* const* out, Context& context) { return scale(1, in, out, context); });
}

Result<Lowered> lowerSparseScaleColumns(const NodeView& node) {
  NW_CHECK(checkWithTensor(node, 1));
  NW_CHECK(checkCsc(node, 0));
  return sparseNode(
      [](Array* const* in, Array* const* out, Context& context) { return scale(1, in, out, context); });
}

Result<Lowered> lowerSparseScaleRows(const NodeView& node) {
  NW_CHECK(checkWithTensor(node, 1));
  NW_CHECK(checkCsc(node, 0));
  return sparseNode(
      [](Array* const* in, Array* const* out, Context& context) { return scale(0, in, out, context); });
}

Result<Lowered> lowerSparseDiag(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkSparse(node, 0));
  NW_CHECK(checkOutTensor(node, 0, 1));
  return sparseNode(diagonal);
}

Result<Lowered> lowerSparseSum(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkSparse(node, 0));
  NW_TRY(const int64_t given, intParam(node, "axis", -1));
  if (given < -1 || given > 1)
    return node.paramError("axis", fmt::format("expected null, 0 or 1, found {}", given));
  const std::optional<int64_t> axis = given < 0 ? std::nullopt : std::optional(given);
  NW_CHECK(checkOutTensor(node, 0, axis ? 1 : 0));
  return sparseNode(
      [axis](Array* const* in, Array* const* out, Context& context) { return sum(axis, in, out, context); });
}

} // namespace nodewise
