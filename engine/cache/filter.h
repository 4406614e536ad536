// The query language of tables, graph and command line: terms, all of which must hold.
//
//   op:Elemwise dtype:float64 state:live reason:damaged     a field contains the text (state: begins)
//   name:loss  scope:encoder                                likewise, of nodes
//   key:3f2a   key:3f2a,77bc                                the key begins with it, or with one of these
//   op=Sum  dtype!=bool                                     the field is the text, or is not
//   cost>5ms size>=10k hits=0 rank=2 age>30d unused>4w      a number compares: < <= > >= = !=
//   add exp                                                 op, label or dtype contains the word
//   /sum|prod/                                              op, label, dtype, state or reason matches
//   "two words"  op:"x y"  -op:Scan                         quoting; a minus turns a term round
//
// Patterns are ECMAScript's. Text compares without regard to case. What is filtered (FilterOn) decides which fields
// there are.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <regex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nodewise {

enum class FilterField : uint8_t {
  Any,
  Op,
  Label,
  Dtype,
  State,
  Reason,
  Name,
  Scope,
  Key,
  Cpu,
  Cost,
  Size,
  Hits,
  Rank,
  Age,
  Unused
};
/// What is filtered; a set of them is their sum.
enum class FilterOn : uint8_t { Entries = 1, Nodes = 2, Runs = 4 };
enum class FilterTest : uint8_t {
  Contains,
  Begins,
  Matches,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual
};

struct FilterTerm {
  FilterField field = FilterField::Any;
  FilterTest test = FilterTest::Contains;
  bool negated = false;
  std::string text;   ///< of Contains, Begins (lower case; keys apart by commas), Matches (the pattern)
  int64_t number = 0; ///< nanoseconds, bytes, seconds or a count
  std::regex pattern; ///< of Matches
};

struct Filter {
  std::string source;
  std::vector<FilterTerm> terms; ///< empty: everything
};

/// The place of a bad term in a query's text, in bytes.
struct FilterPlace {
  size_t from = 0, length = 0;
};

/// The error names the column of the bad term, what was expected there, and an example; `place` is then where
/// it stands. A field that `on` does not have is an error that names those it has.
Result<Filter> parseFilter(std::string_view text, FilterOn on = FilterOn::Entries,
                           FilterPlace* place = nullptr);

/// The beginnings of keys that a key: term names, at least one.
std::vector<std::string_view> keysOf(const FilterTerm& term);

/// What a filter looks at; text fields may be empty and numbers 0 where a thing has none.
struct FilterSubject {
  std::string_view op, label, dtype, state, reason, cpu;
  std::string_view keyHex;
  int64_t costNs = 0, sizeBytes = 0, hits = 0;
  int64_t ageSeconds = 0, unusedSeconds = 0; ///< -1: none, and no term on it holds
  std::string_view name, scope;
  int64_t rank = -1; ///< -1: none, likewise
};
bool matches(const Filter& filter, const FilterSubject& subject);
/// Whether a text matches the pattern of a term.
bool matchesPattern(const FilterTerm& term, std::string_view text);

/// The fields with their words, for help texts and completion.
struct FilterFieldRow {
  FilterField field;
  std::string_view name, example, doc;
  bool isNumber;
  uint8_t on; ///< sum of what has the field
  bool isOf(FilterOn what) const { return (on & static_cast<uint8_t>(what)) != 0; }
};
std::span<const FilterFieldRow> filterFields();

} // namespace nodewise
