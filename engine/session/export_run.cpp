#include "session/export_run.h"

#include "session/cost_tree.h"
#include "session/phase_table.h"
#include "session/timeline.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace nodewise {

namespace {

using nlohmann::json;

constexpr ExportFormatRow kFormats[] = {
    {ExportFormat::Csv, "csv", "csv", "a line a node, for spreadsheets"},
    {ExportFormat::Json, "json", "json", "all that is recorded, in a form with a version"},
    {ExportFormat::Chrome, "chrome", "trace.json", "a trace for Perfetto or chrome://tracing"},
    {ExportFormat::Folded, "folded", "folded.txt", "stacks for flame graph tools"},
};

std::string hexOf(const Seal& seal) {
  std::string hex;
  for (const uint8_t byte : seal) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string_view outcomeName(const RunNode& node) {
  return node.outcome ? outcomeRow(*node.outcome).name : std::string_view();
}

/// Text that comes from files may hold bytes that are no UTF-8; JSON must not.
std::string dumped(const json& value) {
  return value.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

std::string csvField(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string csv(const RunRecord& record) {
  std::string out = "position,path,op,label,name,scope,kind,dtype,outcome,reason,key,worker";
  for (const PhaseRow& phase : kPhaseTable) out += fmt::format(",{} ns", phase.name);
  for (const PhaseRow& phase : kPhaseTable) out += fmt::format(",{} at ns", phase.name);
  out += ",recorded ns,object bytes,calls,run ns\r\n";
  for (const RunNode& n : record.nodes) {
    out += fmt::format("{}", n.position);
    for (const std::string_view text :
         {std::string_view(n.path), std::string_view(n.op), std::string_view(n.label),
          std::string_view(n.name), std::string_view(n.scope), std::string_view(n.kind),
          std::string_view(n.dtype), outcomeName(n), std::string_view(n.reason)})
      out += ',' + csvField(text);
    out += fmt::format(",{},{}", n.key ? n.key->hex() : "", n.worker);
    for (const PhaseRow& phase : kPhaseTable) out += fmt::format(",{}", n.phases.*phase.time);
    for (const PhaseRow& phase : kPhaseTable) out += fmt::format(",{}", n.starts.*phase.time);
    out += fmt::format(",{},{},{},{}\r\n", n.recordedNs, n.objectBytes, n.calls, n.runNs);
  }
  return out;
}

json phasesObject(const Phases& phases) {
  json out;
  for (const PhaseRow& phase : kPhaseTable) out[std::string(phase.name)] = phases.*phase.time;
  return out;
}

json nodeObject(const RunRecord& record, const RunNode& n) {
  json out{{"position", n.position},
           {"path", n.path},
           {"op", n.op},
           {"kind", n.kind},
           {"ns", phasesObject(n.phases)}};
  const std::pair<const char*, const std::string*> texts[] = {{"label", &n.label},
                                                              {"name", &n.name},
                                                              {"scope", &n.scope},
                                                              {"dtype", &n.dtype},
                                                              {"reason", &n.reason}};
  for (const auto& [name, text] : texts)
    if (!text->empty()) out[name] = *text;
  if (n.key) out["key"] = n.key->hex();
  if (n.structure) out["structure"] = hexOf(*n.structure);
  if (n.outcome) out["outcome"] = outcomeName(n);
  if (!n.changedPart.empty())
    out["changed"] = {{"part", n.changedPart}, {"was", n.oldValue}, {"now", n.newValue}};
  if (n.nearest) out["nearest"] = n.nearest->hex();
  if (n.worker >= 0) out["worker"] = n.worker;
  if (record.timed) out["at ns"] = phasesObject(n.starts);
  out["recorded ns"] = n.recordedNs;
  out["object bytes"] = n.objectBytes;
  if (n.calls > 0) out["run"] = {{"calls", n.calls}, {"ns", n.runNs}};
  return out;
}

std::string runJson(const RunRecord& record) {
  const RunRow& r = record.run;
  json nodes = json::array();
  for (const RunNode& node : record.nodes) nodes.push_back(nodeObject(record, node));
  return dumped(
      {{"format", "nodewise-run"},
       {"version", kRunJsonVersion},
       {"run",
        {{"id", r.id},
         {"file", r.file},
         {"command", r.command},
         {"graph hash", r.graphHash},
         {"started", r.startedUnix},
         {"level", record.level},
         {"workers", record.workers},
         {"cpu", record.cpu},
         {"llvm", record.llvmVersion},
         {"wall ns", r.wallNs},
         {"compile ns", r.compileNs},
         {"saved ns", r.savedNs},
         {"outcomes", {{"hit", r.hits}, {"miss", r.misses}, {"stale", r.stale}, {"failed", r.failed}}}}},
       {"nodes", std::move(nodes)}});
}

/// Complete events ("X") with microseconds, and a name for each thread.
std::string chrome(const RunRecord& record) {
  const Timeline timeline = makeTimeline(record);
  json events = json::array();
  events.push_back(
      {{"ph", "M"}, {"pid", 1}, {"name", "process_name"}, {"args", {{"name", record.run.file}}}});
  for (size_t lane = 0; lane < timeline.lanes.size(); ++lane)
    events.push_back({{"ph", "M"},
                      {"pid", 1},
                      {"tid", lane},
                      {"name", "thread_name"},
                      {"args", {{"name", timeline.lanes[lane]}}}});
  for (const TimelineSpan& span : timeline.spans) {
    const RunNode& node = record.nodes[span.node];
    json args{{"path", node.path}, {"op", node.op}};
    if (!node.label.empty()) args["label"] = node.label;
    if (node.outcome) args["outcome"] = outcomeName(node);
    if (!node.reason.empty()) args["reason"] = node.reason;
    events.push_back({{"ph", "X"},
                      {"pid", 1},
                      {"tid", span.lane},
                      {"name", fmt::format("{} {}", kPhaseTable[span.phase].name, node.op)},
                      {"cat", kPhaseTable[span.phase].name},
                      {"ts", static_cast<double>(span.start) / 1000.0},
                      {"dur", static_cast<double>(span.duration) / 1000.0},
                      {"args", std::move(args)}});
  }
  return dumped({{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}});
}

} // namespace

std::span<const ExportFormatRow> exportFormats() { return kFormats; }

std::string exportRun(const RunRecord& record, ExportFormat format) {
  switch (format) {
  case ExportFormat::Csv:
    return csv(record);
  case ExportFormat::Json:
    return runJson(record);
  case ExportFormat::Chrome:
    return chrome(record);
  case ExportFormat::Folded:
    return foldedStacks(costTree(record, CostKind::Compile));
  }
  return {};
}

} // namespace nodewise
