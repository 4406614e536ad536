#include "ops/factor_check.h"

#include "ops/factor_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

using namespace linalg;

namespace {

const FactorRule* ruleOf(std::string_view op) {
  const std::span<const FactorRule> rules = factorRules();
  const auto rule =
      std::find_if(rules.begin(), rules.end(), [op](const FactorRule& r) { return r.op == op; });
  return rule == rules.end() ? nullptr : &*rule;
}

/// Batch axes stand first; `index` counts through `batch` in C order. Axes of length 1 repeat.
FactorMatrix sliceOf(const Tensor& tensor, const std::vector<int64_t>& batch, int64_t index) {
  const size_t coreRank = tensor.shape.size() - batch.size();
  int64_t offset = 0, stride = 1, rest = index;
  for (size_t axis = batch.size(); axis-- > 0;) {
    const int64_t at = rest % batch[axis];
    rest /= batch[axis];
    if (tensor.shape[axis] != 1) offset += at * stride;
    stride *= tensor.shape[axis];
  }
  const std::span<const int64_t> core = std::span(tensor.shape).last(coreRank);
  FactorMatrix m(coreRank > 0 ? core[0] : 1, coreRank > 1 ? core[1] : 1);
  const int64_t size = dtypeSize(tensor.dtype), bytes = m.rows * m.cols * size;
  // Copied, because a MatrixRef is of memory that may be written.
  std::vector<std::byte> memory(tensor.bytes.begin() + offset * bytes,
                                tensor.bytes.begin() + (offset + 1) * bytes);
  copyMatrix(rowMajor(memory.data(), tensor.dtype, m.rows, m.cols),
             rowMajor(m.elements.data(), DType::Complex128, m.rows, m.cols));
  return m;
}

/// Ranks and batch axes fit.
bool batchFits(const Tensor& tensor, const std::vector<int64_t>& batch, bool repeats) {
  if (tensor.shape.size() < batch.size() || tensor.shape.size() > batch.size() + 2) return false;
  for (size_t axis = 0; axis < batch.size(); ++axis)
    if (tensor.shape[axis] != batch[axis] && !(repeats && tensor.shape[axis] == 1)) return false;
  return true;
}

} // namespace

bool isFactor(const Node& node, size_t k) {
  const FactorRule* rule = ruleOf(node.op);
  return rule && node.out.size() >= rule->leastOutputs && static_cast<int>(k) != rule->determined;
}

std::string checkFactors(const FactorCall& call, double tolerance) {
  const FactorRule* rule = ruleOf(call.node.op);
  if (!rule) return fmt::format("{} has no factors to check", call.node.op);
  if (call.inputs.size() < rule->leastInputs || call.found.size() < rule->leastOutputs)
    return fmt::format("{} needs more inputs or outputs", call.node.op);
  const auto isNull = [](const Tensor* tensor) { return tensor == nullptr; };
  if (std::any_of(call.inputs.begin(), call.inputs.end(), isNull) ||
      std::any_of(call.found.begin(), call.found.end(), isNull))
    return "an input or output is not a tensor";

  const auto ranks = static_cast<std::ptrdiff_t>(call.inputs[0]->shape.size()) - 2;
  if (ranks < 0) return "an input has too few axes";
  std::vector<int64_t> batch(static_cast<size_t>(ranks), 1);
  for (size_t axis = 0; axis < batch.size(); ++axis)
    for (const Tensor* input : call.inputs)
      if (axis < input->shape.size() && input->shape[axis] != 1) batch[axis] = input->shape[axis];
  for (const Tensor* input : call.inputs)
    if (!batchFits(*input, batch, true)) return "the batch axes of the inputs do not fit";
  for (const Tensor* found : call.found)
    if (!batchFits(*found, batch, false)) return "the batch axes of the outputs do not fit";

  for (int64_t index = 0; index < elementCount(batch); ++index) {
    FactorCheck check(call.node, tolerance);
    for (const Tensor* input : call.inputs) check.in.push_back(sliceOf(*input, batch, index));
    for (const Tensor* found : call.found) check.out.push_back(sliceOf(*found, batch, index));
    for (const Tensor* known : call.expected)
      check.expected.push_back(known && batchFits(*known, batch, false) ? sliceOf(*known, batch, index)
                                                                        : FactorMatrix());
    rule->check(check);
    if (!check.wrong.empty())
      return batch.empty() ? check.wrong : fmt::format("batch {}: {}", index, check.wrong);
  }
  return {};
}

} // namespace nodewise
