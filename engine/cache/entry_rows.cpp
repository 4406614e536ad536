#include "cache/entry_rows.h"

#include <algorithm>
#include <array>

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

EntryPatterns::EntryPatterns(const Filter& filter) {
  for (const FilterTerm& term : filter.terms)
    if (term.test == FilterTest::Matches) m_terms.push_back({&term, {}});
}

bool EntryPatterns::holds(Term& term, std::string_view text) {
  constexpr size_t kMostKnown = 100'000; // where every text is another one, remembering them gains nothing
  if (const auto known = term.known.find(text); known != term.known.end()) return known->second;
  const bool holds = matchesPattern(*term.term, text);
  if (term.known.size() < kMostKnown) term.known.emplace(text, holds);
  return holds;
}

bool EntryPatterns::hold(const Query& row) {
  // Of kEntryColumns: op, label, dtype, state, reason.
  constexpr std::array kTexts{3, 4, 5, 8, 9};
  return std::ranges::all_of(m_terms, [&](Term& term) {
    const bool any = std::ranges::any_of(
        kTexts, [&](int column) { return holds(term, row.text(column).value_or(std::string_view())); });
    return any != term.term->negated;
  });
}

} // namespace nodewise
