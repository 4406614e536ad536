#include "cache/filter_sql.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

namespace nodewise {

namespace {

struct FieldSql {
  FilterField field;
  std::string_view expression; ///< {now} stands for the parameter with the time
};

constexpr std::array<FieldSql, 12> kFields{{
    {FilterField::Op, "e.op"},
    {FilterField::Label, "e.label"},
    {FilterField::Dtype, "e.dtype"},
    {FilterField::State, "e.state"},
    {FilterField::Reason, "e.state_reason"},
    {FilterField::Key, "lower(hex(e.key))"},
    {FilterField::Cpu, "v.cpu"},
    {FilterField::Cost, "e.compile_ns"},
    {FilterField::Size, "e.object_bytes"},
    {FilterField::Hits, "e.hits"},
    {FilterField::Age, "e.created"},
    {FilterField::Unused, "e.used"},
}};

std::string_view expressionOf(FilterField field) {
  for (const FieldSql& row : kFields) {
    if (row.field == field) return row.expression;
  }
  return "";
}

std::string_view operatorOf(FilterTest test) {
  switch (test) {
  case FilterTest::Less:
    return "<";
  case FilterTest::LessEqual:
    return "<=";
  case FilterTest::Greater:
    return ">";
  case FilterTest::GreaterEqual:
    return ">=";
  case FilterTest::NotEqual:
    return "<>";
  default:
    return "=";
  }
}

std::string likeEscaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '_' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

/// `expression LIKE ?`, case-insensitively as SQLite's LIKE is for ASCII.
std::string likeTerm(std::string_view expression, const FilterTerm& term, FilterSql& sql) {
  const std::string text = likeEscaped(term.text);
  const bool whole = term.test == FilterTest::Equal || term.test == FilterTest::NotEqual;
  const bool atStart = whole || term.test == FilterTest::Begins;
  sql.values.emplace_back((atStart ? "" : "%") + text + (whole ? "" : "%"));
  return fmt::format("ifnull({}, '') {}LIKE ? ESCAPE '\\'", expression,
                     term.test == FilterTest::NotEqual ? "NOT " : "");
}

/// Ranges of the key's own index, rather than the hex text of every key.
std::string keyTerm(const FilterTerm& term, FilterSql& sql) {
  constexpr size_t kDigits = 64;
  std::string ranges;
  for (const std::string_view key : keysOf(term)) {
    std::string low(key.substr(0, kDigits)), high = low;
    low.resize(kDigits, '0');
    high.resize(kDigits, 'f');
    for (const std::string& hex : {low, high}) {
      const Hash hash = Hash::fromHex(hex).value_or(Hash{});
      const auto bytes = std::as_bytes(std::span(hash.bytes));
      sql.values.emplace_back(std::vector<std::byte>(bytes.begin(), bytes.end()));
    }
    ranges += fmt::format("{}e.key BETWEEN ? AND ?", ranges.empty() ? "" : " OR ");
  }
  return "(" + ranges + ")";
}

/// age > 30d is created < now - 30d: the column stands alone, and entries from the future are of age 0.
std::string ageTerm(std::string_view column, const FilterTerm& term, int64_t now, FilterSql& sql) {
  sql.values.emplace_back(now);
  sql.values.emplace_back(term.number);
  return fmt::format("max(0, ? - {}) {} ?", column, operatorOf(term.test));
}

std::string anyTerm(const FilterTerm& term, FilterSql& sql) {
  return fmt::format("({} OR {} OR {})", likeTerm("e.op", term, sql), likeTerm("e.label", term, sql),
                     likeTerm("e.dtype", term, sql));
}

std::string termSql(const FilterTerm& term, int64_t now, FilterSql& sql) {
  const std::string_view expression = expressionOf(term.field);
  switch (term.field) {
  case FilterField::Any:
    return anyTerm(term, sql);
  case FilterField::Key:
    if (term.test == FilterTest::Begins) return keyTerm(term, sql);
    return likeTerm(expression, term, sql);
  case FilterField::Op:
  case FilterField::Label:
  case FilterField::Dtype:
  case FilterField::State:
  case FilterField::Reason:
  case FilterField::Cpu:
    return likeTerm(expression, term, sql);
  case FilterField::Age:
  case FilterField::Unused:
    return ageTerm(expression, term, now, sql);
  case FilterField::Cost:
  case FilterField::Size:
  case FilterField::Hits:
    sql.values.emplace_back(term.number);
    return fmt::format("{} {} ?", expression, operatorOf(term.test));
  case FilterField::Name:
  case FilterField::Scope:
  case FilterField::Rank:
    return "0"; // entries have none, and parseFilter() says so
  }
  return "1";
}

/// A text term by the words that its column holds: few, so each is found by one step in the column's index.
std::string wordTerm(std::string_view column, const FilterTerm& term, FilterSql& sql) {
  return fmt::format("{0} IN (WITH RECURSIVE word(w) AS (SELECT min({0}) FROM entry UNION ALL SELECT (SELECT "
                     "min({0}) FROM entry WHERE {0} > w) FROM word WHERE w IS NOT NULL) SELECT w FROM word "
                     "WHERE {1})",
                     column, likeTerm("w", term, sql));
}

/// The term by its index, and what is not to be decided by an index out of the planner's sight.
std::string termSqlBy(TermWay way, const FilterTerm& term, int64_t now, FilterSql& sql) {
  std::optional<FilterSql> indexed;
  if (way != TermWay::AsItIs) indexed = indexedTerm(term);
  if (!indexed) return termSql(term, now, sql);
  std::ranges::move(indexed->values, std::back_inserter(sql.values));
  // A plus sign before a column keeps the planner from using an index for it.
  if (way == TermWay::InOrder) return "+e." + indexed->where;
  return fmt::format("{}e.id IN (SELECT id FROM entry WHERE {})", way == TermWay::AmongIds ? "+" : "",
                     indexed->where);
}

} // namespace

std::optional<FilterSql> indexedTerm(const FilterTerm& term) {
  FilterSql sql;
  if (term.negated || term.test == FilterTest::NotEqual || term.test == FilterTest::Matches)
    return std::nullopt;
  switch (term.field) {
  case FilterField::Cost:
  case FilterField::Size:
  case FilterField::Hits:
    sql.where = fmt::format("{} {} ?", expressionOf(term.field).substr(2), operatorOf(term.test));
    sql.values.emplace_back(term.number);
    return sql;
  case FilterField::Op:
  case FilterField::Dtype:
  case FilterField::State:
    sql.where = wordTerm(expressionOf(term.field).substr(2), term, sql);
    return sql;
  default:
    return std::nullopt;
  }
}

FilterSql filterSql(const Filter& filter, int64_t now, std::span<const TermWay> ways) {
  FilterSql sql;
  for (size_t k = 0; k < filter.terms.size(); ++k) {
    const FilterTerm& term = filter.terms[k];
    if (term.test == FilterTest::Matches) {
      sql.patterns = true;
      continue;
    }
    // Evaluation order of the values is that of the text: termSql adds them as it writes.
    const std::string text = termSqlBy(k < ways.size() ? ways[k] : TermWay::AsItIs, term, now, sql);
    if (!sql.where.empty()) sql.where += " AND ";
    sql.where += term.negated ? "NOT (" + text + ")" : text;
  }
  if (sql.where.empty()) sql.where += "1";
  return sql;
}

void bindValues(Query& query, const FilterSql& sql, int first) {
  for (const auto& value : sql.values) {
    std::visit(
        [&](const auto& held) {
          if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::vector<std::byte>>)
            query.bindOne(first, Bytes(held));
          else
            query.bindOne(first, held);
        },
        value);
    ++first;
  }
}

} // namespace nodewise
