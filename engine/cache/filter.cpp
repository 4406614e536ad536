#include "cache/filter.h"

#include "base/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace nodewise {

namespace {

constexpr uint8_t kEntries = 1, kNodes = 2, kRuns = 4;
constexpr std::array<FilterFieldRow, 15> kFields{{
    {FilterField::Op, "op", "op:Elemwise", "the op's name contains the text", false, kEntries | kNodes},
    {FilterField::Label, "label", "label:exp", "the quiet line contains the text", false, kEntries | kNodes},
    {FilterField::Dtype, "dtype", "dtype:float32", "the dtype of the first output contains the text", false,
     kEntries | kNodes},
    {FilterField::Rank, "rank", "rank=2", "number of axes of the first output", true, kNodes},
    {FilterField::State, "state", "state:live",
     "live, invalidated, deleted or quarantined; of nodes the outcome or kind (a beginning will do)", false,
     kEntries | kNodes},
    {FilterField::Reason, "reason", "reason:checksum", "why it is not live, or no hit, contains the text",
     false, kEntries | kNodes},
    {FilterField::Name, "name", "name:loss", "the node's name, or the file of a run, contains the text",
     false, kNodes | kRuns},
    {FilterField::Scope, "scope", "scope:encoder", "the scope contains the text", false, kNodes},
    {FilterField::Key, "key", "key:3f2a",
     "the key (of a run the graph's hash) begins with these hex digits, or with one of several: "
     "key:3f2a,77bc",
     false, kEntries | kNodes | kRuns},
    {FilterField::Cpu, "cpu", "cpu:znver4", "the CPU it was made for contains the text", false, kEntries},
    {FilterField::Cost, "cost", "cost>5ms", "recorded compile time (ns, us, ms, s)", true,
     kEntries | kNodes | kRuns},
    {FilterField::Size, "size", "size>10k", "bytes of the object (k, M, G; Ki, Mi, Gi)", true,
     kEntries | kNodes},
    {FilterField::Hits, "hits", "hits=0", "how often it was used; of a run the nodes that hit", true,
     kEntries | kNodes | kRuns},
    {FilterField::Age, "age", "age>30d", "time since it was made (s, m, h, d, w, y)", true,
     kEntries | kNodes | kRuns},
    {FilterField::Unused, "unused", "unused>4w", "time since it was last used", true, kEntries},
}};

/// What is filtered, in words.
struct FilteredRow {
  FilterOn on;
  std::string_view plural;
};
constexpr std::array<FilteredRow, 3> kFiltered{
    {{FilterOn::Entries, "entries of the cache"}, {FilterOn::Nodes, "nodes"}, {FilterOn::Runs, "runs"}}};

struct OperatorRow {
  std::string_view text;
  FilterTest test;
};
/// Longer ones first: "<=" before "<".
constexpr std::array<OperatorRow, 7> kOperators{{{"<=", FilterTest::LessEqual},
                                                 {">=", FilterTest::GreaterEqual},
                                                 {"!=", FilterTest::NotEqual},
                                                 {"<", FilterTest::Less},
                                                 {">", FilterTest::Greater},
                                                 {"=", FilterTest::Equal},
                                                 {":", FilterTest::Contains}}};

struct UnitRow {
  FilterField field;
  std::string_view unit;
  double factor;
};
constexpr std::array<UnitRow, 19> kUnits{{
    {FilterField::Cost, "ns", 1},         {FilterField::Cost, "us", 1e3},
    {FilterField::Cost, "µs", 1e3},       {FilterField::Cost, "ms", 1e6},
    {FilterField::Cost, "s", 1e9},        {FilterField::Hits, "", 1},
    {FilterField::Rank, "", 1},           {FilterField::Age, "s", 1},
    {FilterField::Age, "m", 60},          {FilterField::Age, "h", 3600},
    {FilterField::Age, "d", 86400},       {FilterField::Age, "w", 604800},
    {FilterField::Age, "y", 31536000},    {FilterField::Unused, "s", 1},
    {FilterField::Unused, "m", 60},       {FilterField::Unused, "h", 3600},
    {FilterField::Unused, "d", 86400},    {FilterField::Unused, "w", 604800},
    {FilterField::Unused, "y", 31536000},
}};

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

/// A term of the source, without its quotes, and where it began.
struct Token {
  std::string text;
  size_t column = 0; ///< from 1
  size_t length = 0; ///< with its quotes
  bool negated = false, isRegex = false, startsQuoted = false;
};

Error badTerm(const Token& token, std::string_view what, std::string_view remedy) {
  return {fmt::format("filter, column {}: {}", token.column, what), "", std::string(remedy), ""};
}

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// Reads up to `close`; a backslash keeps the next character (and itself, if `keepBackslash` and it is not
/// before close).
bool readQuoted(std::string_view text, size_t& at, char close, bool keepBackslash, std::string& out) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == close) {
      ++at;
      return true;
    }
    if (text[at] == '\\' && at + 1 < text.size()) {
      if (keepBackslash && text[at + 1] != close) out += '\\';
      ++at;
    }
    out += text[at];
  }
  return false;
}

/// `bad`: of an error, the term that has no end.
Result<std::vector<Token>> tokens(std::string_view text, FilterPlace& bad) {
  std::vector<Token> all;
  size_t at = 0;
  while (at < text.size()) {
    if (isSpace(text[at])) {
      ++at;
      continue;
    }
    Token token;
    token.column = at + 1;
    bad = {at, text.size() - at};
    if (text[at] == '-' && at + 1 < text.size() && !isSpace(text[at + 1])) {
      token.negated = true;
      ++at;
    }
    if (text[at] == '/') {
      token.isRegex = true;
      if (!readQuoted(text, at, '/', true, token.text)) {
        return badTerm(token, "a pattern has no end", "close it with a slash: /sum|prod/");
      }
      if (at < text.size() && !isSpace(text[at])) {
        return badTerm(token, "something follows the pattern", "put a space after the closing slash");
      }
      token.length = at + 1 - token.column;
      all.push_back(std::move(token));
      continue;
    }
    token.startsQuoted = text[at] == '"';
    while (at < text.size() && !isSpace(text[at])) {
      if (text[at] != '"')
        token.text += text[at++];
      else if (!readQuoted(text, at, '"', false, token.text)) {
        return badTerm(token, "a quoted text has no end", "close it with a quotation mark");
      }
    }
    token.length = at + 1 - token.column;
    all.push_back(std::move(token));
  }
  return all;
}

const FilterFieldRow* findField(std::string_view name) {
  const auto row = std::ranges::find(kFields, name, &FilterFieldRow::name);
  return row == kFields.end() ? nullptr : &*row;
}

std::string fieldNames(FilterOn on) {
  std::string names;
  for (const FilterFieldRow& row : kFields)
    if (row.isOf(on)) names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  return names;
}

/// What a unit of a field stands for; sizes have the units of all sizes.
std::optional<double> factorOf(FilterField field, std::string_view unit) {
  if (field == FilterField::Size) {
    const std::optional<int64_t> bytes = units::byteUnit(unit);
    return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
  }
  const auto row =
      std::ranges::find_if(kUnits, [&](const UnitRow& r) { return r.field == field && r.unit == unit; });
  return row == kUnits.end() ? std::nullopt : std::optional(row->factor);
}

Result<int64_t> parseNumber(const Token& token, const FilterFieldRow& field, std::string_view text) {
  const std::string example = fmt::format("write it as in {}", field.example);
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || !(number >= 0)) {
    return badTerm(token, fmt::format("'{}' is not a number for {}", text, field.name), example);
  }
  const std::string unit = lowered(text.substr(static_cast<size_t>(end - text.data())));
  const std::optional<double> factor = factorOf(field.field, unit);
  if (!factor)
    return badTerm(token, fmt::format("'{}' has no unit of {} ({})", text, field.name, field.doc), example);
  const double value = number * *factor;
  if (value < 9e18) return static_cast<int64_t>(value);
  return badTerm(token, fmt::format("'{}' is too large", text), example);
}

/// Matching in time linear in the text for any pattern (no back-references, then): a filter must not hang a
/// view.
#ifdef __GLIBCXX__
constexpr auto kPatternFlags =
    std::regex::ECMAScript | std::regex::icase | std::regex_constants::__polynomial;
#else
constexpr auto kPatternFlags = std::regex::ECMAScript | std::regex::icase;
#endif
constexpr size_t kPatternLength = 500; ///< the library's compiler recurses with the pattern

Result<FilterTerm> parsePattern(const Token& token) {
  FilterTerm term;
  term.test = FilterTest::Matches;
  term.text = token.text;
  if (token.text.size() > kPatternLength) {
    return badTerm(token, fmt::format("a pattern of {} characters", token.text.size()),
                   fmt::format("at most {} are possible", kPatternLength));
  }
  try {
    term.pattern.assign(token.text, kPatternFlags);
  } catch (const std::regex_error& error) {
    return badTerm(token, fmt::format("/{}/ is not a pattern: {}", token.text, error.what()),
                   "put a backslash before ( ) [ ] * + ? . | to mean the character itself");
  }
  return term;
}

Result<FilterTerm> parseField(const Token& token, const FilterFieldRow& field, const OperatorRow& op,
                              std::string_view value) {
  FilterTerm term;
  term.field = field.field;
  const std::string example = fmt::format("write it as in {}", field.example);
  if (value.empty()) return badTerm(token, fmt::format("nothing follows {}{}", field.name, op.text), example);
  if (field.isNumber) {
    term.test = op.test == FilterTest::Contains ? FilterTest::Equal : op.test;
    NW_TRY(term.number, parseNumber(token, field, value));
    return term;
  }
  if (op.test != FilterTest::Contains && op.test != FilterTest::Equal && op.test != FilterTest::NotEqual) {
    return badTerm(token, fmt::format("{} is text, which has no {}", field.name, op.text), example);
  }
  term.text = lowered(value);
  term.test = op.test;
  if (op.test == FilterTest::Contains &&
      (field.field == FilterField::Key || field.field == FilterField::State)) {
    term.test = FilterTest::Begins;
  }
  if (field.field == FilterField::Key &&
      (term.text.find_first_not_of("0123456789abcdef,") != std::string::npos || keysOf(term).empty())) {
    return badTerm(token, fmt::format("'{}' is not hexadecimal", value), example);
  }
  return term;
}

Result<FilterTerm> parseTerm(const Token& token, FilterOn on) {
  if (token.isRegex) return parsePattern(token);
  const size_t wordEnd = token.text.find_first_of(":<>=!");
  const std::string_view word = std::string_view(token.text).substr(0, wordEnd);
  if (wordEnd != std::string::npos && wordEnd > 0 && !token.startsQuoted) {
    const std::string_view rest = std::string_view(token.text).substr(wordEnd);
    const auto op =
        std::ranges::find_if(kOperators, [&](const OperatorRow& row) { return rest.starts_with(row.text); });
    const FilterFieldRow* field = findField(lowered(word));
    if (op != kOperators.end() && field && !field->isOf(on)) {
      const auto what = std::ranges::find(kFiltered, on, &FilteredRow::on);
      return badTerm(token, fmt::format("{} have no field '{}'", what->plural, field->name),
                     fmt::format("their fields are {}", fieldNames(on)));
    }
    if (op != kOperators.end() && field) return parseField(token, *field, *op, rest.substr(op->text.size()));
    if (op != kOperators.end()) {
      return badTerm(
          token, fmt::format("there is no field '{}'", word),
          fmt::format("fields are {}; put quotation marks around text with {}", fieldNames(on), op->text));
    }
  }
  FilterTerm term;
  term.text = lowered(token.text);
  return term;
}

} // namespace

std::span<const FilterFieldRow> filterFields() { return kFields; }

std::vector<std::string_view> keysOf(const FilterTerm& term) {
  std::vector<std::string_view> keys;
  const std::string_view text = term.text;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    if (end > at) keys.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return keys;
}

Result<Filter> parseFilter(std::string_view text, FilterOn on, FilterPlace* place) {
  Filter filter;
  filter.source = text;
  FilterPlace unused;
  FilterPlace& bad = place ? *place : unused;
  NW_TRY(const std::vector<Token> all, tokens(text, bad));
  for (const Token& token : all) {
    bad = {token.column - 1, token.length};
    NW_TRY(FilterTerm term, parseTerm(token, on));
    term.negated = token.negated;
    filter.terms.push_back(std::move(term));
  }
  return filter;
}

} // namespace nodewise
