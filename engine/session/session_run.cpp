// Running a session's graph.
#include "ops/control.h"
#include "ops/data_array.h"
#include "session/opaque.h"
#include "session/session_impl.h"
#include "session/values.h"

#include <chrono>
#include <fmt/format.h>

namespace nodewise {

Result<void> Session::Impl::makeRunnable(std::stop_token stop) {
  for (size_t n = 0; n < nodes.size(); ++n)
    if (nodes[n].kind == NodeKind::Unsupported)
      return Error{fmt::format("{} is unsupported: {}", nodes[n].op, nodes[n].reason),
                   nodes[n].path,
                   {},
                   "Unsupported"};
  if (machine) return {};
  bool linked = true;
  for (size_t n = 0; n < nodes.size(); ++n) linked = linked && (!isKernel(n) || planned[n]->kernel);
  if (!linked) {
    NW_TRY(CompileSummary summary, compile({}, {}, stop));
  }
  for (size_t n = 0; n < nodes.size(); ++n)
    if (isKernel(n) && !planned[n]->kernel)
      return Error{fmt::format("{} could not be compiled: {}", nodes[n].op, states[n].reason),
                   nodes[n].path,
                   {},
                   "CompileError"};
  machine = std::make_unique<Machine>(*plan);
  return {};
}

Result<Machine*> Session::machine(std::stop_token stop) {
  std::lock_guard lock(m_impl->working);
  NW_CHECK(m_impl->makeRunnable(std::move(stop)));
  return m_impl->machine.get();
}

namespace {

/// An input's value must be of the input's type.
Result<void> checkInput(const Value& value, const Data& data, size_t k) {
  const std::string where =
      fmt::format("input {}{}", k, value.name.empty() ? "" : fmt::format(" ({})", value.name));
  const Type& type = value.type;
  if (type.kind == Kind::Tensor || type.kind == Kind::Scalar) {
    const Tensor* tensor = data.tensor();
    if (!tensor) return Error{fmt::format("expected {}", shortText(type)), where, {}, "TypeError"};
    bool fits = tensor->dtype == type.dtype && tensor->shape.size() == type.shape.size();
    for (size_t axis = 0; fits && axis < type.shape.size(); ++axis)
      fits = type.shape[axis] == kUnknownLength || type.shape[axis] == tensor->shape[axis];
    if (!fits)
      return Error{fmt::format("expected {}, found {}[{}]", shortText(type),
                               dtypeRow(tensor->dtype).shortName, fmt::join(tensor->shape, ",")),
                   where,
                   {},
                   "TypeError"};
    return {};
  }
  if (type.kind == Kind::Rng && !std::holds_alternative<RngState>(data.v))
    return Error{"expected a random generator", where, {}, "TypeError"};
  if (type.kind == Kind::Opaque || holdsOpaque(data))
    return Error{"a value of which only the text is known cannot be run", where, {}, "TypeError"};
  return {};
}

using IndexOf = std::map<const PlannedNode*, NodeIndex>;

IndexOf indexOf(const std::vector<PlannedNode*>& planned) {
  IndexOf index;
  for (size_t n = 0; n < planned.size(); ++n) index[planned[n]] = static_cast<NodeIndex>(n);
  return index;
}

/// While it lives, a machine's steps are told to a watcher and to a collector of values; either may be null.
class Watching : public StepObserver {
public:
  Watching(Machine& machine, const std::vector<PlannedNode*>& planned,
           const std::function<void(NodeIndex)>& watch, ValueCollector* values)
      : m_machine(machine), m_watch(watch), m_values(values) {
    if (!m_watch && !m_values) return;
    m_index = indexOf(planned);
    m_machine.setObserver(this);
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;
  ~Watching() override { m_machine.setObserver(nullptr); }

  void before(const Step& step) override {
    const NodeIndex node = m_index.at(step.planned);
    if (m_watch) m_watch(node);
    if (m_values) m_values->before(node, step.in);
  }
  void after(const Step& step) override {
    if (m_values) m_values->after(m_index.at(step.planned), step.out);
  }

private:
  Machine& m_machine;
  const std::function<void(NodeIndex)>& m_watch;
  ValueCollector* m_values;
  IndexOf m_index;
};

/// Gives the machine its inputs; they are read during runs only.
void bindInputs(Machine& machine, const Graph& graph, const std::vector<Data>& inputs) {
  std::vector<int64_t> dims;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Type& type = graph.values[static_cast<size_t>(graph.inputs[k])].type;
    Array array;
    array.kind = type.kind;
    array.dtype = type.dtype;
    array.rank = type.kind == Kind::Tensor || type.kind == Kind::Scalar ? type.rank() : 0;
    dims.assign(2 * type.shape.size() + 1, 0);
    array.shape = dims.data();
    array.strides = dims.data() + type.shape.size();
    bindData(array, inputs[k]);
    machine.setInput(k, array);
  }
}

Result<void> checkInputs(const Graph& graph, const std::vector<Data>& inputs) {
  if (inputs.size() != graph.inputs.size())
    return Error{
        fmt::format("expected {} inputs, found {}", graph.inputs.size(), inputs.size()), {}, {}, "TypeError"};
  for (size_t k = 0; k < inputs.size(); ++k)
    NW_CHECK(checkInput(graph.values[static_cast<size_t>(graph.inputs[k])], inputs[k], k));
  return {};
}

/// Run times of all machines' steps, added to the states of their nodes.
void addTimes(const Machine& machine, const IndexOf& index, std::vector<NodeState>& states) {
  for (const Step& step : machine.steps()) {
    NodeState& state = states[static_cast<size_t>(index.at(step.planned))];
    state.runCalls += step.calls;
    state.runNs += step.ns;
    if (step.control && step.control->inner()) addTimes(*step.control->inner(), index, states);
  }
}

} // namespace

Result<void> Session::Impl::makeReady(const std::vector<Data>& inputs, bool profile, std::stop_token stop) {
  NW_CHECK(checkInputs(file.graph, inputs));
  NW_CHECK(makeRunnable(std::move(stop)));
  machine->setProfiling(profile);
  bindInputs(*machine, file.graph, inputs);
  return {};
}

Result<RunResult> Session::run(const std::vector<Data>& inputs, int calls, bool profile,
                               std::stop_token stop) {
  Impl& impl = *m_impl;
  std::lock_guard working(impl.working);
  NW_CHECK(impl.makeReady(inputs, profile, stop));
  Machine& machine = *impl.machine;
  const Watching watching(machine, impl.planned, impl.watch, nullptr);
  RunResult result;
  for (int call = 0; call < std::max(calls, 1); ++call) {
    if (stop.stop_requested()) return Error{"cancelled", {}, {}, "Cancelled"};
    const auto begin = std::chrono::steady_clock::now();
    if (!machine.run()) return machine.error();
    result.wallNs = std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
  }
  for (size_t k = 0; k < machine.outputs(); ++k) result.outputs.push_back(dataOf(machine.output(k)));
  if (profile) {
    const IndexOf index = indexOf(impl.planned);
    {
      std::lock_guard lock(impl.mutex);
      for (NodeState& state : impl.states) state.runCalls = state.runNs = 0;
      addTimes(machine, index, impl.states);
    }
    impl.keepRunTimes();
  }
  return result;
}

void Session::setRunTimes(std::span<const std::pair<NodeIndex, NodeRunTime>> times) {
  {
    std::lock_guard lock(m_impl->mutex);
    for (NodeState& state : m_impl->states) state.runCalls = state.runNs = 0;
    for (const auto& [node, time] : times) {
      m_impl->states[static_cast<size_t>(node)].runCalls = time.calls;
      m_impl->states[static_cast<size_t>(node)].runNs = time.ns;
    }
  }
  m_impl->keepRunTimes();
}

void Session::setFailed(NodeIndex node, const std::string& reason) {
  std::lock_guard working(m_impl->working);
  m_impl->machine.reset();
  m_impl->planned[static_cast<size_t>(node)]->kernel = nullptr;
  std::lock_guard lock(m_impl->mutex);
  NodeState& state = m_impl->states[static_cast<size_t>(node)];
  state.outcome = Outcome::Failed;
  state.reason = reason;
  state.linked = false;
}

void Session::watchSteps(std::function<void(NodeIndex)> watch) {
  std::lock_guard working(m_impl->working);
  m_impl->watch = std::move(watch);
}

Result<ValueReport> Session::values(const std::vector<Data>& inputs, std::stop_token stop) {
  Impl& impl = *m_impl;
  std::lock_guard working(impl.working);
  NW_CHECK(impl.makeReady(inputs, false, std::move(stop)));
  Machine& machine = *impl.machine;
  ValueCollector collector;
  const Watching watching(machine, impl.planned, impl.watch, &collector);
  const bool ran = machine.run();
  ValueReport report = collector.take();
  if (!ran) report.error = machine.error();
  return report;
}

} // namespace nodewise
