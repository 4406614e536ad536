// Typed access to the fields of JSON objects. Each error names the place, what was expected and what is
// there.
#pragma once

#include "base/result.h"
#include "graph/dtype.h"
#include "graph/json_path.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nodewise {

/// "expected `expectation`, found ..." at `path`.
Error unexpected(const JsonPath& path, std::string_view expectation, const nlohmann::json& found);

Result<void> expectObject(const nlohmann::json& json, const JsonPath& path, std::string_view what);
Result<void> expectList(const nlohmann::json& json, const JsonPath& path, std::string_view what);

/// The field, or null where the object (it is one) has none of that key.
const nlohmann::json* findField(const nlohmann::json& object, const char* key);
nlohmann::json* findField(nlohmann::json& object, const char* key);

/// The field; an error at `path` where it is absent.
Result<const nlohmann::json*> requireField(const nlohmann::json& object, const JsonPath& path,
                                           const char* key);
Result<nlohmann::json*> requireField(nlohmann::json& object, const JsonPath& path, const char* key);

/// The list in that field.
Result<nlohmann::json::array_t*> requireList(nlohmann::json& object, const JsonPath& path, const char* key);

/// An integer from `least` to `most`; `what` names it: "a value id".
Result<int64_t> readInteger(const nlohmann::json& json, const JsonPath& path, int64_t least, int64_t most,
                            std::string_view what = "an integer");

/// Empty where absent.
Result<std::string> readText(const nlohmann::json& object, const JsonPath& path, const char* key);
/// Must be there, and must not be empty.
Result<std::string> requireText(const nlohmann::json& object, const JsonPath& path, const char* key);
/// False where absent.
Result<bool> readFlag(const nlohmann::json& object, const JsonPath& path, const char* key);
/// The field "dtype".
Result<DType> requireDType(const nlohmann::json& object, const JsonPath& path);

/// A list of pairs [a, b] with a < firstEnd and b < secondEnd, none negative. Empty where absent.
struct PairWords {
  std::string_view first, second;
}; ///< what the two are: "output position", "input position"
Result<std::vector<std::pair<int, int>>> readPairs(const nlohmann::json& object, const JsonPath& path,
                                                   const char* key, size_t firstEnd, size_t secondEnd,
                                                   PairWords words);

} // namespace nodewise
