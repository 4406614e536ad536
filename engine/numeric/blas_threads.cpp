#include "numeric/blas_threads.h"

#include "numeric/blas.h"

#include <atomic>

namespace nodewise::blas {

namespace {

/// A millisecond or two of one core: products of 320 x 320 matrices, 2 million elements times a column.
constexpr int64_t kThreadsFrom = int64_t{1} << 25;

} // namespace

void threadsFor(int64_t work) {
  static const int most = openblas_get_num_threads();
  static std::atomic<int> current = most;
  const int wanted = work < kThreadsFrom ? 1 : most;
  if (current.exchange(wanted, std::memory_order_relaxed) != wanted) openblas_set_num_threads(wanted);
}

} // namespace nodewise::blas
