#include "ops/params.h"
#include "ops/sparse_ops.h"
#include "ops/sparse_value.h"

#include "numeric/strided.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

namespace {

/// A vector of integers as int32; numbers outside become -1, which is wrong in every place that they could
/// stand in.
std::vector<int32_t> readInt32(const Array& vector) {
  const ContiguousInput wide(vector, DType::Int64);
  std::vector<int32_t> narrow(static_cast<size_t>(wide.size()));
  std::transform(wide.as<int64_t>(), wide.as<int64_t>() + wide.size(), narrow.begin(),
                 [](int64_t x) { return x < -1 || x > INT32_MAX ? -1 : static_cast<int32_t>(x); });
  return narrow;
}

/// The two lengths in a vector of integers.
int32_t readShape(const Array& vector, std::array<int64_t, 2>& shape, Context& context) {
  const ContiguousInput values(vector, DType::Int64);
  if (values.size() != 2)
    return context.fail("ValueError",
                        fmt::format("the shape of a sparse matrix has 2 lengths, found {}", values.size()));
  std::copy_n(values.as<int64_t>(), 2, shape.begin());
  return 0;
}

/// A matrix from the vectors data, indices, indptr; ValueError where they do not fit together.
int32_t readParts(Array* const* in, std::array<int64_t, 2> shape, bool csc, DType dtype, SparseData& matrix,
                  Context& context) {
  const ContiguousInput values(*in[0], dtype);
  std::vector<int32_t> index = readInt32(*in[1]), start = readInt32(*in[2]);
  std::string problem = checkParts(shape[csc ? 1 : 0], shape[csc ? 0 : 1], start, index, values.size());
  if (!problem.empty()) return context.fail("ValueError", std::move(problem));
  Tensor data{dtype, {values.size()}, {values.data(), values.data() + values.size() * dtypeSize(dtype)}};
  matrix = makeSparse(csc, shape, std::move(start), std::move(index), std::move(data));
  return 0;
}

int32_t makeCsm(bool csc, Array* const* in, Array* const* out, Context& context) {
  std::array<int64_t, 2> shape;
  if (const int32_t code = readShape(*in[3], shape, context)) return code;
  SparseData matrix;
  if (const int32_t code = readParts(in, shape, csc, out[0]->dtype, matrix, context)) return code;
  // Elements behind the last row (column) do not belong to the matrix.
  SparseData trimmed;
  if (!hasInt32(matrix)) {
    asInt32(matrix, trimmed);
    matrix = std::move(trimmed);
  }
  setSparse(*out[0], std::move(matrix));
  return 0;
}

Result<void> checkPartTypes(const NodeView& node, size_t first) {
  NW_CHECK(checkTensor(node, first, 1));
  for (size_t k = first + 1; k < first + 4; ++k) NW_CHECK(checkIndexVector(node, k));
  return {};
}

/// The `format` param, which is also that of the output.
Result<bool> readFormat(const NodeView& node) {
  NW_CHECK(checkOutSparse(node));
  NW_TRY(const std::string format, choiceParam(node, "format", {"csr", "csc"}, node.out(0).text));
  if (format != node.out(0).text)
    return node.paramError("format",
                           fmt::format("expected {}, as output 0 is, found {}", node.out(0).text, format));
  return format == "csc";
}

/// Gradient of a CSM matrix's data: for each stored place of x the sum of g's elements there.
int32_t csmGradient(Array* const* in, Array* const*, Context& context) {
  std::array<int64_t, 2> shape;
  if (const int32_t code = readShape(*in[3], shape, context)) return code;
  // The format is not said; as in PyTensor, rows are the compressed axis where their number fits.
  const bool csc = in[2]->shape[0] - 1 != shape[0];
  const DType ring = ringDType(context.outputs[0]->dtype);
  SparseData x, g;
  if (const int32_t code = readParts(in, shape, csc, ring, x, context)) return code;
  if (const int32_t code = readParts(in + 4, shape, csc, ring, g, context)) return code;
  const SparseView at = viewOf(x), given = viewOf(g);
  withRingType(ring, [&]<class T>(std::type_identity<T>) {
    std::vector<T> row(static_cast<size_t>(at.minor)), gradient(static_cast<size_t>(x.data.shape[0]));
    for (int64_t m = 0; m < at.major; ++m) {
      for (int32_t k = given.start[m]; k < given.start[m + 1]; ++k)
        row[static_cast<size_t>(given.index[k])] += g.data.as<T>()[k];
      for (int32_t k = at.start[m]; k < at.start[m + 1]; ++k)
        gradient[static_cast<size_t>(k)] = row[static_cast<size_t>(at.index[k])];
      for (int32_t k = given.start[m]; k < given.start[m + 1]; ++k)
        row[static_cast<size_t>(given.index[k])] = T{};
    }
    setDense(context, x.data.shape, reinterpret_cast<const std::byte*>(gradient.data()), ring);
  });
  return 0;
}

/// data, indices, indptr, shape of a matrix.
int32_t csmProperties(Array* const* in, Array* const*, Context& context) {
  const SparseInput s(*in[0], context);
  if (!s) return 1;
  const Tensor shape{DType::Int64,
                     {2},
                     {reinterpret_cast<const std::byte*>(s->shape.data()),
                      reinterpret_cast<const std::byte*>(s->shape.data() + 2)}};
  const Tensor* parts[] = {&s->data, &s->indices, &s->indptr, &shape};
  for (int k = 0; k < 4; ++k) {
    context.allocate(k, parts[k]->shape.data(), 1);
    const Array& out = *context.outputs[k];
    const int64_t step = dtypeSize(parts[k]->dtype);
    assign({out.data, out.strides, out.dtype}, {parts[k]->bytes.data(), &step, parts[k]->dtype}, out.shape,
           1);
  }
  return 0;
}

/// A csc matrix of this shape with the rows of `d` at the places `rows`; rows that occur twice add up.
int32_t fromRows(Array* const* in, Array* const* out, Context& context) {
  std::array<int64_t, 2> shape;
  if (const int32_t code = readShape(*in[0], shape, context)) return code;
  const int64_t count = in[1]->shape[0], columns = in[1]->shape[1];
  std::vector<int32_t> rows = readInt32(*in[2]);
  if (static_cast<int64_t>(rows.size()) != count)
    return context.fail("AssertionError", fmt::format("{} places for {} rows", rows.size(), count));
  if (count * columns > INT32_MAX) return context.fail("ValueError", "too many elements for a sparse matrix");
  std::vector<int32_t> start, index;
  for (int64_t c = 0; c <= columns; ++c) start.push_back(static_cast<int32_t>(c * count));
  for (int64_t c = 0; c < columns; ++c) index.insert(index.end(), rows.begin(), rows.end());
  std::string problem = checkParts(shape[1], shape[0], start, index, count * columns);
  if (!problem.empty()) return context.fail("ValueError", std::move(problem));
  const int64_t size = dtypeSize(out[0]->dtype);
  Tensor values{
      out[0]->dtype, {count * columns}, std::vector<std::byte>(static_cast<size_t>(count * columns * size))};
  const std::array<int64_t, 2> byColumn{size, count * size};
  assign({values.bytes.data(), byColumn.data(), out[0]->dtype}, {in[1]->data, in[1]->strides, in[1]->dtype},
         in[1]->shape, 2);
  setSparse(*out[0], makeSparse(true, shape, std::move(start), std::move(index), std::move(values)));
  return 0;
}

} // namespace

Result<Lowered> lowerSparseFromDense(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0, 2));
  NW_TRY(const bool csc, readFormat(node));
  return sparseNode([csc](Array* const* in, Array* const* out, Context& context) {
    const Array& d = *in[0];
    SparseData matrix;
    std::string problem =
        denseToSparse(d.dtype, d.data, matrixShape(d), {d.strides[0], d.strides[1]}, csc, matrix);
    if (!problem.empty()) return context.fail("ValueError", std::move(problem));
    setSparse(*out[0], std::move(matrix));
    return 0;
  });
}

Result<Lowered> lowerSparseToDense(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkSparse(node, 0));
  NW_CHECK(checkOutTensor(node, 0, 2));
  return sparseNode([](Array* const* in, Array* const* out, Context& context) {
    const SparseInput s(*in[0], context);
    if (!s) return 1;
    std::byte* dense = context.allocate(0, s->shape.data(), 2);
    std::fill_n(dense, out[0]->size() * dtypeSize(out[0]->dtype), std::byte{});
    addToDense(*s, out[0]->dtype, dense);
    return 0;
  });
}

Result<Lowered> lowerSparseCsm(const NodeView& node) {
  NW_CHECK(checkArity(node, 4, 4, 1, 1));
  NW_CHECK(checkPartTypes(node, 0));
  NW_TRY(const bool csc, readFormat(node));
  return sparseNode([csc](Array* const* in, Array* const* out, Context& context) {
    return makeCsm(csc, in, out, context);
  });
}

Result<Lowered> lowerSparseCsmProperties(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 4, 4));
  NW_CHECK(checkSparse(node, 0));
  for (size_t k = 0; k < 4; ++k) NW_CHECK(checkOutTensor(node, k, 1));
  return sparseNode(csmProperties);
}

Result<Lowered> lowerSparseCsmGrad(const NodeView& node) {
  NW_CHECK(checkArity(node, 8, 8, 1, 1));
  NW_CHECK(checkPartTypes(node, 0));
  NW_CHECK(checkPartTypes(node, 4));
  NW_CHECK(checkOutTensor(node, 0, 1));
  return sparseNode(csmGradient);
}

Result<Lowered> lowerSparseFromRows(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 1, 1));
  NW_CHECK(checkIndexVector(node, 0));
  NW_CHECK(checkTensor(node, 1, 2));
  NW_CHECK(checkIndexVector(node, 2));
  NW_CHECK(checkOutSparse(node));
  if (!isCsc(node.out(0))) return node.error("output 0 has to be csc");
  return sparseNode(fromRows);
}

} // namespace nodewise
