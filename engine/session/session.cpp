#include "session/session.h"

#include "cache/lookup.h"
#include "cache/run_history.h"
#include "cache/seal.h"
#include "cache/show.h"
#include "cache/words.h"
#include "graph/reader.h"
#include "jit/compiler.h"
#include "ops/control.h"
#include "ops/data_array.h"
#include "ops/graph_plan.h"
#include "runtime/machine.h"
#include "session/compile.h"
#include "session/engine.h"
#include "session/node_text.h"
#include "session/opaque.h"
#include "session/passes.h"
#include "session/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>

namespace nodewise {

struct Session::Impl {
  GraphFile file;
  SessionSettings settings;
  std::shared_ptr<Engine> engine;
  std::unique_ptr<GraphPlan> plan;
  std::vector<NodeInfo> nodes;
  std::vector<PlannedNode*> planned; ///< by node index
  Hash graphHash;
  mutable std::mutex mutex; ///< of states
  std::vector<NodeState> states;
  std::mutex working; ///< one compile or run at a time
  std::unique_ptr<Machine> machine;
  RunRow lastRun;                       ///< of the last compile; guarded by mutex, as what follows
  std::vector<NodeIndex> tookPart;      ///< in it
  std::function<void(NodeIndex)> watch; ///< see watchSteps()

  KeyEnvironment environment() const { return {settings.options, engine->target(), engine->toolchain()}; }
  bool isKernel(size_t node) const { return nodes[node].kind == NodeKind::Kernel; }
  void listNodes(GraphPlan& graph, NodeIndex parent, std::string_view environmentBytes);
  void hashGraph();
  Result<CompileSummary> compile(const CompileRequest& request, const ProgressFn& progress,
                                 std::stop_token stop);
  Result<void> makeRunnable(std::stop_token stop);
  RunRecord record() const;
  void keepRecord(CompileSummary& summary, RunRow run, const CompileRequest& request);
  void keepRunTimes();
};

namespace {

std::string dtypeText(const Graph& graph, const Node& node) {
  if (node.out.empty()) return {};
  const Type& type = outType(graph, node, 0);
  const bool numbers = type.kind == Kind::Tensor || type.kind == Kind::Scalar || type.kind == Kind::Sparse;
  return std::string(numbers ? dtypeName(type.dtype) : kindName(type.kind));
}

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

/// `pretended` versions in place of the real ones.
std::vector<KeyPart> pretendVersions(std::vector<KeyPart> parts, const std::map<std::string, int>& versions) {
  std::string op;
  for (KeyPart& part : parts) {
    if (part.name == "op") op = part.value;
    if (part.name == "op version" && versions.contains(op)) part.value = std::to_string(versions.at(op));
    if (part.name != "scalar op versions") continue;
    std::string text, word;
    size_t at = 0;
    while (at <= part.value.size()) { // "add 1, mul 1"
      const size_t comma = std::min(part.value.find(", ", at), part.value.size());
      word = part.value.substr(at, comma - at);
      const std::string name = word.substr(0, word.find(' '));
      if (versions.contains(name)) word = fmt::format("{} {}", name, versions.at(name));
      text += (text.empty() ? "" : ", ") + word;
      at = comma + 2;
    }
    part.value = text;
  }
  return parts;
}

} // namespace

void Session::Impl::listNodes(GraphPlan& graph, NodeIndex parent, std::string_view environmentBytes) {
  const size_t first = nodes.size();
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.graph->nodes[n];
    const PlannedNode& p = graph.nodes[n];
    NodeInfo info;
    info.index = static_cast<NodeIndex>(nodes.size());
    info.parent = parent;
    info.indexInGraph = n;
    info.graph = graph.graph;
    info.path = p.path;
    info.op = node.op;
    info.detail = nodeDetail(*graph.graph, node);
    info.name = node.name;
    info.scope = node.scope;
    info.origin = node.origin;
    info.kind = p.lowered.kind;
    info.reason = p.lowered.reason;
    info.dtype = dtypeText(*graph.graph, node);
    if (info.kind == NodeKind::Kernel) info.key = nodeKeyHash(p.lowered, environmentBytes);
    nodes.push_back(std::move(info));
    planned.push_back(&graph.nodes[n]);
  }
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    if (graph.nodes[n].inner)
      listNodes(*graph.nodes[n].inner, static_cast<NodeIndex>(first + n), environmentBytes);
}

/// Names the graph by what it does: keys and ops of its nodes, and how they hang together.
void Session::Impl::hashGraph() {
  std::string bytes;
  for (const NodeInfo& info : nodes) {
    bytes += info.op;
    bytes.append(reinterpret_cast<const char*>(info.key.bytes.data()), info.key.bytes.size());
    for (const auto* list : {&info.node().in, &info.node().out})
      bytes.append(reinterpret_cast<const char*>(list->data()), list->size() * sizeof(ValueId));
  }
  graphHash = hashBytes(bytes);
}

Session::Session() : m_impl(std::make_unique<Impl>()) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::open(const std::string& path, SessionSettings settings,
                                               std::shared_ptr<Engine> engine) {
  NW_TRY(GraphFile file, readGraphFile(path));
  return open(std::move(file), std::move(settings), std::move(engine));
}

Result<std::unique_ptr<Session>> Session::open(GraphFile file, SessionSettings settings,
                                               std::shared_ptr<Engine> engine) {
  std::unique_ptr<Session> session(new Session());
  Impl& impl = *session->m_impl;
  impl.file = std::move(file);
  impl.settings = std::move(settings);
  impl.engine = engine ? std::move(engine) : std::make_shared<Engine>(impl.settings.threads);
  auto plan = planGraph(impl.file.graph);
  if (!plan) return impl.file.path.empty() ? plan.error() : within(impl.file.path, plan.error());
  impl.plan = std::move(*plan);
  impl.listNodes(*impl.plan, -1, canonicalBytes(environmentParts(impl.environment())));
  impl.states.resize(impl.nodes.size());
  impl.hashGraph();
  return session;
}

const GraphFile& Session::file() const { return m_impl->file; }
const std::vector<NodeInfo>& Session::nodes() const { return m_impl->nodes; }
const SessionSettings& Session::settings() const { return m_impl->settings; }

NodeState Session::state(NodeIndex node) const {
  std::lock_guard lock(m_impl->mutex);
  return m_impl->states[static_cast<size_t>(node)];
}

std::string Session::whyNotRunnable() const {
  for (const NodeInfo& info : m_impl->nodes)
    if (info.kind == NodeKind::Unsupported)
      return fmt::format("{} {} is unsupported: {}", info.path, info.op, info.reason);
  if (const auto opaque = opaqueInput(m_impl->file.graph))
    return fmt::format("{} ({})", opaque->why, opaque->type);
  return {};
}

Result<CompileSummary> Session::Impl::compile(const CompileRequest& request, const ProgressFn& progress,
                                              std::stop_token stop) {
  std::vector<CompileItem> items;
  auto add = [&](size_t node) {
    if (isKernel(node)) items.push_back({static_cast<NodeIndex>(node), &nodes[node], planned[node]});
  };
  if (request.nodes.empty())
    for (size_t n = 0; n < nodes.size(); ++n) add(n);
  for (NodeIndex n : request.nodes)
    if (n >= 0 && static_cast<size_t>(n) < nodes.size()) add(static_cast<size_t>(n));

  RunRow run;
  run.file = file.path.empty() ? file.name : file.path;
  run.command = settings.command;
  run.graphHash = graphHash.hex();
  auto report = [&](const CompileItem& item, const CompileOutcome& outcome) {
    std::lock_guard lock(mutex);
    NodeState& state = states[static_cast<size_t>(item.index)];
    const int64_t calls = state.runCalls, ns = state.runNs;
    state = outcome.state;
    state.runCalls = calls;
    state.runNs = ns;
  };
  machine.reset(); // kernels may change
  NW_TRY(CompileSummary summary, compileItems({*engine, environment(), settings, run}, items,
                                              request.ignoreCache, report, progress, stop));
  for (const NodeInfo& info : nodes) {
    if (info.kind == NodeKind::View) ++summary.views;
    if (info.kind == NodeKind::Prebuilt) ++summary.prebuilt;
    if (info.kind == NodeKind::Unsupported) ++summary.unsupported;
  }
  if (stop.stop_requested()) return Error{"cancelled", {}, {}, "Cancelled"};
  keepRecord(summary, std::move(run), request);
  return summary;
}

RunRecord Session::Impl::record() const {
  RunRecord record;
  record.level = settings.options.optLevel;
  record.workers = engine->workers().threads();
  record.cpu = engine->target().cpu;
  record.llvmVersion = engine->toolchain().llvmVersion;
  record.timed = true;
  std::lock_guard lock(mutex);
  record.run = lastRun;
  for (const NodeIndex n : tookPart) {
    const NodeInfo& info = nodes[static_cast<size_t>(n)];
    const NodeState& state = states[static_cast<size_t>(n)];
    RunNode node;
    node.position = n;
    node.path = info.path;
    node.op = info.op;
    node.label = info.detail;
    node.name = info.name;
    node.scope = info.scope;
    node.kind = nodeKindName(info.kind);
    node.dtype = info.dtype;
    if (info.kind == NodeKind::Kernel) {
      node.structure = structureOf(planned[static_cast<size_t>(n)]->lowered.keyParts);
      node.key = info.key;
    }
    node.outcome = state.outcome;
    node.reason = state.reason;
    node.changedPart = state.changedPart;
    node.oldValue = state.oldValue;
    node.newValue = state.newValue;
    node.nearest = state.nearest;
    node.nearestCreatedUnix = state.nearestCreatedUnix;
    node.phases = state.phases;
    node.starts = state.starts;
    node.worker = state.worker;
    node.recordedNs = state.recordedCompileNs;
    node.objectBytes = state.objectBytes;
    node.calls = state.runCalls;
    node.runNs = state.runNs;
    record.nodes.push_back(std::move(node));
  }
  return record;
}

void Session::Impl::keepRecord(CompileSummary& summary, RunRow run, const CompileRequest& request) {
  run.id = summary.runId;
  run.startedUnix = nowUnix() - summary.wallNs / 1'000'000'000;
  run.wallNs = summary.wallNs;
  run.nodes = summary.nodes;
  run.hits = summary.hits;
  run.misses = summary.misses;
  run.stale = summary.stale;
  run.failed = summary.failed;
  run.compileNs = summary.phases.compile();
  run.savedNs = summary.savedNs;
  {
    std::lock_guard lock(mutex);
    lastRun = std::move(run);
    tookPart = request.nodes;
    if (tookPart.empty())
      for (const NodeInfo& info : nodes) tookPart.push_back(info.index);
    std::ranges::sort(tookPart);
    const auto [same, end] = std::ranges::unique(tookPart);
    tookPart.erase(same, end);
    std::erase_if(tookPart, [&](NodeIndex n) { return n < 0 || static_cast<size_t>(n) >= nodes.size(); });
  }
  if (summary.runId == 0 || !settings.useCache) return;
  Result<Engine::LockedStore> locked = engine->store(settings.cache);
  if (!locked) return; // said by the compile
  if (Result<void> kept = recordRunNodes(*locked->store, record()); !kept)
    summary.warnings.push_back("the nodes of the run were not recorded: " + kept.error().text());
}

void Session::Impl::keepRunTimes() {
  std::vector<RunTime> times;
  int64_t runId = 0;
  {
    std::lock_guard lock(mutex);
    runId = lastRun.id;
    for (size_t n = 0; n < states.size(); ++n)
      if (states[n].runCalls > 0)
        times.push_back({static_cast<int64_t>(n), states[n].runCalls, states[n].runNs});
  }
  if (runId == 0 || !settings.useCache) return;
  // A run's result does not depend on its times being kept; a cache that cannot be written was said
  // elsewhere.
  if (Result<Engine::LockedStore> locked = engine->store(settings.cache))
    static_cast<void>(recordRunTimes(*locked->store, runId, times).ok());
}

RunRecord Session::record() const { return m_impl->record(); }

Result<CompileSummary> Session::compile(const CompileRequest& request, const ProgressFn& progress,
                                        std::stop_token stop) {
  std::lock_guard lock(m_impl->working);
  return m_impl->compile(request, progress, std::move(stop));
}

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

Result<RunResult> Session::run(const std::vector<Data>& inputs, int calls, bool profile,
                               std::stop_token stop) {
  Impl& impl = *m_impl;
  std::lock_guard working(impl.working);
  const Graph& graph = impl.file.graph;
  NW_CHECK(checkInputs(graph, inputs));
  NW_CHECK(impl.makeRunnable(stop));

  Machine& machine = *impl.machine;
  machine.setProfiling(profile);
  bindInputs(machine, graph, inputs);
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
  const Graph& graph = impl.file.graph;
  NW_CHECK(checkInputs(graph, inputs));
  NW_CHECK(impl.makeRunnable(stop));
  Machine& machine = *impl.machine;
  machine.setProfiling(false);
  bindInputs(machine, graph, inputs);
  ValueCollector collector;
  const Watching watching(machine, impl.planned, impl.watch, &collector);
  const bool ran = machine.run();
  ValueReport report = collector.take();
  if (!ran) report.error = machine.error();
  return report;
}

Result<Explanation> Session::explain(NodeIndex node) {
  const SessionSettings& settings = m_impl->settings;
  return explain(node, {settings.pretendTarget, settings.pretendLlvmVersion, settings.pretendVersions, {}});
}

Result<Explanation> Session::explain(NodeIndex node, const Pretend& pretend) {
  const Impl& impl = *m_impl;
  const NodeInfo& info = impl.nodes[static_cast<size_t>(node)];
  if (info.kind != NodeKind::Kernel)
    return Error{fmt::format("{} is a {} node: it has no key, since there is nothing to compile{}", info.op,
                             nodeKindName(info.kind), info.reason.empty() ? "" : " (" + info.reason + ")"),
                 info.path,
                 {},
                 {}};
  KeyEnvironment environment = impl.environment();
  if (pretend.target) environment.target = *pretend.target;
  if (pretend.llvmVersion) environment.toolchain.llvmVersion = *pretend.llvmVersion;
  if (pretend.optLevel) environment.options.optLevel = *pretend.optLevel;
  Explanation explanation;
  explanation.key =
      makeKey(pretendVersions(impl.planned[static_cast<size_t>(node)]->lowered.keyParts, pretend.versions),
              environment);
  NW_TRY(Engine::LockedStore locked, impl.engine->store(impl.settings.cache));
  Store& store = *locked.store;
  NW_TRY(explanation.answer, lookupKey(store, explanation.key, environment.target));
  explanation.answer.object.reset();
  const std::optional<Hash> near = explanation.answer.outcome == Outcome::Hit
                                       ? std::optional(explanation.key.hash)
                                       : explanation.answer.nearest;
  if (near)
    if (Result<EntryDetail> detail = showEntry(store, *near)) {
      explanation.nearestParts = detail->parts;
      explanation.nearestCompileNs = detail->row.compileNs;
    }
  if (near) explanation.differences = diffParts(explanation.nearestParts, explanation.key.parts);
  return explanation;
}

namespace {

/// A kernel's way to IR, or why there is none.
Result<const Lowered*> loweredKernel(const NodeInfo& info, const PlannedNode& planned) {
  if (info.kind == NodeKind::Kernel) return &planned.lowered;
  return Error{fmt::format("{} is a {} node: there is no code to show", info.op, nodeKindName(info.kind)),
               info.path,
               {},
               {}};
}

} // namespace

Result<NodeCode> Session::code(NodeIndex node) {
  const Impl& impl = *m_impl;
  const NodeInfo& info = impl.nodes[static_cast<size_t>(node)];
  NW_TRY(const Lowered* lowered, loweredKernel(info, *impl.planned[static_cast<size_t>(node)]));
  const EmitFn emit = emitterOf(*lowered, impl.settings.options, impl.engine->target());
  Compiler compiler(impl.engine->target());
  NodeCode code;
  NW_TRY(BuiltIr shown, compiler.build(emit, ValueNames::Keep));
  code.ir = codegen::moduleText(*shown.module.module);
  NW_TRY(code.optimisedIr, compiler.optimisedIr(std::move(shown), impl.settings.options));
  NW_TRY(BuiltIr again, compiler.build(emit));
  NW_TRY(code.assembly, compiler.assembly(std::move(again), codegen::kKernelName, impl.settings.options));
  return code;
}

Result<NodePasses> Session::passes(NodeIndex node) {
  const Impl& impl = *m_impl;
  const NodeInfo& info = impl.nodes[static_cast<size_t>(node)];
  NW_TRY(const Lowered* lowered, loweredKernel(info, *impl.planned[static_cast<size_t>(node)]));
  const CodeOptions& options = impl.settings.options;
  const TargetSpec& target = impl.engine->target();
  const EmitFn emit = emitterOf(*lowered, options, target);
  Compiler compiler(target);
  NodePasses result;
  NW_TRY(BuiltIr shown, compiler.build(emit, ValueNames::Keep));
  NW_TRY(result.passes, compiler.recordPasses(std::move(shown), options));
  // Times of what is compiled in earnest: with value names, building is slower.
  NW_TRY(BuiltIr built, compiler.build(emit));
  result.buildNs = built.buildNs;
  NW_TRY(const CompiledObject object, compiler.compile(std::move(built), codegen::kKernelName, options));
  result.codegenNs = object.emitNs;
  NW_TRY(BuiltIr again, compiler.build(emit));
  NW_TRY(result.assembly, compiler.assembly(std::move(again), codegen::kKernelName, options));
  NW_TRY(result.costs, instructionCosts(result.assembly, target));
  return result;
}

} // namespace nodewise
