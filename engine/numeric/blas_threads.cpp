#include "numeric/blas_threads.h"

#include "numeric/blas.h"

#include <atomic>

namespace nodewise::blas {

namespace {

constexpr int64_t kThreadsFrom = 256 * 256;

} // namespace

void threadsFor(int64_t elements) {
  static const int most = openblas_get_num_threads();
  static std::atomic<int> current = most;
  const int wanted = elements < kThreadsFrom ? 1 : most;
  if (current.exchange(wanted, std::memory_order_relaxed) != wanted) openblas_set_num_threads(wanted);
}

} // namespace nodewise::blas
