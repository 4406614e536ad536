#include "runtime/memory.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

namespace nodewise {

void BlockPool::Free::operator()(std::byte* p) const { std::free(p); }

int BlockPool::takeNew(int64_t bytes) {
  constexpr int64_t kAlign = 64;
  if (bytes > std::numeric_limits<int64_t>::max() - kAlign) throw std::bad_alloc();
  const int64_t capacity = std::max<int64_t>(kAlign, (bytes + kAlign - 1) / kAlign * kAlign);
  auto* p = static_cast<std::byte*>(std::aligned_alloc(kAlign, static_cast<size_t>(capacity)));
  if (!p) throw std::bad_alloc();
  m_blocks.push_back({std::unique_ptr<std::byte, Free>(p), capacity});
  return static_cast<int>(m_blocks.size()) - 1;
}

int BlockPool::take(int64_t bytes) {
  auto best = m_free.end();
  for (auto it = m_free.begin(); it != m_free.end(); ++it) {
    const int64_t size = capacity(*it);
    if (size >= bytes && size <= 4 * std::max<int64_t>(bytes, 64) &&
        (best == m_free.end() || size < capacity(*best)))
      best = it;
  }
  if (best == m_free.end()) return takeNew(bytes);
  const int block = *best;
  m_free.erase(best);
  return block;
}

void BlockPool::giveBack(int block) { m_free.push_back(block); }

void BlockPool::clear() {
  m_blocks.clear();
  m_free.clear();
}

int64_t BlockPool::bytes() const {
  int64_t sum = 0;
  for (const Block& block : m_blocks) sum += block.capacity;
  return sum;
}

} // namespace nodewise
