// Base64 (RFC 4648, with padding), the form of larger arrays in graph files.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nodewise {

std::string encodeBase64(std::span<const std::byte> bytes);

/// Number of bytes that well-formed `text` stands for; none if its length or padding is wrong.
std::optional<size_t> base64Size(std::string_view text);

/// None if `text` is not well-formed: a wrong length or padding, or a character outside the alphabet.
std::optional<std::vector<std::byte>> decodeBase64(std::string_view text);

} // namespace nodewise
