// Memory of values: blocks that values share when they are never needed at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace nodewise {

/// Blocks of 64-byte-aligned memory by number. Values take a block, give it back when nothing needs it any
/// more, and the next one of a fitting size takes it: liveness-based reuse. Nothing is given back to the
/// system before clear().
class BlockPool {
public:
  static constexpr int kNone = -1;

  /// A free block of at least `bytes` (the smallest that fits, and no more than four times too large), or a
  /// new one.
  int take(int64_t bytes);
  /// A block that no other value will get.
  int takeNew(int64_t bytes);
  void giveBack(int block);
  std::byte* data(int block) const { return m_blocks[static_cast<size_t>(block)].data.get(); }
  int64_t capacity(int block) const { return m_blocks[static_cast<size_t>(block)].capacity; }
  void clear();
  /// Of all blocks.
  int64_t bytes() const;
  size_t blocks() const { return m_blocks.size(); }

private:
  struct Free {
    void operator()(std::byte* p) const;
  };
  struct Block {
    std::unique_ptr<std::byte, Free> data;
    int64_t capacity = 0;
  };
  std::vector<Block> m_blocks;
  std::vector<int> m_free;
};

} // namespace nodewise
