// Filters as SQL over `entry AS e LEFT JOIN environment AS v`.
#pragma once

#include "cache/connection.h"
#include "cache/filter.h"

#include <optional>
#include <span>
#include <variant>

namespace nodewise {

struct FilterSql {
  std::string where; ///< an expression; "1" for everything
  std::vector<std::variant<int64_t, std::string, std::vector<std::byte>>> values;
  bool patterns = false; ///< the filter has patterns, which `matches` still has to decide
};

/// How the entries of a term are found.
enum class TermWay : uint8_t {
  AsItIs,   ///< as SQLite sees fit
  ByIds,    ///< first of all, from the term's index
  AmongIds, ///< in the order of the list, by the set of ids that the term's index gives
  InOrder   ///< in the order of the list, by looking at each row
};

/// `now`: Unix seconds, for ages. Entries from the future have age 0. `ways`: of the terms, in their order.
FilterSql filterSql(const Filter& filter, int64_t now, std::span<const TermWay> ways = {});
/// A term as a condition over `entry` that one index answers; none if no index does.
std::optional<FilterSql> indexedTerm(const FilterTerm& term);
/// Binds the values from parameter `first` on; they must outlive the query's steps.
void bindValues(Query& query, const FilterSql& sql, int first);

} // namespace nodewise
