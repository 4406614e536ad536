// Runs one node without a VM: for tests of ops that are views or prebuilt.
//
//   OpCall call{"Join", {}, {scalarOf<int64_t>(0), a, b}, {tensorType(DType::Float64, {kUnknownLength})}};
//   QCOMPARE(mismatch(call, {expected}), std::string());          // in every memory layout of the inputs
//   QCOMPARE(callOp(badCall).errorText(), std::string("ValueError: ..."));
#pragma once

#include "graph/graph_builder.h"
#include "ops/op.h"
#include "tensors.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace nodewise::testing {

/// How tensor inputs of rank ≥ 1 lie in memory.
enum class Layout {
  Contiguous,
  Fortran, ///< the first axis is the densest
  Spread,  ///< every axis has gaps, which hold garbage
  Reversed ///< negative strides
};
inline constexpr Layout kLayouts[] = {Layout::Contiguous, Layout::Fortran, Layout::Spread, Layout::Reversed};

/// One node with the inputs of a call.
struct OpCall {
  std::string op;
  nlohmann::json params = nlohmann::json::object();
  std::vector<Data> inputs;
  std::vector<Type> outputTypes;
  std::vector<Type> inputTypes = {}; ///< empty: typeOf(data) with all lengths static
  std::vector<std::pair<int, int>> destroys = {}, views = {};
  Layout layout = Layout::Contiguous;
  std::shared_ptr<const Graph> inner = {};
};

struct OpOutcome {
  Lowered lowered;               ///< valid where lowering succeeded
  std::optional<Error> error;    ///< of lowering (`type` empty), or of shape or run (`type` set)
  std::vector<Data> outputs;     ///< C-contiguous copies; empty after an error
  std::vector<Data> inputsAfter; ///< the inputs' contents after the call
  std::vector<bool> aliases;     ///< output k's first element lies in some input's memory

  /// "TYPE: what" of an error of the call, "where: what" of an error of lowering, "" after success.
  std::string errorText() const;
};

/// Lowers and runs the node. Kernels are not run: that is an error.
OpOutcome callOp(const OpCall& call);

/// Runs the call in every layout and compares with the expected outputs; "" where all agree. With `tolerance`
/// 0 the bytes have to be equal; else numbers may differ by tolerance * (1 + |expected|), and not-a-number
/// equals itself.
std::string mismatch(OpCall call, const std::vector<Data>& expected, double tolerance = 0);
/// "" where two Data are equal in the sense of `mismatch`. Sparse matrices are compared as dense ones (their
/// format has to be the same), lists item by item.
std::string difference(const Data& actual, const Data& expected, double tolerance = 0);
/// A short text of a Data for messages.
std::string describe(const Data& data);

using nodewise::scalarType;
using nodewise::tensorType;
/// The type with every length that is not 1 unknown, or (`onesToo`) all.
Type withoutLengths(Type type, bool onesToo = false);
/// Type of a Data with all lengths static.
Type typeOf(const Data& data);

/// A tensor of any dtype whose element i is `first + i * step`, converted (complex: with imaginary part
/// -value).
Data rampOf(DType dtype, std::vector<int64_t> shape, double first = 0, double step = 1);
/// The same elements, converted.
Data convertedTo(const Data& data, DType dtype);

} // namespace nodewise::testing
