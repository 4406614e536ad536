#include "cache/filter.h"

#include <algorithm>
#include <array>

namespace nodewise {

namespace {

/// The library's matcher recurses with the text: long ones are looked at as far as is safe.
constexpr size_t kMatchedLength = 2000;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool contains(std::string_view text, std::string_view lowerPart) {
  const auto found = std::ranges::search(text, lowerPart, {}, lower);
  return !found.empty() || lowerPart.empty();
}

bool begins(std::string_view text, std::string_view lowerPart) {
  return text.size() >= lowerPart.size() &&
         std::ranges::equal(text.substr(0, lowerPart.size()), lowerPart, {}, lower);
}

bool textHolds(const FilterTerm& term, std::string_view text) {
  switch (term.test) {
  case FilterTest::Begins:
    return begins(text, term.text);
  case FilterTest::Equal:
    return text.size() == term.text.size() && begins(text, term.text);
  case FilterTest::NotEqual:
    return text.size() != term.text.size() || !begins(text, term.text);
  default:
    return contains(text, term.text);
  }
}

bool numberHolds(const FilterTerm& term, int64_t number) {
  switch (term.test) {
  case FilterTest::Less:
    return number < term.number;
  case FilterTest::LessEqual:
    return number <= term.number;
  case FilterTest::Greater:
    return number > term.number;
  case FilterTest::GreaterEqual:
    return number >= term.number;
  case FilterTest::NotEqual:
    return number != term.number;
  default:
    return number == term.number;
  }
}

bool anyHolds(const FilterTerm& term, const FilterSubject& s) {
  if (term.test == FilterTest::Matches) {
    const std::array<std::string_view, 5> texts{s.op, s.label, s.dtype, s.state, s.reason};
    return std::ranges::any_of(texts, [&](std::string_view text) { return matchesPattern(term, text); });
  }
  return contains(s.op, term.text) || contains(s.label, term.text) || contains(s.dtype, term.text);
}

bool termHolds(const FilterTerm& term, const FilterSubject& s) {
  switch (term.field) {
  case FilterField::Any:
    return anyHolds(term, s);
  case FilterField::Op:
    return textHolds(term, s.op);
  case FilterField::Label:
    return textHolds(term, s.label);
  case FilterField::Dtype:
    return textHolds(term, s.dtype);
  case FilterField::State:
    return textHolds(term, s.state);
  case FilterField::Reason:
    return textHolds(term, s.reason);
  case FilterField::Name:
    return textHolds(term, s.name);
  case FilterField::Scope:
    return textHolds(term, s.scope);
  case FilterField::Key:
    if (term.test != FilterTest::Begins) return textHolds(term, s.keyHex);
    return std::ranges::any_of(keysOf(term), [&](std::string_view key) { return begins(s.keyHex, key); });
  case FilterField::Cpu:
    return textHolds(term, s.cpu);
  case FilterField::Cost:
    return numberHolds(term, s.costNs);
  case FilterField::Size:
    return numberHolds(term, s.sizeBytes);
  case FilterField::Hits:
    return numberHolds(term, s.hits);
  case FilterField::Rank:
    return s.rank >= 0 && numberHolds(term, s.rank);
  case FilterField::Age:
    return s.ageSeconds >= 0 && numberHolds(term, s.ageSeconds);
  case FilterField::Unused:
    return s.unusedSeconds >= 0 && numberHolds(term, s.unusedSeconds);
  }
  return false;
}

} // namespace

bool matchesPattern(const FilterTerm& term, std::string_view text) {
  const std::string_view part = text.substr(0, kMatchedLength);
  try {
    return std::regex_search(part.begin(), part.end(), term.pattern);
  } catch (const std::regex_error&) {
    return false; // too much work to decide
  }
}

bool matches(const Filter& filter, const FilterSubject& subject) {
  return std::ranges::all_of(
      filter.terms, [&](const FilterTerm& term) { return termHolds(term, subject) != term.negated; });
}

} // namespace nodewise
