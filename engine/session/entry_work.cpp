#include "session/entry_work.h"

#include "base/units.h"
#include "cache/entries.h"
#include "cache/list.h"
#include "session/recipe.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

std::string nameOf(const EntryDetail& entry) { return "entry " + entry.row.key.shortHex(); }

Result<std::unique_ptr<RecipeNode>> kernelOf(const EntryDetail& entry) {
  Result<std::unique_ptr<RecipeNode>> recipe = readRecipe(entry.recipe);
  const char* remedy = "delete the entry, and compile the graph it came from again";
  if (!recipe) return Error{"its recipe cannot be read: " + recipe.error().text(), nameOf(entry), remedy, {}};
  if ((*recipe)->lowered.kind != NodeKind::Kernel)
    return Error{
        "its recipe no longer gives a kernel: " + (*recipe)->lowered.reason, nameOf(entry), remedy, {}};
  return recipe;
}

Result<EntryDetail> detailOf(Engine& engine, const CacheOptions& cache, int64_t id) {
  NW_TRY(Engine::LockedStore locked, engine.store(cache));
  return showEntry(*locked.store, id);
}

/// Why the entry is not what compiling it gives now; empty if it is.
Result<std::string> differenceOf(Engine& engine, const CacheOptions& cache, const EntryDetail& entry,
                                 int64_t& compileNs) {
  if (!entry.damage.empty()) return "it is damaged: " + entry.damage.front();
  NW_TRY(const std::unique_ptr<RecipeNode> recipe, kernelOf(entry));
  const KeyEnvironment& environment = entry.environment;
  if (makeKey(recipe->lowered.keyParts, environment).hash != entry.row.key)
    return std::string("the ops have newer versions: it is never looked up again");
  Compiler compiler(environment.target);
  NW_TRY(BuiltIr ir, compiler.build(emitterOf(recipe->lowered, environment.options, environment.target)));
  compileNs += ir.buildNs;
  if (contentKey(ir.irBytes, environment) != entry.row.content)
    return std::string("the same key gives different code: something the code depends on is not in the key");
  NW_TRY(const CompiledObject made, compiler.compile(std::move(ir), entry.symbol, environment.options));
  compileNs += made.optimiseNs + made.emitNs;
  NW_TRY(Engine::LockedStore locked, engine.store(cache));
  NW_TRY(const StoredObject stored, entryObject(*locked.store, entry.row.id));
  if (stored.object != made.object) return std::string("the same IR gives different machine code");
  return std::string();
}

/// An entry that was compiled again.
struct Remade {
  NewEntry entry;
  bool differs = false; ///< other code than what is stored
};

/// Under the entry's own key: the recipe keeps all that the key says, also outputs in the place of inputs.
Result<Remade> remake(const EntryDetail& entry) {
  NW_TRY(const std::unique_ptr<RecipeNode> recipe, kernelOf(entry));
  const KeyEnvironment& environment = entry.environment;
  Remade remade;
  NewEntry& made = remade.entry;
  made.key = makeKey(recipe->lowered.keyParts, environment);
  if (made.key.hash != entry.row.key)
    return Error{"the ops have newer versions: compiled now it is another entry, under another key",
                 nameOf(entry),
                 "compile the graph that it came from",
                 {}};
  Compiler compiler(environment.target);
  NW_TRY(BuiltIr ir, compiler.build(emitterOf(recipe->lowered, environment.options, environment.target)));
  made.phases.build = ir.buildNs;
  made.content = contentKey(ir.irBytes, environment);
  made.symbol = contentSymbol(made.content);
  NW_TRY(CompiledObject object, compiler.compile(std::move(ir), made.symbol, environment.options));
  made.phases.optimise = object.optimiseNs;
  made.phases.emit = object.emitNs;
  made.object = std::move(object.object);
  made.op = entry.row.op;
  made.label = entry.row.label;
  made.dtype = entry.row.dtype;
  made.recipe = entry.recipe;
  remade.differs = !entry.damage.empty() || made.content != entry.row.content;
  return remade;
}

void tell(const EntriesProgress& progress, int64_t done, size_t total, const std::string& what) {
  if (progress) progress(done, static_cast<int64_t>(total), what);
}

} // namespace

bool isMadeFor(const Engine& engine, const KeyEnvironment& environment) {
  const TargetSpec &theirs = environment.target, &ours = engine.target();
  return theirs.triple == ours.triple && theirs.cpu == ours.cpu && theirs.features == ours.features &&
         environment.toolchain.llvmVersion == engine.toolchain().llvmVersion &&
         environment.toolchain.engineAbi == engine.toolchain().engineAbi;
}

Result<EntryCode> entryCode(const EntryDetail& entry, const Engine& engine) {
  NW_TRY(const std::unique_ptr<RecipeNode> recipe, kernelOf(entry));
  const KeyEnvironment& environment = entry.environment;
  const EmitFn emit = emitterOf(recipe->lowered, environment.options, environment.target);
  Compiler compiler(environment.target);
  EntryCode shown;
  NW_TRY(BuiltIr named, compiler.build(emit, ValueNames::Keep));
  shown.code.ir = codegen::moduleText(*named.module.module);
  NW_TRY(shown.code.optimisedIr, compiler.optimisedIr(std::move(named), environment.options));
  NW_TRY(BuiltIr again, compiler.build(emit));
  const bool same = contentKey(again.irBytes, environment) == entry.row.content;
  NW_TRY(shown.code.assembly, compiler.assembly(std::move(again), codegen::kKernelName, environment.options));
  if (environment.toolchain.llvmVersion != engine.toolchain().llvmVersion)
    shown.note = fmt::format("made by LLVM {} from the entry's recipe; the entry was made by LLVM {}",
                             engine.toolchain().llvmVersion, environment.toolchain.llvmVersion);
  else if (!same)
    shown.note = "this is what the recipe gives now; the stored code was made from other IR";
  return shown;
}

Result<std::vector<int64_t>> entriesToWorkOn(Store& store, const Selection& selection) {
  if (!selection.filter) return selection.ids;
  EntryQuery query;
  query.filter = *selection.filter;
  query.descending = false;
  std::vector<int64_t> ids;
  NW_CHECK(eachEntry(store, query, [&](const EntryRow& row) {
    if (row.state == "live") ids.push_back(row.id);
    return true;
  }));
  return ids;
}

Result<ActionReport> previewWork(Store& store, const Selection& selection, std::string_view done) {
  NW_TRY(std::vector<int64_t> ids, entriesToWorkOn(store, selection));
  NW_TRY(ActionReport report, measure(store, Selection::of(std::move(ids))));
  report.summary = fmt::format("would have {} {}, {}; making them took {} (recorded)", done,
                               units::counted(report.entries, "entry"), units::bytes(report.bytes),
                               units::duration(report.compileNs));
  return report;
}

Result<EntriesReport> compileEntries(Engine& engine, const CacheOptions& cache, std::span<const int64_t> ids,
                                     const EntriesProgress& progress, std::stop_token stop) {
  EntriesReport report;
  std::vector<int64_t> revived; // as they were, but not served: live again, which can be undone
  for (const int64_t id : ids) {
    if (stop.stop_requested()) return Error{"cancelled", {}, {}, "Cancelled"};
    NW_TRY(const EntryDetail entry, detailOf(engine, cache, id));
    tell(progress, report.entries++, ids.size(), "compiling " + entry.row.op + " again");
    if (!isMadeFor(engine, entry.environment)) {
      ++report.foreign; // compiled here, it would be another entry
      continue;
    }
    const auto made = remake(entry);
    report.keys.push_back(entry.row.key);
    if (!made.ok()) {
      report.problems.push_back({entry.row, made.error().text()});
      continue;
    }
    report.compileNs += made->entry.phases.compile();
    if (!made->differs) {
      if (entry.row.state != "live") revived.push_back(id);
      continue;
    }
    NW_TRY(Engine::LockedStore locked, engine.store(cache));
    if (const StoreResult stored = storeEntry(*locked.store, made->entry); !stored.ok())
      report.problems.push_back({entry.row, stored.text});
    else
      ++report.replaced;
  }
  if (!revived.empty()) {
    NW_TRY(Engine::LockedStore locked, engine.store(cache));
    NW_TRY(const ActionReport restored,
           restore(*locked.store, Selection::of(std::move(revived)), DryRun::No, "compile again"));
    report.operation = restored.operation;
    report.revived = restored.entries;
  }
  const int64_t failed = static_cast<int64_t>(report.problems.size());
  report.summary = fmt::format("compiled {} again in {}",
                               units::counted(report.entries - report.foreign - failed, "entry"),
                               units::duration(report.compileNs));
  if (report.revived > 0) report.summary += fmt::format("; {} live again", units::count(report.revived));
  if (report.replaced > 0) report.summary += fmt::format("; {} stored anew", units::count(report.replaced));
  if (failed > 0) report.summary += fmt::format("; {} failed", units::count(failed));
  if (report.foreign > 0)
    report.summary +=
        fmt::format("; {} left alone, made for another target or toolchain", units::count(report.foreign));
  return report;
}

Result<EntriesReport> verifyEntries(Engine& engine, const CacheOptions& cache, std::span<const int64_t> ids,
                                    const EntriesProgress& progress, std::stop_token stop) {
  EntriesReport report;
  for (const int64_t id : ids) {
    if (stop.stop_requested()) return Error{"cancelled", {}, {}, "Cancelled"};
    NW_TRY(const EntryDetail entry, detailOf(engine, cache, id));
    tell(progress, report.entries++, ids.size(), "verifying " + entry.row.op);
    if (!isMadeFor(engine, entry.environment)) {
      ++report.foreign;
      continue;
    }
    const auto difference = differenceOf(engine, cache, entry, report.compileNs);
    report.keys.push_back(entry.row.key);
    if (!difference.ok())
      report.problems.push_back({entry.row, difference.error().text()});
    else if (!difference->empty())
      report.problems.push_back({entry.row, *difference});
  }
  report.summary =
      fmt::format("compiled {} again and compared: {} as stored, {} not",
                  units::counted(report.entries - report.foreign, "entry"),
                  units::count(static_cast<int64_t>(report.keys.size() - report.problems.size())),
                  units::count(static_cast<int64_t>(report.problems.size())));
  if (report.foreign > 0)
    report.summary +=
        fmt::format("; {} left alone, made for another target or toolchain", units::count(report.foreign));
  return report;
}

} // namespace nodewise
