#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

namespace nodewise {

namespace {

/// Three significant digits, so that 9.99 and 10.0 stay apart and 412 has no fraction.
std::string threeDigits(double value) {
  if (value >= 99.95) return fmt::format("{:.0f}", value);
  if (value >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

size_t characters(const std::string& utf8) {
  return static_cast<size_t>(
      std::ranges::count_if(utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string cut(const std::string& text, size_t widest) {
  if (characters(text) <= widest) return text;
  std::string out;
  size_t count = 0;
  for (char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80 && ++count == widest) break;
    out += c;
  }
  return out + "…";
}

} // namespace

std::string timeText(int64_t ns) {
  if (ns < 1000) return fmt::format("{} ns", ns);
  const auto value = static_cast<double>(ns);
  if (ns < 1'000'000) return threeDigits(value / 1e3) + " µs";
  if (ns < 1'000'000'000) return threeDigits(value / 1e6) + " ms";
  return threeDigits(value / 1e9) + " s";
}

std::string bytesText(int64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  for (const char* unit : {"kB", "MB", "GB"}) {
    if (value < 1024 || unit[0] == 'G') return threeDigits(value) + " " + unit;
    value /= 1024;
  }
  return {};
}

std::string countText(int64_t n) {
  std::string digits = std::to_string(n < 0 ? -n : n);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), ",");
  return n < 0 ? "-" + digits : digits;
}

std::string ageText(int64_t unixTime) {
  const int64_t seconds = static_cast<int64_t>(std::time(nullptr)) - unixTime;
  if (seconds < 60) return "just now";
  struct Unit {
    int64_t seconds;
    const char* name;
  };
  static constexpr std::array units{Unit{86400, "day"}, Unit{3600, "hour"}, Unit{60, "minute"}};
  for (const Unit& unit : units)
    if (seconds >= unit.seconds)
      return fmt::format("{} {}{} old", seconds / unit.seconds, unit.name,
                         seconds / unit.seconds == 1 ? "" : "s");
  return {};
}

TextTable::TextTable(std::vector<std::string> heading, std::vector<bool> right)
    : m_rows{std::move(heading)}, m_right(std::move(right)) {}

void TextTable::add(std::vector<std::string> row) { m_rows.push_back(std::move(row)); }

std::string TextTable::text(size_t widest) const {
  std::vector<size_t> width(m_rows[0].size(), 0);
  for (const auto& row : m_rows)
    for (size_t k = 0; k < row.size(); ++k)
      width[k] = std::max(width[k], std::min(widest, characters(row[k])));
  std::string out;
  for (const auto& row : m_rows) {
    std::string line;
    for (size_t k = 0; k < row.size(); ++k) {
      const std::string cell = cut(row[k], widest);
      const std::string pad(width[k] - characters(cell), ' ');
      if (k > 0) line += "  ";
      line += k < m_right.size() && m_right[k] ? pad + cell : cell + pad;
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

} // namespace nodewise
