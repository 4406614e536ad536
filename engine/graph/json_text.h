// JSON text to a document, with errors as values: line, column and what is wrong there.
#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace nodewise {

/// Deeper documents are refused: comparing, copying and writing them recurses. 64 nested graphs take 4 levels
/// each.
inline constexpr size_t kDeepestJson = 512;

/// The document that `text` is. Of a key that repeats in an object the last value counts.
Result<nlohmann::json> parseJson(std::string_view text);

/// What a JSON value is, short, for "expected ..., found ...": `the text "abc"`, `5`, `a list of 3`.
std::string describeJson(const nlohmann::json& json);

} // namespace nodewise
