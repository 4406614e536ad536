// A recorded run for other programs.
#pragma once

#include "cache/run_history.h"

#include <string>
#include <string_view>

namespace nodewise {

enum class ExportFormat : uint8_t { Csv, Json, Chrome, Folded };
struct ExportFormatRow {
  ExportFormat format;
  std::string_view name;   ///< "csv", "json", "chrome", "folded"
  std::string_view suffix; ///< of files: "csv", "json", "trace.json", "folded.txt"
  std::string_view doc;
};
std::span<const ExportFormatRow> exportFormats();

/// The version of the JSON form; raised when a field changes its meaning or goes. Fields may be added.
///
///   {"format": "nodewise-run", "version": 1,
///    "run": {"id", "file", "command", "graph hash", "started" (Unix seconds), "level", "workers", "cpu",
///    "llvm",
///            "wall ns", "compile ns", "saved ns", "outcomes": {"hit": 58, ...}},
///    "nodes": [{"position", "path", "op", "label", "name", "scope", "kind", "dtype", "key", "structure",
///    "outcome",
///               "reason", "changed": {"part", "was", "now"}, "nearest", "worker",
///               "ns": {"lookup": ..., "store": ...}, "at ns": {...}, "recorded ns", "object bytes",
///               "run": {"calls", "ns"}}]}
///
/// What a node does not have is left out. Times are nanoseconds; "at ns" counts from the beginning of the
/// run.
inline constexpr int kRunJsonVersion = 1;

/// csv: a line a node, RFC 4180, with a heading. json: as above. chrome: the trace event form that Perfetto
/// and chrome://tracing open. folded: stacks for flame graph tools, of the time of all phases.
std::string exportRun(const RunRecord& record, ExportFormat format);

} // namespace nodewise
