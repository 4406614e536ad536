// Numbers and values as people read them, the same in reasons, summaries and notices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nodewise {

/// "412 ns", "3.1 ms", "12 s".
std::string durationWords(int64_t nanoseconds);
/// "31 kB", "1.2 GB" (of 1,024).
std::string sizeWords(int64_t bytes);
/// "now", "5 minutes", "4 days".
std::string ageWords(int64_t seconds);
/// "1 entry", "12 entries".
std::string entriesWords(int64_t count);
/// A value that fits into a sentence: the first and last of it, around "...". Line ends become spaces.
std::string shortened(std::string_view value, size_t length = 60);
/// The clock, Unix seconds.
int64_t nowUnix();

} // namespace nodewise
