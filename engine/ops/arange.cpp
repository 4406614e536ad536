#include "ops/arange.h"

#include "numeric/element.h"

#include <fmt/format.h>

#include <cmath>

namespace nodewise {

namespace {

__extension__ typedef __int128 Int128;

/// Bytes of the greatest array that is tried.
constexpr int64_t kMostBytes = int64_t{1} << 60;

bool integersOnly(Array* const* in) {
  return isIntegral(in[0]->dtype) && isIntegral(in[1]->dtype) && isIntegral(in[2]->dtype);
}

/// Exact for all integral dtypes (toInt wraps the upper half of uint64).
Int128 exactInt(const Array& value) {
  return value.dtype == DType::UInt64 ? Int128{*value.as<uint64_t>()} : Int128{value.toInt()};
}

Int128 ceilQuotient(Int128 a, Int128 b) {
  const Int128 quotient = a / b;
  return a % b != 0 && (a < 0) == (b < 0) ? quotient + 1 : quotient;
}

/// Complex numbers of a complex range, float for float16 as NumPy has it, else the dtype's own arithmetic.
template <class T> void fill(T* out, int64_t n, T start, T next) {
  if (n > 0) out[0] = start;
  if (n > 1) out[1] = next;
  if constexpr (std::is_same_v<T, Half>) {
    const float first = halfToFloat(start), delta = halfToFloat(next) - first;
    for (int64_t i = 2; i < n; ++i) out[i] = floatToHalf(first + static_cast<float>(i) * delta);
  } else if constexpr (std::is_same_v<T, Bool8>) {
    const int first = start.byte, delta = next.byte - first;
    for (int64_t i = 2; i < n; ++i) out[i] = Bool8{static_cast<uint8_t>(first + i * delta != 0)};
  } else if constexpr (std::is_integral_v<T>) {
    // Unsigned, so that it wraps as NumPy's does.
    const auto first = static_cast<uint64_t>(start), delta = static_cast<uint64_t>(next) - first;
    for (int64_t i = 2; i < n; ++i) out[i] = static_cast<T>(first + static_cast<uint64_t>(i) * delta);
  } else {
    const T delta = next - start;
    for (int64_t i = 2; i < n; ++i) out[i] = start + convertTo<T>(i) * delta;
  }
}

} // namespace

int32_t arangeShape(Array* const* in, Array& out, Context& context) {
  const auto refuse = [&](std::string_view type, std::string_view why) {
    return context.fail(std::string(type), fmt::format("no range from {} to {} by {}: {}", in[0]->toDouble(),
                                                       in[1]->toDouble(), in[2]->toDouble(), why));
  };
  const int64_t most = kMostBytes / dtypeSize(out.dtype);
  if (integersOnly(in)) {
    const Int128 step = exactInt(*in[2]);
    if (step == 0) return refuse("ZeroDivisionError", "the step is 0");
    const Int128 length = ceilQuotient(exactInt(*in[1]) - exactInt(*in[0]), step);
    if (length > most) return refuse("ValueError", "it has too many elements");
    out.shape[0] = length > 0 ? static_cast<int64_t>(length) : 0;
    return 0;
  }
  const double step = in[2]->toDouble();
  if (step == 0) return refuse("ZeroDivisionError", "the step is 0");
  const double length = std::ceil((in[1]->toDouble() - in[0]->toDouble()) / step);
  if (std::isnan(length)) return refuse("ValueError", "its length is not a number");
  if (length > static_cast<double>(most)) return refuse("ValueError", "it has too many elements");
  out.shape[0] = length > 0 ? static_cast<int64_t>(length) : 0;
  return 0;
}

void arangeFill(Array* const* in, const Array& out) {
  withType(out.dtype, [&]<class T>(std::type_identity<T>) {
    T start, next;
    if (integersOnly(in)) {
      const Int128 first = exactInt(*in[0]);
      start = convertTo<T>(static_cast<int64_t>(first));
      next = convertTo<T>(static_cast<int64_t>(first + exactInt(*in[2])));
    } else {
      const double first = in[0]->toDouble();
      start = convertTo<T>(first);
      next = convertTo<T>(first + in[2]->toDouble());
    }
    fill(out.as<T>(), out.shape[0], start, next);
  });
}

} // namespace nodewise
