// How many threads OpenBLAS may use.
#pragma once

#include <cstdint>

namespace nodewise::blas {

/// To be called before a routine of BLAS or LAPACK. `work`: its multiplications, or kTrafficWork for each
/// element where memory is what it waits for. Small problems get one thread, large ones as many as OpenBLAS
/// was started with: for small ones, waking the others costs more than they do, and where the cores are busy
/// with other work it costs a time slice a call (spectral decompositions up to 33 x 33, 2 cores, load 7: 22 s
/// with threads, 3 s without; a 316 x 316 matrix times a column 5.8 ms with, 13 us without). The number is
/// the library's, for all its callers in the process: calls from several threads at once may get one
/// another's, which changes times, not results.
void threadsFor(int64_t work);

/// What reading a matrix element once counts as.
inline constexpr int64_t kTrafficWork = 32;

} // namespace nodewise::blas
