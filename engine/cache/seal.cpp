#include "cache/seal.h"

#include <algorithm>
#include <cstring>

namespace nodewise {

namespace {

/// Bytes to hash, gathered so that no two lists of values give the same.
class Gathered {
public:
  Gathered& operator<<(int64_t number) {
    char bytes[8];
    std::memcpy(bytes, &number, sizeof bytes);
    m_bytes.append(bytes, sizeof bytes);
    return *this;
  }
  Gathered& operator<<(std::string_view text) {
    *this << static_cast<int64_t>(text.size());
    m_bytes += text;
    return *this;
  }
  template <size_t size> Gathered& operator<<(const std::array<uint8_t, size>& bytes) {
    m_bytes.append(reinterpret_cast<const char*>(bytes.data()), size);
    return *this;
  }
  std::string_view bytes() const { return m_bytes; }

private:
  std::string m_bytes;
};

Seal shortened(const Hash& hash) {
  Seal seal;
  std::memcpy(seal.data(), hash.bytes.data(), seal.size());
  return seal;
}

} // namespace

bool sameBytes(const std::optional<Bytes>& stored, const Seal& seal) {
  return stored && stored->size() == seal.size() &&
         std::memcmp(stored->data(), seal.data(), seal.size()) == 0;
}

Seal sealOf(const SealedColumns& c) {
  Gathered all;
  all << c.key.bytes << c.content.bytes << c.environment.bytes << c.structure << c.op << c.label << c.dtype
      << c.objectBytes << c.ownBytes << c.compileNs << c.created << c.runId;
  return shortened(hashBytes(all.bytes()));
}

Hash objectChecksum(const Hash& content, std::string_view symbol, Bytes object) {
  Gathered head;
  head << content.bytes << symbol;
  const std::array<std::string_view, 2> pieces{
      head.bytes(), std::string_view(reinterpret_cast<const char*>(object.data()), object.size())};
  return hashPieces(pieces);
}

Seal recipeSeal(const Hash& key, std::string_view graph, std::string_view ir, std::string_view symbol) {
  Gathered all;
  all << key.bytes << graph << ir << symbol;
  return shortened(hashBytes(all.bytes()));
}

std::string_view opOf(std::span<const KeyPart> parts) {
  const auto op = std::ranges::find(parts, "op", &KeyPart::name);
  return op == parts.end() ? std::string_view() : op->value;
}

Seal partHash(std::string_view op, const KeyPart& part) {
  Gathered all;
  all << op << part.name << part.value;
  return shortened(hashBytes(all.bytes()));
}

Seal structureOf(std::span<const KeyPart> parts) {
  Gathered all;
  for (const KeyPart& part : parts) {
    if (!isStalePart(part.name)) all << part.name << part.value;
  }
  return shortened(hashBytes(all.bytes()));
}

} // namespace nodewise
