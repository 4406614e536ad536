// The query language of tables, graph and command line: terms, all of which must hold.
//
//   op:Elemwise dtype:float64 state:live reason:damaged     a field contains the text (state: begins)
//   key:3f2a   key:3f2a,77bc                                the key begins with it, or with one of these
//   op=Sum  dtype!=bool                                     the field is the text, or is not
//   cost>5ms  size>=10k  hits=0  age>30d  unused>4w         a number compares: < <= > >= = !=
//   add exp                                                 op, label or dtype contains the word
//   /sum|prod/                                              op, label, dtype, state or reason matches
//   "two words"  op:"x y"  -op:Scan                         quoting; a minus turns a term round
//
// Patterns are ECMAScript's. Text compares without regard to case.
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
  Key,
  Cpu,
  Cost,
  Size,
  Hits,
  Age,
  Unused
};
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

/// The error names the column of the bad term, what was expected there, and an example.
Result<Filter> parseFilter(std::string_view text);

/// The beginnings of keys that a key: term names, at least one.
std::vector<std::string_view> keysOf(const FilterTerm& term);

/// What a filter looks at; text fields may be empty and numbers 0 where a thing has none.
struct FilterSubject {
  std::string_view op, label, dtype, state, reason, cpu;
  std::string_view keyHex;
  int64_t costNs = 0, sizeBytes = 0, hits = 0, ageSeconds = 0, unusedSeconds = 0;
};
bool matches(const Filter& filter, const FilterSubject& subject);
/// Whether a text matches the pattern of a term.
bool matchesPattern(const FilterTerm& term, std::string_view text);

/// The fields with their words, for help texts and completion.
struct FilterFieldRow {
  FilterField field;
  std::string_view name, example, doc;
  bool isNumber;
};
std::span<const FilterFieldRow> filterFields();

} // namespace nodewise
