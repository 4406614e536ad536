#include "baselines.h"

#include <cmath>
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace nodewise::baseline {

void add(const double* __restrict x, const double* __restrict y, double* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] + y[i];
}

void addStreaming(const double* __restrict x, const double* __restrict y, double* __restrict out, int64_t n) {
#if defined(__AVX__)
  int64_t i = 0;
  for (; i < n && (reinterpret_cast<uintptr_t>(out + i) & 31); ++i) out[i] = x[i] + y[i];
  for (; i + 4 <= n; i += 4)
    _mm256_stream_pd(out + i, _mm256_add_pd(_mm256_loadu_pd(x + i), _mm256_loadu_pd(y + i)));
  for (; i < n; ++i) out[i] = x[i] + y[i];
  _mm_sfence();
#else
  add(x, y, out, n);
#endif
}

double sum(const double* x, int64_t n) {
  // Eight accumulators: what a person writes who knows that one is limited by latency.
  double a[8] = {};
  int64_t i = 0;
  for (; i + 64 <= n; i += 64)
    for (int k = 0; k < 8; ++k)
      for (int j = 0; j < 8; ++j) a[j] += x[i + 8 * k + j];
  double total = 0;
  for (double v : a) total += v;
  for (; i < n; ++i) total += x[i];
  return total;
}

void exponential(const double* __restrict x, double* __restrict out, int64_t n) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) out[i] = std::exp(x[i]);
}

} // namespace nodewise::baseline
