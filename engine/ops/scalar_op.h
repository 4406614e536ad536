// The scalar ops: what an Elemwise, a reduction or a scalar node does to each element. One row each.
#pragma once

#include "base/result.h"
#include "graph/graph.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nodewise {

namespace codegen {
class ScalarBuilder;
struct ScalarValue;
} // namespace codegen

/// What inputs are converted to before the op sees them.
enum class ScalarConversion : uint8_t {
  ToOutput, ///< the output's dtype (the rule of the format)
  ToCommon, ///< NumPy's promotion of all inputs (comparisons)
  None      ///< as they are; the op says what it does
};

/// Sets of dtypes an op is defined on (of the values it computes with, after conversion).
enum ScalarDomain : uint8_t {
  OnBool = 1,
  OnInteger = 2,
  OnFloat = 4,
  OnComplex = 8,
  OnReal = OnBool | OnInteger | OnFloat,
  OnNumbers = OnInteger | OnFloat | OnComplex,
  OnAll = OnReal | OnComplex
};

/// What an op's code is made of, which decides how its loop is written.
enum class ScalarCode : uint8_t {
  Inline,  ///< instructions: several vectors at a time hide latency
  Calls,   ///< calls vector functions: registers do not live across them, so one vector at a time
  Lanewise ///< handles one element at a time: no vector loop
};

struct ScalarOpRow {
  std::string_view name;
  int leastInputs, mostInputs; ///< mostInputs < 0: no limit
  uint8_t domain;              ///< ScalarDomain bits
  ScalarConversion conversion;
  int version; ///< raise it when the code changes: nodes that use the op become stale
  ScalarCode code;
  /// Inputs are converted; returns a value of dtype `out` (or one that casts to it).
  codegen::ScalarValue (*emit)(codegen::ScalarBuilder& s, std::span<const codegen::ScalarValue> in,
                               DType out);
  std::string_view doc;
};

/// All rows, sorted by name. `composite` and `scalar_loop` are not among them: see scalar_graph.h.
const std::vector<ScalarOpRow>& scalarOpTable();
const ScalarOpRow* findScalarOp(std::string_view name);

/// Each family is one file with one table.
std::span<const ScalarOpRow> arithmeticScalarOps(); // scalar_arithmetic.cpp
std::span<const ScalarOpRow> compareScalarOps();    // scalar_compare.cpp
std::span<const ScalarOpRow> roundingScalarOps();   // scalar_rounding.cpp
std::span<const ScalarOpRow> mathScalarOps();       // scalar_math.cpp
std::span<const ScalarOpRow> complexScalarOps();    // scalar_complex.cpp
std::span<const ScalarOpRow> specialScalarOps();    // scalar_special.cpp

/// Emits one op: converts the inputs by the row's rule, computes, converts to `out`.
codegen::ScalarValue emitScalarOp(codegen::ScalarBuilder& s, const ScalarOpRow& row,
                                  std::span<const codegen::ScalarValue> in, DType out);

/// Whether the op is defined on these dtypes; the error says for which op and dtype it is not.
Result<void> checkScalarDomain(const ScalarOpRow& row, std::span<const DType> in, DType out);

} // namespace nodewise
