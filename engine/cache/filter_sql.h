// Filters as SQL over `entry AS e LEFT JOIN environment AS v`.
#pragma once

#include "cache/connection.h"
#include "cache/filter.h"

#include <variant>

namespace nodewise {

struct FilterSql {
  std::string where; ///< an expression; "1" for everything
  std::vector<std::variant<int64_t, std::string, std::vector<std::byte>>> values;
  bool patterns = false; ///< the filter has patterns, which `matches` still has to decide
};

/// `now`: Unix seconds, for ages. Entries from the future have age 0.
FilterSql filterSql(const Filter& filter, int64_t now);
/// Binds the values from parameter `first` on; they must outlive the query's steps.
void bindValues(Query& query, const FilterSql& sql, int first);

} // namespace nodewise
