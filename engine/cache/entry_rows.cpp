#include "cache/entry_rows.h"

#include <algorithm>
#include <cstdlib>

namespace nodewise {

namespace {

/// A size, time or count; what damage made of it, 0, so that sums of rows stay in range.
int64_t sound(const Query& query, int column) {
  const int64_t number = query.integerOr(column);
  return number >= 0 && number <= int64_t{1} << 44 ? number : 0;
}

} // namespace

EntryRow readEntryRow(const Query& query) {
  EntryRow row;
  row.id = query.integerOr(0);
  row.key = query.hash(1).value_or(Hash{});
  row.content = query.hash(2).value_or(Hash{});
  row.op = query.textOr(3);
  row.label = query.textOr(4);
  row.dtype = query.textOr(5);
  row.cpu = query.textOr(6);
  row.llvmVersion = query.textOr(7);
  row.state = query.textOr(8);
  row.stateReason = query.textOr(9);
  row.optLevel = std::atoi(query.textOr(10).c_str());
  row.objectBytes = sound(query, 11);
  row.ownBytes = sound(query, 12);
  row.compileNs = sound(query, 13);
  row.hits = sound(query, 14);
  row.lastUse = query.integerOr(15);
  row.createdUnix = query.integerOr(16);
  row.usedUnix = query.integerOr(17);
  row.pinned = query.integerOr(18) == 1;
  return row;
}

Result<std::vector<EntryRow>> readEntryRows(Query& query) {
  std::vector<EntryRow> rows;
  for (;;) {
    NW_TRY(const bool row, query.step());
    if (!row) return rows;
    rows.push_back(readEntryRow(query));
  }
}

bool matchesEntry(const Filter& filter, const EntryRow& row, int64_t now) {
  const std::string keyHex = row.key.hex();
  FilterSubject subject{row.op, row.label, row.dtype, row.state, row.stateReason, row.cpu, keyHex};
  subject.costNs = row.compileNs;
  subject.sizeBytes = row.objectBytes;
  subject.hits = row.hits;
  subject.ageSeconds = std::max<int64_t>(0, now - row.createdUnix);
  subject.unusedSeconds = std::max<int64_t>(0, now - row.usedUnix);
  return matches(filter, subject);
}

} // namespace nodewise
