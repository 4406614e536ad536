// The loop of a Scan node.
#pragma once

#include "runtime/machine.h"

#include <memory>

namespace nodewise {

std::unique_ptr<ControlRunner> makeScanRunner(const PlannedNode& node);

/// The error of the inner machine's last run becomes that of the node that ran it.
int32_t passError(Machine& outer, Machine& inner);

} // namespace nodewise
