#include "cache/show.h"

#include "cache/entry_check.h"
#include "cache/entry_rows.h"
#include "cache/parts.h"
#include "cache/seal.h"
#include "cache/store_state.h"

#include <algorithm>
#include <fmt/format.h>

namespace nodewise {

namespace {

Result<void> readRecipe(Connection& connection, EntryDetail& detail) {
  NW_TRY(Query query, connection.prepare("SELECT graph, ir, symbol, seal FROM recipe WHERE entry_id = ?"));
  NW_TRY(const bool row, query.bind(detail.row.id).step());
  if (!row) {
    detail.damage.emplace_back("its recipe is missing");
    return {};
  }
  detail.recipe = query.textOr(0);
  detail.ir = query.textOr(1);
  detail.symbol = query.textOr(2);
  if (!sameBytes(query.blob(3), recipeSeal(detail.row.key, detail.recipe, detail.ir, detail.symbol))) {
    detail.damage.emplace_back("the checksum of its recipe is wrong");
  }
  return {};
}

Result<void> readPhases(Connection& connection, EntryDetail& detail) {
  NW_TRY(Query query,
         connection.prepare("SELECT lookup_ns, build_ns, optimise_ns, emit_ns, link_ns, store_ns "
                            "FROM phase WHERE entry_id = ?"));
  NW_TRY(const bool row, query.bind(detail.row.id).step());
  if (row) {
    detail.phases = {query.integerOr(0), query.integerOr(1), query.integerOr(2),
                     query.integerOr(3), query.integerOr(4), query.integerOr(5)};
  }
  return {};
}

Error noSuchEntry(std::string_view what) {
  return {fmt::format("there is no entry {}", what), "", "`nodewise cache list` shows what there is", ""};
}

Result<EntryDetail> showOn(Store::State& state, Connection& connection, int64_t id) {
  static const std::string rowSql =
      fmt::format("SELECT {} FROM {} WHERE e.id = ?", kEntryColumns, kEntryTables);
  static const std::string checkSql =
      fmt::format("SELECT {} FROM {} WHERE e.id = ?", kCheckedColumns, kCheckedTables);
  NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Read));
  EntryDetail detail;
  {
    NW_TRY(Query query, connection.prepare(rowSql));
    NW_TRY(const bool row, query.bind(id).step());
    if (!row) return noSuchEntry(std::to_string(id));
    detail.row = readEntryRow(query);
  }
  {
    NW_TRY(Query query, connection.prepare(checkSql));
    NW_TRY(const bool row, query.bind(id).step());
    if (!row) return noSuchEntry(std::to_string(id));
    detail.runId = query.integerOr(12);
    NW_TRY(const CheckedEntry checked,
           readCheckedEntry(connection, state.environments, query, CheckObject::Yes));
    if (!checked.damage.empty()) detail.damage.push_back(checked.damage);
    NW_TRY(detail.parts, readNodeParts(connection, id));
    if (checked.environment) {
      detail.environment = checked.environment->values;
      std::ranges::copy(checked.environment->parts, std::back_inserter(detail.parts));
    }
  }
  if (hashParts(detail.parts) != detail.row.key)
    detail.damage.emplace_back("its key parts do not give its key");
  NW_CHECK(readRecipe(connection, detail));
  NW_CHECK(readPhases(connection, detail));
  return detail;
}

} // namespace

Result<EntryDetail> showEntry(Store& store, int64_t id) {
  return onStore(store, [&](Connection& connection) { return showOn(store.state(), connection, id); });
}

Result<EntryDetail> showEntry(Store& store, const Hash& key) {
  return onStore(store, [&](Connection& connection) -> Result<EntryDetail> {
    int64_t id = 0;
    {
      NW_TRY(Query query, connection.prepare("SELECT id FROM entry WHERE key = ?"));
      NW_TRY(const bool row, query.bind(key).step());
      if (!row) return noSuchEntry("of key " + key.shortHex());
      id = query.integerOr(0);
    }
    return showOn(store.state(), connection, id);
  });
}

Result<std::vector<EntryRow>> findEntries(Store& store, std::string_view keyPrefix, int64_t limit) {
  static const std::string sql = fmt::format(
      "SELECT {} FROM {} WHERE e.key BETWEEN ? AND ? ORDER BY e.key LIMIT ?", kEntryColumns, kEntryTables);
  std::string low(keyPrefix.substr(0, 64)), high = low;
  low.resize(64, '0');
  high.resize(64, 'f');
  const auto from = Hash::fromHex(low), to = Hash::fromHex(high);
  if (!from || !to) {
    return Error{fmt::format("'{}' is not the beginning of a key", keyPrefix), "",
                 "keys are hexadecimal digits", ""};
  }
  return onStore(store, [&](Connection& connection) -> Result<std::vector<EntryRow>> {
    NW_TRY(Query query, connection.prepare(sql));
    return readEntryRows(query.bind(*from, *to, limit));
  });
}

Result<StoredObject> entryObject(Store& store, int64_t id) {
  static const std::string sql =
      fmt::format("SELECT {} FROM {} WHERE e.id = ?", kCheckedColumns, kCheckedTables);
  return onStore(store, [&](Connection& connection) -> Result<StoredObject> {
    NW_TRY(Query query, connection.prepare(sql));
    NW_TRY(const bool row, query.bind(id).step());
    if (!row) return noSuchEntry(std::to_string(id));
    NW_TRY(CheckedEntry entry,
           readCheckedEntry(connection, store.state().environments, query, CheckObject::Yes));
    if (!entry.damage.empty())
      return Error{"the entry is damaged: " + entry.damage, "", "compile it again", ""};
    return std::move(entry.object);
  });
}

} // namespace nodewise
