#include "graph/element_json.h"

#include "base/half.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

namespace nodewise {

namespace {

using nlohmann::json;

template <class T> T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T> bool store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
  return true;
}

json realToJson(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

std::optional<double> realFromJson(const json& from) {
  if (from.is_number()) return from.get<double>();
  const auto* text = from.get_ptr<const std::string*>();
  if (text == nullptr) return {};
  if (*text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (*text == "inf") return HUGE_VAL;
  if (*text == "-inf") return -HUGE_VAL;
  return {};
}

template <class T> bool integerFromJson(const json& from, std::byte* to) {
  // An integer of JSON is held as unsigned where it has no sign, else as signed, and never as a double.
  if (from.is_number_unsigned()) {
    const auto value = from.get<uint64_t>();
    return value <= static_cast<uint64_t>(std::numeric_limits<T>::max()) && store(to, static_cast<T>(value));
  }
  if (!from.is_number_integer()) return false;
  const auto value = from.get<int64_t>();
  if (value < 0) {
    if constexpr (std::is_unsigned_v<T>)
      return false;
    else
      return value >= static_cast<int64_t>(std::numeric_limits<T>::min()) && store(to, static_cast<T>(value));
  }
  return static_cast<uint64_t>(value) <= static_cast<uint64_t>(std::numeric_limits<T>::max()) &&
         store(to, static_cast<T>(value));
}

bool boolFromJson(const json& from, std::byte* to) {
  if (from.is_boolean()) return store(to, static_cast<uint8_t>(from.get<bool>() ? 1 : 0));
  return integerFromJson<uint8_t>(from, to) && load<uint8_t>(to) <= 1;
}

/// A float32 may stand with the digits of the double equal to it, so a number is read as a double and then
/// rounded. A finite number that would become infinite is refused.
bool float32FromJson(const json& from, std::byte* to) {
  const auto value = realFromJson(from);
  if (!value) return false;
  const auto rounded = static_cast<float>(*value);
  return std::isinf(rounded) == std::isinf(*value) && store(to, rounded);
}

bool float16FromJson(const json& from, std::byte* to) {
  const auto value = realFromJson(from);
  if (!value) return false;
  const Half rounded = doubleToHalf(*value);
  return std::isinf(halfToFloat(rounded)) == std::isinf(*value) && store(to, rounded);
}

bool float64FromJson(const json& from, std::byte* to) {
  const auto value = realFromJson(from);
  return value && store(to, *value);
}

template <class T> std::string integerRange() {
  return fmt::format("an integer from {} to {}", static_cast<int64_t>(std::numeric_limits<T>::min()),
                     static_cast<uint64_t>(std::numeric_limits<T>::max()));
}

} // namespace

json elementToJson(DType dtype, const std::byte* element) {
  switch (dtype) {
  case DType::Bool:
    return load<uint8_t>(element) != 0;
  case DType::Int8:
    return load<int8_t>(element);
  case DType::Int16:
    return load<int16_t>(element);
  case DType::Int32:
    return load<int32_t>(element);
  case DType::Int64:
    return load<int64_t>(element);
  case DType::UInt8:
    return load<uint8_t>(element);
  case DType::UInt16:
    return load<uint16_t>(element);
  case DType::UInt32:
    return load<uint32_t>(element);
  case DType::UInt64:
    return load<uint64_t>(element);
  case DType::Float16:
    return realToJson(static_cast<double>(halfToFloat(load<Half>(element))));
  case DType::Float32:
    return realToJson(static_cast<double>(load<float>(element)));
  case DType::Float64:
    return realToJson(load<double>(element));
  case DType::Complex64:
  case DType::Complex128: {
    const DType part = realPart(dtype);
    return json::array({elementToJson(part, element), elementToJson(part, element + dtypeSize(part))});
  }
  }
  return nullptr;
}

bool elementFromJson(const json& from, DType dtype, std::byte* element) {
  switch (dtype) {
  case DType::Bool:
    return boolFromJson(from, element);
  case DType::Int8:
    return integerFromJson<int8_t>(from, element);
  case DType::Int16:
    return integerFromJson<int16_t>(from, element);
  case DType::Int32:
    return integerFromJson<int32_t>(from, element);
  case DType::Int64:
    return integerFromJson<int64_t>(from, element);
  case DType::UInt8:
    return integerFromJson<uint8_t>(from, element);
  case DType::UInt16:
    return integerFromJson<uint16_t>(from, element);
  case DType::UInt32:
    return integerFromJson<uint32_t>(from, element);
  case DType::UInt64:
    return integerFromJson<uint64_t>(from, element);
  case DType::Float16:
    return float16FromJson(from, element);
  case DType::Float32:
    return float32FromJson(from, element);
  case DType::Float64:
    return float64FromJson(from, element);
  case DType::Complex64:
  case DType::Complex128: {
    const DType part = realPart(dtype);
    return from.is_array() && from.size() == 2 && elementFromJson(from[0], part, element) &&
           elementFromJson(from[1], part, element + dtypeSize(part));
  }
  }
  return false;
}

std::string expectedElement(DType dtype) {
  switch (dtype) {
  case DType::Bool:
    return "true or false";
  case DType::Int8:
    return integerRange<int8_t>();
  case DType::Int16:
    return integerRange<int16_t>();
  case DType::Int32:
    return integerRange<int32_t>();
  case DType::Int64:
    return integerRange<int64_t>();
  case DType::UInt8:
    return integerRange<uint8_t>();
  case DType::UInt16:
    return integerRange<uint16_t>();
  case DType::UInt32:
    return integerRange<uint32_t>();
  case DType::UInt64:
    return integerRange<uint64_t>();
  case DType::Complex64:
  case DType::Complex128:
    return fmt::format("[re, im], each {}", expectedElement(realPart(dtype)));
  case DType::Float16:
  case DType::Float32:
  case DType::Float64:
    break;
  }
  return fmt::format("a number in the range of {}, \"nan\", \"inf\" or \"-inf\"", dtypeName(dtype));
}

} // namespace nodewise
