#include "cache/layouts.h"

#include "cache/store_state.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

Hash checksumOf(const Hash& of, Bytes bytes) {
  std::string all(reinterpret_cast<const char*>(of.bytes.data()), of.bytes.size());
  all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return hashBytes(all);
}

/// Columns hash, checksum, bytes from `first` on.
bool isSound(const Query& query, int first) {
  const auto hash = query.hash(first), checksum = query.hash(first + 1);
  const auto bytes = query.blob(first + 2);
  return hash && checksum && bytes && bytes->size() <= kMostLayoutBytes &&
         *checksum == checksumOf(*hash, *bytes);
}

/// Above all that were given so far. What damage has made of the column counts as 0, and cannot run out of
/// numbers.
constexpr std::string_view kNextUse =
    "(SELECT ifnull(max(used), 0) + 1 FROM layout WHERE typeof(used) = 'integer' "
    "AND used BETWEEN 0 AND 1099511627776)";

} // namespace

Result<std::optional<std::vector<std::byte>>> loadLayout(Store& store, const Hash& of) {
  using Found = std::optional<std::vector<std::byte>>;
  return onStore(store, [&](Connection& connection) -> Result<Found> {
    NW_TRY(Query query, connection.prepare("SELECT hash, checksum, bytes FROM layout WHERE hash = ?"));
    NW_TRY(const bool row, query.bind(of).step());
    if (!row || query.hash(0) != of || !isSound(query, 0)) return Found();
    const Bytes bytes = *query.blob(2);
    return Found(std::vector<std::byte>(bytes.begin(), bytes.end()));
  });
}

Result<int64_t> saveLayouts(Store& store, std::span<const KeptLayout> made, std::span<const Hash> used) {
  if (store.readOnly()) return int64_t{0};
  return onStore(store, [&](Connection& connection) -> Result<int64_t> {
    static const std::string touch = fmt::format("UPDATE layout SET used = {} WHERE hash = ?", kNextUse);
    static const std::string keep = fmt::format(
        "INSERT OR REPLACE INTO layout (hash, used, checksum, bytes) VALUES (?, {}, ?, ?)", kNextUse);
    NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Write));
    for (const Hash& hash : used) {
      NW_TRY(Query query, connection.prepare(touch));
      NW_CHECK(query.bind(hash).run());
    }
    int64_t kept = 0;
    for (const KeptLayout& layout : made) {
      if (layout.bytes.size() > kMostLayoutBytes) continue;
      NW_TRY(Query query, connection.prepare(keep));
      NW_CHECK(query.bind(layout.of, checksumOf(layout.of, layout.bytes), Bytes(layout.bytes)).run());
      ++kept;
    }
    NW_CHECK(trimLayouts(connection));
    NW_CHECK(transaction.commit());
    return kept;
  });
}

Result<int64_t> trimLayouts(Connection& connection) {
  static const std::string sql =
      fmt::format("DELETE FROM layout WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER w AS place, "
                  "sum(length(bytes)) OVER w AS total FROM layout WINDOW w AS (ORDER BY used DESC, id DESC)) "
                  "WHERE place > {} OR total > {})",
                  kMostLayouts, kMostBytesOfLayouts);
  NW_CHECK(connection.execute(sql));
  return connection.changes();
}

Result<std::vector<int64_t>> damagedLayouts(Connection& connection) {
  std::vector<int64_t> damaged;
  NW_TRY(Query query, connection.prepare("SELECT id, hash, checksum, bytes, used FROM layout"));
  for (;;) {
    NW_TRY(const bool row, query.step());
    if (!row) return damaged;
    const auto used = query.integer(4);
    if (!isSound(query, 1) || !used || *used < 0) damaged.push_back(query.integerOr(0));
  }
}

} // namespace nodewise
