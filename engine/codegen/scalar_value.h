// A value inside a kernel: `lanes` elements of one dtype at a time.
#pragma once

#include "graph/dtype.h"

namespace llvm {
class Value;
}

namespace nodewise::codegen {

/// SSA values of one element (or of a vector of elements). Bool is i1, integers iN, floats half/float/double;
/// a complex number is its two parts.
struct ScalarValue {
  DType dtype = DType::Float64;
  llvm::Value* re = nullptr;
  llvm::Value* im = nullptr; ///< complex only
};

} // namespace nodewise::codegen
