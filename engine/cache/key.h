// What a compiled node is called. A key is an ordered list of named parts; its text is kept in the database
// so that two keys can be compared part by part. See the README's "cache key" page for what is in it, what is
// not, and why.
#pragma once

#include "ops/op.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nodewise {

/// BLAKE3, 256 bits.
struct Hash {
  std::array<uint8_t, 32> bytes{};
  bool operator==(const Hash&) const = default;
  auto operator<=>(const Hash&) const = default;
  std::string hex() const;
  /// First 10 hex digits, for people.
  std::string shortHex() const;
  /// From 64 hex digits; none for any other text.
  static std::optional<Hash> fromHex(std::string_view hex);
};
Hash hashBytes(std::string_view bytes);
/// The hash of all pieces one after another.
Hash hashPieces(std::span<const std::string_view> pieces);

/// Hashed first, so that no key is also a content key. Raise the number when the canonical bytes change:
/// every entry of the old form then misses, and tests/cache/golden_keys.txt has to be written anew.
inline constexpr std::string_view kKeyFormat = "nodewise key 1\n";
inline constexpr std::string_view kContentFormat = "nodewise content 1\n";

/// How code is made; every field is in the key.
struct CodeOptions {
  int optLevel = 2; ///< 0 to 3
  bool fastMath = false;
  std::string vectorLibrary = "libmvec"; ///< or "none"
};

/// What code is made for, resolved on the host ("native" is never a value).
struct TargetSpec {
  std::string triple, cpu;
  std::string features; ///< "+avx2,+fma,...", sorted; as the operating system enables them
};

/// What makes it.
struct Toolchain {
  std::string llvmVersion; ///< "19.1.7"
  int engineAbi = 1;
};

/// All that a key has besides the node itself.
struct KeyEnvironment {
  CodeOptions options;
  TargetSpec target;
  Toolchain toolchain;
};

struct Key {
  std::vector<KeyPart> parts; ///< node's parts, then "options", "target", "toolchain" parts
  Hash hash;                  ///< of the canonical bytes of parts
};

/// The environment's parts: "optimisation level", "fast math", "vector library", "triple", "cpu", "features",
/// "LLVM version", "engine ABI".
std::vector<KeyPart> environmentParts(const KeyEnvironment& environment);
/// Canonical bytes: each part as length-prefixed name and value, in order (no two lists of parts have equal
/// bytes).
std::string canonicalBytes(std::span<const KeyPart> parts);
/// The hash that names a list of parts.
Hash hashParts(std::span<const KeyPart> parts);
Key makeKey(std::vector<KeyPart> nodeParts, const KeyEnvironment& environment);
/// The content key: unoptimised IR together with the environment's parts.
Hash contentKey(std::string_view irBytes, const KeyEnvironment& environment);

/// One difference between two keys.
struct PartDiff {
  std::string name, oldValue, newValue; ///< a value is empty where the part is absent
};
/// In the order of newParts, then what only oldParts has. A name stands once in a list.
std::vector<PartDiff> diffParts(std::span<const KeyPart> oldParts, std::span<const KeyPart> newParts);

/// Whether environmentParts() makes a part of this name.
bool isEnvironmentPart(std::string_view partName);
/// Part names after which a near entry is called *stale* rather than a *miss*: versions (a name that ends in
/// "version" or "versions": "op version", "scalar op versions"), options, target, toolchain.
bool isStalePart(std::string_view partName);

} // namespace nodewise
