// Indexing by integers and slices: reading is a view, writing changes a copy.
#include "numeric/scratch.h"
#include "numeric/strided.h"
#include "ops/array_access.h"
#include "ops/broadcast.h"
#include "ops/families.h"
#include "ops/in_place.h"
#include "ops/index_list.h"
#include "ops/params.h"

#include <fmt/format.h>

#include <array>

namespace nodewise {

namespace {

/// The list of a node all of whose indices are single integers, and the rank of what it reads.
struct BasicIndices {
  IndexList list;
  int rank;
};

Result<BasicIndices> readBasicIndices(const NodeView& node, size_t firstIndex) {
  NW_TRY(IndexList list, readIndexList(node, firstIndex));
  const int rank = node.in(0).rank();
  if (list.size() > static_cast<size_t>(rank))
    return node.paramError("idx_list",
                           fmt::format("expected at most {} entries, one for each axis of x", rank));
  int dropped = 0;
  for (const IndexEntry& entry : list) {
    if (entry.isSlice) continue;
    ++dropped;
    NW_CHECK(checkIndexScalar(node, static_cast<size_t>(entry.index)));
    if (node.in(static_cast<size_t>(entry.index)).dtype == DType::Bool)
      return node.error(fmt::format("input {} has to be an integer, but is bool", entry.index));
  }
  return BasicIndices{std::move(list), rank - dropped};
}

Result<Lowered> lowerSubtensor(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, -1, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_TRY(BasicIndices indices, readBasicIndices(node, 1));
  NW_CHECK(checkOutTensor(node, 0, indices.rank));
  NW_CHECK(checkSameDtype(node));
  // An index decides where the view begins, a slice also how long it is.
  const uint64_t allIndices = ~uint64_t{0} << 1;
  return lowerView(
      node,
      [list = std::move(indices.list)](Array* const* in, Array* const* out, Context& context) {
        return viewIndexed(list, in, *in[0], *out[0], context);
      },
      allIndices);
}

/// What IncSubtensor does at the place that its indices name.
struct Change {
  IndexList list;
  int32_t rank; ///< of the place
  bool set;
};

void applyChange(bool set, const StridedOut& to, const StridedIn& from, const Array& place) {
  (set ? assign : accumulate)(to, from, place.shape, place.rank);
}

/// y shares storage with the place: it is read before anything is written.
void applyToCopy(bool set, const StridedOut& to, const StridedIn& from, const Array& place) {
  std::array<int64_t, kMaxRank> strides;
  contiguousStrides(place.shape, place.rank, dtypeSize(from.dtype), strides.data());
  Scratch scratch;
  std::byte* copy = scratch.take<std::byte>(place.size() * dtypeSize(from.dtype));
  assign({copy, strides.data(), from.dtype}, from, place.shape, place.rank);
  applyChange(set, to, {copy, strides.data(), from.dtype}, place);
}

int32_t runChange(const Change& change, Array* const* in, Array* const* out, Context& context) {
  const Array& y = *in[1];
  std::array<int64_t, kMaxRank> shape, strides, yStrides;
  Array place;
  place.shape = shape.data();
  place.strides = strides.data();
  place.rank = change.rank;
  place.dtype = out[0]->dtype;
  if (const int32_t code = viewIndexed(change.list, in, *out[0], place, context)) return code;
  // NumPy drops leading lengths of 1 when it assigns, and refuses them when it adds.
  if ((y.rank > place.rank && !change.set) || !broadcastStrides(y, place.shape, place.rank, yStrides.data()))
    return context.fail("ValueError",
                        fmt::format("y of shape {} cannot be broadcast to shape {} of the place in x",
                                    shapeText(y), shapeText(place)));
  startFrom(*in[0], *out[0]);
  const StridedOut to{place.data, place.strides, out[0]->dtype};
  const StridedIn from{y.data, yStrides.data(), y.dtype};
  if (!shareMemory(place, y))
    applyChange(change.set, to, from, place);
  else
    applyToCopy(change.set, to, from, place);
  return 0;
}

Result<Lowered> lowerIncSubtensor(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, -1, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkTensor(node, 1));
  NW_CHECK(checkOutTensor(node, 0, node.in(0).rank()));
  NW_CHECK(checkSameDtype(node));
  NW_TRY(BasicIndices indices, readBasicIndices(node, 2));
  NW_TRY(const bool set, boolParam(node, "set_instead_of_inc", false));
  Change change{std::move(indices.list), indices.rank, set};
  Lowered lowered = Lowered::prebuilt(
      shapeLikeFirst, [change = std::move(change)](Array* const* in, Array* const* out, Context& context) {
        return runChange(change, in, out, context);
      });
  permitInPlace(node, lowered);
  return lowered;
}

constexpr std::string_view kFamily = "indexing";

constexpr OpRow kRows[] = {
    {"Subtensor", kFamily, lowerSubtensor, 1, "x, integers", "x[...] with integers and slices, as a view."},
    {"IncSubtensor", kFamily, lowerIncSubtensor, 1, "x, y, integers",
     "A copy of x with y added or set where integers and slices say."},
};

} // namespace

std::span<const OpRow> indexingOps() { return kRows; }

} // namespace nodewise
