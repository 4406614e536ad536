// Discrete Fourier transforms of one line, of any length. Eigen's transform (kissfft, radix 2 to 5 and
// generic) does the work; lengths with a large prime factor, for which it takes quadratic time, go through
// Bluestein's convolution (L. I. Bluestein, IEEE Trans. Audio Electroacoustics 18, 1970).
#pragma once

#include <complex>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace nodewise {

/// Transforms of one length n >= 1. Holds scratch memory: one thread at a time. Input and output do not
/// overlap.
class Fft {
public:
  using Complex = std::complex<double>;

  explicit Fft(int64_t n);
  ~Fft();
  Fft(const Fft&) = delete;
  Fft& operator=(const Fft&) = delete;

  /// out[k] = sum over j of in[j] exp(-2 pi i j k / n).
  void forward(const Complex* in, Complex* out);
  /// The same with exp(+2 pi i j k / n); not divided by n.
  void inverse(const Complex* in, Complex* out);
  /// The first n / 2 + 1 numbers of the transform of n real ones; the others are their conjugates.
  void forwardReal(const double* in, Complex* out);
  /// The n real numbers whose transform starts with these n / 2 + 1, times n. The imaginary part of in[0],
  /// and of in[n / 2] for even n, is not read.
  void inverseReal(const Complex* in, double* out);

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

/// Transforms of the lengths that were used last, so that their tables are made once.
class FftCache {
public:
  /// Runs use(fft) with the transform of length n while no other thread uses it.
  template <class Use> void with(int64_t n, Use use) {
    const std::lock_guard lock(m_mutex);
    use(find(n));
  }

private:
  Fft& find(int64_t n);

  std::mutex m_mutex;
  std::map<int64_t, std::unique_ptr<Fft>> m_transforms;
};

/// The least length >= n without a prime factor above 5, for transforms whose length is free.
int64_t fastFftLength(int64_t n);

} // namespace nodewise
