#include "session/guarded_run.h"

#include "cache/actions.h"
#include "cache/show.h"
#include "graph/writer.h"
#include "session/child_process.h"
#include "session/engine.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <unistd.h>

namespace nodewise {

namespace {

using nlohmann::json;

/// A graph that is in no file gets one while it runs.
class GraphOnDisk {
public:
  Result<std::string> of(const Session& session, const std::string& beside) {
    if (!session.file().path.empty() && ::access(session.file().path.c_str(), R_OK) == 0)
      return session.file().path;
    m_made = beside + ".nwg.json";
    NW_CHECK(writeGraphFile(session.file(), m_made));
    return m_made;
  }
  ~GraphOnDisk() {
    if (!m_made.empty()) ::unlink(m_made.c_str());
  }

private:
  std::string m_made;
};

// What a child prints is our own program's output; but whatever it is, it is a value here and no exception.
int64_t numberAt(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}
std::string textAt(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// What a child says of the run, given back. A crash can cut it short.
Result<GuardedResult> readOutput(Session& session, const std::string& text) {
  const json out = json::parse(text, nullptr, false);
  if (!out.is_object() || !out.contains("wall ns"))
    return Error{
        "the process that ran the graph ended without a result", session.file().path, {}, "Environment"};
  GuardedResult result;
  result.wallNs = numberAt(out, "wall ns");
  result.raised = textAt(out, "raised");
  if (out.contains("outputs")) result.outputs = out["outputs"].size();
  if (out.contains("differences"))
    for (const json& difference : out["differences"])
      if (difference.is_string()) result.differences.push_back(difference.get<std::string>());
  std::map<std::string, NodeIndex> byPath;
  for (const NodeInfo& info : session.nodes()) byPath[info.path] = info.index;
  std::vector<std::pair<NodeIndex, NodeRunTime>> times;
  if (out.contains("nodes"))
    for (const json& node : out["nodes"]) {
      const auto at = byPath.find(textAt(node, "path"));
      const auto run = node.find("run");
      if (at == byPath.end() || run == node.end()) continue;
      times.push_back({at->second, {numberAt(*run, "calls"), numberAt(*run, "ns")}});
    }
  session.setRunTimes(times);
  return result;
}

/// The error that the child printed: "nodewise: ValueError: ...".
Error raisedBy(const ChildEnd& end, const std::string& file) {
  const json out = json::parse(end.output, nullptr, false);
  if (out.is_object() && out.contains("error"))
    return {textAt(out, "error"), textAt(out, "where"), {}, textAt(out, "type")};
  std::string text = end.errors.substr(0, end.errors.find_last_not_of('\n') + 1);
  constexpr std::string_view program = "nodewise: "; // who says it is plain here
  if (text.starts_with(program)) text.erase(0, program.size());
  return {text.empty() ? fmt::format("ended with code {}", end.exitCode) : text, file, {}, {}};
}

std::string secondsText(std::chrono::milliseconds time) {
  return fmt::format("{:g} s", static_cast<double>(time.count()) / 1000);
}

constexpr const char* kQuarantined = "its entry is quarantined";

/// Nobody is served the entry of a node that crashed, until somebody restores it.
std::string quarantineNode(Session& session, NodeIndex node, const std::string& failure) {
  const NodeInfo& info = session.nodes()[static_cast<size_t>(node)];
  if (info.kind != NodeKind::Kernel) return "it has no entry in the cache";
  if (!session.settings().useCache) return "the cache is switched off";
  Result<CacheSettings> settings = resolveCacheSettings(session.settings().cache);
  if (!settings) return settings.error().text();
  Result<Store> store = Store::open(*settings);
  if (!store) return store.error().text();
  Result<std::vector<EntryRow>> found = findEntries(*store, info.key.hex(), 1);
  if (!found || found->empty()) return "it has no entry in the cache";
  Result<ActionReport> done =
      quarantine(*store, Selection::of({found->front().id}), "its code ended a run: " + failure, DryRun::No);
  return done ? kQuarantined : done.error().text();
}

} // namespace

std::vector<std::string> guardedCommand(const SessionSettings& settings, const std::string& file,
                                        const std::string& markFile, const GuardedOptions& options) {
  std::vector<std::string> words{options.program,
                                 "run",
                                 file,
                                 "--profile",
                                 "--json",
                                 "--mark",
                                 markFile,
                                 "--case",
                                 std::to_string(options.caseIndex),
                                 "--calls",
                                 std::to_string(options.calls),
                                 "--level",
                                 std::to_string(settings.options.optLevel),
                                 "--vector-library",
                                 settings.options.vectorLibrary,
                                 "--threads",
                                 std::to_string(settings.threads)};
  if (settings.options.fastMath) words.emplace_back("--fast-math");
  if (!settings.useCache) words.emplace_back("--no-cache");
  const std::pair<const char*, const std::optional<std::string>*> cache[] = {
      {"--cache", &settings.cache.file},
      {"--cache-size", &settings.cache.cap},
      {"--cache-age", &settings.cache.age}};
  for (const auto& [name, value] : cache)
    if (*value) {
      words.emplace_back(name);
      words.push_back(**value);
    }
  return words;
}

Result<GuardedResult> runGuarded(Session& session, const GuardedOptions& options, const ProgressFn& progress,
                                 std::stop_token stop) {
  // Compiled here, so that the views show it, and the child finds everything in the cache.
  bool compiled = true;
  for (const NodeInfo& info : session.nodes())
    compiled = compiled && (info.kind != NodeKind::Kernel || session.state(info.index).linked);
  if (!compiled) {
    NW_TRY(const CompileSummary summary, session.compile({}, progress, stop));
    static_cast<void>(summary);
  }
  NW_TRY(const StepMark mark, StepMark::create());
  GraphOnDisk disk;
  NW_TRY(const std::string file, disk.of(session, mark.file()));
  NW_TRY(const ChildEnd end,
         runChild(guardedCommand(session.settings(), file, mark.file(), options), options.timeout, stop));
  if (end.cancelled) return Error{"cancelled", {}, {}, "Cancelled"};
  if (end.signal == 0 && !end.timedOut) {
    if (end.exitCode == 0 || end.exitCode == 1) {
      if (Result<GuardedResult> result = readOutput(session, end.output); result) return result;
    }
    return raisedBy(end, session.file().path);
  }
  GuardedResult result;
  result.failure = end.timedOut ? fmt::format("took longer than {}", secondsText(options.timeout))
                                : signalText(end.signal);
  const std::optional<int32_t> node = mark.node();
  if (!node || static_cast<size_t>(*node) >= session.nodes().size()) return result;
  if (end.timedOut && mark.sinceBegin() < options.timeout / 2) {
    // Many nodes took the time, or one in many calls: the one that ran last is not to blame.
    result.failure += fmt::format("; it had come to {}", session.nodes()[static_cast<size_t>(*node)].path);
    result.lastNode = *node;
    return result;
  }
  result.failedNode = *node;
  const std::string done = quarantineNode(session, *node, result.failure);
  result.quarantined = done == kQuarantined;
  session.setFailed(*node, fmt::format("ended a run: {}; {}", result.failure, done));
  return result;
}

} // namespace nodewise
