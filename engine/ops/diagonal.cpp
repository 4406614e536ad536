// Ops that read or fill a diagonal.
#include "numeric/strided.h"
#include "ops/array_access.h"
#include "ops/families.h"
#include "ops/in_place.h"
#include "ops/params.h"

#include <fmt/format.h>

#include <array>

namespace nodewise {

namespace {

/// Where the diagonal `column - row = offset` of two axes lies.
struct Diagonal {
  int64_t length, start; ///< start: bytes from the array's first element
};

Diagonal findDiagonal(const Array& array, int64_t rows, int64_t columns, int64_t offset) {
  const int64_t n = array.shape[rows], m = array.shape[columns];
  // An offset beyond the lengths may be any int64: compare before subtracting.
  if (offset >= m || offset <= -n) return {0, 0};
  if (offset >= 0) return {std::min(n, m - offset), offset * array.strides[columns]};
  return {std::min(n + offset, m), -offset * array.strides[rows]};
}

/// out[i] = the 0-d value, converted, for `length` elements from `start` on.
void fillLine(const Array& out, int64_t start, int64_t length, int64_t stride, const Array& value) {
  std::array<std::byte, 16> element;
  convertElement(element.data(), out.dtype, value.data, value.dtype);
  const int64_t still = 0;
  assign({out.data + start, &stride, out.dtype}, {element.data(), &still, out.dtype}, &length, 1);
}

Result<Lowered> lowerExtractDiag(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  const int rank = node.in(0).rank();
  if (rank < 2)
    return node.error(fmt::format("input 0 has to have rank 2 or more, but is {}", shortText(node.in(0))));
  NW_CHECK(checkOutTensor(node, 0, rank - 1));
  NW_CHECK(checkSameDtype(node));
  NW_TRY(const int64_t offset, intParam(node, "offset", 0));
  NW_TRY(const int64_t axis1, intParam(node, "axis1", 0));
  NW_TRY(const int64_t axis2, intParam(node, "axis2", 1));
  if (axis1 < 0 || axis1 >= rank)
    return node.paramError("axis1",
                           fmt::format("expected an axis of x, which has {}, found {}", rank, axis1));
  if (axis2 < 0 || axis2 >= rank || axis2 == axis1)
    return node.paramError("axis2",
                           fmt::format("expected another axis of x, which has {}, found {}", rank, axis2));
  return lowerView(node, [offset, axis1, axis2](Array* const* in, Array* const* out, Context&) {
    const Array& x = *in[0];
    Array& y = *out[0];
    int32_t place = 0;
    for (int32_t axis = 0; axis < x.rank; ++axis) {
      if (axis == axis1 || axis == axis2) continue;
      y.shape[place] = x.shape[axis];
      y.strides[place++] = x.strides[axis];
    }
    const Diagonal diagonal = findDiagonal(x, axis1, axis2, offset);
    y.shape[place] = diagonal.length;
    y.strides[place] = x.strides[axis1] + x.strides[axis2];
    y.data = x.data + diagonal.start;
    return 0;
  });
}

/// a, 0-d value; the output is like a.
Result<void> checkFill(const NodeView& node, int rank) {
  NW_CHECK(checkTensor(node, 0, rank));
  NW_CHECK(checkTensor(node, 1, 0));
  NW_CHECK(checkOutTensor(node, 0, node.in(0).rank()));
  return checkSameDtype(node);
}

Result<Lowered> lowerFillDiagonal(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkFill(node, -1));
  if (node.in(0).rank() < 2)
    return node.error(fmt::format("input 0 has to have rank 2 or more, but is {}", shortText(node.in(0))));
  Lowered lowered = Lowered::prebuilt(
      [](Array* const* in, Array* const* out, Context& context) {
        const Array& a = *in[0];
        for (int32_t axis = 1; axis < a.rank && a.rank > 2; ++axis)
          if (a.shape[axis] != a.shape[0])
            return context.fail("ValueError",
                                fmt::format("all lengths of an array of rank {} have to be equal for its "
                                            "diagonal, but its shape is {}",
                                            a.rank, shapeText(a)));
        return shapeLikeFirst(in, out, context);
      },
      [](Array* const* in, Array* const* out, Context&) {
        startFrom(*in[0], *out[0]);
        int64_t stride = 0;
        for (int32_t axis = 0; axis < out[0]->rank; ++axis) stride += out[0]->strides[axis];
        fillLine(*out[0], 0, std::min(out[0]->shape[0], out[0]->shape[1]), stride, *in[1]);
        return 0;
      });
  permitInPlace(node, lowered);
  return lowered;
}

Result<Lowered> lowerFillDiagonalOffset(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 1, 1));
  NW_CHECK(checkFill(node, 2));
  NW_CHECK(checkIndexScalar(node, 2));
  Lowered lowered = Lowered::prebuilt(shapeLikeFirst, [](Array* const* in, Array* const* out, Context&) {
    startFrom(*in[0], *out[0]);
    const Diagonal diagonal = findDiagonal(*out[0], 0, 1, in[2]->toInt());
    fillLine(*out[0], diagonal.start, diagonal.length, out[0]->strides[0] + out[0]->strides[1], *in[1]);
    return 0;
  });
  permitInPlace(node, lowered);
  return lowered;
}

constexpr std::string_view kFamily = "diagonal";

constexpr OpRow kRows[] = {
    {"ExtractDiag", kFamily, lowerExtractDiag, 1, "x", "The diagonal of two axes, as the last axis."},
    {"FillDiagonal", kFamily, lowerFillDiagonal, 1, "a, 0-d value", "a with the value on its main diagonal."},
    {"FillDiagonalOffset", kFamily, lowerFillDiagonalOffset, 1, "a, 0-d value, 0-d offset",
     "The matrix a with the value where column - row is the offset."},
};

} // namespace

std::span<const OpRow> diagonalOps() { return kRows; }

} // namespace nodewise
