#include "session/what_if.h"

#include "jit/host.h"
#include "ops/op.h"
#include "ops/scalar_op.h"

namespace nodewise {

Result<void> checkPretend(const Pretend& pretend) {
  for (const auto& [name, version] : pretend.versions)
    if (!findOp(name) && !findScalarOp(name))
      return Error{"there is no op or scalar op \"" + name + '"', {}, "`nodewise ops` lists them", {}};
  if (pretend.target && !pretend.llvmVersion) NW_CHECK(checkCpu(*pretend.target));
  return {};
}

Result<WhatIf> whatIf(Session& session, const Pretend& pretend, std::stop_token stop) {
  NW_CHECK(checkPretend(pretend));
  NW_TRY(const std::vector<ExplainedNode> now, explainNodes(session, {}, stop));
  NW_TRY(const std::vector<ExplainedNode> then, explainNodes(session, pretend, stop));
  WhatIf result;
  for (size_t n = 0; n < then.size(); ++n) {
    WhatIfNode node{then[n].node, now[n].outcome, then[n].outcome, then[n].reason, 0};
    if (!then[n].sameAs) node.costNs = now[n].costNs > 0 ? now[n].costNs : then[n].costNs;
    if (node.then == Outcome::Hit) {
      ++result.hits;
    } else {
      ++result.misses;
      result.newMisses += node.now == Outcome::Hit;
      result.costNs += node.costNs;
      result.unknownCosts += node.costNs == 0 && !then[n].sameAs;
    }
    result.nodes.push_back(std::move(node));
  }
  return result;
}

} // namespace nodewise
