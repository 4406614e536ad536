// Control ops: what the VM needs to run their inner graphs.
#pragma once

#include "graph/graph.h"
#include "numeric/roots.h"

#include <memory>
#include <string>
#include <vector>

namespace nodewise {

/// Params of Scan, in the words of the format document.
struct ScanParams {
  int sequences = 0, nitSots = 0, untraced = 0, nonSequences = 0;
  std::vector<std::vector<int64_t>> mitMotIn, mitMotOut; ///< taps, one list a state
  std::vector<std::vector<int64_t>> mitSotIn;            ///< mit-sot states, then sit-sot states
  int sitSots = 0;                                       ///< how many of mitSotIn are sit-sot states
  bool asWhile = false;

  int mitMots() const { return static_cast<int>(mitMotIn.size()); }
  int sots() const { return static_cast<int>(mitSotIn.size()); }
};

/// Core axes of a Blockwise, by name: equal names have equal lengths.
struct BlockwiseSignature {
  std::vector<std::vector<std::string>> inputs, outputs;
};

/// Params of RootOp and RootScalarOp: the inner graph gives f, and as many of its derivatives.
struct RootParams {
  roots::Method method = roots::Method::Hybrid; ///< RootOp
  roots::Limits limits;                         ///< RootOp
  roots::ScalarLimits scalarLimits;             ///< RootScalarOp
  int derivatives = 0;
};

struct ControlParams {
  enum class Kind : uint8_t { Call, IfElse, Blockwise, Scan, Root, RootScalar };
  Kind kind = Kind::Call;
  std::shared_ptr<const Graph> inner; ///< none for IfElse
  ScanParams scan;
  BlockwiseSignature blockwise;
  RootParams root;
  int branches = 0; ///< IfElse: values of each branch
};

} // namespace nodewise
