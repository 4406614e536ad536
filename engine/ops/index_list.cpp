#include "ops/index_list.h"

#include "ops/array_access.h"
#include "ops/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace nodewise {

namespace {

/// A part of an index: int64 as it is, uint64 above it as the greatest int64 (it is beyond every length).
int64_t indexValue(const Array& value) {
  if (value.dtype == DType::Int64) return *value.as<int64_t>();
  if (value.dtype == DType::UInt64 &&
      *value.as<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    return std::numeric_limits<int64_t>::max();
  return value.toInt();
}

/// A `k` of idx_list, or nothing where it is no position of an index among the inputs.
std::optional<int32_t> readPosition(const NodeView& node, const nlohmann::json& json, size_t firstIndex) {
  if (!json.is_number_integer()) return std::nullopt;
  const auto k = json.get<int64_t>();
  if (k < static_cast<int64_t>(firstIndex) || k >= static_cast<int64_t>(node.inputs())) return std::nullopt;
  return static_cast<int32_t>(k);
}

Result<IndexEntry> readEntry(const NodeView& node, const nlohmann::json& json, const std::string& key,
                             size_t firstIndex) {
  const std::string position = fmt::format("a position of an index among the {} inputs", node.inputs());
  IndexEntry entry;
  if (!json.is_array()) {
    const std::optional<int32_t> k = readPosition(node, json, firstIndex);
    if (!k) return node.paramError(key, fmt::format("expected {}, or [start, stop, step]", position));
    entry.index = *k;
    return entry;
  }
  if (json.size() != 3) return node.paramError(key, "expected [start, stop, step]");
  entry.isSlice = true;
  const std::array<int32_t*, 3> parts{&entry.start, &entry.stop, &entry.step};
  for (size_t part = 0; part < parts.size(); ++part) {
    if (json[part].is_null()) continue;
    const std::optional<int32_t> k = readPosition(node, json[part], firstIndex);
    if (!k)
      return node.paramError(fmt::format("{}[{}]", key, part), fmt::format("expected {}, or null", position));
    NW_CHECK(checkIndexScalar(node, static_cast<size_t>(*k)));
    *parts[part] = *k;
  }
  return entry;
}

/// start or stop of a slice: from the end where negative, then clamped to [least, most].
int64_t clampBound(int64_t bound, int64_t length, int64_t least, int64_t most) {
  return std::clamp(bound < 0 ? bound + length : bound, least, most);
}

} // namespace

Result<IndexList> readIndexList(const NodeView& node, size_t firstIndex) {
  const nlohmann::json& params = node.node.params;
  const auto json = params.find("idx_list");
  if (json == params.end() || !json->is_array())
    return node.paramError("idx_list", "expected a list with an entry for each indexed axis");
  IndexList list;
  for (const nlohmann::json& entry : *json) {
    NW_TRY(IndexEntry read, readEntry(node, entry, fmt::format("idx_list[{}]", list.size()), firstIndex));
    list.push_back(read);
  }
  return list;
}

uint64_t sliceBits(const IndexList& list) {
  uint64_t bits = 0;
  for (const IndexEntry& entry : list)
    for (const int32_t k : {entry.start, entry.stop, entry.step})
      if (k >= 0) bits |= valueBit(static_cast<size_t>(k));
  return bits;
}

bool resolveSlice(const IndexEntry& entry, Array* const* in, int64_t length, ResolvedSlice& slice,
                  Context& context) {
  const int64_t step = entry.step < 0 ? 1 : indexValue(*in[entry.step]);
  if (step == 0) {
    context.fail("ValueError", "the step of a slice is 0");
    return false;
  }
  const bool forward = step > 0;
  const int64_t least = forward ? 0 : -1, most = forward ? length : length - 1;
  const int64_t start = entry.start < 0 ? (forward ? least : most)
                                        : clampBound(indexValue(*in[entry.start]), length, least, most);
  const int64_t stop = entry.stop < 0 ? (forward ? most : least)
                                      : clampBound(indexValue(*in[entry.stop]), length, least, most);
  const int64_t span = forward ? stop - start : start - stop;
  // Unsigned, since the least int64 has no positive counterpart.
  const uint64_t stride = forward ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  const int64_t count = span <= 0     ? 0
                        : stride == 1 ? span
                                      : static_cast<int64_t>((static_cast<uint64_t>(span) - 1) / stride) + 1;
  slice = {count > 0 ? start : 0, count > 1 ? step : 1, count};
  return true;
}

int32_t viewIndexed(const IndexList& list, Array* const* in, const Array& x, Array& view, Context& context) {
  std::byte* data = x.data;
  int32_t axis = 0, place = 0;
  for (const IndexEntry& entry : list) {
    const int64_t length = x.shape[axis], stride = x.strides[axis];
    if (entry.isSlice) {
      ResolvedSlice slice;
      if (!resolveSlice(entry, in, length, slice, context)) return static_cast<int32_t>(KernelError::Failed);
      data += slice.start * stride;
      view.shape[place] = slice.length;
      view.strides[place++] = slice.step * stride;
    } else {
      const int64_t index = indexValue(*in[entry.index]);
      if (index < -length || index >= length)
        return context.fail("IndexError",
                            fmt::format("index {} is out of bounds for axis {} of an array of shape {}",
                                        index, axis, shapeText(x)));
      data += (index < 0 ? index + length : index) * stride;
    }
    ++axis;
  }
  for (; axis < x.rank; ++axis, ++place) {
    view.shape[place] = x.shape[axis];
    view.strides[place] = x.strides[axis];
  }
  view.data = data;
  return 0;
}

} // namespace nodewise
