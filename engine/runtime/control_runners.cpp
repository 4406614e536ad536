// OpFromGraph, IfElse and Blockwise, run by the VM. Scan has a file of its own.
#include "ops/control.h"
#include "runtime/machine.h"
#include "runtime/root_runner.h"
#include "runtime/scan_runner.h"

#include "numeric/strided.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace nodewise {

int32_t passError(Machine& outer, Machine& inner) {
  const Error& error = inner.error();
  return outer.context().fail(error.type, error.what);
}

namespace {

/// Runs the inner graph once.
class CallRunner : public ControlRunner {
public:
  explicit CallRunner(const PlannedNode& node) : m_machine(*node.inner) {}
  Machine* inner() override { return &m_machine; }

  int32_t run(Machine& outer, Step& step) override {
    for (size_t k = 0; k < step.in.size(); ++k) m_machine.setInput(k, *step.in[k]);
    if (!m_machine.run()) return passError(outer, m_machine);
    for (size_t k = 0; k < step.out.size(); ++k) {
      // The inner machine's memory stays as it is until this node runs again.
      if (m_machine.ownsOutput(k))
        outer.alias(step.out[k], m_machine.output(k));
      else
        outer.copy(step.out[k], m_machine.output(k));
    }
    return 0;
  }

private:
  Machine m_machine;
};

/// Takes over the values of one branch.
class IfElseRunner : public ControlRunner {
public:
  int32_t run(Machine& outer, Step& step) override {
    const size_t count = step.out.size();
    const size_t from = step.in[0]->toDouble() != 0 ? 1 : 1 + count;
    for (size_t k = 0; k < count; ++k) outer.copy(step.out[k], *step.in[from + k]);
    return 0;
  }
};

/// Runs the core node for each index of the batch axes.
class BlockwiseRunner : public ControlRunner {
public:
  BlockwiseRunner(const PlannedNode& node, const BlockwiseSignature& signature)
      : m_machine(*node.inner), m_signature(signature) {
    for (size_t k = 0; k < m_machine.outputs(); ++k) m_placed.push_back(m_machine.canPlaceOutput(k));
  }
  Machine* inner() override { return &m_machine; }

  int32_t run(Machine& outer, Step& step) override {
    const size_t inputs = step.in.size();
    const auto batchRank = static_cast<size_t>(step.in[0]->rank) - m_signature.inputs[0].size();
    m_batch.assign(batchRank, 1);
    const Node& node = outer.plan().graph->nodes[static_cast<size_t>(step.node)];
    for (size_t axis = 0; axis < batchRank; ++axis) {
      int64_t length = -1;
      for (size_t k = 0; k < inputs; ++k) {
        if (inType(*outer.plan().graph, node, k).broadcasts(static_cast<int>(axis))) continue;
        const int64_t here = step.in[k]->shape[axis];
        if (length >= 0 && here != length)
          return outer.context().fail(
              "ValueError",
              fmt::format(
                  "batch axis {} has lengths {} and {}; only a length that is 1 by its type broadcasts", axis,
                  length, here));
        length = here;
      }
      m_batch[axis] = length < 0 ? 1 : length;
    }
    int64_t total = 1;
    for (int64_t length : m_batch) total *= length;
    if (total == 0) return provideEmpty(outer, step);

    m_position.assign(batchRank, 0);
    std::vector<Array> cores(inputs);
    for (size_t k = 0; k < inputs; ++k) {
      cores[k] = *step.in[k];
      cores[k].shape += batchRank;
      cores[k].strides += batchRank;
      cores[k].rank -= static_cast<int32_t>(batchRank);
    }
    bool first = true;
    for (size_t k = 0; k < step.out.size(); ++k) m_machine.placeOutput(k, nullptr);
    for (int64_t index = 0; index < total; ++index) {
      for (size_t k = 0; k < inputs; ++k) {
        std::ptrdiff_t offset = 0;
        for (size_t axis = 0; axis < batchRank; ++axis)
          if (step.in[k]->shape[axis] != 1) offset += m_position[axis] * step.in[k]->strides[axis];
        cores[k].data = step.in[k]->data + offset;
        if (first)
          m_machine.setInput(k, cores[k]);
        else
          m_machine.moveInput(k, cores[k].data);
      }
      if (!first)
        for (size_t k = 0; k < step.out.size(); ++k)
          if (m_placed[k]) m_machine.placeOutput(k, step.out[k]->data + index * m_bytes[k]);
      if (!m_machine.run()) return passError(outer, m_machine);
      if (first) provideOutputs(outer, step);
      for (size_t k = 0; k < step.out.size(); ++k)
        if (first || !m_placed[k])
          if (const int32_t code = store(outer, step, k, index)) return code;
      first = false;
      for (size_t axis = batchRank; axis-- > 0;) {
        if (++m_position[axis] < m_batch[axis]) break;
        m_position[axis] = 0;
      }
    }
    return 0;
  }

private:
  void provideOutputs(Machine& outer, Step& step) {
    m_bytes.clear();
    for (size_t k = 0; k < step.out.size(); ++k) {
      const Array& core = m_machine.output(k);
      std::vector<int64_t> shape = m_batch;
      shape.insert(shape.end(), core.shape, core.shape + core.rank);
      outer.provide(step.out[k], shape.data(), static_cast<int>(shape.size()));
      m_bytes.push_back(core.size() * dtypeSize(core.dtype));
    }
  }

  int32_t store(Machine& outer, Step& step, size_t k, int64_t index) {
    const Array& core = m_machine.output(k);
    const Array& out = *step.out[k];
    const auto rank = static_cast<size_t>(core.rank);
    const size_t batch = m_batch.size();
    if (!std::equal(core.shape, core.shape + rank, out.shape + batch))
      return outer.context().fail(
          "ValueError",
          fmt::format("output {} of the core node has another shape for batch index {} than for the first", k,
                      index));
    assign({out.data + index * m_bytes[k], out.strides + batch, out.dtype},
           {core.data, core.strides, core.dtype}, core.shape, core.rank);
    return 0;
  }

  /// No batch index to run: core lengths by their names in the signature, or by the output's type.
  int32_t provideEmpty(Machine& outer, Step& step) {
    const Graph& graph = *outer.plan().graph;
    const Node& node = graph.nodes[static_cast<size_t>(step.node)];
    for (size_t k = 0; k < step.out.size(); ++k) {
      std::vector<int64_t> shape = m_batch;
      for (size_t axis = 0; axis < m_signature.outputs[k].size(); ++axis) {
        int64_t length = outType(graph, node, k).shape[m_batch.size() + axis];
        for (size_t in = 0; in < step.in.size(); ++in)
          for (size_t a = 0; a < m_signature.inputs[in].size(); ++a)
            if (m_signature.inputs[in][a] == m_signature.outputs[k][axis])
              length = step.in[in]->shape[m_batch.size() + a];
        shape.push_back(std::max<int64_t>(length, 0));
      }
      outer.provide(step.out[k], shape.data(), static_cast<int>(shape.size()));
    }
    return 0;
  }

  Machine m_machine;
  const BlockwiseSignature& m_signature;
  std::vector<bool> m_placed;
  std::vector<int64_t> m_batch, m_position, m_bytes;
};

} // namespace

std::unique_ptr<ControlRunner> makeControlRunner(const PlannedNode& node) {
  const ControlParams& params = *node.lowered.control;
  switch (params.kind) {
  case ControlParams::Kind::Call:
    return std::make_unique<CallRunner>(node);
  case ControlParams::Kind::IfElse:
    return std::make_unique<IfElseRunner>();
  case ControlParams::Kind::Blockwise:
    return std::make_unique<BlockwiseRunner>(node, params.blockwise);
  case ControlParams::Kind::Scan:
    return makeScanRunner(node);
  case ControlParams::Kind::Root:
  case ControlParams::Kind::RootScalar:
    return makeRootRunner(node);
  }
  return nullptr;
}

} // namespace nodewise
