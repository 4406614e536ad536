#include "cache/words.h"

#include <array>
#include <chrono>
#include <fmt/format.h>
#include <span>

namespace nodewise {

namespace {

struct StepRow {
  double factor;
  std::string_view unit;
};

/// Three digits and the largest unit of which there is at least one.
std::string scaled(double value, std::span<const StepRow> steps) {
  const StepRow* row = &steps.front();
  for (const StepRow& step : steps) {
    if (value >= step.factor) row = &step;
  }
  const double number = value / row->factor;
  const int digits = row == &steps.front() || number >= 10 ? 0 : 1;
  return fmt::format("{:.{}f} {}", number, digits, row->unit);
}

constexpr std::array<StepRow, 4> kDurations{{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
constexpr std::array<StepRow, 4> kSizes{{{1, "B"}, {1024, "kB"}, {1048576, "MB"}, {1073741824, "GB"}}};

} // namespace

std::string durationWords(int64_t nanoseconds) {
  return scaled(static_cast<double>(nanoseconds), kDurations);
}
std::string sizeWords(int64_t bytes) { return scaled(static_cast<double>(bytes), kSizes); }

std::string ageWords(int64_t seconds) {
  constexpr std::array<std::pair<int64_t, std::string_view>, 4> units{
      {{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}}};
  for (const auto& [factor, unit] : units) {
    const int64_t count = seconds / factor;
    if (count > 0) return fmt::format("{} {}{}", count, unit, count == 1 ? "" : "s");
  }
  return "0 seconds";
}

std::string entriesWords(int64_t count) {
  return fmt::format("{} {}", count, count == 1 ? "entry" : "entries");
}

std::string shortened(std::string_view value, size_t length) {
  std::string text(value);
  if (value.size() > length) {
    const auto inCharacter = [&](size_t at) {
      return (static_cast<unsigned char>(value[at]) & 0xc0) == 0x80;
    };
    size_t head = (length - 3) / 2, tail = value.size() - head;
    while (head > 0 && inCharacter(head)) --head;
    while (tail < value.size() && inCharacter(tail)) ++tail;
    text = fmt::format("{}...{}", value.substr(0, head), value.substr(tail));
  }
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

int64_t nowUnix() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

} // namespace nodewise
