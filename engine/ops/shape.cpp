#include "ops/families.h"
#include "ops/params.h"

namespace nodewise {

namespace {

Result<Lowered> lowerShape(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkOutTensor(node, 0, 1));
  if (node.out(0).dtype != DType::Int64) return node.error("output 0 has to be int64");
  return Lowered::prebuilt(
      [](Array* const* in, Array* const* out, Context&) {
        out[0]->shape[0] = in[0]->rank;
        return 0;
      },
      [](Array* const* in, Array* const* out, Context&) {
        for (int32_t axis = 0; axis < in[0]->rank; ++axis) out[0]->as<int64_t>()[axis] = in[0]->shape[axis];
        return 0;
      });
}

constexpr OpRow kRows[] = {
    {"Shape", "shape", lowerShape, 1, "x", "The lengths of x, as an int64 vector."},
};

} // namespace

std::span<const OpRow> shapeOps() { return kRows; }

} // namespace nodewise
