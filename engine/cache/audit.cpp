#include "cache/audit.h"

#include "cache/entry_rows.h"
#include "cache/parts.h"
#include "cache/store_state.h"

#include <algorithm>
#include <fmt/format.h>

namespace nodewise {

namespace {

Result<std::vector<KeyPart>> allParts(Connection& connection, EnvironmentCache& environments,
                                      int64_t entryId) {
  NW_TRY(std::vector<KeyPart> parts, readNodeParts(connection, entryId));
  NW_TRY(Query query, connection.prepare("SELECT environment_id FROM entry WHERE id = ?"));
  NW_TRY(const bool row, query.bind(entryId).step());
  if (!row) return parts;
  NW_TRY(const auto environment, loadEnvironment(connection, environments, query.integerOr(0)));
  if (environment) std::ranges::copy(environment->parts, std::back_inserter(parts));
  return parts;
}

Result<void> readEntriesOf(Connection& connection, EnvironmentCache& environments, SharedContent& shared) {
  static const std::string sql =
      fmt::format("SELECT {} FROM {} WHERE e.content = ? AND e.state = 'live' ORDER BY e.id", kEntryColumns,
                  kEntryTables);
  {
    NW_TRY(Query query, connection.prepare(sql));
    NW_TRY(shared.entries, readEntryRows(query.bind(shared.content)));
  }
  std::vector<KeyPart> first;
  for (const EntryRow& entry : shared.entries) {
    NW_TRY(std::vector<KeyPart> parts, allParts(connection, environments, entry.id));
    if (&entry == &shared.entries.front()) {
      first = std::move(parts);
      continue;
    }
    for (PartDiff& diff : diffParts(first, parts)) {
      if (std::ranges::find(shared.partNames, diff.name) != shared.partNames.end()) continue;
      shared.partNames.push_back(diff.name);
      shared.examples.push_back(std::move(diff));
    }
  }
  return {};
}

} // namespace

Result<std::vector<SharedContent>> overSpecificKeys(Store& store, int64_t limit) {
  return onStore(store, [&](Connection& connection) -> Result<std::vector<SharedContent>> {
    NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Read));
    std::vector<SharedContent> all;
    {
      NW_TRY(
          Query query,
          connection.prepare("SELECT content, max(object_bytes) FROM entry WHERE state = 'live' "
                             "GROUP BY content HAVING count(*) > 1 ORDER BY count(*) DESC, content LIMIT ?"));
      query.bind(limit);
      for (;;) {
        NW_TRY(const bool row, query.step());
        if (!row) break;
        SharedContent shared;
        shared.content = query.hash(0).value_or(Hash{});
        shared.objectBytes = query.integerOr(1);
        all.push_back(std::move(shared));
      }
    }
    for (SharedContent& shared : all) NW_CHECK(readEntriesOf(connection, store.state().environments, shared));
    return all;
  });
}

} // namespace nodewise
