#include "op_baselines.h"

#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <cstring>
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace nodewise::bench {

namespace {

template <class T> const T* in(const LoopArgs& a, int k) { return static_cast<const T*>(a.in[k]); }
template <class T> T* out(const LoopArgs& a) { return static_cast<T*>(a.out); }

template <class T, class F> void each(const LoopArgs& a, F f) {
  const T* __restrict x = in<T>(a, 0);
  auto* __restrict o = out<decltype(f(T{}))>(a);
#pragma omp simd
  for (int64_t i = 0; i < a.n; ++i) o[i] = f(x[i]);
}

template <class T, class F> void both(const LoopArgs& a, F f) {
  const T* __restrict x = in<T>(a, 0), * __restrict y = in<T>(a, 1);
  auto* __restrict o = out<decltype(f(T{}, T{}))>(a);
#pragma omp simd
  for (int64_t i = 0; i < a.n; ++i) o[i] = f(x[i], y[i]);
}

/// Eight vectors of accumulators: additions have a latency of four cycles, two begin in each.
template <class T, class F> T reduce(const T* x, int64_t n, T start, F f) {
  constexpr int kLanes = 512 / sizeof(T);
  T a[kLanes];
  std::fill(a, a + kLanes, start);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int j = 0; j < kLanes; ++j) a[j] = f(a[j], x[i + j]);
  T total = start;
  for (const T v : a) total = f(total, v);
  for (; i < n; ++i) total = f(total, x[i]);
  return total;
}

} // namespace

void addF64(const LoopArgs& a) {
  both<double>(a, [](double x, double y) { return x + y; });
}

void addF64Streaming(const LoopArgs& a) {
#if defined(__AVX__)
  const double *x = in<double>(a, 0), *y = in<double>(a, 1);
  auto* o = out<double>(a);
  int64_t i = 0;
  for (; i < a.n && (reinterpret_cast<uintptr_t>(o + i) & 31); ++i) o[i] = x[i] + y[i];
  for (; i + 4 <= a.n; i += 4)
    _mm256_stream_pd(o + i, _mm256_add_pd(_mm256_loadu_pd(x + i), _mm256_loadu_pd(y + i)));
  for (; i < a.n; ++i) o[i] = x[i] + y[i];
  _mm_sfence();
#else
  addF64(a);
#endif
}

void addF32(const LoopArgs& a) {
  both<float>(a, [](float x, float y) { return x + y; });
}
void addI64(const LoopArgs& a) {
  both<int64_t>(a, [](int64_t x, int64_t y) { return x + y; });
}
void lessF64(const LoopArgs& a) {
  both<double>(a, [](double x, double y) { return static_cast<uint8_t>(x < y); });
}
void expF64(const LoopArgs& a) {
  each<double>(a, [](double x) { return std::exp(x); });
}
void logF64(const LoopArgs& a) {
  each<double>(a, [](double x) { return std::log(x); });
}
void tanhF64(const LoopArgs& a) {
  each<double>(a, [](double x) { return std::tanh(x); });
}
void sigmoidF64(const LoopArgs& a) {
  each<double>(a, [](double x) { return 1 / (1 + std::exp(-x)); });
}

void everySecondF64(const LoopArgs& a) {
  const double* __restrict x = in<double>(a, 0), * __restrict y = in<double>(a, 1);
  auto* __restrict o = out<double>(a);
#pragma omp simd
  for (int64_t i = 0; i < a.n; ++i) o[i] = x[2 * i] + y[i];
}

void expEverySecondF64(const LoopArgs& a) {
  const double* __restrict x = in<double>(a, 0);
  auto* __restrict o = out<double>(a);
#pragma omp simd
  for (int64_t i = 0; i < a.n; ++i) o[i] = std::exp(x[2 * i]);
}

void addRowF64(const LoopArgs& a) {
  const double* __restrict x = in<double>(a, 0), * __restrict row = in<double>(a, 1);
  auto* __restrict o = out<double>(a);
  for (int64_t i = 0; i < a.m; ++i)
#pragma omp simd
    for (int64_t j = 0; j < a.m; ++j) o[i * a.m + j] = x[i * a.m + j] + row[j];
}

void addColumnF64(const LoopArgs& a) {
  const double* __restrict x = in<double>(a, 0), * __restrict column = in<double>(a, 1);
  auto* __restrict o = out<double>(a);
  for (int64_t i = 0; i < a.m; ++i)
#pragma omp simd
    for (int64_t j = 0; j < a.m; ++j) o[i * a.m + j] = x[i * a.m + j] + column[i];
}

void addTransposedF64(const LoopArgs& a) {
  constexpr int64_t kBlock = 16;
  const double* __restrict x = in<double>(a, 0), * __restrict y = in<double>(a, 1);
  auto* __restrict o = out<double>(a);
  for (int64_t i0 = 0; i0 < a.m; i0 += kBlock)
    for (int64_t j0 = 0; j0 < a.m; j0 += kBlock)
      for (int64_t i = i0; i < std::min(i0 + kBlock, a.m); ++i)
        for (int64_t j = j0; j < std::min(j0 + kBlock, a.m); ++j)
          o[i * a.m + j] = x[j * a.m + i] + y[i * a.m + j];
}

void sumF64(const LoopArgs& a) {
  *out<double>(a) = reduce<double>(in<double>(a, 0), a.n, 0, [](double x, double y) { return x + y; });
}
void sumF32(const LoopArgs& a) {
  *out<float>(a) = reduce<float>(in<float>(a, 0), a.n, 0, [](float x, float y) { return x + y; });
}
void maxF64(const LoopArgs& a) {
  *out<double>(a) =
      reduce<double>(in<double>(a, 0), a.n, -INFINITY, [](double x, double y) { return x > y ? x : y; });
}

void sumRowsF64(const LoopArgs& a) {
  const double* __restrict x = in<double>(a, 0);
  auto* __restrict o = out<double>(a);
  std::fill(o, o + a.m, 0.0);
  for (int64_t i = 0; i < a.m; ++i)
#pragma omp simd
    for (int64_t j = 0; j < a.m; ++j) o[j] += x[i * a.m + j];
}

void sumColumnsF64(const LoopArgs& a) {
  for (int64_t i = 0; i < a.m; ++i)
    out<double>(a)[i] =
        reduce<double>(in<double>(a, 0) + i * a.m, a.m, 0, [](double x, double y) { return x + y; });
}

void cumulativeSumF64(const LoopArgs& a) {
  double total = 0;
  for (int64_t i = 0; i < a.n; ++i) out<double>(a)[i] = total += in<double>(a, 0)[i];
}

void argmaxF64(const LoopArgs& a) {
  const double* x = in<double>(a, 0);
  int64_t best = 0;
  for (int64_t i = 1; i < a.n; ++i)
    if (x[i] > x[best]) best = i;
  *out<int64_t>(a) = best;
}

void gatherF64(const LoopArgs& a) {
  const double* __restrict x = in<double>(a, 0);
  const int64_t* __restrict index = in<int64_t>(a, 1);
  auto* __restrict o = out<double>(a);
  for (int64_t i = 0; i < a.n; ++i) o[i] = x[index[i]];
}

void scatterF64(const LoopArgs& a) {
  const double* y = in<double>(a, 1);
  const int64_t* index = in<int64_t>(a, 2);
  auto* o = out<double>(a);
  std::memcpy(o, a.in[0], static_cast<size_t>(a.n) * sizeof(double));
  for (int64_t i = 0; i < a.n; ++i) o[index[i]] += y[i];
}

void joinF64(const LoopArgs& a) {
  const size_t bytes = static_cast<size_t>(a.n) * sizeof(double);
  std::memcpy(a.out, a.in[1], bytes);
  std::memcpy(out<double>(a) + a.n, a.in[2], bytes);
}

void sortF64(const LoopArgs& a) {
  std::memcpy(a.out, a.in[0], static_cast<size_t>(a.n) * sizeof(double));
  std::sort(out<double>(a), out<double>(a) + a.n);
}

void dgemm(const LoopArgs& a) {
  const int m = static_cast<int>(a.m);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, m, m, 1, in<double>(a, 0), m, in<double>(a, 1), m,
              0, out<double>(a), m);
}

void dgemv(const LoopArgs& a) {
  const int m = static_cast<int>(a.m);
  cblas_dgemv(CblasRowMajor, CblasNoTrans, m, m, 1, in<double>(a, 0), m, in<double>(a, 1), 1, 0,
              out<double>(a), 1);
}

} // namespace nodewise::bench
