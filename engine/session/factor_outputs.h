// Outputs that may differ from the recorded ones and still be right: those of decompositions, which are
// determined only up to signs, phases or order, get a verdict by the op's equation; a matrix exponential in
// single precision, by the exact one.
#pragma once

#include "session/session.h"

#include <optional>
#include <string>

namespace nodewise {

/// What was found out about an output that differs from its recorded value.
struct FactorVerdict {
  std::string wrong;      ///< empty: the factors are right, up to sign
  CompileSummary compile; ///< of the graph that was run to see the node's inputs and all of its outputs
};

/// Checks output `k` of a run, if it is a factor: an output of an op with factors (ops/factor_check.h), of a
/// Blockwise of one, or a copy of that. The factors found have to satisfy the op's equation for the inputs
/// that the node has in this case; so do the recorded ones, where all of them are outputs of the graph.
/// Empty: output k is no factor.
std::optional<FactorVerdict> checkFactorOutput(const Session& session, const std::shared_ptr<Engine>& engine,
                                               const Case& recorded, const std::vector<Data>& found, size_t k,
                                               std::stop_token stop);

/// Checks output `k` of a run, if it is Expm in single precision (or a Blockwise of it, or a copy) of a
/// matrix that the case records or the graph holds: what is wrong with it as ops/exponential_check.h says, or
/// "". Empty: output k is nothing of that kind.
std::optional<std::string> checkExponentialOutput(const Graph& graph, const Case& recorded,
                                                  const std::vector<Data>& found, size_t k);

} // namespace nodewise
