#include "ops/linear_algebra.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <new>
#include <span>

namespace nodewise::linalg {

std::string shapeText(const Array& a) {
  return fmt::format("({})", fmt::join(std::span(a.shape, static_cast<size_t>(a.rank)), ", "));
}

int32_t shapesDoNotFit(Context& context, std::string_view what, const Array& a, const Array& b) {
  return context.fail("ValueError", fmt::format("{}: shapes {} and {}", what, shapeText(a), shapeText(b)));
}

int32_t checkLengths(Context& context, const Array& a) {
  for (int32_t axis = 0; axis < a.rank; ++axis)
    if (a.shape[axis] > std::numeric_limits<int32_t>::max())
      return context.fail("ValueError",
                          fmt::format("a matrix of shape {} is too large for BLAS and LAPACK", shapeText(a)));
  return 0;
}

int32_t checkSquare(Context& context, const Array& a, const char* type) {
  if (a.shape[0] != a.shape[1])
    return context.fail(type, fmt::format("expected a square matrix, found shape {}", shapeText(a)));
  return checkLengths(context, a);
}

int32_t linAlgError(Context& context, std::string message) {
  return context.fail("LinAlgError", std::move(message));
}

std::complex<double> valueOf(const Array& scalar) {
  return withType(scalar.dtype, [&]<class T>(std::type_identity<T>) {
    return convertTo<std::complex<double>>(load<T>(scalar.data));
  });
}

Result<void> checkZeroRank(const NodeView& node, size_t k) {
  const Type& type = node.in(k);
  if ((type.kind == Kind::Tensor || type.kind == Kind::Scalar) && type.rank() == 0) return {};
  return node.error(fmt::format("input {} has to be of rank 0, but is {}", k, shortText(type)));
}

Result<void> checkInputsConvert(const NodeView& node, size_t k) {
  if (isComplex(node.out(k).dtype)) return {};
  for (size_t i = 0; i < node.inputs(); ++i)
    if (isComplex(node.in(i).dtype))
      return node.error(fmt::format("input {} is {}, which output {} of dtype {} cannot hold", i,
                                    dtypeName(node.in(i).dtype), k, dtypeName(node.out(k).dtype)));
  return {};
}

Result<void> checkLapackOutput(const NodeView& node, size_t k) {
  if (!isLapackDType(node.out(k).dtype))
    return node.error(fmt::format("output {} has to be float32, float64, complex64 or complex128, but is {}",
                                  k, dtypeName(node.out(k).dtype)));
  return checkInputsConvert(node, k);
}

Result<void> checkOutDType(const NodeView& node, size_t k, DType dtype) {
  if (node.out(k).dtype == dtype) return {};
  return node.error(
      fmt::format("output {} has to be {}, but is {}", k, dtypeName(dtype), dtypeName(node.out(k).dtype)));
}

ArrayFn catchingBadAlloc(ArrayFn run) {
  return [run = std::move(run)](Array* const* in, Array* const* out, Context& context) -> int32_t {
    try {
      return run(in, out, context);
    } catch (const std::bad_alloc&) {
      return context.fail("MemoryError", "not enough memory for the workspace");
    }
  };
}

Lowered linearAlgebraNode(ArrayFn shape, ArrayFn run) {
  return Lowered::prebuilt(std::move(shape), catchingBadAlloc(std::move(run)));
}

void allowInPlace(Lowered& lowered, const NodeView& node, int output, int input) {
  const auto& destroys = node.destroys();
  const Type& to = node.out(static_cast<size_t>(output));
  const Type& from = node.in(static_cast<size_t>(input));
  const bool allowed =
      std::find(destroys.begin(), destroys.end(), std::pair(output, input)) != destroys.end();
  if (allowed && to.dtype == from.dtype && to.rank() == from.rank())
    lowered.inPlace.emplace_back(output, input);
}

void startFrom(const Array& from, const Array& out) {
  if (from.data != out.data) copyMatrix(matrixOf(from), matrixOf(out));
}

} // namespace nodewise::linalg
