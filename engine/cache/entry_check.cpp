#include "cache/entry_check.h"

#include "cache/seal.h"

namespace nodewise {

namespace {

bool isState(std::string_view state) {
  return state == "live" || state == "invalidated" || state == "deleted" || state == "quarantined";
}

} // namespace

std::string readObject(const Query& row, int first, const Hash& content, StoredObject& object) {
  const auto symbol = row.text(first);
  const auto checksum = row.hash(first + 1);
  const auto size = row.integer(first + 2);
  const auto bytes = row.blob(first + 3);
  if (row.isNull(first) && row.isNull(first + 1) && row.isNull(first + 2) && row.isNull(first + 3)) {
    return "its object is missing";
  }
  if (!symbol || symbol->empty() || !checksum || !size || !bytes) return "a column of its object is missing";
  if (*size != static_cast<int64_t>(bytes->size())) return "its object has the wrong size";
  if (objectChecksum(content, *symbol, *bytes) != *checksum) return "the checksum of its object is wrong";
  object.content = content;
  object.symbol = *symbol;
  object.object.assign(bytes->begin(), bytes->end());
  return {};
}

Result<CheckedEntry> readCheckedEntry(Connection& connection, EnvironmentCache& environments, Query& row,
                                      CheckObject checkObject) {
  CheckedEntry entry;
  entry.id = row.integerOr(0);
  const auto key = row.hash(1), content = row.hash(2);
  const auto environmentId = row.integer(3);
  const auto structure = row.blob(4), seal = row.blob(13);
  const auto op = row.text(5), label = row.text(6), dtype = row.text(7);
  const auto objectBytes = row.integer(8), ownBytes = row.integer(9), compileNs = row.integer(10),
             created = row.integer(11), runId = row.integer(12);
  const auto state = row.text(14);
  if (key) entry.key = *key;
  entry.created = created.value_or(0);
  entry.state = state.value_or("");
  entry.stateReason = row.textOr(15);
  SealedColumns columns;
  if (!key || !content || !environmentId || !structure || structure->size() != columns.structure.size() ||
      !op || !label || !dtype || !objectBytes || !ownBytes || !compileNs || !created || !runId || !state) {
    entry.damage = "a column of it is missing or has the wrong type";
    return entry;
  }
  NW_TRY(entry.environment, loadEnvironment(connection, environments, *environmentId));
  if (!entry.environment) {
    entry.damage = "its options, target and toolchain are missing or damaged";
    return entry;
  }
  columns = {*key,       *content,     entry.environment->hash,
             {},         *op,          *label,
             *dtype,     *objectBytes, *ownBytes,
             *compileNs, *created,     *runId};
  std::ranges::copy(*structure, std::as_writable_bytes(std::span(columns.structure)).begin());
  if (!sameBytes(seal, sealOf(columns)))
    entry.damage = "the checksum of its row is wrong";
  else if (!isState(*state))
    entry.damage = "its state is none";
  else if (checkObject == CheckObject::Yes)
    entry.damage = readObject(row, 16, *content, entry.object);
  if (entry.damage.empty()) entry.object.compileNs = *compileNs;
  return entry;
}

} // namespace nodewise
