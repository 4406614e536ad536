// Numbers as people read them: in tables, badges, reasons and on the command line the same digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nodewise::units {

/// Nanoseconds as "850 ns", "412 µs", "3.1 ms", "14 ms", "2.5 s", "3 min 20 s": two digits below ten, else
/// whole.
std::string duration(int64_t nanoseconds);
/// Nanoseconds as they were measured, for tool tips: "412 345 ns".
std::string exactDuration(int64_t nanoseconds);
/// Bytes in powers of 1000: "918 B", "3.1 kB", "3.1 MB".
std::string bytes(int64_t bytes);
/// Bytes of a unit as people write it, in either case: "" and "B" are 1; k, M, G, T (kB, ...) are powers of
/// 1000, as bytes() shows them; Ki, Mi, Gi, Ti (KiB, ...) powers of 1024. None for any other text.
std::optional<int64_t> byteUnit(std::string_view unit);
/// A limit that is set in powers of 1024: "1 GiB", "512 MiB"; other values as bytes().
std::string cap(int64_t bytes);
/// A whole number with thousands apart by a narrow space: "12 345".
std::string count(int64_t count);
/// Seconds as "12 s", "5 min", "3 h", "4 days": the largest unit that fits. Less than none (a clock was
/// wrong) is none.
std::string age(int64_t seconds);
/// "1 node", "12 345 entries": `noun` in the singular, of the kinds that names of things here have.
std::string counted(int64_t count, std::string_view noun);

} // namespace nodewise::units
