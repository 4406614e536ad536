// Reading rows of `entry` for people: no object, no recipe, and damage shows as it is.
#pragma once

#include "cache/connection.h"
#include "cache/filter.h"
#include "cache/store.h"

#include <functional>
#include <unordered_map>

namespace nodewise {

/// Columns to select, in the order that readEntryRow() takes them, and the tables they come from.
inline constexpr std::string_view kEntryColumns =
    "e.id, e.key, e.content, e.op, e.label, e.dtype, v.cpu, v.llvm_version, e.state, e.state_reason, "
    "v.opt_level, "
    "e.object_bytes, e.own_bytes, e.compile_ns, e.hits, e.last_use, e.created, e.used, e.pinned";
inline constexpr std::string_view kEntryTables =
    "entry AS e LEFT JOIN environment AS v ON v.id = e.environment_id";

EntryRow readEntryRow(const Query& query);
/// All rows of a query of these columns.
Result<std::vector<EntryRow>> readEntryRows(Query& query);

/// What SQL cannot decide: the patterns of a filter. Rows of a large cache have few distinct texts (ops,
/// dtypes, labels), so each is matched once.
class EntryPatterns {
public:
  /// The filter must outlive it.
  explicit EntryPatterns(const Filter& filter);
  /// Whether all hold for the present row of a query of kEntryColumns.
  bool hold(const Query& row);

private:
  struct TextHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  struct Term {
    const FilterTerm* term;
    std::unordered_map<std::string, bool, TextHash, std::equal_to<>> known;
  };
  static bool holds(Term& term, std::string_view text);

  std::vector<Term> m_terms;
};

} // namespace nodewise
