#include "base/units.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <span>

namespace nodewise::units {

namespace {

constexpr std::string_view kNarrowSpace = "\u202f";

struct Unit {
  double size;
  std::string_view name;
};

constexpr std::array<Unit, 4> kTimes{{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
constexpr std::array<Unit, 6> kBytes{
    {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}}};
constexpr std::array<std::pair<int64_t, std::string_view>, 4> kCaps{
    {{int64_t{1} << 40, "TiB"}, {int64_t{1} << 30, "GiB"}, {int64_t{1} << 20, "MiB"}, {1024, "KiB"}}};

/// `value` in the largest unit not greater than it: one decimal below ten, else none. Rounding may reach the
/// next unit (999.7 µs), which is then used.
std::string inUnits(double value, std::span<const Unit> units) {
  size_t k = 0;
  while (k + 1 < units.size() && std::abs(value) >= units[k + 1].size * 0.9995) ++k;
  const double scaled = value / units[k].size;
  const bool decimal = k > 0 && std::abs(scaled) < 9.95;
  return fmt::format("{:.{}f} {}", scaled, decimal ? 1 : 0, units[k].name);
}

std::string plural(std::string_view noun) {
  const bool vowel = noun.size() > 1 && std::string_view("aeiou").find(noun[noun.size() - 2]) != noun.npos;
  if (noun.ends_with('y') && !vowel) return fmt::format("{}ies", noun.substr(0, noun.size() - 1));
  const bool hisses = noun.ends_with('s') || noun.ends_with('x') || noun.ends_with('z');
  return fmt::format("{}{}", noun, hisses ? "es" : "s");
}

} // namespace

std::string duration(int64_t nanoseconds) {
  constexpr int64_t kSecond = 1'000'000'000;
  if (nanoseconds < 120 * kSecond) return inUnits(static_cast<double>(nanoseconds), kTimes);
  const int64_t seconds = nanoseconds / kSecond;
  return fmt::format("{} min {} s", count(seconds / 60), seconds % 60);
}

std::string exactDuration(int64_t nanoseconds) { return count(nanoseconds) + " ns"; }

std::string bytes(int64_t bytes) { return inUnits(static_cast<double>(bytes), kBytes); }

std::optional<int64_t> byteUnit(std::string_view unit) {
  constexpr std::string_view kPrefixes = "kmgt";
  std::string name;
  for (const char c : unit) name += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (name.ends_with('b')) name.pop_back();
  const bool binary = name.size() == 2 && name.ends_with('i');
  if (binary) name.pop_back();
  if (name.empty()) return 1;
  const size_t power = name.size() == 1 ? kPrefixes.find(name[0]) : kPrefixes.npos;
  if (power == kPrefixes.npos) return std::nullopt;
  int64_t bytes = 1;
  for (size_t k = 0; k <= power; ++k) bytes *= binary ? 1024 : 1000;
  return bytes;
}

std::string cap(int64_t bytes) {
  for (const auto& [size, name] : kCaps) {
    if (bytes >= size && bytes % size == 0) return fmt::format("{} {}", count(bytes / size), name);
  }
  return units::bytes(bytes);
}

std::string count(int64_t count) {
  std::string text = std::to_string(count);
  const size_t first = count < 0 ? 1 : 0;
  for (size_t k = text.size(); k > first + 3;) text.insert(k -= 3, kNarrowSpace);
  return text;
}

std::string age(int64_t seconds) {
  if (seconds < 60) return fmt::format("{} s", seconds < 0 ? 0 : seconds);
  if (seconds < 3600) return fmt::format("{} min", seconds / 60);
  if (seconds < 86400) return fmt::format("{} h", seconds / 3600);
  return counted(seconds / 86400, "day");
}

std::string counted(int64_t count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  return fmt::format("{} {}", units::count(count), plural(noun));
}

} // namespace nodewise::units
