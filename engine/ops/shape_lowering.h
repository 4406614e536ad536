// Lowering of the ops of the shape family, which stand in several files.
#pragma once

#include "ops/op.h"

namespace nodewise {

// reshaping.cpp
Result<Lowered> lowerReshape(const NodeView& node);
Result<Lowered> lowerJoinDims(const NodeView& node);
Result<Lowered> lowerSplitDims(const NodeView& node);

// identities.cpp
/// ViewOp and all others that give their input as it is.
Result<Lowered> lowerIdentity(const NodeView& node);
Result<Lowered> lowerDeepCopy(const NodeView& node);
Result<Lowered> lowerCpuContiguous(const NodeView& node);
Result<Lowered> lowerTensorFromScalar(const NodeView& node);
Result<Lowered> lowerScalarFromTensor(const NodeView& node);

} // namespace nodewise
