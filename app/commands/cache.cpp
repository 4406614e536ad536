// nodewise cache: list, show, and manage the entries of the cache.
#include "command.h"
#include "session_json.h"
#include "text.h"

#include "cache/actions.h"
#include "cache/bundle.h"
#include "cache/doctor.h"
#include "cache/list.h"
#include "cache/runs.h"
#include "cache/show.h"
#include "cache/stats.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

using nlohmann::json;

struct CacheCommand {
  std::vector<std::string> terms; ///< filter terms, as words of the command line
  std::string key, file, sort = "id", unused, toSize;
  int64_t limit = 50, operation = 0;
  bool ascending = false, dryRun = false, repair = false, yes = false;
  std::string filterText() const { return fmt::format("{}", fmt::join(terms, " ")); }
};

Result<Store> openStore(const CommonOptions& common) {
  NW_TRY(CacheSettings settings, resolveCacheSettings(common.settings.cache));
  Result<Store> opened = Store::open(settings);
  if (!opened) {
    Error error = opened.error();
    error.type = "Environment"; // not the caller's fault: see the exit code in addCache
    return error;
  }
  Store store = std::move(*opened);
  for (const std::string& notice : store.takeNotices()) fmt::print(stderr, "nodewise: {}\n", notice);
  return store;
}

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

Result<Exit> list(const CommonOptions& common, const CacheCommand& c) {
  NW_TRY(Filter filter, parseFilter(c.filterText()));
  NW_TRY(EntryColumn column, findEntryColumn(c.sort));
  NW_TRY(Store store, openStore(common));
  EntryQuery query;
  query.filter = std::move(filter);
  query.sort = column;
  query.descending = !c.ascending;
  query.limit = c.limit;
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
  TextTable table({"key", "op", "what", "dtype", "state", "level", "size", "compile", "hits", "created"},
                  {false, false, false, false, false, true, true, true, true, false});
  for (const EntryRow& r : page.rows)
    table.add({r.key.shortHex(), r.op, r.label, r.dtype, r.pinned ? r.state + ", pinned" : r.state,
               fmt::format("O{}", r.optLevel), bytesText(r.objectBytes), timeText(r.compileNs),
               countText(r.hits), ageText(r.createdUnix)});
  if (!table.empty()) fmt::print("{}\n", table.text(48));
  fmt::print("{} of {} entries, {}, {} of compile time{}\n", page.rows.size(), countText(totals.entries),
             bytesText(totals.bytes), timeText(totals.compileNs), page.next ? " (more: --limit)" : "");
  return Exit::Fine;
}

Result<Exit> show(const CommonOptions& common, const CacheCommand& c) {
  NW_TRY(Store store, openStore(common));
  NW_TRY(std::vector<EntryRow> found, findEntries(store, c.key));
  if (found.empty())
    return Error{
        fmt::format("no entry whose key begins with {}", c.key), {}, "nodewise cache list shows keys", {}};
  if (found.size() > 1)
    return Error{fmt::format("{} entries begin with {}", found.size(), c.key), {}, "give more digits", {}};
  NW_TRY(EntryDetail d, showEntry(store, found[0].id));
  if (common.json) {
    json out = rowJson(d.row);
    for (const KeyPart& p : d.parts) out["parts"].push_back({{"name", p.name}, {"value", p.value}});
    out["ns"] = phasesJson(d.phases);
    out["symbol"] = d.symbol;
    out["run"] = d.runId;
    out["recipe"] = json::parse(d.recipe, nullptr, false);
    out["damage"] = d.damage;
    fmt::print("{}\n", out.dump(1));
    return Exit::Fine;
  }
  const EntryRow& r = d.row;
  fmt::print("{} {}\nkey      {}\ncontent  {}\nstate    {}{}\n", r.op, r.label, r.key.hex(), r.content.hex(),
             r.state, r.stateReason.empty() ? "" : ": " + r.stateReason);
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

Result<Exit> stats(const CommonOptions& common, const CacheCommand&) {
  NW_TRY(Store store, openStore(common));
  NW_TRY(CacheStats s, cacheStats(store));
  const std::vector<SettingRow> settings = settingRows(store.settings());
  if (common.json) {
    json out{{"version", 1},
             {"entries", s.entries},
             {"contents", s.contents},
             {"object bytes", s.objectBytes},
             {"own bytes", s.ownBytes},
             {"file bytes", s.fileBytes},
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
  fmt::print("{} used ({} objects, {} recipes and keys) of {}; file {}\n", bytesText(s.usedBytes()),
             bytesText(s.objectBytes), bytesText(s.ownBytes), bytesText(s.capBytes), bytesText(s.fileBytes));
  fmt::print("{} hits; {} of compile time kept\n\n", countText(s.hits), timeText(s.compileNs));
  TextTable table({"setting", "value", "from"}, {});
  for (const SettingRow& row : settings)
    table.add({row.name, row.value, std::string(originName(row.origin))});
  fmt::print("{}", table.text(100));
  return Exit::Fine;
}

Result<Exit> report(const CommonOptions& common, const CacheCommand& c, const Result<ActionReport>& result) {
  if (!result) return result.error();
  if (common.json) {
    fmt::print("{}\n", json{{"version", 1},
                            {"dry run", c.dryRun},
                            {"operation", result->operation},
                            {"entries", result->entries},
                            {"bytes", result->bytes},
                            {"compile ns", result->compileNs},
                            {"kept", result->kept},
                            {"summary", result->summary}}
                           .dump(1));
    return Exit::Fine;
  }
  fmt::print("{}{}\n", c.dryRun ? "dry run: " : "", result->summary);
  if (result->operation && !c.dryRun)
    fmt::print("undo: nodewise cache restore --operation {}\n", result->operation);
  return Exit::Fine;
}

DryRun dry(const CacheCommand& c) { return c.dryRun ? DryRun::Yes : DryRun::No; }

/// Entries of a filter; a destructive command wants one, so that no typing error means "all".
Result<Selection> selected(const CacheCommand& c, std::string_view command) {
  if (c.terms.empty())
    return Error{"which entries?",
                 fmt::format("cache {}", command),
                 "give filter terms, as op:Elemwise or age>30d; for everything: cache clear",
                 {}};
  NW_TRY(Filter filter, parseFilter(c.filterText()));
  return Selection::matching(std::move(filter));
}

Result<Exit> invalidateEntries(const CommonOptions& common, const CacheCommand& c) {
  NW_TRY(Selection selection, selected(c, "invalidate"));
  NW_TRY(Store store, openStore(common));
  return report(common, c, invalidate(store, selection, dry(c), "by the command line"));
}

Result<Exit> deleteEntries(const CommonOptions& common, const CacheCommand& c) {
  NW_TRY(Selection selection, selected(c, "delete"));
  NW_TRY(Store store, openStore(common));
  return report(common, c, remove(store, selection, dry(c)));
}

Result<Exit> restoreEntries(const CommonOptions& common, const CacheCommand& c) {
  NW_TRY(Store store, openStore(common));
  if (c.operation > 0) return report(common, c, undo(store, c.operation, dry(c)));
  if (!c.terms.empty()) {
    NW_TRY(Filter filter, parseFilter(c.filterText()));
    return report(common, c, restore(store, Selection::matching(std::move(filter)), dry(c)));
  }
  NW_TRY(std::vector<OperationRow> operations, listOperations(store, 20));
  for (const OperationRow& row : operations)
    if (!row.undone) return report(common, c, undo(store, row.id, dry(c)));
  return Error{"nothing to restore", "cache restore", {}, {}};
}

Result<Exit> pruneEntries(const CommonOptions& common, const CacheCommand& c) {
  PruneLimits limits;
  if (!c.unused.empty()) {
    NW_TRY(limits.unusedSeconds, parseAge(c.unused));
  }
  if (!c.toSize.empty()) {
    NW_TRY(limits.toBytes, parseBytes(c.toSize));
  }
  NW_TRY(Store store, openStore(common));
  return report(common, c, prune(store, limits, dry(c)));
}

Result<Exit> clearEntries(const CommonOptions& common, const CacheCommand& c) {
  NW_TRY(Store store, openStore(common));
  return report(common, c, clear(store, dry(c)));
}

Result<Exit> checkDatabase(const CommonOptions& common, const CacheCommand& c) {
  NW_TRY(Store store, openStore(common));
  NW_TRY(DoctorReport r, doctor(store, c.repair ? Repair::Yes : Repair::No));
  bool open = false;
  json findings = json::array();
  for (const Finding& f : r.findings) {
    open = open || !f.repaired;
    findings.push_back({{"what", f.what}, {"remedy", f.remedy}, {"repaired", f.repaired}});
    if (!common.json)
      fmt::print("{}: {}{}\n", f.repaired ? "repaired" : "found", f.what,
                 f.remedy.empty() ? "" : " (" + f.remedy + ")");
  }
  if (common.json)
    fmt::print("{}\n", json{{"version", 1},
                            {"findings", findings},
                            {"entries", r.entriesChecked},
                            {"objects", r.objectsChecked}}
                           .dump(1));
  else
    fmt::print("{} entries and {} objects checked: {}\n", countText(r.entriesChecked),
               countText(r.objectsChecked),
               r.findings.empty()
                   ? "all is well"
                   : fmt::format("{} findings{}", r.findings.size(), open ? "; repair with --repair" : ""));
  return open ? Exit::Found : Exit::Fine;
}

Result<Exit> vacuumDatabase(const CommonOptions& common, const CacheCommand& c) {
  NW_TRY(Store store, openStore(common));
  NW_TRY(VacuumReport r, vacuum(store, dry(c)));
  if (common.json)
    fmt::print("{}\n", json{{"version", 1},
                            {"dry run", c.dryRun},
                            {"entries", r.entries},
                            {"bytes before", r.bytesBefore},
                            {"bytes after", r.bytesAfter}}
                           .dump(1));
  else
    fmt::print("{}{} entries gone for good; the file {} {} (was {})\n", c.dryRun ? "dry run: " : "",
               r.entries, c.dryRun ? "would have" : "has", bytesText(r.bytesAfter), bytesText(r.bytesBefore));
  return Exit::Fine;
}

Result<Exit> listRunRows(const CommonOptions& common, const CacheCommand& c) {
  NW_TRY(Store store, openStore(common));
  NW_TRY(std::vector<RunRow> runs, listRuns(store, c.limit));
  json rows = json::array();
  TextTable table({"run", "command", "graph", "when", "nodes", "hit", "miss", "stale", "failed", "wall",
                   "compile", "saved"},
                  {true, false, false, false, true, true, true, true, true, true, true, true});
  for (const RunRow& r : runs) {
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

/// One subcommand of `cache`.
struct Row {
  const char* name;
  const char* doc;
  Result<Exit> (*run)(const CommonOptions&, const CacheCommand&);
  bool filter, dryRun;
};
constexpr const char* kFilterHelp = "Terms that must all hold: op: dtype: state: reason: key: cost>5ms "
                                    "size>10k hits=0 age>30d, a word, /regex/, -term";
constexpr Row kRows[] = {
    {"list", "List entries.\nExample: nodewise cache list op:Elemwise 'cost>2ms' --sort cost", list, true,
     false},
    {"show", "Show one entry: its key part by part, what it cost.\nExample: nodewise cache show 3f2a9c", show,
     false, false},
    {"stats", "Totals, and the settings with where they come from.\nExample: nodewise cache stats", stats,
     false, false},
    {"runs", "Recorded runs, newest first.\nExample: nodewise cache runs --limit 10", listRunRows, false,
     false},
    {"invalidate",
     "Make entries stale: they are compiled again when next needed.\nExample: nodewise cache invalidate "
     "op:Sum --dry-run",
     invalidateEntries, true, true},
    {"delete",
     "Delete entries; restore brings them back until vacuum.\nExample: nodewise cache delete 'hits=0' "
     "'age>30d' --dry-run",
     deleteEntries, true, true},
    {"restore",
     "Undo the last operation (or --operation N), or bring back what matches.\nExample: nodewise cache "
     "restore",
     restoreEntries, true, true},
    {"prune",
     "Apply the caps now, or stricter ones.\nExample: nodewise cache prune --unused 30d --to 200M --dry-run",
     pruneEntries, false, true},
    {"clear",
     "Delete everything but pinned entries; restore brings it back.\nExample: nodewise cache clear --dry-run",
     clearEntries, false, true},
    {"doctor",
     "Check the database: integrity, checksums, totals. Exit 1 if something is left to repair.\nExample: "
     "nodewise cache doctor --repair",
     checkDatabase, false, false},
    {"vacuum",
     "Drop for good what was deleted or invalidated, and shrink the file.\nExample: nodewise cache vacuum "
     "--dry-run",
     vacuumDatabase, false, true},
};

} // namespace

void addCache(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* cache = app.add_subcommand(
      "cache", "List, show and manage the cache.\nExample: nodewise cache list op:Elemwise");
  cache->require_subcommand(1);
  for (const Row& row : kRows) {
    CLI::App* command = cache->add_subcommand(row.name, row.doc);
    auto c = std::make_shared<CacheCommand>();
    const std::string name = row.name;
    if (row.filter) command->add_option("TERM", c->terms, kFilterHelp);
    if (row.dryRun) command->add_flag("--dry-run,-n", c->dryRun, "Say what would happen, and do nothing");
    if (name == "show") command->add_option("KEY", c->key, "First digits of the key")->required();
    if (name == "list") {
      command->add_option("--sort", c->sort, "Column to sort by")->type_name("COLUMN");
      command->add_flag("--ascending", c->ascending, "Least first");
    }
    if (name == "list" || name == "runs")
      command->add_option("--limit", c->limit, "At most so many rows")
          ->check(CLI::Range(1, 1'000'000))
          ->type_name("N");
    if (name == "restore")
      command->add_option("--operation", c->operation, "Which operation to undo")->type_name("N");
    if (name == "prune") {
      command->add_option("--unused", c->unused, "Delete entries unused for longer, as 30d")
          ->type_name("AGE");
      command->add_option("--to", c->toSize, "Evict until entries hold no more than this, as 200M")
          ->type_name("SIZE");
    }
    if (name == "doctor") command->add_flag("--repair", c->repair, "Repair what can be repaired");
    command->add_flag("--json", common.json, "Machine-readable output");
    addCacheOptions(*command, common);
    command->callback([&, c, run = row.run] {
      invocation.run = [&, c, run] {
        Result<Exit> result = run(common, *c);
        if (result) return *result;
        // A bad filter or name is the caller's; anything else is the database's.
        const bool usage =
            result.error().type.empty() && (!result.error().where.empty() || !result.error().remedy.empty());
        return fail(result.error(), usage ? Exit::Usage : Exit::NoEnvironment);
      };
    });
  }
}

} // namespace nodewise
