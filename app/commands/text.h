// Numbers and tables as people read them. The window shows the same digits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nodewise {

std::string timeText(int64_t ns);      ///< "412 µs", "3.1 ms", "54 s"
std::string bytesText(int64_t bytes);  ///< "3.1 MB", "512 B"
std::string countText(int64_t n);      ///< "12,345"
std::string ageText(int64_t unixTime); ///< "4 days old", "just now"

/// Rows of a table with a heading, columns aligned; `right` says which columns hold numbers.
class TextTable {
public:
  TextTable(std::vector<std::string> heading, std::vector<bool> right);
  void add(std::vector<std::string> row);
  bool empty() const { return m_rows.size() == 1; }
  /// As text; columns are at most `widest` characters, cut with "…".
  std::string text(size_t widest = 60) const;

private:
  std::vector<std::vector<std::string>> m_rows;
  std::vector<bool> m_right;
};

} // namespace nodewise
