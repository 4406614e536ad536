// What changed inside a fused node, in words: its graph and constants are single parts of the key, and too
// long to be set side by side in a sentence.
#pragma once

#include "cache/key.h"

#include <optional>
#include <string>
#include <string_view>

namespace nodewise {

/// Of two values of the part "inner graph": "step 3 was exp, now log"; "now 5 steps, was 4: log added". None
/// where a text is not one that ops write ("v0:f8 = exp(i0); -> v0").
std::optional<std::string> innerGraphWords(std::string_view before, std::string_view now);

/// Of two values of the part "constants": "constant 0 was 2, now 3". None likewise ("k0=float64 2
/// (0x4000...)").
std::optional<std::string> constantWords(std::string_view before, std::string_view now);

/// Whether two inner graphs do the same ops in the same order, be it on other types.
bool sameOps(std::string_view before, std::string_view now);

/// What became of a part: the words above for the long parts of fused nodes, else "was float64, now float32",
/// shortened; an empty value is "absent".
std::string changeWords(const PartDiff& diff);

} // namespace nodewise
