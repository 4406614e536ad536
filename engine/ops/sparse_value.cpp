#include "ops/sparse_value.h"

#include "numeric/strided.h"

#include <fmt/format.h>

namespace nodewise {

SparseInput::SparseInput(const Array& array, Context& context) {
  const auto* matrix = array.object ? std::get_if<SparseData>(&array.object->v) : nullptr;
  if (!matrix) {
    context.fail("TypeError", "a sparse matrix was expected, but the value is something else");
    return;
  }
  m_matrix = matrix;
  if (hasInt32(*matrix)) return;
  m_matrix = &m_narrow;
  if (std::string problem = asInt32(*matrix, m_narrow); !problem.empty()) {
    context.fail("ValueError", std::move(problem));
    m_matrix = nullptr;
  }
}

SparseInput& SparseInput::in(bool csc) {
  if (m_matrix) m_matrix = &inFormat(*m_matrix, csc, m_format);
  return *this;
}

SparseInput& SparseInput::canonical() {
  if (m_matrix) m_matrix = &canonicalForm(*m_matrix, m_canonical);
  return *this;
}

void setSparse(Array& out, SparseData matrix) {
  if (matrix.data.dtype != out.dtype) {
    SparseData converted;
    inDType(matrix, out.dtype, converted);
    matrix = std::move(converted);
  }
  if (out.rank == 2 && out.shape) std::copy_n(matrix.shape.data(), 2, out.shape);
  out.object = std::make_shared<const Data>(Data{std::move(matrix)});
}

void setDense(Context& context, const std::vector<int64_t>& shape, const std::byte* from, DType dtype) {
  context.allocate(0, shape.data(), static_cast<int>(shape.size()));
  const Array& out = *context.outputs[0];
  const int64_t n = out.size(), to = dtypeSize(out.dtype), step = dtypeSize(dtype);
  assign({out.data, &to, out.dtype}, {from, &step, dtype}, &n, 1);
}

Lowered sparseNode(ArrayFn run) {
  Lowered lowered = Lowered::prebuilt({}, std::move(run));
  lowered.allocatesOutputs = true;
  return lowered;
}

std::string shapeText(const SparseData& a) { return fmt::format("({}, {})", a.shape[0], a.shape[1]); }

int32_t checkSameShape(Context& context, const SparseData& a, std::array<int64_t, 2> shape,
                       const char* type) {
  if (a.shape == shape) return 0;
  return context.fail(type, fmt::format("shapes {} and ({}, {}) differ", shapeText(a), shape[0], shape[1]));
}

namespace {

Result<void> checkSparseType(const NodeView& node, std::string_view role, size_t k, const Type& type) {
  if (type.kind == Kind::Sparse) return {};
  return node.error(fmt::format("{} {} has to be a sparse matrix, but is {}", role, k, shortText(type)));
}

} // namespace

Result<void> checkSparse(const NodeView& node, size_t k) {
  return checkSparseType(node, "input", k, node.in(k));
}

Result<void> checkOutSparse(const NodeView& node) { return checkSparseType(node, "output", 0, node.out(0)); }

Result<void> checkOutFormatOf(const NodeView& node, size_t k) {
  NW_CHECK(checkSparse(node, k));
  NW_CHECK(checkOutSparse(node));
  if (node.out(0).text == node.in(k).text) return {};
  return node.error(
      fmt::format("output 0 has to be {}, as input {} is, but is {}", node.in(k).text, k, node.out(0).text));
}

Result<void> checkCsc(const NodeView& node, size_t k) {
  NW_CHECK(checkSparse(node, k));
  if (isCsc(node.in(k))) return {};
  return node.error(fmt::format("input {} has to be csc, but is {}", k, node.in(k).text));
}

} // namespace nodewise
