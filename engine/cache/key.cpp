#include "cache/key.h"

#include <llvm-c/blake3.h>

#include <algorithm>
#include <unordered_map>

namespace nodewise {

namespace {

void appendLength(std::string& out, size_t length) {
  for (int shift = 0; shift < 64; shift += 8) out.push_back(static_cast<char>((length >> shift) & 0xff));
}

void appendField(std::string& out, std::string_view field) {
  appendLength(out, field.size());
  out += field;
}

std::string hexDigits(std::span<const uint8_t> bytes) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const uint8_t byte : bytes) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

int hexValue(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

} // namespace

std::string Hash::hex() const { return hexDigits(bytes); }
std::string Hash::shortHex() const { return hexDigits(std::span(bytes).first(5)); }

std::optional<Hash> Hash::fromHex(std::string_view hex) {
  Hash hash;
  if (hex.size() != hash.bytes.size() * 2) return std::nullopt;
  for (size_t k = 0; k < hash.bytes.size(); ++k) {
    const int high = hexValue(hex[2 * k]), low = hexValue(hex[2 * k + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    hash.bytes[k] = static_cast<uint8_t>(high * 16 + low);
  }
  return hash;
}

Hash hashPieces(std::span<const std::string_view> pieces) {
  llvm_blake3_hasher hasher;
  llvm_blake3_hasher_init(&hasher);
  for (const std::string_view piece : pieces) llvm_blake3_hasher_update(&hasher, piece.data(), piece.size());
  Hash hash;
  llvm_blake3_hasher_finalize(&hasher, hash.bytes.data(), hash.bytes.size());
  return hash;
}

Hash hashBytes(std::string_view bytes) { return hashPieces(std::span(&bytes, 1)); }

std::vector<KeyPart> environmentParts(const KeyEnvironment& environment) {
  const auto& [options, target, toolchain] = environment;
  return {{"optimisation level", std::to_string(options.optLevel)},
          {"fast math", options.fastMath ? "on" : "off"},
          {"vector library", options.vectorLibrary},
          {"triple", target.triple},
          {"cpu", target.cpu},
          {"features", target.features},
          {"LLVM version", toolchain.llvmVersion},
          {"engine ABI", std::to_string(toolchain.engineAbi)}};
}

std::string canonicalBytes(std::span<const KeyPart> parts) {
  size_t size = 0;
  for (const KeyPart& part : parts) size += 16 + part.name.size() + part.value.size();
  std::string out;
  out.reserve(size);
  for (const KeyPart& part : parts) {
    appendField(out, part.name);
    appendField(out, part.value);
  }
  return out;
}

Hash hashParts(std::span<const KeyPart> parts) {
  const std::string bytes = canonicalBytes(parts);
  const std::array<std::string_view, 2> pieces{kKeyFormat, bytes};
  return hashPieces(pieces);
}

Key makeKey(std::vector<KeyPart> nodeParts, const KeyEnvironment& environment) {
  Key key;
  key.parts = std::move(nodeParts);
  std::ranges::move(environmentParts(environment), std::back_inserter(key.parts));
  key.hash = hashParts(key.parts);
  return key;
}

Hash contentKey(std::string_view irBytes, const KeyEnvironment& environment) {
  const std::string parts = canonicalBytes(environmentParts(environment));
  std::string length;
  appendLength(length, parts.size());
  const std::array<std::string_view, 4> pieces{kContentFormat, length, parts, irBytes};
  return hashPieces(pieces);
}

std::vector<PartDiff> diffParts(std::span<const KeyPart> oldParts, std::span<const KeyPart> newParts) {
  const auto valueOf = [](std::span<const KeyPart> parts, std::string_view name) -> const std::string* {
    const auto found = std::ranges::find(parts, name, &KeyPart::name);
    return found == parts.end() ? nullptr : &found->value;
  };
  std::vector<PartDiff> diffs;
  for (const KeyPart& part : newParts) {
    const std::string* old = valueOf(oldParts, part.name);
    if (!old || *old != part.value) diffs.push_back({part.name, old ? *old : "", part.value});
  }
  for (const KeyPart& part : oldParts) {
    if (!valueOf(newParts, part.name)) diffs.push_back({part.name, part.value, ""});
  }
  return diffs;
}

bool isEnvironmentPart(std::string_view partName) {
  static constexpr std::array<std::string_view, 8> names{
      "optimisation level", "fast math",    "vector library", "triple", "cpu",
      "features",           "LLVM version", "engine ABI"};
  return std::ranges::find(names, partName) != names.end();
}

bool isStalePart(std::string_view partName) {
  return isEnvironmentPart(partName) || partName.ends_with("version") || partName.ends_with("versions");
}

} // namespace nodewise
