#include "graph/data.h"

#include <limits>

namespace nodewise {

int64_t elementCount(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  bool overflow = false;
  for (const int64_t length : shape) {
    if (length == 0) return 0;
    overflow = overflow || __builtin_mul_overflow(count, length, &count);
  }
  return overflow ? std::numeric_limits<int64_t>::max() : count;
}

} // namespace nodewise
