#include "session/audit.h"

#include "cache/list.h"
#include "cache/show.h"
#include "session/entry_work.h"
#include "session/recipe.h"

#include <algorithm>
#include <set>

namespace nodewise {

namespace {

/// Emits the entry's IR again; empty if its content is as stored.
Result<std::optional<UnsoundKey>> recheck(Engine& engine, Compiler& compiler, const EntryDetail& detail) {
  auto bad = [&](std::string reason, Hash now = {}) {
    return std::optional(UnsoundKey{detail.row, now, std::move(reason)});
  };
  Result<std::unique_ptr<RecipeNode>> recipe = readRecipe(detail.recipe);
  if (!recipe) return bad("its recipe cannot be read: " + recipe.error().text());
  const Lowered& lowered = (*recipe)->lowered;
  if (lowered.kind != NodeKind::Kernel)
    return bad("its recipe no longer lowers to a kernel: " + lowered.reason);
  const Key key = makeKey(lowered.keyParts, detail.environment);
  if (key.hash != detail.row.key)
    return std::optional<UnsoundKey>(); // a newer version names it otherwise; never looked up again
  NW_TRY(BuiltIr ir, compiler.build(emitterOf(lowered, detail.environment.options, engine.target())));
  const Hash now = contentKey(ir.irBytes, detail.environment);
  if (now == detail.row.content) return std::optional<UnsoundKey>();
  return bad("the same key gives different code: something the code depends on is not in the key", now);
}

} // namespace

Result<AuditReport> audit(Engine& engine, const CacheOptions& cache,
                          const std::function<void(int64_t, int64_t)>& progress, std::stop_token stop) {
  AuditReport report;
  NW_TRY(Engine::LockedStore locked, engine.store(cache));
  Store& store = *locked.store;
  NW_TRY(Filter live, parseFilter("state:live"));
  std::vector<EntryRow> rows;
  EntryQuery query;
  query.filter = live;
  query.descending = false;
  NW_CHECK(eachEntry(store, query, [&](const EntryRow& row) {
    rows.push_back(row);
    return !stop.stop_requested();
  }));
  std::set<Hash> contents;
  Compiler compiler(engine.target());
  for (const EntryRow& row : rows) {
    if (stop.stop_requested()) return Error{"cancelled", {}, {}, "Cancelled"};
    contents.insert(row.content);
    NW_TRY(EntryDetail detail, showEntry(store, row.id));
    if (!isMadeFor(engine, detail.environment)) {
      ++report.foreign;
    } else {
      NW_TRY(std::optional<UnsoundKey> unsound, recheck(engine, compiler, detail));
      if (unsound) report.unsound.push_back(std::move(*unsound));
    }
    ++report.entries;
    if (progress) progress(report.entries, static_cast<int64_t>(rows.size()));
  }
  report.keys = static_cast<int64_t>(rows.size());
  report.contents = static_cast<int64_t>(contents.size());
  NW_TRY(report.overSpecific, overSpecificKeys(store, 1000));
  return report;
}

} // namespace nodewise
