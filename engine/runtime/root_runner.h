// RootOp and RootScalarOp: an inner graph is run until its output is zero.
#pragma once

#include "runtime/machine.h"

#include <memory>

namespace nodewise {

std::unique_ptr<ControlRunner> makeRootRunner(const PlannedNode& node);

} // namespace nodewise
