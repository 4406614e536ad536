#include "runtime/machine.h"

#include "graph/aliasing.h"
#include "ops/control.h"
#include "runtime/array_memory.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>

namespace nodewise {

namespace {

std::byte* allocateFor(void* owner, Array* out, const int64_t* shape, int rank) {
  return static_cast<Machine*>(owner)->provide(out, shape, rank);
}

} // namespace

void bindData(Array& array, const Data& data) {
  if (const Tensor* tensor = data.tensor()) {
    for (size_t axis = 0; axis < tensor->shape.size(); ++axis) array.shape[axis] = tensor->shape[axis];
    setContiguousStrides(array);
    // Kernels never write to inputs or constants (see safeDestroys).
    array.data =
        const_cast<std::byte*>(tensor->bytes.data()); // NOLINT(cppcoreguidelines-pro-type-const-cast)
  } else if (const auto* rng = std::get_if<RngState>(&data.v)) {
    array.data = reinterpret_cast<std::byte*>(
        const_cast<RngState*>(rng)); // NOLINT(cppcoreguidelines-pro-type-const-cast)
  } else {
    array.object = std::make_shared<const Data>(data);
  }
}

Machine::Machine(const GraphPlan& plan) : m_plan(plan) {
  const Graph& graph = *plan.graph;
  const size_t count = graph.values.size();
  m_arrays.resize(count);
  m_values.resize(count);
  size_t dims = 0;
  for (const Value& value : graph.values) dims += 2 * value.type.shape.size();
  m_dims.assign(dims, 0);
  size_t at = 0;
  for (size_t v = 0; v < count; ++v) {
    const Type& type = graph.values[v].type;
    Array& array = m_arrays[v];
    array.rank = holdsMemory(type.kind) ? type.rank() : 0;
    array.dtype = type.dtype;
    array.kind = type.kind;
    array.shape = m_dims.data() + at;
    array.strides = array.shape + type.shape.size();
    at += 2 * type.shape.size();
    if (graph.values[v].constant) {
      m_values[v].constant = true;
      bindData(array, *graph.values[v].constant);
    }
  }
  for (ValueId v : graph.inputs) m_inputs.push_back(&m_arrays[static_cast<size_t>(v)]);
  for (ValueId v : graph.outputs) m_outputs.push_back(&m_arrays[static_cast<size_t>(v)]);

  std::vector<std::vector<std::pair<int, int>>> destroys;
  for (const PlannedNode& node : plan.nodes) destroys.push_back(node.destroys);
  m_roots = storageRoots(graph, destroys);
  RunOrder order = runOrder(plan);
  m_guards = std::move(order.guards);
  m_guarded = std::ranges::any_of(m_guards, [](const Guard& g) { return g.node >= 0; });

  std::vector<int64_t> lastRead(count, -1); // by root: position in the order
  for (size_t k = 0; k < order.order.size(); ++k) {
    const Node& node = graph.nodes[static_cast<size_t>(order.order[k])];
    for (const auto* list : {&node.in, &node.out})
      for (ValueId v : *list)
        lastRead[static_cast<size_t>(m_roots[static_cast<size_t>(v)])] = static_cast<int64_t>(k);
  }
  for (ValueId v : graph.outputs) lastRead[static_cast<size_t>(m_roots[static_cast<size_t>(v)])] = -1;

  m_steps.resize(order.order.size());
  for (size_t k = 0; k < m_steps.size(); ++k) {
    Step& s = m_steps[k];
    s.node = order.order[k];
    const Node& node = graph.nodes[static_cast<size_t>(s.node)];
    s.planned = &plan.nodes[static_cast<size_t>(s.node)];
    s.kernel = s.planned->kernel;
    const Lowered& lowered = s.planned->lowered;
    for (size_t i = 0; i < node.in.size(); ++i) {
      const auto v = static_cast<size_t>(node.in[i]);
      s.in.push_back(&m_arrays[v]);
      const bool byValue = (i < 64 && (lowered.shapeFromValues >> i & 1)) || !holdsMemory(m_arrays[v].kind);
      if (byValue && !m_values[v].constant) s.dynamic = true;
    }
    for (ValueId v : node.out) s.out.push_back(&m_arrays[static_cast<size_t>(v)]);
    s.dynamic = s.dynamic || lowered.mayAlias;
    s.aliases = lowered.kind == NodeKind::View || !lowered.inPlace.empty();
    s.moved.resize(s.out.size());
    if (lowered.control) s.control = makeControlRunner(*s.planned);
  }
  for (size_t v = 0; v < count; ++v) {
    const int64_t last = lastRead[static_cast<size_t>(m_roots[v])];
    if (last >= 0) m_steps[static_cast<size_t>(last)].dying.push_back(static_cast<ValueId>(v));
  }
  m_context.owner = this;
  m_context.allocateFn = allocateFor;
}

Machine::~Machine() = default;

void Machine::setInput(size_t k, const Array& array) {
  Array& input = *m_inputs[k];
  input.data = array.data;
  input.object = array.object;
  const auto n = static_cast<size_t>(input.rank);
  if (n > 0 && std::memcmp(input.shape, array.shape, n * sizeof(int64_t)) != 0) {
    std::copy_n(array.shape, n, input.shape);
    std::copy_n(array.strides, n, input.strides);
    m_assigning = true;
  } else if (n > 0 && std::memcmp(input.strides, array.strides, n * sizeof(int64_t)) != 0) {
    std::copy_n(array.strides, n, input.strides);
    stateOf(&input).changed = m_call + 1;
    m_changed = true;
  }
}

void Machine::forgetMemory() {
  m_pool.clear();
  for (ValueState& value : m_values) value.block = BlockPool::kNone;
  for (Step& s : m_steps) s.prepared = false;
  m_changed = true;
}

bool Machine::active(int32_t node) const {
  for (Guard guard = m_guards[static_cast<size_t>(node)]; guard.node >= 0;
       guard = m_guards[static_cast<size_t>(guard.node)]) {
    const ValueId condition = m_plan.graph->nodes[static_cast<size_t>(guard.node)].in[0];
    if ((m_arrays[static_cast<size_t>(condition)].toDouble() != 0) != guard.thenBranch) return false;
  }
  return true;
}

bool Machine::run() {
  ++m_call;
  try {
    if (m_assigning) forgetMemory();
    for (Step& s : m_steps) {
      if (m_guarded && !active(s.node)) continue;
      if (const int32_t code = m_watched ? watchedStep(s) : step(s)) {
        fail(s, code);
        m_assigning = true; // what was planned half is planned anew
        return false;
      }
    }
  } catch (const std::bad_alloc&) {
    m_error = {
        "not enough memory for the values of this graph", {}, "run it on smaller inputs", "MemoryError"};
    m_assigning = true;
    return false;
  }
  m_assigning = false;
  m_changed = false;
  return true;
}

int32_t Machine::watchedStep(Step& s) {
  if (m_observer) m_observer->before(s);
  const auto begin = std::chrono::steady_clock::now();
  const int32_t code = step(s);
  if (m_profiling) {
    s.ns += std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
    ++s.calls;
  }
  if (m_observer && !code) m_observer->after(s);
  return code;
}

int32_t Machine::step(Step& s) {
  if (s.control) {
    m_context.outputs = s.out.data();
    if (const int32_t code = s.control->run(*this, s)) return code;
  } else {
    if (!s.prepared || s.dynamic || (m_changed && inputChanged(s))) {
      if (const int32_t code = prepare(s)) return code;
    } else if (s.aliases) {
      refresh(s);
    }
    if (const int32_t code = execute(s)) return code;
  }
  if (m_assigning)
    for (ValueId v : s.dying)
      if (const int block = m_values[static_cast<size_t>(v)].block; block != BlockPool::kNone)
        m_pool.giveBack(block);
  return 0;
}

bool Machine::inputChanged(const Step& s) const {
  return std::ranges::any_of(s.in, [&](const Array* a) {
    return m_values[static_cast<size_t>(a - m_arrays.data())].changed == m_call;
  });
}

void Machine::markChanged(Array* out) {
  stateOf(out).changed = m_call;
  m_changed = true;
}

/// Shapes, memory and loop plan of one node; notes which of its outputs changed their layout.
int32_t Machine::prepare(Step& s) {
  const Lowered& lowered = s.planned->lowered;
  s.before.clear();
  for (const Array* out : s.out) s.before.insert(s.before.end(), out->shape, out->shape + 2 * out->rank);
  if (lowered.mayAlias) s.out[0]->data = nullptr;
  m_context.outputs = s.out.data();
  if (lowered.shape)
    if (const int32_t code = lowered.shape(s.in.data(), s.out.data(), m_context)) return code;

  const bool view = lowered.kind == NodeKind::View || (lowered.mayAlias && s.out[0]->data);
  for (size_t k = 0; k < s.out.size() && !view && !lowered.allocatesOutputs; ++k) {
    Array* out = s.out[k];
    if (!holdsMemory(out->kind)) continue;
    const Array* over = nullptr;
    for (auto pair : lowered.inPlace)
      if (static_cast<size_t>(pair.first) == k) over = s.in[static_cast<size_t>(pair.second)];
    if (over && over->rank == out->rank && std::equal(out->shape, out->shape + out->rank, over->shape)) {
      std::copy_n(over->strides, over->rank, out->strides);
      out->data = over->data;
      continue;
    }
    const int64_t bytes = bytesOf(*out);
    setContiguousStrides(*out);
    out->data = memory(out, bytes);
    // Code that reads its input through the output, but whose lengths turned out to differ, cannot be:
    // inPlace pairs have equal static broadcast patterns, so unequal lengths are an error of the shape rule.
  }
  if (view)
    for (size_t k = 0; k < s.out.size(); ++k) s.moved[k] = s.out[k]->data - s.in[0]->data;
  if (lowered.plan) {
    lowered.plan(s.in.data(), s.out.data(), s.plan);
    s.packed = s.kernel ? makePackedLoop(s.plan, s.in, s.out) : nullptr;
  }

  if (!lowered.allocatesOutputs) {
    const int64_t* before = s.before.data();
    for (Array* out : s.out) {
      if (!s.prepared ||
          std::memcmp(before, out->shape, static_cast<size_t>(2 * out->rank) * sizeof(int64_t)) != 0)
        markChanged(out);
      before += 2 * out->rank;
    }
  }
  s.prepared = true;
  return 0;
}

/// New addresses of what lies in an input's memory, with layouts as they were.
void Machine::refresh(Step& s) {
  const Lowered& lowered = s.planned->lowered;
  if (lowered.kind == NodeKind::View) {
    for (size_t k = 0; k < s.out.size(); ++k) {
      s.out[k]->data = s.in[0]->data + s.moved[k];
      s.out[k]->object = s.in[0]->object;
    }
    return;
  }
  for (auto pair : lowered.inPlace) {
    Array* out = s.out[static_cast<size_t>(pair.first)];
    if (stateOf(out).block == BlockPool::kNone && !stateOf(out).placed)
      out->data = s.in[static_cast<size_t>(pair.second)]->data;
  }
}

int32_t Machine::execute(Step& s) {
  if (s.packed) return runPacked(*s.packed, s.kernel, s.in, s.out, m_context);
  if (s.kernel) {
    m_context.plan = s.plan.data();
    return s.kernel(s.in.data(), s.out.data(), &m_context);
  }
  const Lowered& lowered = s.planned->lowered;
  if (lowered.kind != NodeKind::Prebuilt) return 0;
  if (lowered.mayAlias && stateOf(s.out[0]).block == BlockPool::kNone && !stateOf(s.out[0]).placed) return 0;
  m_context.outputs = s.out.data();
  return lowered.run(s.in.data(), s.out.data(), m_context);
}

void Machine::setObserver(StepObserver* observer) {
  m_observer = observer;
  m_watched = m_profiling || m_observer;
  for (Step& s : m_steps)
    if (s.control && s.control->inner()) s.control->inner()->setObserver(observer);
}

void Machine::setProfiling(bool on) {
  m_profiling = on;
  m_watched = m_profiling || m_observer;
  for (Step& s : m_steps) {
    if (on) s.calls = s.ns = 0;
    if (s.control && s.control->inner()) s.control->inner()->setProfiling(on);
  }
}

} // namespace nodewise
