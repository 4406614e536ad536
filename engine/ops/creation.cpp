// Ops that make arrays from lengths and single values.
#include "numeric/element.h"
#include "numeric/strided.h"
#include "ops/arange.h"
#include "ops/array_access.h"
#include "ops/families.h"
#include "ops/params.h"

#include <fmt/format.h>

#include <array>

namespace nodewise {

namespace {

/// Lengths from 0-d integers.
int32_t readLengths(Array* const* lengths, Array& out, Context& context) {
  for (int32_t axis = 0; axis < out.rank; ++axis) {
    out.shape[axis] = lengths[axis]->toInt();
    if (out.shape[axis] < 0)
      return context.fail("ValueError",
                          fmt::format("length {} of axis {} is negative", out.shape[axis], axis));
  }
  return 0;
}

/// Inputs from `first` on are one 0-d integer for each axis of output 0. Returns their bits of
/// shapeFromValues.
Result<uint64_t> checkLengths(const NodeView& node, size_t first) {
  const auto rank = static_cast<int>(node.inputs() - first);
  NW_CHECK(checkOutTensor(node, 0, rank));
  uint64_t bits = 0;
  for (size_t k = first; k < node.inputs(); ++k) {
    NW_CHECK(checkIndexScalar(node, k));
    bits |= valueBit(k);
  }
  return bits;
}

/// The dtype param, where it is given, is that of output 0.
Result<void> checkDTypeParam(const NodeView& node) {
  NW_TRY(const DType dtype, dtypeParam(node, "dtype", node.out(0).dtype));
  if (dtype == node.out(0).dtype) return {};
  return node.paramError("dtype", fmt::format("expected {}, the dtype of output 0, found {}",
                                              dtypeName(node.out(0).dtype), dtypeName(dtype)));
}

/// One of the value's axes beside an axis of the result.
bool fits(int64_t length, bool isStaticOne, int64_t target) {
  return length == target || (length == 1 && isStaticOne);
}

/// Bit k: axis k of the value has static length 1.
int32_t allocShape(Array* const* in, Array* const* out, uint32_t staticOnes, Context& context) {
  if (const int32_t code = readLengths(in + 1, *out[0], context)) return code;
  const Array& value = *in[0];
  const int32_t added = out[0]->rank - value.rank;
  for (int32_t axis = 0; axis < value.rank; ++axis) {
    const bool isStaticOne = (staticOnes >> axis & 1u) != 0;
    if (fits(value.shape[axis], isStaticOne, out[0]->shape[axis + added])) continue;
    const bool isLoneOne = value.shape[axis] == 1;
    return context.fail("ValueError",
                        fmt::format("a value of shape {} does not fill shape {}{}", shapeText(value),
                                    shapeText(*out[0]),
                                    isLoneOne ? ": its length 1 is not static, so does not broadcast" : ""));
  }
  return 0;
}

int32_t runAlloc(Array* const* in, Array* const* out, Context&) {
  const Array& value = *in[0];
  const int32_t added = out[0]->rank - value.rank;
  std::array<int64_t, kMaxRank> strides{};
  for (int32_t axis = 0; axis < value.rank; ++axis)
    if (value.shape[axis] != 1) strides[static_cast<size_t>(axis + added)] = value.strides[axis];
  assign({out[0]->data, out[0]->strides, out[0]->dtype}, {value.data, strides.data(), value.dtype},
         out[0]->shape, out[0]->rank);
  return 0;
}

Result<Lowered> lowerAlloc(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1 + kMaxRank, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_TRY(const uint64_t bits, checkLengths(node, 1));
  const Type& value = node.in(0);
  if (value.rank() > node.out(0).rank())
    return node.error(
        fmt::format("input 0 has rank {}, more than the {} lengths", value.rank(), node.out(0).rank()));
  uint32_t staticOnes = 0;
  for (int axis = 0; axis < value.rank(); ++axis)
    if (value.broadcasts(axis)) staticOnes |= 1u << axis;
  return Lowered::prebuilt([staticOnes](Array* const* in, Array* const* out,
                                        Context& c) { return allocShape(in, out, staticOnes, c); },
                           runAlloc, bits);
}

Result<Lowered> lowerAllocEmpty(const NodeView& node) {
  NW_CHECK(checkArity(node, 0, kMaxRank, 1, 1));
  NW_TRY(const uint64_t bits, checkLengths(node, 0));
  NW_CHECK(checkDTypeParam(node));
  return Lowered::prebuilt(
      [](Array* const* in, Array* const* out, Context& context) { return readLengths(in, *out[0], context); },
      [](Array* const*, Array* const*, Context&) { return 0; }, bits);
}

Result<Lowered> lowerMakeVector(const NodeView& node) {
  NW_CHECK(checkArity(node, 0, -1, 1, 1));
  NW_CHECK(checkOutTensor(node, 0, 1));
  NW_CHECK(checkDTypeParam(node));
  for (size_t k = 0; k < node.inputs(); ++k) {
    if (node.in(k).kind == Kind::Scalar) continue;
    NW_CHECK(checkTensor(node, k, 0));
  }
  const auto count = static_cast<int64_t>(node.inputs());
  return Lowered::prebuilt(
      [count](Array* const*, Array* const* out, Context&) {
        out[0]->shape[0] = count;
        return 0;
      },
      [count](Array* const* in, Array* const* out, Context&) {
        const int64_t size = dtypeSize(out[0]->dtype);
        for (int64_t k = 0; k < count; ++k)
          convertElement(out[0]->data + k * size, out[0]->dtype, in[k]->data, in[k]->dtype);
        return 0;
      });
}

Result<Lowered> lowerARange(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 1, 1));
  for (size_t k = 0; k < 3; ++k) {
    NW_CHECK(checkTensor(node, k, 0));
    if (isComplex(node.in(k).dtype))
      return node.error(fmt::format("input {} has to be real, but is {}", k, shortText(node.in(k))));
  }
  NW_CHECK(checkOutTensor(node, 0, 1));
  NW_CHECK(checkDTypeParam(node));
  return Lowered::prebuilt(
      [](Array* const* in, Array* const* out, Context& context) { return arangeShape(in, *out[0], context); },
      [](Array* const* in, Array* const* out, Context&) {
        arangeFill(in, *out[0]);
        return 0;
      },
      valueBit(0) | valueBit(1) | valueBit(2));
}

int32_t runEye(Array* const* in, Array* const* out, Context&) {
  Array& eye = *out[0];
  const int64_t rows = eye.shape[0], columns = eye.shape[1], k = in[2]->toInt();
  const int64_t size = dtypeSize(eye.dtype);
  std::fill_n(eye.data, rows * columns * size, std::byte{0});
  if (k >= columns || k <= -rows) return 0;
  const uint8_t one = 1;
  std::array<std::byte, 16> element;
  convertElement(element.data(), eye.dtype, reinterpret_cast<const std::byte*>(&one), DType::UInt8);
  const int64_t length = k >= 0 ? std::min(rows, columns - k) : std::min(rows + k, columns);
  std::byte* place = eye.data + (k >= 0 ? k : -k * columns) * size;
  for (int64_t i = 0; i < length; ++i, place += (columns + 1) * size)
    copyElement(place, element.data(), size);
  return 0;
}

Result<Lowered> lowerEye(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 1, 1));
  for (size_t k = 0; k < 3; ++k) NW_CHECK(checkIndexScalar(node, k));
  NW_CHECK(checkOutTensor(node, 0, 2));
  NW_CHECK(checkDTypeParam(node));
  return Lowered::prebuilt(
      [](Array* const* in, Array* const* out, Context& context) { return readLengths(in, *out[0], context); },
      runEye, valueBit(0) | valueBit(1));
}

constexpr std::string_view kFamily = "creation";

constexpr OpRow kRows[] = {
    {"Alloc", kFamily, lowerAlloc, 1, "value, a 0-d length for each axis",
     "A fresh array filled with the value, which is broadcast."},
    {"AllocEmpty", kFamily, lowerAllocEmpty, 1, "a 0-d length for each axis",
     "A fresh array of unspecified contents."},
    {"MakeVector", kFamily, lowerMakeVector, 1, "0-d values", "The values as a vector."},
    {"ARange", kFamily, lowerARange, 1, "start, stop, step",
     "Evenly spaced numbers from start to before stop."},
    {"Eye", kFamily, lowerEye, 1, "rows, columns, k", "A matrix of zeros with ones where column - row is k."},
};

} // namespace

std::span<const OpRow> creationOps() { return kRows; }

} // namespace nodewise
