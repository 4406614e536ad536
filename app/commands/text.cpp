#include "text.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

namespace nodewise {

namespace {

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

std::string ageText(int64_t unixTime) {
  return fmt::format("{} old", units::age(static_cast<int64_t>(std::time(nullptr)) - unixTime));
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
      const bool right = k < m_right.size() && m_right[k];
      const std::string pad(width[k] - characters(cell), ' ');
      if (k > 0) line += "  ";
      line += right ? pad : cell;
      line += right ? cell : pad;
    }
    line.resize(line.find_last_not_of(' ') + 1);
    out += line;
    out += '\n';
  }
  return out;
}

} // namespace nodewise
