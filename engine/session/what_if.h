// What would miss under a supposition, and what compiling it cost when it was last compiled.
#pragma once

#include "session/cascade.h"

namespace nodewise {

struct WhatIfNode {
  NodeIndex node = 0;
  Outcome now = Outcome::Miss, then = Outcome::Miss;
  std::string reason; ///< why it would not hit
  int64_t costNs = 0; ///< recorded: of its entry now, or else of the nearest; 0: nothing is recorded
};

struct WhatIf {
  std::vector<WhatIfNode> nodes; ///< kernel nodes, in the order of the file
  int64_t hits = 0, misses = 0;  ///< as supposed
  int64_t newMisses = 0;         ///< of them: those that hit now
  int64_t costNs = 0;            ///< of the misses; recorded, not measured and not reckoned
  int64_t unknownCosts = 0;      ///< misses without a recorded cost
};

/// Whether a supposition names what there is: a CPU that LLVM knows (another LLVM may know others), ops and
/// scalar ops that Nodewise has.
Result<void> checkPretend(const Pretend& pretend);

/// Compiles nothing and changes nothing. Errors: as checkPretend(); cancelled.
Result<WhatIf> whatIf(Session& session, const Pretend& pretend, std::stop_token stop = {});

} // namespace nodewise
