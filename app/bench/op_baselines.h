// What each row of `nodewise bench --ops` is measured against: the loop that a person writes for it, or the
// library routine. Compiled with -O3 -march=native (app/CMakeLists.txt).
#pragma once

#include <cstdint>

namespace nodewise::bench {

/// Inputs and output as their nodes have them, n elements a vector, matrices of m rows and m columns.
struct LoopArgs {
  const void* in[3];
  void* out;
  int64_t n, m;
};
using LoopFn = void (*)(const LoopArgs&);

void addF64(const LoopArgs&);
void addF64Streaming(const LoopArgs&); ///< with stores that bypass the cache
void addF32(const LoopArgs&);
void addI64(const LoopArgs&);
void lessF64(const LoopArgs&);
void expF64(const LoopArgs&);        ///< by libmvec, as those below
void logF64(const LoopArgs&);
void tanhF64(const LoopArgs&);
void sigmoidF64(const LoopArgs&);
void everySecondF64(const LoopArgs&); ///< x[::2] + y
void expEverySecondF64(const LoopArgs&);
void addRowF64(const LoopArgs&);
void addColumnF64(const LoopArgs&);
void addTransposedF64(const LoopArgs&); ///< x.T + y, in blocks
void sumF64(const LoopArgs&);
void sumF32(const LoopArgs&);
void maxF64(const LoopArgs&);
void sumRowsF64(const LoopArgs&);    ///< over the first axis of a matrix
void sumColumnsF64(const LoopArgs&); ///< over the last
void cumulativeSumF64(const LoopArgs&);
void argmaxF64(const LoopArgs&);
void gatherF64(const LoopArgs&);  ///< x[i]
void scatterF64(const LoopArgs&); ///< a copy of x with y added at i
void joinF64(const LoopArgs&);    ///< two memcpy
void sortF64(const LoopArgs&);    ///< a copy, then std::sort
void dgemm(const LoopArgs&);      ///< OpenBLAS
void dgemv(const LoopArgs&);      ///< OpenBLAS

} // namespace nodewise::bench
