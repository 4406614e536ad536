#include "ops/view_lowering.h"

#include "numeric/strided.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nodewise {

namespace {

/// Room for what a view function writes, beside the output it stands for.
struct Scratch {
  std::array<int64_t, kMaxRank> shape, strides;
  Array array;

  explicit Scratch(const Array& like) {
    array.shape = shape.data();
    array.strides = strides.data();
    array.rank = like.rank;
    array.dtype = like.dtype;
    array.kind = like.kind;
  }
};

/// Runs `view` on scratch outputs, then `use(k, scratch, out)` for each of them. Views of several outputs
/// (Split) are rare, and their scratch outputs are found on the heap.
template <class Use>
int32_t onScratch(const ArrayFn& view, size_t outputs, Array* const* in, Array* const* out, Context& context,
                  Use use) {
  if (outputs == 1) {
    Scratch scratch(*out[0]);
    Array* pointer = &scratch.array;
    if (const int32_t code = view(in, &pointer, context)) return code;
    use(*pointer, *out[0]);
    return 0;
  }
  std::vector<std::unique_ptr<Scratch>> scratches;
  std::vector<Array*> pointers;
  for (size_t k = 0; k < outputs; ++k) {
    scratches.push_back(std::make_unique<Scratch>(*out[k]));
    pointers.push_back(&scratches.back()->array);
  }
  if (const int32_t code = view(in, pointers.data(), context)) return code;
  for (size_t k = 0; k < outputs; ++k) use(*pointers[k], *out[k]);
  return 0;
}

} // namespace

bool mayView(const NodeView& node, int output) {
  const auto& views = node.node.views;
  return std::find(views.begin(), views.end(), std::pair(output, 0)) != views.end();
}

Lowered lowerView(const NodeView& node, ArrayFn view, uint64_t shapeFromValues) {
  const size_t outputs = node.outputs();
  bool permitted = true;
  for (size_t k = 0; k < outputs; ++k) permitted = permitted && mayView(node, static_cast<int>(k));
  if (permitted) return Lowered::view(std::move(view), shapeFromValues);

  ArrayFn shape = [view, outputs](Array* const* in, Array* const* out, Context& context) {
    return onScratch(view, outputs, in, out, context, [](const Array& found, Array& target) {
      std::copy_n(found.shape, found.rank, target.shape);
    });
  };
  ArrayFn run = [view = std::move(view), outputs](Array* const* in, Array* const* out, Context& context) {
    return onScratch(view, outputs, in, out, context,
                     [](const Array& found, const Array& target) { copyArray(found, target); });
  };
  return Lowered::prebuilt(std::move(shape), std::move(run), shapeFromValues);
}

Result<void> checkSameDtype(const NodeView& node, size_t k) {
  if (node.out(k).dtype == node.in(0).dtype) return {};
  return node.error(fmt::format("output {} has to be {} like input 0, but is {}", k,
                                dtypeName(node.in(0).dtype), dtypeName(node.out(k).dtype)));
}

void copyArray(const Array& in, const Array& out) {
  assign({out.data, out.strides, out.dtype}, {in.data, in.strides, in.dtype}, out.shape, out.rank);
}

} // namespace nodewise
