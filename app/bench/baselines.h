// Hand-written loops that kernels are measured against; baselines.cpp is compiled with -O3 -march=native.
#pragma once

#include <cstdint>

namespace nodewise::baseline {

void add(const double* x, const double* y, double* out, int64_t n);
/// The same with stores that bypass the cache: faster for arrays that do not fit it.
void addStreaming(const double* x, const double* y, double* out, int64_t n);
double sum(const double* x, int64_t n);
/// libmvec's vector exp.
void exponential(const double* x, double* out, int64_t n);

} // namespace nodewise::baseline
