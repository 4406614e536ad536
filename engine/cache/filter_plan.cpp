#include "cache/filter_plan.h"

#include <array>
#include <fmt/format.h>

namespace nodewise {

namespace {

/// Up to so many rows are fetched and sorted at once; above, going through them in the order of the list
/// meets a page of matches sooner.
constexpr int64_t kFew = 5'000;
/// From here on a set of ids costs more than the rows that the list looks at in vain.
constexpr int64_t kMany = 100'000;

struct SortedField {
  FilterField field;
  EntryColumn column;
};
/// Fields that are columns with an index. In a list sorted by the column, the index gives both.
constexpr std::array<SortedField, 6> kIndexed{{{FilterField::Op, EntryColumn::Op},
                                               {FilterField::Dtype, EntryColumn::Dtype},
                                               {FilterField::Cost, EntryColumn::CompileNs},
                                               {FilterField::Size, EntryColumn::ObjectBytes},
                                               {FilterField::Hits, EntryColumn::Hits},
                                               {FilterField::State, EntryColumn::State}}};

bool isSortedBy(const FilterTerm& term, EntryColumn sort) {
  for (const SortedField& row : kIndexed) {
    if (row.field == term.field) return row.column == sort;
  }
  return false;
}

/// Entries that a term selects, counted by its index up to kMany.
Result<int64_t> countSome(Connection& connection, const FilterSql& term) {
  NW_TRY(Query query, connection.prepareOnce(fmt::format("SELECT count(*) FROM (SELECT 1 FROM entry WHERE {} "
                                                         "LIMIT {})",
                                                         term.where, kMany)));
  bindValues(query, term, 1);
  NW_TRY(const bool row, query.step());
  return row ? query.integerOr(0) : 0;
}

} // namespace

Result<FilterSql> planFilter(Connection& connection, const EntryQuery& query, int64_t now) {
  std::vector<TermWay> ways;
  for (const FilterTerm& term : query.filter.terms) {
    ways.push_back(TermWay::AsItIs);
    const std::optional<FilterSql> indexed = indexedTerm(term);
    if (!indexed || isSortedBy(term, query.sort)) continue;
    NW_TRY(const int64_t entries, countSome(connection, *indexed));
    ways.back() = entries <= kFew ? TermWay::ByIds : entries >= kMany ? TermWay::InOrder : TermWay::AmongIds;
  }
  return filterSql(query.filter, now, ways);
}

} // namespace nodewise
