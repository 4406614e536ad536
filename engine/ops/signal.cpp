#include "ops/contiguous_input.h"
#include "ops/families.h"
#include "ops/params.h"

#include "numeric/convolution.h"
#include "numeric/fft.h"
#include "numeric/index_walk.h"
#include "numeric/ring_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace nodewise {

namespace {

using Complex = Fft::Complex;

/// The transforms' tables count in 32 bits.
constexpr int64_t kLongestTransform = int64_t{1} << 27;

// ---- convolution ----

int32_t convolvedShape(Array* const* in, Array* const* out, Context& context) {
  const bool full = in[2]->toInt() != 0;
  const int rank = out[0]->rank;
  bool first = true, second = true;
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t n = in[0]->shape[axis], m = in[1]->shape[axis];
    if (n == 0 || m == 0) return context.fail("ValueError", "an empty array cannot be convolved");
    first = first && n >= m;
    second = second && m >= n;
    out[0]->shape[axis] = full ? n + m - 1 : std::abs(n - m) + 1;
  }
  if (full || first || second) return 0;
  return context.fail("ValueError",
                      "a valid convolution needs one matrix that is not smaller than the other in any axis");
}

ConstMatrix matrixOf(const Array& array, const ContiguousInput& elements) {
  return {elements.data(), array.rank == 2 ? array.shape[0] : 1, array.shape[array.rank - 1]};
}

enum class ConvolutionMethod { Direct, Fft, Auto };

int32_t runConvolution(ConvolutionMethod method, Array* const* in, Array* const* out) {
  const Array& z = *out[0];
  const DType dtype = ringDType(z.dtype);
  const ContiguousInput first(*in[0], dtype), second(*in[1], dtype);
  const ConstMatrix a = matrixOf(*in[0], first), b = matrixOf(*in[1], second);
  const bool full = in[2]->toInt() != 0;
  const bool byFft = method == ConvolutionMethod::Fft
                         ? isFloat(dtype) || isComplex(dtype)
                         : method == ConvolutionMethod::Auto && fftConvolutionPays(dtype, a, b, full);
  const auto convolve = byFft ? convolveByFft : convolveDirect;
  if (dtype == z.dtype) {
    convolve(dtype, a, b, full, z.data);
    return 0;
  }
  Scratch scratch;
  auto* sums = scratch.take<std::byte>(z.size() * dtypeSize(dtype));
  convolve(dtype, a, b, full, sums);
  std::array<int64_t, kMaxRank> strides;
  contiguousStrides(z.shape, z.rank, dtypeSize(dtype), strides.data());
  assign({z.data, z.strides, z.dtype}, {sums, strides.data(), dtype}, z.shape, z.rank);
  return 0;
}

Result<Lowered> convolution(const NodeView& node, int rank, ConvolutionMethod method) {
  NW_CHECK(checkArity(node, 3, 3, 1, 1));
  NW_CHECK(checkTensor(node, 0, rank));
  NW_CHECK(checkTensor(node, 1, rank));
  NW_CHECK(checkIndexScalar(node, 2));
  NW_CHECK(checkOutTensor(node, 0, rank));
  constexpr uint64_t fullInput = 1 << 2;
  return Lowered::prebuilt(
      convolvedShape,
      [method](Array* const* in, Array* const* out, Context&) { return runConvolution(method, in, out); },
      fullInput);
}

Result<Lowered> lowerConvolve1d(const NodeView& node) {
  return convolution(node, 1, ConvolutionMethod::Direct);
}

Result<Lowered> lowerConvolve2d(const NodeView& node) {
  NW_TRY(const std::string method, choiceParam(node, "method", {"direct", "fft", "auto"}, "auto"));
  return convolution(node, 2,
                     method == "direct" ? ConvolutionMethod::Direct
                     : method == "fft"  ? ConvolutionMethod::Fft
                                        : ConvolutionMethod::Auto);
}

// ---- Fourier transforms ----

/// Lengths s of the transformed axes, the last of a rank: checked, in `lengths`.
int32_t readLengths(const Array& s, int rank, std::vector<int64_t>& lengths, Context& context) {
  const ContiguousInput values(s, DType::Int64);
  lengths.assign(values.as<int64_t>(), values.as<int64_t>() + values.size());
  if (lengths.empty() || static_cast<int64_t>(lengths.size()) > rank)
    return context.fail("ValueError", fmt::format("{} transform lengths for {} axes", lengths.size(), rank));
  for (const int64_t n : lengths)
    if (n < 1 || n > kLongestTransform)
      return context.fail(
          "ValueError", fmt::format("a transform of length {}: it has to be 1 to {}", n, kLongestTransform));
  return 0;
}

/// A C-contiguous array of complex numbers that transforms work on in place.
struct Spectrum {
  std::vector<int64_t> shape, strides;
  Complex* data;

  explicit Spectrum(std::vector<int64_t> lengths) : shape(std::move(lengths)), strides(shape.size()) {
    contiguousStrides(shape.data(), rank(), sizeof(Complex), strides.data());
  }
  int rank() const { return static_cast<int>(shape.size()); }
  int64_t size() const { return elementCount(shape); }
  Complex* at(int64_t offset) const {
    return reinterpret_cast<Complex*>(reinterpret_cast<std::byte*>(data) + offset);
  }
};

/// Transforms all lines along an axis in place.
void transformAxis(FftCache& cache, const Spectrum& x, int axis, bool inverse) {
  const auto a = static_cast<size_t>(axis);
  const int64_t n = x.shape[a], stride = x.strides[a] / static_cast<int64_t>(sizeof(Complex));
  Scratch scratch;
  auto *in = scratch.take<Complex>(n), *out = scratch.take<Complex>(n);
  cache.with(n, [&](Fft& fft) {
    forEachLine<1>(x.shape.data(), x.rank(), axis, {x.strides.data()}, [&](const auto& offsets) {
      Complex* line = x.at(offsets[0]);
      for (int64_t i = 0; i < n; ++i) in[i] = line[i * stride];
      inverse ? fft.inverse(in, out) : fft.forward(in, out);
      for (int64_t i = 0; i < n; ++i) line[i * stride] = out[i];
    });
  });
}

/// out = the leading part of `in` along each axis, as far as both have it, elsewhere 0.
void cutOrPad(const Array& in, int rank, const std::vector<int64_t>& shape, std::byte* data, DType dtype) {
  std::array<int64_t, kMaxRank> common, strides;
  contiguousStrides(shape.data(), rank, dtypeSize(dtype), strides.data());
  std::fill_n(data, elementCount(shape) * dtypeSize(dtype), std::byte{});
  for (int axis = 0; axis < rank; ++axis)
    common[static_cast<size_t>(axis)] = std::min(in.shape[axis], shape[static_cast<size_t>(axis)]);
  assign({data, strides.data(), dtype}, {in.data, in.strides, in.dtype}, common.data(), rank);
}

/// Writes complex numbers as pairs of real ones, or real ones as they are, in the dtype of `out`.
void writeReals(const double* from, const Array& out) {
  const int64_t n = out.size(), one = dtypeSize(out.dtype), wide = sizeof(double);
  assign({out.data, &one, out.dtype}, {reinterpret_cast<const std::byte*>(from), &wide, DType::Float64}, &n,
         1);
}

/// a's shape with the last axes of lengths s.
std::vector<int64_t> shapeWithLengths(const Array& a, int rank, const std::vector<int64_t>& lengths) {
  std::vector<int64_t> shape(a.shape, a.shape + rank);
  std::copy(lengths.begin(), lengths.end(), shape.end() - static_cast<std::ptrdiff_t>(lengths.size()));
  return shape;
}

int32_t runRfft(FftCache& cache, Array* const* in, Array* const* out, Context& context) {
  const Array& a = *in[0];
  std::vector<int64_t> lengths;
  if (const int32_t code = readLengths(*in[1], a.rank, lengths, context)) return code;
  std::vector<int64_t> shape = shapeWithLengths(a, a.rank, lengths);
  Scratch scratch;
  auto* reals = scratch.take<double>(elementCount(shape));
  cutOrPad(a, a.rank, shape, reinterpret_cast<std::byte*>(reals), DType::Float64);
  const int64_t n = shape.back();
  shape.back() = n / 2 + 1;
  Spectrum spectrum(shape);
  const bool inOutput = out[0]->dtype == DType::Float64;
  spectrum.data = inOutput ? out[0]->as<Complex>() : scratch.take<Complex>(spectrum.size());
  cache.with(n, [&](Fft& fft) {
    for (int64_t line = 0; line < spectrum.size() / shape.back(); ++line)
      fft.forwardReal(reals + line * n, spectrum.data + line * shape.back());
  });
  for (size_t k = 2; k <= lengths.size(); ++k)
    transformAxis(cache, spectrum, a.rank - static_cast<int>(k), false);
  if (!inOutput) writeReals(reinterpret_cast<const double*>(spectrum.data), *out[0]);
  return 0;
}

int32_t runIrfft(FftCache& cache, Array* const* in, Array* const* out, Context& context) {
  const Array& a = *in[0];
  const int rank = a.rank - 1;
  if (a.shape[rank] != 2)
    return context.fail("ValueError", "the last axis, real and imaginary part, has to have length 2");
  std::vector<int64_t> lengths;
  if (const int32_t code = readLengths(*in[1], rank, lengths, context)) return code;
  std::vector<int64_t> shape = shapeWithLengths(a, rank, lengths);
  const int64_t n = shape.back();
  shape.back() = n / 2 + 1;
  Spectrum spectrum(shape);
  Scratch scratch;
  spectrum.data = scratch.take<Complex>(spectrum.size());
  shape.push_back(2);
  cutOrPad(a, a.rank, shape, reinterpret_cast<std::byte*>(spectrum.data), DType::Float64);
  for (size_t k = lengths.size(); k >= 2; --k)
    transformAxis(cache, spectrum, rank - static_cast<int>(k), true);
  const bool inOutput = out[0]->dtype == DType::Float64;
  double* reals = inOutput ? out[0]->as<double>() : scratch.take<double>(out[0]->size());
  cache.with(n, [&](Fft& fft) {
    for (int64_t line = 0; line < spectrum.size() / (n / 2 + 1); ++line)
      fft.inverseReal(spectrum.data + line * (n / 2 + 1), reals + line * n);
  });
  if (!inOutput) writeReals(reals, *out[0]);
  return 0;
}

constexpr uint64_t kSecondInput = 1 << 1;

Result<void> checkTransform(const NodeView& node, int leastRank) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkIndexVector(node, 1));
  if (node.in(0).rank() < leastRank)
    return node.error(fmt::format("input 0 has to be a tensor of rank {} or more, but is {}", leastRank,
                                  shortText(node.in(0))));
  if (isComplex(node.in(0).dtype)) return node.error("input 0 has to be of real numbers");
  return {};
}

Result<Lowered> lowerRfft(const NodeView& node) {
  NW_CHECK(checkTransform(node, 1));
  NW_CHECK(checkOutTensor(node, 0, node.in(0).rank() + 1));
  auto cache = std::make_shared<FftCache>();
  return Lowered::prebuilt(
      [](Array* const* in, Array* const* out, Context& context) {
        std::vector<int64_t> lengths;
        if (const int32_t code = readLengths(*in[1], in[0]->rank, lengths, context)) return code;
        std::vector<int64_t> shape = shapeWithLengths(*in[0], in[0]->rank, lengths);
        shape.back() = shape.back() / 2 + 1;
        shape.push_back(2);
        std::copy(shape.begin(), shape.end(), out[0]->shape);
        return 0;
      },
      [cache](Array* const* in, Array* const* out, Context& context) {
        return runRfft(*cache, in, out, context);
      },
      kSecondInput);
}

Result<Lowered> lowerIrfft(const NodeView& node) {
  NW_CHECK(checkTransform(node, 2));
  NW_CHECK(checkOutTensor(node, 0, node.in(0).rank() - 1));
  auto cache = std::make_shared<FftCache>();
  return Lowered::prebuilt(
      [](Array* const* in, Array* const* out, Context& context) {
        std::vector<int64_t> lengths;
        const int rank = in[0]->rank - 1;
        if (const int32_t code = readLengths(*in[1], rank, lengths, context)) return code;
        const std::vector<int64_t> shape = shapeWithLengths(*in[0], rank, lengths);
        std::copy(shape.begin(), shape.end(), out[0]->shape);
        return 0;
      },
      [cache](Array* const* in, Array* const* out, Context& context) {
        return runIrfft(*cache, in, out, context);
      },
      kSecondInput);
}

int32_t fourierShape(Array* const* in, Array* const* out, Context& context) {
  shapeLike(*in[0], *out[0]);
  int64_t axis = in[2]->toInt();
  if (!normalizeAxis(axis, in[0]->rank, context)) return 1;
  const int64_t n = in[1]->toInt();
  if (n < 1 || n > kLongestTransform)
    return context.fail("ValueError",
                        fmt::format("a transform of length {}: it has to be 1 to {}", n, kLongestTransform));
  out[0]->shape[axis] = n;
  return 0;
}

Result<Lowered> lowerFourier(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkIndexScalar(node, 1));
  NW_CHECK(checkIndexScalar(node, 2));
  NW_CHECK(checkOutTensor(node, 0, node.in(0).rank()));
  if (node.out(0).dtype != DType::Complex128) return node.error("output 0 has to be complex128");
  constexpr uint64_t lengthAndAxis = (1 << 1) | (1 << 2);
  auto cache = std::make_shared<FftCache>();
  return Lowered::prebuilt(
      fourierShape,
      [cache](Array* const* in, Array* const* out, Context& context) {
        Array& z = *out[0];
        int64_t axis = in[2]->toInt();
        if (!normalizeAxis(axis, z.rank, context)) return 1;
        Spectrum spectrum(std::vector<int64_t>(z.shape, z.shape + z.rank));
        spectrum.data = z.as<Complex>();
        cutOrPad(*in[0], z.rank, spectrum.shape, z.data, DType::Complex128);
        transformAxis(*cache, spectrum, static_cast<int>(axis), false);
        return 0;
      },
      lengthAndAxis);
}

// ---- windows ----

Result<Lowered> lowerBartlett(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkIndexScalar(node, 0));
  NW_CHECK(checkOutTensor(node, 0, 1));
  if (node.out(0).dtype != DType::Float64) return node.error("output 0 has to be float64");
  return Lowered::prebuilt(
      [](Array* const* in, Array* const* out, Context&) {
        out[0]->shape[0] = std::max<int64_t>(in[0]->toInt(), 0);
        return 0;
      },
      [](Array* const*, Array* const* out, Context&) {
        const int64_t n = out[0]->shape[0];
        auto* window = out[0]->as<double>();
        if (n == 1) window[0] = 1;
        for (int64_t i = 0; i < n && n > 1; ++i)
          window[i] = 1 - static_cast<double>(std::abs(2 * i - (n - 1))) / static_cast<double>(n - 1);
        return 0;
      },
      1);
}

constexpr OpRow kRows[] = {
    {"Bartlett", "signal", lowerBartlett, 1, "n", "The triangular window of n elements."},
    {"Convolve1d", "signal", lowerConvolve1d, 1, "a, b, full",
     "Convolution of two vectors: all sums, or those that leave out no element of the shorter."},
    {"Convolve2d", "signal", lowerConvolve2d, 1, "a, b, full",
     "Convolution of two matrices, directly or through Fourier transforms."},
    {"Fourier", "signal", lowerFourier, 1, "a, n, axis",
     "Discrete Fourier transform of length n along an axis, cut or padded with 0."},
    {"IRFFTOp", "signal", lowerIrfft, 1, "a, lengths",
     "Inverse of RFFTOp, not divided by the number of elements. Complex numbers are a last axis of length "
     "2."},
    {"RFFTOp", "signal", lowerRfft, 1, "a, lengths",
     "Discrete Fourier transform of real numbers over the last axes. Complex numbers are a last axis of "
     "length 2."},
};

} // namespace

std::span<const OpRow> signalOps() { return kRows; }

} // namespace nodewise
