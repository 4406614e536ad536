// Checksums of what is stored. Everything that a lookup or a re-run relies on is under one of them, so that
// damage of a single value is seen, even where it leaves a row that looks right.
#pragma once

#include "cache/connection.h"

#include <array>

namespace nodewise {

/// The first 16 bytes of a BLAKE3 hash: enough against accidents, which is what it is for.
using Seal = std::array<uint8_t, 16>;
inline Bytes asBytes(const Seal& seal) { return std::as_bytes(std::span(seal)); }
bool sameBytes(const std::optional<Bytes>& stored, const Seal& seal);

/// The columns of `entry` that never change.
struct SealedColumns {
  Hash key, content, environment;
  Seal structure{};
  std::string_view op, label, dtype;
  int64_t objectBytes = 0, ownBytes = 0, compileNs = 0, created = 0, runId = 0;
};
Seal sealOf(const SealedColumns& columns);

/// `object.checksum`.
Hash objectChecksum(const Hash& content, std::string_view symbol, Bytes object);
/// `recipe.seal`.
Seal recipeSeal(const Hash& key, std::string_view graph, std::string_view ir, std::string_view symbol);
/// The value of the part "op"; empty where a key has none.
std::string_view opOf(std::span<const KeyPart> parts);
/// `part.hash`: parts of different ops are different parts.
Seal partHash(std::string_view op, const KeyPart& part);
/// `entry.structure`: what stays the same when only versions, options, target or toolchain change.
Seal structureOf(std::span<const KeyPart> parts);

} // namespace nodewise
