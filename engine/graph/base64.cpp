#include "graph/base64.h"

#include <array>
#include <cstdint>

namespace nodewise {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kInvalid = 255;

constexpr std::array<uint8_t, 256> makeDecoding() {
  std::array<uint8_t, 256> table{};
  table.fill(kInvalid);
  for (size_t i = 0; i < kAlphabet.size(); ++i)
    table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<uint8_t>(i);
  return table;
}
constexpr std::array<uint8_t, 256> kDecoding = makeDecoding();

size_t padding(std::string_view text) {
  if (text.ends_with("==")) return 2;
  return text.ends_with('=') ? 1 : 0;
}

} // namespace

std::string encodeBase64(std::span<const std::byte> bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0; // three bytes, missing ones 0
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? std::to_integer<uint32_t>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : kAlphabet[group >> (18 - 6 * k) & 63];
  }
  return out;
}

std::optional<size_t> base64Size(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  return text.size() / 4 * 3 - padding(text);
}

std::optional<std::vector<std::byte>> decodeBase64(std::string_view text) {
  const auto size = base64Size(text);
  if (!size) return {};
  std::vector<std::byte> out(*size);
  const size_t digits = text.size() - padding(text);
  for (size_t i = 0, at = 0; i < digits; i += 4) {
    uint32_t group = 0;
    for (size_t k = 0; k < 4; ++k) {
      const uint8_t value = i + k < digits ? kDecoding[static_cast<unsigned char>(text[i + k])] : uint8_t{0};
      if (value == kInvalid) return {};
      group = group << 6 | value;
    }
    for (int shift = 16; shift >= 0 && at < out.size(); shift -= 8)
      out[at++] = static_cast<std::byte>(group >> shift & 255);
  }
  return out;
}

} // namespace nodewise
