// nodewise cache: list, show, and manage the entries of the cache.
#include "cache_commands.h"

#include <fmt/format.h>

namespace nodewise {

namespace cache_command {

std::string Line::filterText() const { return fmt::format("{}", fmt::join(terms, " ")); }

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

/// Entries of a filter; a destructive command wants one, so that no typing error means "all".
Result<Selection> selected(const Line& line, std::string_view command) {
  if (line.terms.empty())
    return Error{"which entries?",
                 fmt::format("cache {}", command),
                 "give filter terms, as op:Elemwise or age>30d; for everything: cache clear",
                 {}};
  NW_TRY(Filter filter, parseFilter(line.filterText()));
  return Selection::matching(std::move(filter));
}

} // namespace cache_command

namespace {

namespace commands = cache_command;
using commands::Line;

// What command lines of several commands hold.
void withFilter(CLI::App& command, Line& line) {
  command.add_option("TERM", line.terms,
                     "Terms that must all hold: op: dtype: state: reason: key: cost>5ms size>10k hits=0 "
                     "age>30d, a word, /regex/, -term. Sizes: k, M, G are powers of 1000 as in what is "
                     "shown, Ki, Mi, Gi of 1024");
}
void withDryRun(CLI::App& command, Line& line) {
  command.add_flag("--dry-run,-n", line.dryRun, "Say what would happen, and do nothing");
}
void withLimit(CLI::App& command, Line& line) {
  command.add_option("--limit", line.limit, "At most so many rows")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("N");
}
void withAction(CLI::App& command, Line& line) {
  withFilter(command, line);
  withDryRun(command, line);
}
void withOperation(CLI::App& command, Line& line) {
  withDryRun(command, line);
  command.add_option("--operation", line.operation, "Which operation (`cache operations` lists them)")
      ->type_name("N");
}

// And of one.
void forList(CLI::App& command, Line& line) {
  withFilter(command, line);
  withLimit(command, line);
  command.add_option("--sort", line.sort, "Column to sort by")->type_name("COLUMN");
  command.add_flag("--ascending", line.ascending, "Least first");
}
void forGroups(CLI::App& command, Line& line) {
  withFilter(command, line);
  command.add_option("--by", line.by, "Column to group by: op, dtype, cpu, state, created, used, ...")
      ->type_name("COLUMN");
}
void forShow(CLI::App& command, Line& line) {
  command.add_option("KEY", line.key, "First digits of the key")->required();
  command.add_flag("--ir", line.ir, "Its IR, as built");
  command.add_flag("--optimised-ir", line.optimisedIr, "Its IR after optimisation");
  command.add_flag("--assembly", line.assembly, "Its machine code");
}
void forStats(CLI::App& command, Line& line) {
  command.add_flag("--days", line.days, "Day by day: hit rate, compile time saved, size");
}
void forRestore(CLI::App& command, Line& line) {
  withFilter(command, line);
  withOperation(command, line);
}
void forPrune(CLI::App& command, Line& line) {
  withDryRun(command, line);
  command.add_option("--unused", line.unused, "Delete entries unused for longer, as 30d")->type_name("AGE");
  command.add_option("--to", line.toSize, "Evict until entries hold no more than this, as 200M or 200Mi")
      ->type_name("SIZE");
}
void forExport(CLI::App& command, Line& line) {
  command.add_option("FILE", line.file, "The bundle; must not be there yet")->required();
  withAction(command, line);
}
void forImport(CLI::App& command, Line& line) {
  command.add_option("FILE", line.file, "A bundle, or a cache that was moved aside")->required();
  withDryRun(command, line);
}
void forSet(CLI::App& command, Line& line) {
  command.add_option("NAME", line.name, "\"size cap\", \"age cap\" or \"runs kept\"")->required();
  command.add_option("VALUE", line.value, "As 2G (powers of 1000; 2Gi of 1024), 30d, 200")->required();
}
void forDoctor(CLI::App& command, Line& line) {
  command.add_flag("--repair", line.repair, "Repair what can be repaired");
}

/// One subcommand of `cache`.
struct Row {
  const char* name;
  const char* doc;
  commands::Command run;
  void (*options)(CLI::App&, Line&);
};
constexpr Row kRows[] = {
    {"list", "List entries.\nExample: nodewise cache list op:Elemwise 'cost>2ms' --sort cost", commands::list,
     forList},
    {"groups", "Count entries by a column.\nExample: nodewise cache groups --by dtype state:live",
     commands::groups, forGroups},
    {"show",
     "Show one entry: its key part by part, what it cost, its code.\nExample: nodewise cache show 3f2a9c "
     "--assembly",
     commands::show, forShow},
    {"stats", "Totals, and the settings with where they come from.\nExample: nodewise cache stats --days",
     commands::stats, forStats},
    {"runs", "Recorded runs, newest first.\nExample: nodewise cache runs --limit 10", commands::runs,
     withLimit},
    {"evictions",
     "What the size cap would drop, first to go first.\nExample: nodewise cache evictions --limit 20",
     commands::evictions, withLimit},
    {"invalidate",
     "Make entries stale: they are compiled again when next needed.\nExample: nodewise cache invalidate "
     "op:Sum --dry-run",
     commands::invalidateEntries, withAction},
    {"delete",
     "Delete entries; restore brings them back until vacuum.\nExample: nodewise cache delete 'hits=0' "
     "'age>30d' --dry-run",
     commands::deleteEntries, withAction},
    {"pin", "Keep entries whatever the caps say.\nExample: nodewise cache pin op:Scan", commands::pinEntries,
     withAction},
    {"unpin", "Let pinned entries go with the others.\nExample: nodewise cache unpin op:Scan",
     commands::unpinEntries, withAction},
    {"restore",
     "Undo the last operation (or --operation N), or bring back what matches.\nExample: nodewise cache "
     "restore",
     commands::restoreEntries, forRestore},
    {"redo", "Do an undone operation again.\nExample: nodewise cache redo --operation 3",
     commands::redoOperation, withOperation},
    {"operations", "What was done to entries, newest first.\nExample: nodewise cache operations",
     commands::operations, withLimit},
    {"prune",
     "Apply the caps now, or stricter ones.\nExample: nodewise cache prune --unused 30d --to 200M --dry-run",
     commands::pruneEntries, forPrune},
    {"clear",
     "Delete everything but pinned entries; restore brings it back.\nExample: nodewise cache clear --dry-run",
     commands::clearEntries, withDryRun},
    {"rerun",
     "Compile entries again, from what the cache holds of them, and store them anew.\nExample: nodewise "
     "cache rerun op:Sum",
     commands::compileAgain, withAction},
    {"verify",
     "Compile entries again and compare with what is stored; exit 1 if something differs.\nExample: "
     "nodewise cache verify key:3f2a9c",
     commands::verify, withAction},
    {"export",
     "Write entries to a file of their own, to carry elsewhere.\nExample: nodewise cache export sums.db "
     "op:Sum",
     commands::exportEntries, forExport},
    {"import",
     "Store what a bundle, or a cache that was moved aside, holds.\nExample: nodewise cache import sums.db",
     commands::importEntries, forImport},
    {"set",
     "Keep a setting in the cache, for every process that does not give its own.\nExample: nodewise cache "
     "set \"size cap\" 2G",
     commands::keepSetting, forSet},
    {"doctor",
     "Check the database: integrity, checksums, totals. Exit 1 if something is left to repair.\nExample: "
     "nodewise cache doctor --repair",
     commands::checkDatabase, forDoctor},
    {"vacuum",
     "Drop for good what was deleted or invalidated, and shrink the file.\nExample: nodewise cache vacuum "
     "--dry-run",
     commands::vacuumDatabase, withDryRun},
};

} // namespace

void addCache(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* cache = app.add_subcommand(
      "cache", "List, show and manage the cache.\nExample: nodewise cache list op:Elemwise");
  cache->require_subcommand(1);
  for (const Row& row : kRows) {
    CLI::App* command = cache->add_subcommand(row.name, row.doc);
    auto line = std::make_shared<Line>();
    row.options(*command, *line);
    command->add_flag("--json", common.json, "Machine-readable output");
    addCacheOptions(*command, common);
    command->callback([&, line, run = row.run] {
      invocation.run = [&, line, run] {
        Result<Exit> result = run(common, *line);
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
