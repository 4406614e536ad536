#include "numeric/fft.h"

#include <unsupported/Eigen/FFT>

#include <algorithm>
#include <numbers>
#include <vector>

namespace nodewise {
namespace {

using Complex = Fft::Complex;

/// From this prime factor on Bluestein's detour over three transforms of two to four times the length is
/// faster.
constexpr int64_t kLargePrime = 64;
/// Tables kept at a time: a transform over several axes needs one an axis.
constexpr size_t kKeptTransforms = 8;

int64_t greatestPrimeFactor(int64_t n) {
  int64_t greatest = 1;
  for (int64_t p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p) greatest = p;
  return std::max(greatest, n);
}

using Engine = Eigen::FFT<double>;

Engine makeEngine() {
  return Engine(Engine::impl_type(), static_cast<Engine::Flag>(Engine::Unscaled | Engine::HalfSpectrum));
}

/// jk = (j^2 + k^2 - (k - j)^2) / 2 turns the transform into a convolution with a chirp.
class Bluestein {
public:
  explicit Bluestein(int64_t n)
      : m_length(n), m_padded(fastFftLength(2 * n - 1)), m_engine(makeEngine()),
        m_chirp(static_cast<size_t>(n)), m_filter(static_cast<size_t>(m_padded)),
        m_work(static_cast<size_t>(m_padded)), m_spectrum(static_cast<size_t>(m_padded)) {
    for (int64_t j = 0; j < n; ++j) {
      // j^2 modulo 2 n keeps the angle small, and so exact.
      __extension__ using Wide = unsigned __int128;
      const auto square = static_cast<double>(static_cast<uint64_t>(Wide(j) * Wide(j) % Wide(2 * n)));
      m_chirp[static_cast<size_t>(j)] = std::polar(1.0, -std::numbers::pi * square / static_cast<double>(n));
    }
    m_work[0] = std::conj(m_chirp[0]);
    for (int64_t j = 1; j < n; ++j)
      m_work[static_cast<size_t>(j)] = m_work[static_cast<size_t>(m_padded - j)] =
          std::conj(m_chirp[static_cast<size_t>(j)]);
    m_engine.fwd(m_filter.data(), m_work.data(), m_padded);
    for (Complex& x : m_filter) x /= static_cast<double>(m_padded);
  }

  /// `read(j)` gives input j. With `inverse`, in and out are conjugated: sum x w* = (sum x* w)*.
  template <class Read> void transform(Read read, Complex* out, int64_t count, bool inverse) {
    const auto flip = [inverse](Complex x) { return inverse ? std::conj(x) : x; };
    for (int64_t j = 0; j < m_length; ++j)
      m_work[static_cast<size_t>(j)] = flip(read(j)) * m_chirp[static_cast<size_t>(j)];
    std::fill(m_work.begin() + m_length, m_work.end(), Complex());
    m_engine.fwd(m_spectrum.data(), m_work.data(), m_padded);
    for (size_t k = 0; k < m_spectrum.size(); ++k) m_spectrum[k] *= m_filter[k];
    m_engine.inv(m_work.data(), m_spectrum.data(), m_padded);
    for (int64_t k = 0; k < count; ++k)
      out[k] = flip(m_work[static_cast<size_t>(k)] * m_chirp[static_cast<size_t>(k)]);
  }

private:
  int64_t m_length, m_padded;
  Engine m_engine;
  std::vector<Complex> m_chirp, m_filter, m_work, m_spectrum;
};

} // namespace

struct Fft::Impl {
  int64_t length;
  Engine engine = makeEngine();
  std::unique_ptr<Bluestein> bluestein;
  std::vector<Complex> line;
};

Fft::Fft(int64_t n) : m_impl(std::make_unique<Impl>()) {
  m_impl->length = n;
  if (greatestPrimeFactor(n) >= kLargePrime) m_impl->bluestein = std::make_unique<Bluestein>(n);
}

Fft::~Fft() = default;

void Fft::forward(const Complex* in, Complex* out) {
  // Eigen's transform of length 1 writes to scratch memory that it does not have.
  if (m_impl->length == 1) return static_cast<void>(*out = *in);
  if (m_impl->bluestein)
    return m_impl->bluestein->transform([in](int64_t j) { return in[j]; }, out, m_impl->length, false);
  m_impl->engine.fwd(out, in, m_impl->length);
}

void Fft::inverse(const Complex* in, Complex* out) {
  if (m_impl->length == 1) return static_cast<void>(*out = *in);
  if (m_impl->bluestein)
    return m_impl->bluestein->transform([in](int64_t j) { return in[j]; }, out, m_impl->length, true);
  m_impl->engine.inv(out, in, m_impl->length);
}

void Fft::forwardReal(const double* in, Complex* out) {
  if (m_impl->length == 1) return static_cast<void>(*out = *in);
  if (m_impl->bluestein)
    return m_impl->bluestein->transform([in](int64_t j) { return Complex(in[j]); }, out,
                                        m_impl->length / 2 + 1, false);
  m_impl->engine.fwd(out, in, m_impl->length);
}

void Fft::inverseReal(const Complex* in, double* out) {
  const int64_t n = m_impl->length;
  if (n == 1) return static_cast<void>(*out = in->real());
  if (!m_impl->bluestein) return m_impl->engine.inv(out, in, n);
  m_impl->line.resize(static_cast<size_t>(n));
  const auto read = [in, n](int64_t j) { return 2 * j <= n ? in[j] : std::conj(in[n - j]); };
  m_impl->bluestein->transform(read, m_impl->line.data(), n, true);
  for (int64_t j = 0; j < n; ++j) out[j] = m_impl->line[static_cast<size_t>(j)].real();
}

Fft& FftCache::find(int64_t n) {
  const auto found = m_transforms.find(n);
  if (found != m_transforms.end()) return *found->second;
  if (m_transforms.size() >= kKeptTransforms) m_transforms.clear();
  return *m_transforms.emplace(n, std::make_unique<Fft>(n)).first->second;
}

int64_t fastFftLength(int64_t n) {
  for (int64_t length = std::max<int64_t>(n, 1);; ++length) {
    int64_t rest = length;
    for (const int64_t p : {2, 3, 5})
      while (rest % p == 0) rest /= p;
    if (rest == 1) return length;
  }
}

} // namespace nodewise
