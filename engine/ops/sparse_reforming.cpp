#include "ops/params.h"
#include "ops/sparse_ops.h"
#include "ops/sparse_value.h"

#include "numeric/element.h"

#include <fmt/format.h>

#include <deque>

namespace nodewise {

namespace {

int32_t transposed(Array* const* in, Array* const* out, Context& context) {
  const SparseInput s(*in[0], context);
  if (!s) return 1;
  setSparse(*out[0], {!s->csc, {s->shape[1], s->shape[0]}, s->data, s->indices, s->indptr});
  return 0;
}

int32_t copied(Array* const* in, Array* const* out, Context& context) {
  const SparseInput s(*in[0], context);
  if (!s) return 1;
  setSparse(*out[0], *s);
  return 0;
}

int32_t withoutZeros(Array* const* in, Array* const* out, Context& context) {
  const SparseInput s(*in[0], context);
  if (!s) return 1;
  std::vector<bool> keep(static_cast<size_t>(s->data.shape[0]));
  withType(s->data.dtype, [&]<class T>(std::type_identity<T>) {
    for (size_t k = 0; k < keep.size(); ++k) keep[k] = convertTo<Bool8>(s->data.as<T>()[k]).byte != 0;
  });
  setSparse(*out[0], rearranged(*s, keepStored(viewOf(*s), keep), s->csc));
  return 0;
}

int32_t sorted(Array* const* in, Array* const* out, Context& context) {
  const SparseInput s(*in[0], context);
  if (!s) return 1;
  setSparse(*out[0], rearranged(*s, sortedIndices(viewOf(*s)), s->csc));
  return 0;
}

/// One sparse input, one sparse output of the same format.
Result<Lowered> reforming(const NodeView& node, ArrayFn run) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkOutFormatOf(node, 0));
  return sparseNode(std::move(run));
}

/// Where the next block goes, in rows and columns.
enum class Placing { Beside, Below, Diagonal };

struct JoinParams {
  Placing placing;
  bool csc;
  size_t inputs;
};

int32_t join(const JoinParams& params, Array* const* in, Array* const* out, Context& context) {
  const bool across = params.placing != Placing::Below, down = params.placing != Placing::Beside;
  std::deque<SparseInput> sparse;
  std::deque<SparseData> dense;
  std::vector<SparseBlock> blocks;
  std::array<int64_t, 2> end{0, 0};
  for (size_t k = 0; k < params.inputs; ++k) {
    const Array& input = *in[k];
    const SparseData* matrix = nullptr;
    if (input.kind == Kind::Sparse) {
      if (!sparse.emplace_back(input, context).in(params.csc)) return 1;
      matrix = &*sparse.back();
    } else {
      matrix = &dense.emplace_back();
      std::string problem = denseToSparse(input.dtype, input.data, matrixShape(input),
                                          {input.strides[0], input.strides[1]}, params.csc, dense.back());
      if (!problem.empty()) return context.fail("ValueError", std::move(problem));
    }
    const size_t kept = params.placing == Placing::Beside ? 0 : 1;
    if (params.placing != Placing::Diagonal) {
      if (k == 0) end[kept] = matrix->shape[kept];
      if (matrix->shape[kept] != end[kept])
        return context.fail("ValueError",
                            fmt::format("block {} of shape {} does not fit beside {} {}", k,
                                        shapeText(*matrix), end[kept], kept == 0 ? "rows" : "columns"));
    }
    const int64_t row = down ? end[0] : 0, column = across ? end[1] : 0;
    blocks.push_back({matrix, params.csc ? column : row, params.csc ? row : column});
    if (down) end[0] += matrix->shape[0];
    if (across) end[1] += matrix->shape[1];
  }
  SparseData result;
  std::string problem = joinBlocks(blocks, params.csc, end, out[0]->dtype, result);
  if (!problem.empty()) return context.fail("ValueError", std::move(problem));
  setSparse(*out[0], std::move(result));
  return 0;
}

Result<Lowered> joining(const NodeView& node, Placing placing) {
  NW_CHECK(checkArity(node, 1, -1, 1, 1));
  NW_CHECK(checkOutSparse(node));
  NW_TRY(const std::string format, choiceParam(node, "format", {"csr", "csc"}, node.out(0).text));
  if (format != node.out(0).text)
    return node.paramError("format",
                           fmt::format("expected {}, as output 0 is, found {}", node.out(0).text, format));
  const JoinParams params{placing, format == "csc", node.inputs()};
  return sparseNode([params](Array* const* in, Array* const* out, Context& context) {
    return join(params, in, out, context);
  });
}

Result<Lowered> stacking(const NodeView& node, Placing placing) {
  for (size_t k = 0; k < node.inputs(); ++k) NW_CHECK(checkSparse(node, k));
  NW_CHECK(checkArity(node, 1, -1, 1, 1));
  NW_TRY(const DType dtype, dtypeParam(node, "dtype", node.out(0).dtype));
  if (dtype != node.out(0).dtype)
    return node.paramError("dtype", fmt::format("expected {}, as output 0 is, found {}",
                                                dtypeName(node.out(0).dtype), dtypeName(dtype)));
  return joining(node, placing);
}

} // namespace

Result<Lowered> lowerSparseTranspose(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkSparse(node, 0));
  NW_CHECK(checkOutSparse(node));
  if (node.in(0).text == node.out(0).text)
    return node.error("output 0 has to be csc where input 0 is csr, and csr where it is csc");
  return sparseNode(transposed);
}

Result<Lowered> lowerSparseCast(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkOutSparse(node));
  NW_TRY(const DType dtype, dtypeParam(node, "out_type", node.out(0).dtype));
  if (dtype != node.out(0).dtype)
    return node.paramError("out_type", fmt::format("expected {}, as output 0 is, found {}",
                                                   dtypeName(node.out(0).dtype), dtypeName(dtype)));
  return reforming(node, copied);
}

Result<Lowered> lowerSparseShape(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkSparse(node, 0));
  NW_CHECK(checkOutTensor(node, 0, 1));
  return sparseNode([](Array* const* in, Array* const*, Context& context) {
    const SparseInput s(*in[0], context);
    if (!s) return 1;
    setDense(context, {2}, reinterpret_cast<const std::byte*>(s->shape.data()), DType::Int64);
    return 0;
  });
}

Result<Lowered> lowerSparseLength(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkSparse(node, 0));
  NW_CHECK(checkOutTensor(node, 0, 0));
  NW_TRY(const int64_t axis, intParam(node, "i"));
  if (axis < 0 || axis > 1) return node.paramError("i", fmt::format("expected 0 or 1, found {}", axis));
  return sparseNode([axis](Array* const* in, Array* const*, Context& context) {
    const SparseInput s(*in[0], context);
    if (!s) return 1;
    setDense(context, {}, reinterpret_cast<const std::byte*>(&s->shape[static_cast<size_t>(axis)]),
             DType::Int64);
    return 0;
  });
}

Result<Lowered> lowerSparseRemove0(const NodeView& node) { return reforming(node, withoutZeros); }
Result<Lowered> lowerSparseSort(const NodeView& node) { return reforming(node, sorted); }
Result<Lowered> lowerSparseHStack(const NodeView& node) { return stacking(node, Placing::Beside); }
Result<Lowered> lowerSparseVStack(const NodeView& node) { return stacking(node, Placing::Below); }

Result<Lowered> lowerSparseBlockDiagonal(const NodeView& node) {
  const auto n = static_cast<int64_t>(node.inputs());
  NW_TRY(const int64_t expected, intParam(node, "n_inputs", n));
  if (expected != n)
    return node.paramError("n_inputs",
                           fmt::format("expected {}, the number of inputs, found {}", n, expected));
  for (size_t k = 0; k < node.inputs(); ++k)
    if (node.in(k).kind != Kind::Sparse) NW_CHECK(checkTensor(node, k, 2));
  return joining(node, Placing::Diagonal);
}

} // namespace nodewise
