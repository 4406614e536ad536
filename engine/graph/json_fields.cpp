#include "graph/json_fields.h"

#include "graph/json_text.h"

#include <iterator>

#include <fmt/format.h>

namespace nodewise {

using nlohmann::json;

namespace {

template <class Json> Result<Json*> requiredIn(Json& object, const JsonPath& path, const char* key) {
  if (Json* field = findField(object, key)) return field;
  return path.error(fmt::format("expected the key \"{}\", which is missing", key));
}

/// An integer from 0 to end - 1; `what` names it: "input position".
Result<int> readPosition(const json& value, const JsonPath& path, size_t end, std::string_view what) {
  if (end == 0) return unexpected(path, fmt::format("no pair, as there is no {}", what), value);
  const auto last = static_cast<int64_t>(end) - 1;
  const auto position = readInteger(value, path, 0, last, what);
  if (position.ok()) return static_cast<int>(*position);
  return unexpected(path, fmt::format("an {} from 0 to {}", what, last), value);
}

std::string dtypeNames() {
  std::string names;
  for (const DTypeRow& row : dtypeTable()) names.append(names.empty() ? "" : ", ").append(row.name);
  return names;
}

} // namespace

Error unexpected(const JsonPath& path, std::string_view expectation, const json& found) {
  return path.error(fmt::format("expected {}, found {}", expectation, describeJson(found)));
}

Result<void> expectObject(const json& value, const JsonPath& path, std::string_view what) {
  if (value.is_object()) return {};
  return unexpected(path, fmt::format("{} (a JSON object)", what), value);
}

Result<void> expectList(const json& value, const JsonPath& path, std::string_view what) {
  if (value.is_array()) return {};
  return unexpected(path, fmt::format("a list of {}", what), value);
}

const json* findField(const json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

json* findField(json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

Result<const json*> requireField(const json& object, const JsonPath& path, const char* key) {
  return requiredIn(object, path, key);
}

Result<json*> requireField(json& object, const JsonPath& path, const char* key) {
  return requiredIn(object, path, key);
}

Result<json::array_t*> requireList(json& object, const JsonPath& path, const char* key) {
  NW_TRY(json * field, requireField(object, path, key));
  NW_CHECK(expectList(*field, path / key, key));
  return field->get_ptr<json::array_t*>();
}

Result<int64_t> readInteger(const json& value, const JsonPath& path, int64_t least, int64_t most,
                            std::string_view what) {
  const auto expectation = [&] { return fmt::format("{} from {} to {}", what, least, most); };
  if (!value.is_number_integer()) return unexpected(path, expectation(), value);
  const bool aboveInt64 =
      value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX);
  const auto number = aboveInt64 ? INT64_MAX : value.get<int64_t>();
  if (aboveInt64 || number < least || number > most) return unexpected(path, expectation(), value);
  return number;
}

Result<std::string> readText(const json& object, const JsonPath& path, const char* key) {
  const json* field = findField(object, key);
  if (field == nullptr) return std::string();
  if (!field->is_string()) return unexpected(path / key, "text", *field);
  return field->get_ref<const std::string&>();
}

Result<std::string> requireText(const json& object, const JsonPath& path, const char* key) {
  NW_TRY(const json* field, requireField(object, path, key));
  if (!field->is_string() || field->get_ref<const std::string&>().empty())
    return unexpected(path / key, "text that is not empty", *field);
  return field->get_ref<const std::string&>();
}

Result<bool> readFlag(const json& object, const JsonPath& path, const char* key) {
  const json* field = findField(object, key);
  if (field == nullptr) return false;
  if (!field->is_boolean()) return unexpected(path / key, "true or false", *field);
  return field->get<bool>();
}

Result<DType> requireDType(const json& object, const JsonPath& path) {
  NW_TRY(const json* field, requireField(object, path, "dtype"));
  if (const auto* name = field->get_ptr<const std::string*>())
    if (const auto dtype = parseDType(*name)) return *dtype;
  return unexpected(path / "dtype", "one of " + dtypeNames(), *field);
}

Result<std::vector<std::pair<int, int>>> readPairs(const json& object, const JsonPath& path, const char* key,
                                                   size_t firstEnd, size_t secondEnd, PairWords words) {
  std::vector<std::pair<int, int>> pairs;
  const json* field = findField(object, key);
  if (field == nullptr) return pairs;
  const JsonPath listPath = path / key;
  NW_CHECK(expectList(*field, listPath, "pairs"));
  for (size_t i = 0; i < field->size(); ++i) {
    const json& pair = (*field)[i];
    const JsonPath pairPath = listPath[i];
    if (!pair.is_array() || pair.size() != 2)
      return unexpected(pairPath, fmt::format("[{}, {}]", words.first, words.second), pair);
    NW_TRY(const int first, readPosition(pair[0], pairPath[0], firstEnd, words.first));
    NW_TRY(const int second, readPosition(pair[1], pairPath[1], secondEnd, words.second));
    pairs.emplace_back(first, second);
  }
  return pairs;
}

} // namespace nodewise
