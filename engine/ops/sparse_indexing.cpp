#include "ops/params.h"
#include "ops/slice_range.h"
#include "ops/sparse_ops.h"
#include "ops/sparse_value.h"

#include "numeric/element.h"
#include "numeric/strided.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

namespace {

/// An index counted from the end where it is negative; fails with IndexError (false) where it is outside.
bool normalizeIndex(int64_t& index, int64_t length, const char* what, Context& context) {
  if (index >= -length && index < length) {
    if (index < 0) index += length;
    return true;
  }
  context.fail("IndexError", fmt::format("{} {} is outside a matrix of {} {}s", what, index, length, what));
  return false;
}

bool readIndices(const Array& vector, int64_t length, const char* what, std::vector<int64_t>& indices,
                 Context& context) {
  const ContiguousInput values(vector, DType::Int64);
  indices.assign(values.as<int64_t>(), values.as<int64_t>() + values.size());
  return std::all_of(indices.begin(), indices.end(),
                     [&](int64_t& index) { return normalizeIndex(index, length, what, context); });
}

std::optional<int64_t> integerOrNone(const Array& array) {
  if (array.kind == Kind::Tensor || array.kind == Kind::Scalar) return array.toInt();
  return std::nullopt;
}

/// None, whichever type its producer gave it.
bool isNone(const Value& value) {
  return value.type.kind == Kind::None ||
         (value.constant && std::holds_alternative<NoneData>(value.constant->v));
}

int32_t getRanges(Array* const* in, Array* const* out, Context& context) {
  const SparseInput s(*in[0], context);
  if (!s) return 1;
  std::array<IndexRange, 2> ranges;
  for (size_t axis = 0; axis < 2; ++axis) {
    Array* const* parts = in + 1 + 3 * axis;
    const SliceData slice{integerOrNone(*parts[0]), integerOrNone(*parts[1]), integerOrNone(*parts[2])};
    const std::optional<SliceRange> range = sliceRange(slice, s->shape[axis]);
    if (!range) return context.fail("ValueError", "a slice's step cannot be 0");
    ranges[axis] = {range->start, range->step, range->count};
  }
  setSparse(*out[0],
            rearranged(*s, takeRanges(viewOf(*s), ranges[s->csc ? 1 : 0], ranges[s->csc ? 0 : 1]), s->csc));
  return 0;
}

/// The element at a place: the sum of all that are stored there. `value` is of the matrix' dtype.
void elementAt(const SparseData& s, int64_t row, int64_t column, std::byte* value) {
  const SparseView view = viewOf(s);
  const int64_t m = s.csc ? column : row, i = s.csc ? row : column;
  withType(s.data.dtype, [&]<class T>(std::type_identity<T>) {
    T sum{};
    for (int32_t k = view.start[m]; k < view.start[m + 1]; ++k)
      if (view.index[k] == i) sum = addElements(sum, s.data.as<T>()[k]);
    store(value, sum);
  });
}

int32_t getScalar(Array* const* in, Array* const*, Context& context) {
  const SparseInput s(*in[0], context);
  if (!s) return 1;
  int64_t row = in[1]->toInt(), column = in[2]->toInt();
  if (!normalizeIndex(row, s->shape[0], "row", context)) return 1;
  if (!normalizeIndex(column, s->shape[1], "column", context)) return 1;
  std::array<std::byte, sizeof(std::complex<double>)> value;
  elementAt(*s, row, column, value.data());
  setDense(context, {}, value.data(), s->data.dtype);
  return 0;
}

int32_t getRows(Array* const* in, Array* const* out, Context& context) {
  SparseInput s(*in[0], context);
  std::vector<int64_t> rows;
  if (!s || !readIndices(*in[1], s->shape[0], "row", rows, context)) return 1;
  const bool csc = s->csc;
  s.in(false);
  SparseStructure taken;
  if (!takeMajor(viewOf(*s), rows, taken))
    return context.fail("ValueError", "too many elements for a sparse matrix");
  SparseData buffer;
  const SparseData result = rearranged(*s, taken, false);
  setSparse(*out[0], inFormat(result, csc, buffer));
  return 0;
}

/// Two lists of indices; one of length 1 serves all.
bool readPlaces(Array* const* in, const SparseData& s, std::vector<int64_t>& rows,
                std::vector<int64_t>& columns, Context& context) {
  if (!readIndices(*in[0], s.shape[0], "row", rows, context)) return false;
  if (!readIndices(*in[1], s.shape[1], "column", columns, context)) return false;
  if (rows.size() == 1) rows.resize(columns.size(), rows[0]);
  if (columns.size() == 1) columns.resize(rows.size(), columns[0]);
  if (rows.size() == columns.size()) return true;
  context.fail("IndexError",
               fmt::format("{} rows and {} columns do not make places", rows.size(), columns.size()));
  return false;
}

int32_t getPlaces(Array* const* in, Array* const*, Context& context) {
  const SparseInput s(*in[0], context);
  std::vector<int64_t> rows, columns;
  if (!s || !readPlaces(in + 1, *s, rows, columns, context)) return 1;
  const int64_t size = dtypeSize(s->data.dtype);
  std::vector<std::byte> values(rows.size() * static_cast<size_t>(size));
  for (size_t i = 0; i < rows.size(); ++i)
    elementAt(*s, rows[i], columns[i], values.data() + i * static_cast<size_t>(size));
  setDense(context, {static_cast<int64_t>(rows.size())}, values.data(), s->data.dtype);
  return 0;
}

/// Stored elements to be put at places of an empty matrix, in this order: a later one replaces an earlier
/// one.
struct Placement {
  int64_t row, column;
  int32_t source;
};

/// A matrix of s's shape and format with these of the values, which are of the output's dtype.
void setPlacements(Array& out, const SparseData& s, std::vector<Placement> placements,
                   const std::byte* values) {
  if (s.csc)
    for (Placement& p : placements) std::swap(p.row, p.column);
  std::stable_sort(placements.begin(), placements.end(), [](const Placement& a, const Placement& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  SparseStructure structure{majorLength(s), minorLength(s), {}, {}, {}};
  structure.start.resize(static_cast<size_t>(structure.major) + 1);
  for (size_t i = 0; i < placements.size(); ++i) {
    const Placement& p = placements[i];
    const bool replaced =
        i + 1 < placements.size() && placements[i + 1].row == p.row && placements[i + 1].column == p.column;
    if (replaced) continue;
    ++structure.start[static_cast<size_t>(p.row) + 1];
    structure.index.push_back(static_cast<int32_t>(p.column));
    structure.source.push_back(p.source);
  }
  for (size_t m = 1; m < structure.start.size(); ++m) structure.start[m] += structure.start[m - 1];
  Tensor chosen{out.dtype, {static_cast<int64_t>(structure.source.size())}, {}};
  chosen.bytes.resize(structure.source.size() * static_cast<size_t>(dtypeSize(out.dtype)));
  gatherElements(values, structure.source, dtypeSize(out.dtype), chosen.bytes.data());
  setSparse(out, makeSparse(s.csc, s.shape, structure.start, structure.index, std::move(chosen)));
}

/// Row rows[i] of the result is row i of g; of equal rows the last one stays.
int32_t putRows(Array* const* in, Array* const* out, Context& context) {
  const SparseInput s(*in[0], context);
  SparseInput g(*in[2], context);
  std::vector<int64_t> rows;
  if (!s || !g.in(false).canonical() || !readIndices(*in[1], s->shape[0], "row", rows, context)) return 1;
  if (static_cast<int64_t>(rows.size()) > g->shape[0])
    return context.fail("IndexError", fmt::format("{} rows are wanted of {}", rows.size(), g->shape[0]));
  if (g->shape[1] != s->shape[1])
    return context.fail("ValueError",
                        fmt::format("rows of {} elements do not fit {} columns", g->shape[1], s->shape[1]));
  std::vector<int64_t> lastOf(static_cast<size_t>(s->shape[0]), -1);
  for (size_t i = 0; i < rows.size(); ++i) lastOf[static_cast<size_t>(rows[i])] = static_cast<int64_t>(i);
  std::vector<Placement> placements;
  const SparseView view = viewOf(*g);
  for (int64_t row = 0; row < s->shape[0]; ++row) {
    const int64_t from = lastOf[static_cast<size_t>(row)];
    if (from < 0) continue;
    for (int32_t k = view.start[from]; k < view.start[from + 1]; ++k)
      placements.push_back({row, view.index[k], k});
  }
  Scratch scratch;
  setPlacements(*out[0], *s, std::move(placements), valuesAs(*g, out[0]->dtype, scratch));
  return 0;
}

/// The element at (rows[i], columns[i]) of the result is g[i]; of equal places the last one stays.
int32_t putPlaces(Array* const* in, Array* const* out, Context& context) {
  const SparseInput s(*in[0], context);
  std::vector<int64_t> rows, columns;
  if (!s || !readPlaces(in + 1, *s, rows, columns, context)) return 1;
  const ContiguousInput values(*in[3], out[0]->dtype);
  if (values.size() < static_cast<int64_t>(rows.size()))
    return context.fail("IndexError", fmt::format("{} elements for {} places", values.size(), rows.size()));
  std::vector<Placement> placements;
  for (size_t i = 0; i < rows.size(); ++i)
    placements.push_back({rows[i], columns[i], static_cast<int32_t>(i)});
  setPlacements(*out[0], *s, std::move(placements), values.data());
  return 0;
}

} // namespace

Result<Lowered> lowerSparseGetItem2d(const NodeView& node) {
  NW_CHECK(checkArity(node, 7, 7, 1, 1));
  NW_CHECK(checkOutFormatOf(node, 0));
  for (size_t k = 1; k < 7; ++k)
    if (!isNone(node.inValue(k))) NW_CHECK(checkIndexScalar(node, k));
  return sparseNode(getRanges);
}

Result<Lowered> lowerSparseGetItemScalar(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 1, 1));
  NW_CHECK(checkSparse(node, 0));
  NW_CHECK(checkIndexScalar(node, 1));
  NW_CHECK(checkIndexScalar(node, 2));
  NW_CHECK(checkOutTensor(node, 0, 0));
  return sparseNode(getScalar);
}

Result<Lowered> lowerSparseGetItemList(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkOutFormatOf(node, 0));
  NW_CHECK(checkIndexVector(node, 1));
  return sparseNode(getRows);
}

Result<Lowered> lowerSparseGetItem2Lists(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 1, 1));
  NW_CHECK(checkSparse(node, 0));
  NW_CHECK(checkIndexVector(node, 1));
  NW_CHECK(checkIndexVector(node, 2));
  NW_CHECK(checkOutTensor(node, 0, 1));
  return sparseNode(getPlaces);
}

Result<Lowered> lowerSparseGetItemListGrad(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 1, 1));
  NW_CHECK(checkOutFormatOf(node, 0));
  NW_CHECK(checkIndexVector(node, 1));
  NW_CHECK(checkSparse(node, 2));
  return sparseNode(putRows);
}

Result<Lowered> lowerSparseGetItem2ListsGrad(const NodeView& node) {
  NW_CHECK(checkArity(node, 4, 4, 1, 1));
  NW_CHECK(checkOutFormatOf(node, 0));
  NW_CHECK(checkIndexVector(node, 1));
  NW_CHECK(checkIndexVector(node, 2));
  NW_CHECK(checkTensor(node, 3, 1));
  return sparseNode(putPlaces);
}

} // namespace nodewise
