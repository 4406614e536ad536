#include "cache/row_ids.h"

#include <array>
#include <fmt/format.h>

namespace nodewise {

namespace {

constexpr std::array<std::string_view, 4> kNumbered{"entry", "environment", "operation", "run"};
constexpr int64_t kHighest = int64_t{1} << 60; ///< a million rows a second for 36,000 years

Result<bool> usedUp(Connection& connection, std::string_view table) {
  NW_TRY(Query query, connection.prepareOnce(fmt::format(
                          "SELECT EXISTS (SELECT 1 FROM {0} WHERE id > ?1) OR EXISTS (SELECT 1 FROM "
                          "sqlite_sequence WHERE name = '{0}' AND (typeof(seq) <> 'integer' OR seq > ?1))",
                          table)));
  NW_TRY(const bool row, query.bind(kHighest).step());
  return row && query.integerOr(0) != 0;
}

Result<void> free(Connection& connection, std::string_view table) {
  {
    NW_TRY(Query query, connection.prepareOnce(fmt::format("DELETE FROM {} WHERE id > ?", table)));
    NW_CHECK(query.bind(kHighest).run());
  }
  NW_TRY(Query query, connection.prepareOnce(fmt::format("UPDATE sqlite_sequence SET seq = (SELECT "
                                                         "ifnull(max(id), 0) FROM {0}) WHERE name = '{0}'",
                                                         table)));
  return query.run();
}

} // namespace

Result<bool> freeRowIds(Connection& connection) {
  bool any = false;
  NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Write));
  for (const std::string_view table : kNumbered) {
    NW_TRY(const bool used, usedUp(connection, table));
    if (!used) continue;
    NW_CHECK(free(connection, table));
    any = true;
  }
  if (any) NW_CHECK(transaction.commit());
  return any;
}

} // namespace nodewise
