#include "cache/entry_copy.h"

#include "cache/entry_check.h"
#include "cache/parts.h"
#include "cache/seal.h"
#include "cache/store_state.h"

#include <algorithm>
#include <fmt/format.h>

namespace nodewise {

namespace {

constexpr size_t kBatch = 200;

/// Recipe, IR and symbol under their checksum.
Result<bool> loadRecipe(Connection& connection, int64_t id, NewEntry& entry) {
  NW_TRY(Query query, connection.prepare("SELECT graph, ir, symbol, seal FROM recipe WHERE entry_id = ?"));
  NW_TRY(const bool row, query.bind(id).step());
  if (!row) return false;
  entry.recipe = query.textOr(0);
  entry.ir = query.textOr(1);
  const std::string symbol = query.textOr(2);
  return sameBytes(query.blob(3), recipeSeal(entry.key.hash, entry.recipe, entry.ir, symbol));
}

Result<void> loadPhases(Connection& connection, int64_t id, NewEntry& entry) {
  NW_TRY(Query query,
         connection.prepare("SELECT lookup_ns, build_ns, optimise_ns, emit_ns, link_ns, store_ns "
                            "FROM phase WHERE entry_id = ?"));
  NW_TRY(const bool row, query.bind(id).step());
  if (row) {
    entry.phases = {query.integerOr(0), query.integerOr(1), query.integerOr(2),
                    query.integerOr(3), query.integerOr(4), query.integerOr(5)};
  }
  return {};
}

/// Ids on one side of a damaged place: ascending from the start, or descending from the end.
std::vector<int64_t> idsInOrder(Connection& connection, std::string_view direction) {
  std::vector<int64_t> ids;
  auto query = connection.prepareOnce(
      fmt::format("SELECT id FROM entry WHERE state = 'live' ORDER BY id {}", direction));
  if (!query.ok()) return ids;
  for (auto row = query->step(); row.ok() && *row; row = query->step()) ids.push_back(query->integerOr(0));
  return ids;
}

} // namespace

Result<std::optional<NewEntry>> loadEntry(Connection& connection, EnvironmentCache& environments,
                                          int64_t id) {
  static const std::string sql =
      fmt::format("SELECT {} FROM {} WHERE e.id = ?", kCheckedColumns, kCheckedTables);
  const std::optional<NewEntry> none;
  NewEntry entry;
  {
    NW_TRY(Query query, connection.prepare(sql));
    NW_TRY(const bool row, query.bind(id).step());
    if (!row) return none;
    NW_TRY(CheckedEntry checked, readCheckedEntry(connection, environments, query, CheckObject::Yes));
    if (!checked.damage.empty()) return none;
    entry.op = query.textOr(5);
    entry.label = query.textOr(6);
    entry.dtype = query.textOr(7);
    entry.content = checked.object.content;
    entry.symbol = std::move(checked.object.symbol);
    entry.object = std::move(checked.object.object);
    entry.key.hash = checked.key;
    NW_TRY(entry.key.parts, readNodeParts(connection, id));
    std::ranges::copy(checked.environment->parts, std::back_inserter(entry.key.parts));
  }
  if (hashParts(entry.key.parts) != entry.key.hash) return none;
  NW_TRY(const bool sound, loadRecipe(connection, id, entry));
  if (!sound) return none;
  NW_CHECK(loadPhases(connection, id, entry));
  return std::optional(std::move(entry));
}

std::vector<int64_t> liveIds(Connection& connection) {
  connection.clearFault();
  std::vector<int64_t> ids = idsInOrder(connection, "ASC");
  if (connection.fault() == Fault::None) return ids;
  std::ranges::copy(idsInOrder(connection, "DESC"), std::back_inserter(ids));
  std::ranges::sort(ids);
  const auto repeated = std::ranges::unique(ids);
  ids.erase(repeated.begin(), repeated.end());
  return ids;
}

Result<CopyCount> copyEntries(Connection& source, std::span<const int64_t> ids, Store& target,
                              const StoreProgress& progress) {
  CopyCount count;
  EnvironmentCache environments;
  std::vector<NewEntry> batch;
  const auto flush = [&] {
    const std::vector<StoreResult> results = storeEntries(target, batch);
    for (size_t k = 0; k < results.size(); ++k) {
      if (results[k].stored == Stored::Already) {
        ++count.already;
      } else if (results[k].ok()) {
        ++count.stored;
        count.keys.push_back(batch[k].key.hash);
      } else if (++count.notStored == 1) {
        count.whyNot = results[k].text;
      }
    }
    batch.clear();
  };
  for (size_t k = 0; k < ids.size(); ++k) {
    auto entry = loadEntry(source, environments, ids[k]);
    if (!entry.ok() && source.fault() == Fault::Cancelled) return entry.error();
    if (entry.ok() && *entry)
      batch.push_back(std::move(**entry));
    else
      ++count.unsound;
    if (batch.size() < kBatch && k + 1 < ids.size()) continue;
    flush();
    if (target.state().stop.stop_requested()) return Error{"cancelled", "", "", ""};
    if (progress) progress(static_cast<int64_t>(k + 1), static_cast<int64_t>(ids.size()), "copying entries");
  }
  return count;
}

} // namespace nodewise
