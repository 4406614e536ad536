// How many threads OpenBLAS may use.
#pragma once

#include <cstdint>

namespace nodewise::blas {

/// To be called before a routine of BLAS or LAPACK, with the elements of its largest matrix, or the
/// multiplications over 64 where they are many more (products). Small problems get one thread, large ones as
/// many as OpenBLAS was started with: for small ones, waking the others costs more than they do, and where
/// the cores are busy with other work it costs a time slice a call (spectral decompositions up to 33 x 33, 2
/// cores, load 7: 22 s with threads, 3 s without). The number is the library's, for all its callers in the
/// process: calls from several threads at once may get one another's, which changes times, not results.
void threadsFor(int64_t elements);

} // namespace nodewise::blas
