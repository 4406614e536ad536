// Numbers as every view shows them: base/units.h, which has the rules, for Qt.
#pragma once

#include <QString>

#include <cstdint>

namespace nodewise::ui {

/// Nanoseconds as "850 ns", "412 µs", "3.1 ms", "14 ms", "2.5 s", "3 min 20 s": two digits below ten, else
/// whole.
QString durationText(int64_t nanoseconds);
/// Nanoseconds as they were measured, for tool tips: "412 345 ns".
QString exactDurationText(int64_t nanoseconds);
/// Bytes in powers of 1000: "918 B", "3.1 kB", "3.1 MB".
QString bytesText(int64_t bytes);
/// A limit that is set in powers of 1024: "1 GiB", "512 MiB"; other values as bytesText().
QString capText(int64_t bytes);
/// A whole number with thousands apart by a narrow space: "12 345".
QString countText(int64_t count);
/// Seconds as "12 s", "5 min", "3 h", "4 days": the largest unit that fits.
QString ageText(int64_t seconds);
/// "1 node", "12 345 nodes".
QString countedText(int64_t count, const QString& noun);

} // namespace nodewise::ui
