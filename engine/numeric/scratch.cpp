#include "numeric/scratch.h"

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

namespace nodewise {

namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kFirstBlock = size_t{16} << 10;
/// More than this is not kept between calls.
constexpr size_t kKept = size_t{4} << 20;

struct FreeAligned {
  void operator()(std::byte* data) const { ::operator delete (data, std::align_val_t{kAlignment}); }
};

struct Block {
  std::unique_ptr<std::byte, FreeAligned> data;
  size_t size = 0;
};

/// Blocks never move, so memory handed out stays valid while further blocks come.
struct Stack {
  std::vector<Block> blocks;
  size_t block = 0; ///< the one that is being filled
  size_t used = 0;  ///< bytes of it
};

thread_local Stack t_stack;

void addBlock(Stack& stack, size_t least) {
  const size_t size = std::max(least, stack.blocks.empty() ? kFirstBlock : 2 * stack.blocks.back().size);
  auto* data = static_cast<std::byte*>(::operator new (size, std::align_val_t{kAlignment}));
  stack.blocks.push_back({std::unique_ptr<std::byte, FreeAligned>(data), size});
}

} // namespace

Scratch::Scratch() : m_block(t_stack.block), m_used(t_stack.used) {}

Scratch::~Scratch() {
  t_stack.block = m_block;
  t_stack.used = m_used;
  const bool outermost = m_block == 0 && m_used == 0;
  if (!outermost) return;
  while (!t_stack.blocks.empty() && t_stack.blocks.back().size > kKept) t_stack.blocks.pop_back();
}

void* Scratch::takeBytes(size_t count, size_t size) {
  if (count > (SIZE_MAX - kAlignment) / size) throw std::bad_alloc();
  const size_t bytes = (count * size + kAlignment) / kAlignment * kAlignment;
  Stack& stack = t_stack;
  while (stack.block < stack.blocks.size() && stack.blocks[stack.block].size - stack.used < bytes) {
    ++stack.block;
    stack.used = 0;
  }
  if (stack.block == stack.blocks.size()) addBlock(stack, bytes);
  std::byte* data = stack.blocks[stack.block].data.get() + stack.used;
  stack.used += bytes;
  return data;
}

} // namespace nodewise
