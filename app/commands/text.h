// Numbers and tables as people read them. The window shows the same digits.
#pragma once

#include "base/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nodewise {

inline std::string timeText(int64_t ns) { return units::duration(ns); }
inline std::string bytesText(int64_t bytes) { return units::bytes(bytes); }
inline std::string countText(int64_t n) { return units::count(n); }
std::string ageText(int64_t unixTime); ///< "4 days old"

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
