#include "session/compare.h"

#include "numeric/strided.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <cstring>

namespace nodewise {

namespace {

std::string shapeText(const Tensor& t) {
  return fmt::format("{}({})", dtypeName(t.dtype), fmt::join(t.shape, ", "));
}

std::complex<double> complexElement(const Tensor& t, int64_t k) {
  double parts[2] = {0, 0};
  const DType to = DType::Complex128;
  convertElement(reinterpret_cast<std::byte*>(parts), to, t.bytes.data() + k * dtypeSize(t.dtype), t.dtype);
  return {parts[0], parts[1]};
}

bool near(double found, double expected, const Tolerance& tolerance) {
  if (std::isnan(expected)) return std::isnan(found);
  if (std::isinf(expected) || std::isinf(found)) return found == expected;
  return std::abs(found - expected) <= tolerance.atol + tolerance.rtol * std::abs(expected);
}

std::string tensorDifference(const Tensor& found, const Tensor& expected, const Case& recorded) {
  if (found.dtype != expected.dtype || found.shape != expected.shape)
    return fmt::format("expected {}, found {}", shapeText(expected), shapeText(found));
  const int64_t count = elementCount(expected.shape);
  if (isIntegral(expected.dtype)) {
    const auto size = static_cast<size_t>(dtypeSize(expected.dtype));
    for (int64_t k = 0; k < count; ++k) {
      const size_t at = static_cast<size_t>(k) * size;
      if (std::memcmp(found.bytes.data() + at, expected.bytes.data() + at, size) != 0)
        return fmt::format("element {} of {}: expected {}, found {}", k, count,
                           complexElement(expected, k).real(), complexElement(found, k).real());
    }
    return {};
  }
  const Tolerance tolerance = toleranceOf(recorded, expected.dtype);
  for (int64_t k = 0; k < count; ++k) {
    const std::complex<double> f = complexElement(found, k), e = complexElement(expected, k);
    if (!isComplex(expected.dtype)) {
      if (!near(f.real(), e.real(), tolerance))
        return fmt::format("element {} of {}: expected {:.17g}, found {:.17g} (rtol {:g}, atol {:g})", k,
                           count, e.real(), f.real(), tolerance.rtol, tolerance.atol);
      continue;
    }
    const bool eNan = std::isnan(e.real()) || std::isnan(e.imag()),
               fNan = std::isnan(f.real()) || std::isnan(f.imag());
    const bool infinite =
        std::isinf(e.real()) || std::isinf(e.imag()) || std::isinf(f.real()) || std::isinf(f.imag());
    const bool same = eNan || fNan ? eNan == fNan
                      : infinite   ? f == e
                                   : std::abs(f - e) <= tolerance.atol + tolerance.rtol * std::abs(e);
    if (!same)
      return fmt::format("element {} of {}: expected {:.17g}{:+.17g}i, found {:.17g}{:+.17g}i", k, count,
                         e.real(), e.imag(), f.real(), f.imag());
  }
  return {};
}

Tensor dense(const SparseData& s) {
  Tensor t;
  t.dtype = s.data.dtype;
  t.shape = {s.shape[0], s.shape[1]};
  const int64_t size = dtypeSize(t.dtype);
  t.bytes.assign(static_cast<size_t>(s.shape[0] * s.shape[1] * size), std::byte{0});
  const auto index = [](const Tensor& v, int64_t k) {
    return static_cast<int64_t>(complexElement(v, k).real());
  };
  const int64_t major = elementCount(s.indptr.shape) - 1;
  for (int64_t m = 0; m < major; ++m)
    for (int64_t k = index(s.indptr, m); k < index(s.indptr, m + 1); ++k) {
      const int64_t minor = index(s.indices, k);
      const int64_t row = s.csc ? minor : m, column = s.csc ? m : minor;
      if (row < 0 || column < 0 || row >= s.shape[0] || column >= s.shape[1]) continue;
      // Equal places add up.
      std::byte* to = t.bytes.data() + (row * s.shape[1] + column) * size;
      const int64_t one = 1, stride = size;
      accumulate({to, &stride, t.dtype}, {s.data.bytes.data() + k * size, &stride, t.dtype}, &one, 1);
    }
  return t;
}

} // namespace

Tolerance toleranceOf(const Case& recorded, DType dtype) {
  double rtol = 0;
  const DType part = realPart(dtype);
  if (part == DType::Float16) rtol = 1e-2;
  if (part == DType::Float32) rtol = 1e-5;
  if (part == DType::Float64) rtol = 1e-8;
  if (recorded.rtol && !isIntegral(dtype)) rtol = *recorded.rtol;
  double atol = rtol / 10;
  if (recorded.atol && !isIntegral(dtype)) atol = *recorded.atol;
  return {rtol, atol};
}

std::string difference(const Data& found, const Data& expected, const Case& recorded) {
  if (found.v.index() != expected.v.index()) return "a value of another kind";
  if (const Tensor* e = expected.tensor()) return tensorDifference(*found.tensor(), *e, recorded);
  if (const auto* e = std::get_if<RngState>(&expected.v)) {
    const auto& f = std::get<RngState>(found.v);
    const bool same = f.state == e->state && f.inc == e->inc && f.generator == e->generator &&
                      f.hasUint32 == e->hasUint32 && (!e->hasUint32 || f.uinteger == e->uinteger);
    return same ? std::string() : "another state of the random generator";
  }
  if (const auto* e = std::get_if<SliceData>(&expected.v)) {
    const auto& f = std::get<SliceData>(found.v);
    return f.start == e->start && f.stop == e->stop && f.step == e->step ? std::string() : "another slice";
  }
  if (const auto* e = std::get_if<ListData>(&expected.v)) {
    const auto& f = std::get<ListData>(found.v);
    if (f.items.size() != e->items.size())
      return fmt::format("expected a list of {}, found one of {}", e->items.size(), f.items.size());
    for (size_t k = 0; k < e->items.size(); ++k)
      if (std::string why = difference(f.items[k], e->items[k], recorded); !why.empty())
        return fmt::format("item {}: {}", k, why);
    return {};
  }
  if (const auto* e = std::get_if<SparseData>(&expected.v)) {
    const auto& f = std::get<SparseData>(found.v);
    if (f.csc != e->csc || f.shape != e->shape) return "a sparse matrix of another format or shape";
    return tensorDifference(dense(f), dense(*e), recorded);
  }
  return {}; // None equals None; opaque values cannot be run
}

} // namespace nodewise
