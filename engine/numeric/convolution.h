// Convolution of vectors and matrices, C-contiguous.
#pragma once

#include "graph/dtype.h"

#include <cstddef>
#include <cstdint>

namespace nodewise {

/// A C-contiguous matrix; a vector is one row.
struct ConstMatrix {
  const std::byte* data = nullptr;
  int64_t rows = 1, columns = 0;
};

/// `full`: out[r][c] = sum of a[i][j] b[r-i][c-j], of (a.rows + b.rows - 1) x (a.columns + b.columns - 1)
/// elements; else only those whose sums leave out no element of the smaller matrix. None is empty, and
/// without `full` one is not smaller than the other in either axis. All are of `dtype`, one that ringDType()
/// gives.
void convolveDirect(DType dtype, ConstMatrix a, ConstMatrix b, bool full, std::byte* out);

/// The same through Fourier transforms, for float and complex dtypes: rounding errors are relative to the
/// greatest product, not to each element.
void convolveByFft(DType dtype, ConstMatrix a, ConstMatrix b, bool full, std::byte* out);

/// convolveByFft is expected to be much faster, and no element is infinite or not-a-number, which it would
/// spread.
bool fftConvolutionPays(DType dtype, ConstMatrix a, ConstMatrix b, bool full);

} // namespace nodewise
