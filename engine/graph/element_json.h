// One element of a tensor between its bytes and JSON.
#pragma once

#include "graph/dtype.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace nodewise {

/// A number with the digits to read it back exactly, true or false, "nan", "inf", "-inf", or [re, im].
nlohmann::json elementToJson(DType dtype, const std::byte* element);

/// Stores the element that `json` stands for; false if it is none of this dtype (see expectedElement).
bool elementFromJson(const nlohmann::json& json, DType dtype, std::byte* element);

/// What elementFromJson accepts, in words: "an integer from 0 to 255".
std::string expectedElement(DType dtype);

} // namespace nodewise
