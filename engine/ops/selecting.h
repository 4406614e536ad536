// Ops that pick elements by integers, element by element.
#pragma once

#include "ops/op.h"

namespace nodewise {

Result<Lowered> lowerPermuteRowElements(const NodeView& node);
Result<Lowered> lowerChoose(const NodeView& node);
Result<Lowered> lowerUnravelIndex(const NodeView& node);    // index_arithmetic.cpp
Result<Lowered> lowerRavelMultiIndex(const NodeView& node); // index_arithmetic.cpp

} // namespace nodewise
