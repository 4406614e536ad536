// What one elementwise node computes on an element: a scalar op, a graph of them (`composite`), or a loop
// over such a graph (`scalar_loop`).
#pragma once

#include "ops/op.h"
#include "ops/scalar_op.h"

#include <memory>
#include <string>
#include <vector>

namespace nodewise {

/// Version of how elementwise kernels are written (loops, conversions); scalar ops have versions of their
/// own.
inline constexpr int kElementwiseVersion = 2;

struct ScalarProgram {
  enum class Form : uint8_t { Op, Composite, Loop };
  Form form = Form::Op;
  const ScalarOpRow* row = nullptr; ///< of a single op
  const Graph* graph = nullptr;     ///< of Composite and Loop; owned by the node
  bool asWhile = false;             ///< Loop: stops when the last inner output says so
  std::vector<DType> inputs, outputs;
  std::string unsupported; ///< why this program cannot be compiled; empty if it can
};

/// Reads and checks the scalar op `name` of a node: params, inner graph, numbers of inputs and outputs. What
/// is malformed is an error with its JSON path; what is only missing here is in `unsupported`.
Result<ScalarProgram> parseScalarProgram(const NodeView& node, const std::string& name);

/// Facts of a program that decide how its loop is written.
struct ScalarFacts {
  int operations = 0;    ///< scalar ops in it
  bool lanewise = false; ///< something in it handles one element at a time
  bool calls = false;    ///< it calls functions: registers do not live across them, so more vectors at a time
                         ///< gain nothing
  int64_t widest = 1;    ///< bytes of the widest value
};
ScalarFacts scalarFacts(const ScalarProgram& program);

/// Key parts of the program: "scalar op", "scalar op versions", "inner graph", "constants" (the last two
/// where there are).
std::vector<KeyPart> scalarKeyParts(const ScalarProgram& program);

/// Quiet line for people: "exp", "composite: mul, add".
std::string scalarDetail(const Node& node);

/// Values of the outputs from those of the inputs.
std::vector<codegen::ScalarValue> emitScalarProgram(codegen::ScalarBuilder& s, const ScalarProgram& program,
                                                    std::span<const codegen::ScalarValue> in);

} // namespace nodewise
