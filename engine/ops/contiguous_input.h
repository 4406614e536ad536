// Inputs as library routines want them: C-contiguous, of one dtype.
#pragma once

#include "codegen/abi.h"
#include "numeric/scratch.h"

namespace nodewise {

/// The elements of a tensor, C-contiguous and of the dtype asked for. They are copied only where they are not
/// so already; the array has to live as long.
class ContiguousInput {
public:
  ContiguousInput(const Array& array, DType dtype);

  const std::byte* data() const { return m_data; }
  template <class T> const T* as() const { return reinterpret_cast<const T*>(m_data); }
  int64_t size() const { return m_size; }

private:
  const std::byte* m_data;
  int64_t m_size;
  Scratch m_scratch;
};

/// Sets out's shape to in's.
void shapeLike(const Array& in, const Array& out);

/// `axis` counted from the end where it is negative; an AxisError of the node (and false) where it is
/// outside.
bool normalizeAxis(int64_t& axis, int rank, Context& context);

} // namespace nodewise
