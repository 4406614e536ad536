// Memory for the time of one call.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nodewise {

/// Takes memory from a stack that each thread keeps, so that small calls do not allocate; gives all of it
/// back when it goes out of scope. Scratches of one thread nest like the scopes they stand in. Throws
/// std::bad_alloc.
class Scratch {
public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// `count` uninitialised elements, aligned for vector code. Never null, also for count 0.
  template <class T> T* take(int64_t count) {
    return static_cast<T*>(takeBytes(static_cast<size_t>(count > 0 ? count : 0), sizeof(T)));
  }

private:
  void* takeBytes(size_t count, size_t size);

  size_t m_block; ///< where the stack stood when this scope began
  size_t m_used;
};

} // namespace nodewise
