#include "ui/theme/numbers.h"

#include <array>
#include <cmath>
#include <span>

namespace nodewise::ui {
namespace {

constexpr char16_t kNarrowSpace = 0x202f;

struct Unit {
  double size;
  const char* name;
};

/// `value` in the largest unit not greater than it: one decimal below ten, else none. Rounding may reach the
/// next unit (999.7 µs), which is then used.
QString inUnits(double value, std::span<const Unit> units) {
  size_t k = 0;
  while (k + 1 < units.size() && std::abs(value) >= units[k + 1].size * 0.9995) ++k;
  const double scaled = value / units[k].size;
  const bool decimal = k > 0 && std::abs(scaled) < 9.95;
  return QString::number(scaled, 'f', decimal ? 1 : 0) + u' ' + QString::fromUtf8(units[k].name);
}

constexpr std::array<Unit, 4> kTimes{{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
constexpr std::array<Unit, 5> kBytes{{{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}}};

} // namespace

QString durationText(int64_t nanoseconds) {
  constexpr int64_t kSecond = 1'000'000'000;
  if (nanoseconds < 120 * kSecond) return inUnits(static_cast<double>(nanoseconds), kTimes);
  const int64_t seconds = nanoseconds / kSecond;
  return QStringLiteral("%1 min %2 s").arg(countText(seconds / 60)).arg(seconds % 60);
}

QString exactDurationText(int64_t nanoseconds) { return countText(nanoseconds) + QStringLiteral(" ns"); }

QString bytesText(int64_t bytes) { return inUnits(static_cast<double>(bytes), kBytes); }

QString capText(int64_t bytes) {
  static constexpr std::array<std::pair<int64_t, const char*>, 3> kPowers{
      {{int64_t{1} << 30, "GiB"}, {int64_t{1} << 20, "MiB"}, {int64_t{1} << 10, "KiB"}}};
  for (const auto& [size, name] : kPowers)
    if (bytes >= size && bytes % size == 0) return countText(bytes / size) + u' ' + QString::fromLatin1(name);
  return bytesText(bytes);
}

QString countText(int64_t count) {
  QString digits = QString::number(count);
  const qsizetype first = count < 0 ? 1 : 0;
  for (qsizetype k = digits.size() - 3; k > first; k -= 3) digits.insert(k, QChar(kNarrowSpace));
  return digits;
}

QString ageText(int64_t seconds) {
  if (seconds < 60) return QStringLiteral("%1 s").arg(std::max<int64_t>(seconds, 0));
  if (seconds < 3600) return QStringLiteral("%1 min").arg(seconds / 60);
  if (seconds < 86400) return QStringLiteral("%1 h").arg(seconds / 3600);
  const int64_t days = seconds / 86400;
  return days == 1 ? QStringLiteral("1 day") : countText(days) + QStringLiteral(" days");
}

QString countedText(int64_t count, const QString& noun) {
  static const QString endings = QStringLiteral("sxz");
  if (count == 1) return QStringLiteral("1 ") + noun;
  if (noun.endsWith(u'y')) return countText(count) + u' ' + noun.chopped(1) + QStringLiteral("ies");
  return countText(count) + u' ' + noun +
         (endings.contains(noun.back()) ? QStringLiteral("es") : QStringLiteral("s"));
}

} // namespace nodewise::ui
