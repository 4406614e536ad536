// nodewise cache: what only looks.
#include "cache/words.h"
#include "cache_commands.h"
#include "session_json.h"
#include "text.h"

#include "cache/list.h"
#include "cache/policy.h"
#include "cache/runs.h"
#include "cache/show.h"
#include "cache/stats.h"
#include "session/entry_work.h"

#include <fmt/format.h>

namespace nodewise::cache_command {

namespace {

using nlohmann::json;

json rowJson(const EntryRow& r) {
  return {{"id", r.id},
          {"key", r.key.hex()},
          {"content", r.content.hex()},
          {"op", r.op},
          {"label", r.label},
          {"dtype", r.dtype},
          {"state", r.state},
          {"state reason", r.stateReason},
          {"cpu", r.cpu},
          {"llvm", r.llvmVersion},
          {"level", r.optLevel},
          {"size", r.objectBytes},
          {"compile ns", r.compileNs},
          {"hits", r.hits},
          {"created", r.createdUnix},
          {"used", r.usedUnix},
          {"pinned", r.pinned}};
}

void printEntries(const std::vector<EntryRow>& rows) {
  TextTable table({"key", "op", "what", "dtype", "state", "level", "size", "compile", "hits", "created"},
                  {false, false, false, false, false, true, true, true, true, false});
  for (const EntryRow& r : rows)
    table.add({r.key.shortHex(), r.op, r.label, r.dtype, r.pinned ? r.state + ", pinned" : r.state,
               fmt::format("O{}", r.optLevel), bytesText(r.objectBytes), timeText(r.compileNs),
               countText(r.hits), ageText(r.createdUnix)});
  if (!table.empty()) fmt::print("{}\n", table.text(48));
}

/// What was asked for of the code: made from the entry's own recipe, so the graph file may be gone.
Result<Exit> showCode(const Line& line, const EntryDetail& entry) {
  const Engine engine;
  NW_TRY(const EntryCode shown, entryCode(entry, engine));
  if (!shown.note.empty()) fmt::print(stderr, "nodewise: {}\n", shown.note);
  if (line.ir) fmt::print("{}\n", shown.code.ir);
  if (line.optimisedIr) fmt::print("{}\n", shown.code.optimisedIr);
  if (line.assembly) fmt::print("{}\n", shown.code.assembly);
  return Exit::Fine;
}

Result<Exit> days(const CommonOptions& common, Store& store) {
  NW_TRY(const std::vector<DayStats> all, statsByDay(store));
  json rows = json::array();
  TextTable table({"day", "runs", "hits", "rate", "compiled", "saved", "entries", "size"},
                  {false, true, true, true, true, true, true, true});
  for (const DayStats& d : all) {
    rows.push_back({{"day", d.day},
                    {"runs", d.runs},
                    {"hits", d.hits},
                    {"lookups", d.lookups},
                    {"compile ns", d.compileNs},
                    {"saved ns", d.savedNs},
                    {"entries", d.entries},
                    {"bytes", d.bytes}});
    const std::string rate = d.lookups > 0 ? fmt::format("{} %", 100 * d.hits / d.lookups) : "";
    table.add({d.day, countText(d.runs), countText(d.hits), rate, timeText(d.compileNs), timeText(d.savedNs),
               d.entries > 0 ? countText(d.entries) : "", d.bytes > 0 ? bytesText(d.bytes) : ""});
  }
  if (common.json)
    fmt::print("{}\n", json{{"version", 1}, {"days", rows}}.dump(1));
  else
    fmt::print("{}", table.empty() ? "no runs recorded\n" : table.text(48));
  return Exit::Fine;
}

} // namespace

Result<Exit> list(const CommonOptions& common, const Line& line) {
  NW_TRY(Filter filter, parseFilter(line.filterText()));
  NW_TRY(EntryColumn column, findEntryColumn(line.sort));
  NW_TRY(Store store, openStore(common));
  EntryQuery query;
  query.filter = std::move(filter);
  query.sort = column;
  query.descending = !line.ascending;
  query.limit = line.limit;
  NW_TRY(EntryPage page, listEntries(store, query));
  NW_TRY(EntryTotals totals, countEntries(store, query.filter));
  if (common.json) {
    json rows = json::array();
    for (const EntryRow& r : page.rows) rows.push_back(rowJson(r));
    fmt::print("{}\n", json{{"version", 1},
                            {"entries", rows},
                            {"matching", totals.entries},
                            {"bytes", totals.bytes},
                            {"compile ns", totals.compileNs}}
                           .dump(1));
    return Exit::Fine;
  }
  printEntries(page.rows);
  fmt::print("{} of {}, {}, {} of compile time{}\n", countText(static_cast<int64_t>(page.rows.size())),
             units::counted(totals.entries, "entry"), bytesText(totals.bytes), timeText(totals.compileNs),
             page.next ? " (more: --limit)" : "");
  return Exit::Fine;
}

Result<Exit> show(const CommonOptions& common, const Line& line) {
  NW_TRY(Store store, openStore(common));
  NW_TRY(std::vector<EntryRow> found, findEntries(store, line.key));
  if (found.empty())
    return Error{
        fmt::format("no entry whose key begins with {}", line.key), {}, "nodewise cache list shows keys", {}};
  if (found.size() > 1)
    return Error{fmt::format("{} entries begin with {}", found.size(), line.key), {}, "give more digits", {}};
  NW_TRY(EntryDetail d, showEntry(store, found[0].id));
  const bool code = line.ir || line.optimisedIr || line.assembly;
  if (code && !common.json) return showCode(line, d);
  if (common.json) {
    json out = rowJson(d.row);
    for (const KeyPart& p : d.parts) out["parts"].push_back({{"name", p.name}, {"value", p.value}});
    out["ns"] = phasesJson(d.phases);
    out["symbol"] = d.symbol;
    out["run"] = d.runId;
    out["recipe"] = json::parse(d.recipe, nullptr, false);
    out["damage"] = d.damage;
    if (code) {
      const Engine engine;
      NW_TRY(const EntryCode shown, entryCode(d, engine));
      out["note"] = shown.note;
      if (line.ir) out["ir"] = shown.code.ir;
      if (line.optimisedIr) out["optimised ir"] = shown.code.optimisedIr;
      if (line.assembly) out["assembly"] = shown.code.assembly;
    }
    fmt::print("{}\n", out.dump(1));
    return Exit::Fine;
  }
  const EntryRow& r = d.row;
  fmt::print("{}\nkey      {}\ncontent  {}\nstate    {}{}\n", nodeTitle(r.op, r.label), r.key.hex(),
             r.content.hex(), r.state, r.stateReason.empty() ? "" : ": " + r.stateReason);
  fmt::print("size     {} object, {} recipe and key\ncompile  {} (build IR {}, optimise {}, emit {})\nhits   "
             "  {}\ncreated  {}, by run {}\n\n",
             bytesText(r.objectBytes), bytesText(r.ownBytes), timeText(r.compileNs), timeText(d.phases.build),
             timeText(d.phases.optimise), timeText(d.phases.emit), countText(r.hits), ageText(r.createdUnix),
             d.runId);
  TextTable parts({"part", "value"}, {});
  for (const KeyPart& p : d.parts) parts.add({p.name, p.value});
  fmt::print("{}", parts.text(120));
  for (const std::string& damage : d.damage) fmt::print("damaged: {}\n", damage);
  return Exit::Fine;
}

Result<Exit> stats(const CommonOptions& common, const Line& line) {
  NW_TRY(Store store, openStore(common));
  if (line.days) return days(common, store);
  NW_TRY(CacheStats s, cacheStats(store));
  const std::vector<SettingRow> settings = settingRows(store.settings());
  if (common.json) {
    json out{{"version", 1},
             {"entries", s.entries},
             {"contents", s.contents},
             {"object bytes", s.objectBytes},
             {"own bytes", s.ownBytes},
             {"file bytes", s.fileBytes},
             {"free bytes", s.freeBytes},
             {"cap", s.capBytes},
             {"invalidated", s.invalidated},
             {"deleted", s.deleted},
             {"quarantined", s.quarantined},
             {"pinned", s.pinned},
             {"hits", s.hits},
             {"compile ns", s.compileNs}};
    for (const SettingRow& row : settings)
      out["settings"][row.name] = {{"value", row.value}, {"from", originName(row.origin)}};
    fmt::print("{}\n", out.dump(1));
    return Exit::Fine;
  }
  fmt::print("{} entries of {} contents: {} invalidated, {} deleted, {} quarantined, {} pinned\n",
             countText(s.entries), countText(s.contents), s.invalidated, s.deleted, s.quarantined, s.pinned);
  fmt::print("{} held by entries ({} objects, {} recipes and keys) of at most {}\n", bytesText(s.usedBytes()),
             bytesText(s.objectBytes), bytesText(s.ownBytes), units::cap(s.capBytes));
  fmt::print("{} on disk, with indexes, runs and the log, of which {} are free for new entries\n",
             bytesText(s.fileBytes), bytesText(s.freeBytes));
  fmt::print("{}{}\n\n", units::counted(s.hits, "hit"),
             s.compileNs > 0 ? "; compiling the entries took " + timeText(s.compileNs) : "");
  TextTable table({"setting", "value", "from"}, {});
  for (const SettingRow& row : settings)
    table.add({row.name, row.value, std::string(originName(row.origin))});
  fmt::print("{}", table.text(100));
  return Exit::Fine;
}

Result<Exit> runs(const CommonOptions& common, const Line& line) {
  NW_TRY(Store store, openStore(common));
  NW_TRY(std::vector<RunRow> rowsRead, listRuns(store, line.limit));
  json rows = json::array();
  TextTable table({"run", "command", "graph", "when", "nodes", "hit", "miss", "stale", "failed", "wall",
                   "compile", "saved"},
                  {true, false, false, false, true, true, true, true, true, true, true, true});
  for (const RunRow& r : rowsRead) {
    rows.push_back({{"id", r.id},
                    {"command", r.command},
                    {"file", r.file},
                    {"started", r.startedUnix},
                    {"nodes", r.nodes},
                    {"hit", r.hits},
                    {"miss", r.misses},
                    {"stale", r.stale},
                    {"failed", r.failed},
                    {"wall ns", r.wallNs},
                    {"compile ns", r.compileNs},
                    {"saved ns", r.savedNs}});
    table.add({std::to_string(r.id), r.command, r.file.substr(r.file.find_last_of('/') + 1),
               ageText(r.startedUnix), countText(r.nodes), countText(r.hits), countText(r.misses),
               countText(r.stale), countText(r.failed), timeText(r.wallNs), timeText(r.compileNs),
               timeText(r.savedNs)});
  }
  if (common.json)
    fmt::print("{}\n", json{{"version", 1}, {"runs", rows}}.dump(1));
  else
    fmt::print("{}", table.empty() ? "no runs recorded\n" : table.text(48));
  return Exit::Fine;
}

Result<Exit> groups(const CommonOptions& common, const Line& line) {
  NW_TRY(Filter filter, parseFilter(line.filterText()));
  NW_TRY(const EntryColumn column, findEntryColumn(line.by));
  NW_TRY(Store store, openStore(common));
  NW_TRY(const std::vector<EntryGroup> all, groupEntries(store, filter, column));
  json rows = json::array();
  TextTable table({line.by, "entries", "size", "compile", "hits"}, {false, true, true, true, true});
  for (const EntryGroup& g : all) {
    rows.push_back({{"value", g.value},
                    {"entries", g.totals.entries},
                    {"bytes", g.totals.bytes},
                    {"compile ns", g.totals.compileNs},
                    {"hits", g.hits}});
    table.add({g.value, countText(g.totals.entries), bytesText(g.totals.bytes), timeText(g.totals.compileNs),
               countText(g.hits)});
  }
  if (common.json)
    fmt::print("{}\n", json{{"version", 1}, {"by", line.by}, {"groups", rows}}.dump(1));
  else
    fmt::print("{}", table.empty() ? "no entries\n" : table.text(60));
  return Exit::Fine;
}

Result<Exit> evictions(const CommonOptions& common, const Line& line) {
  NW_TRY(Store store, openStore(common));
  NW_TRY(const std::vector<EntryRow> rows, evictionOrder(store, line.limit));
  NW_TRY(const CacheStats s, cacheStats(store));
  if (common.json) {
    json all = json::array();
    for (const EntryRow& r : rows) all.push_back(rowJson(r));
    fmt::print("{}\n",
               json{{"version", 1}, {"entries", all}, {"bytes", s.usedBytes()}, {"cap", s.capBytes}}.dump(1));
    return Exit::Fine;
  }
  printEntries(rows);
  fmt::print("first to go, when {} of {} are used up: the first {} of {}\n", bytesText(s.usedBytes()),
             units::cap(s.capBytes), countText(static_cast<int64_t>(rows.size())),
             units::counted(s.entries - s.pinned, "entry"));
  return Exit::Fine;
}

} // namespace nodewise::cache_command
