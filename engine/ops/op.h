// What an op is to the engine: a row of the op table, and what lowering one node of it gives.
#pragma once

#include "base/result.h"
#include "codegen/abi.h"
#include "graph/graph.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nodewise {

namespace codegen {
class Emitter;
}

/// How a node is run. Every view, table and count uses these words.
enum class NodeKind : uint8_t {
  View,       ///< stride arithmetic, no code
  Kernel,     ///< compiled from LLVM IR
  Prebuilt,   ///< a library routine, or a control op run by the VM: nothing to compile
  Unsupported ///< cannot be run; `reason` says why
};
std::string_view nodeKindName(NodeKind kind);

/// One named part of a cache key. Two keys are compared part by part.
struct KeyPart {
  std::string name;  ///< "op", "params", "input 0", "output 0", "inner graph", "constants", ...
  std::string value; ///< canonical text
  bool operator==(const KeyPart&) const = default;
};

/// A node as an op's lowering sees it.
struct NodeView {
  const Graph& graph;
  const Node& node;
  std::string path; ///< JSON path of the node, for errors
  /// The pairs of `destroys` that the engine honours (see graph/aliasing.h); null: all of the node's.
  const std::vector<std::pair<int, int>>* honoured = nullptr;

  /// What this node's outputs may be written over.
  const std::vector<std::pair<int, int>>& destroys() const { return honoured ? *honoured : node.destroys; }
  size_t inputs() const { return node.in.size(); }
  size_t outputs() const { return node.out.size(); }
  const Value& inValue(size_t k) const { return graph.values[static_cast<size_t>(node.in[k])]; }
  const Type& in(size_t k) const { return inValue(k).type; }
  const Type& out(size_t k) const { return graph.values[static_cast<size_t>(node.out[k])].type; }
  /// Error at this node's params: "<path>.params.axis: expected ...".
  Error paramError(std::string_view key, std::string expected) const;
  /// Error at this node as a whole.
  Error error(std::string what) const;
};

/// Runs with the arrays of one node; returns 0 or a code after context.fail().
using ArrayFn = std::function<int32_t(Array* const* in, Array* const* out, Context& context)>;

/// Parameters of a control op, for the VM (see control.h).
struct ControlParams;

/// How one node runs. Made by its op's lowering from params and types alone.
struct Lowered {
  NodeKind kind = NodeKind::Unsupported;
  std::string reason; ///< of Unsupported

  /// Sets out[k]->shape for every output from the inputs' shapes (and values, see shapeFromValues); for a
  /// view also out[k]->strides and out[k]->data. Called again only when an input's layout changed (a view's
  /// address follows its input's by itself), or in every call where shapeFromValues says so. Checks lengths,
  /// and fails with the Python error of the format document.
  ArrayFn shape;
  /// Bit k: the *value* of input k (not only its shape) decides an output's shape, where a view begins, or
  /// whether `shape` fails; so it runs in every call, unless that input is a constant.
  uint64_t shapeFromValues = 0;

  /// Prebuilt: does the work. Outputs are allocated, C-contiguous, unless `allocatesOutputs` or destroyed in
  /// place.
  ArrayFn run;
  /// The routine calls context.allocate() for its outputs; `shape` may be empty.
  bool allocatesOutputs = false;
  /// (output, input): the routine may write that output over that input's storage, which then is the same
  /// memory and already holds the input's values. Otherwise output memory is uninitialised. Subset of the
  /// node's `destroys`.
  std::vector<std::pair<int, int>> inPlace;
  /// Prebuilt: when an inPlace pair cannot be honoured, the VM copies the input into the output first, so
  /// that `run` always finds the input's values in the output (IncSubtensor and its like).
  bool copyFirst = false;
  /// Prebuilt with one output that may turn out a view of input 0 (Reshape): `shape` runs every call. It
  /// either sets out[0]->data and strides too, and the node is done as a view's is; or it leaves out[0]->data
  /// null, and the VM provides C-contiguous memory and calls `run`.
  bool mayAlias = false;

  /// Kernel: writes its function into a module.
  std::function<Result<void>(codegen::Emitter&)> emit;
  /// Kernel: writes the loop plan that the code reads from Context::plan; called when a layout changed.
  std::function<void(Array* const* in, Array* const* out, std::vector<int64_t>& plan)> plan;
  /// Kernel: all that the code depends on, in order. Code options, target and toolchain are added by cache/.
  std::vector<KeyPart> keyParts;

  /// Control ops (Scan, IfElse, OpFromGraph, Blockwise): the VM runs their inner graph.
  std::shared_ptr<const ControlParams> control;

  static Lowered unsupported(std::string reason);
  static Lowered view(ArrayFn shape, uint64_t shapeFromValues = 0);
  static Lowered prebuilt(ArrayFn shape, ArrayFn run, uint64_t shapeFromValues = 0);
};

/// One op. A new op is one row in its family's table and one lowering function.
struct OpRow {
  std::string_view name;
  std::string_view family; ///< "elementwise", "reduction", "shape", "indexing", "linear algebra", ...
  /// Checks params, number and types of inputs and outputs (an error names the JSON path), and says how to
  /// run the node.
  Result<Lowered> (*lower)(const NodeView& node);
  int version; ///< raise it when the op's code or meaning changes: entries of the old one become stale
  std::string_view inputs; ///< "x, integers" for documentation
  std::string_view doc;    ///< one or two sentences
};

/// All rows, sorted by name.
const std::vector<OpRow>& opTable();
const OpRow* findOp(std::string_view name);

/// Lowers one node by its op's row; an op that is not in the table is Unsupported "unknown op NAME".
/// An error means that the file is wrong (params or types), never that something is missing here.
Result<Lowered> lowerNode(const NodeView& node);

} // namespace nodewise
