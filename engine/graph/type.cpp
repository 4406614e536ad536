#include "graph/type.h"

#include <array>

#include <fmt/format.h>

namespace nodewise {

namespace {

constexpr std::array<std::string_view, 8> kKindNames{"tensor", "scalar", "rng",    "slice",
                                                     "none",   "list",   "sparse", "opaque"};

/// Longer representations of opaque types are cut: an edge has room for a few words.
constexpr size_t kLongestRepr = 40;

std::string shapeText(const std::vector<int64_t>& shape) {
  std::string out = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) out += ',';
    out += shape[i] == kUnknownLength ? "?" : std::to_string(shape[i]);
  }
  return out + "]";
}

std::string opaqueText(const std::string& repr) {
  if (repr.empty()) return "opaque";
  if (repr.size() <= kLongestRepr) return repr;
  size_t end = kLongestRepr;
  while (end > 0 && (static_cast<unsigned char>(repr[end]) & 0xC0) == 0x80)
    --end; // not within a UTF-8 character
  return repr.substr(0, end) + "...";
}

} // namespace

bool Type::operator==(const Type& other) const {
  if (kind != other.kind) return false;
  const bool sameElem = (!elem && !other.elem) || (elem && other.elem && *elem == *other.elem);
  switch (kind) {
  case Kind::Tensor:
    return dtype == other.dtype && shape == other.shape;
  case Kind::Scalar:
    return dtype == other.dtype;
  case Kind::Sparse:
    return dtype == other.dtype && shape == other.shape && text == other.text;
  case Kind::Rng:
  case Kind::Opaque:
    return text == other.text;
  case Kind::List:
    return sameElem;
  case Kind::Slice:
  case Kind::None:
    return true;
  }
  return false;
}

std::string_view kindName(Kind kind) { return kKindNames[static_cast<size_t>(kind)]; }

std::string shortText(const Type& type) {
  const std::string_view dtype = dtypeRow(type.dtype).shortName;
  switch (type.kind) {
  case Kind::Tensor:
    return fmt::format("{}{}", dtype, shapeText(type.shape));
  case Kind::Scalar:
    return fmt::format("{} scalar", dtype);
  case Kind::Sparse:
    return fmt::format("{} {}{}", type.text, dtype, shapeText(type.shape));
  case Kind::List:
    return type.elem ? "list of " + shortText(*type.elem) : "list";
  case Kind::Opaque:
    return opaqueText(type.text);
  case Kind::Rng:
  case Kind::Slice:
  case Kind::None:
    break;
  }
  return std::string(kindName(type.kind));
}

} // namespace nodewise
