// From a node's emitter to an object file in memory, in two steps so that the content key can be looked up in
// between:
//
//   build     IR as emitted, verified, with the bytes that the content key hashes
//   compile   renamed, optimised, emitted
//
// Nothing here touches a cache or links code. No LLVM header is needed to use it.
#pragma once

#include "base/result.h"
#include "cache/key.h"
#include "codegen/module.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nodewise {

/// Writes the body of the function codegen::kKernelName, which is there with an empty body, and whatever it
/// calls.
using EmitFn = std::function<Result<void>(llvm::Module&)>;

/// Names of values make IR readable and slower to build. They are no part of `irBytes`' meaning, so the
/// hashed form never has them.
enum class ValueNames : bool { Discard, Keep };

/// A verified module before optimisation.
struct BuiltIr {
  codegen::KernelModule module;
  std::string irBytes; ///< what the content key hashes: the same emitter gives the same bytes in every
                       ///< process. Empty with ValueNames::Keep.
  int64_t buildNs = 0; ///< wall time: emit, verify, serialise
};

/// One object file with one exported function.
struct CompiledObject {
  std::string symbol;
  std::vector<std::byte> object;
  int64_t optimiseNs = 0; ///< wall time of the IR passes
  int64_t emitNs = 0;     ///< wall time of code generation, object file included
};

/// One run of one IR pass over a kernel.
struct PassRecord {
  std::string name;
  int64_t ns = 0;       ///< wall time, with the analyses it asked for, without printing
  bool changed = false; ///< the printed IR differs
  std::string irBefore, irAfter;
};

/// Makes object files for one target. Target machines are made when first needed and reused. Not thread safe:
/// one Compiler a thread.
class Compiler {
public:
  /// Costs nothing: LLVM is initialised by the first call of build().
  explicit Compiler(TargetSpec target);
  Compiler(Compiler&&) noexcept;
  Compiler& operator=(Compiler&&) noexcept;
  ~Compiler();

  const TargetSpec& target() const;

  /// IR of one kernel. Fails with the emitter's error, with what LLVM's verifier found, or when LLVM does not
  /// know the target.
  Result<BuiltIr> build(const EmitFn& emit, ValueNames names = ValueNames::Discard);

  /// Optimised machine code whose only exported function is `symbol`. The bytes depend on `ir`, `symbol`,
  /// `options` and the target alone, and hold no address of this process. Fails when LLVM reports an error
  /// (an instruction or intrinsic that the target does not have) or an option is out of its range.
  Result<CompiledObject> compile(BuiltIr ir, std::string_view symbol, const CodeOptions& options);

  /// For views. Each gives what compile() makes, as text.
  Result<std::string> optimisedIr(BuiltIr ir, const CodeOptions& options);
  Result<std::string> assembly(BuiltIr ir, std::string_view symbol, const CodeOptions& options);
  /// Runs the IR passes of `options` and keeps each pass's time and the IR around it, in the order they ran.
  Result<std::vector<PassRecord>> recordPasses(BuiltIr ir, const CodeOptions& options);

private:
  struct State;
  std::unique_ptr<State> m_state;
};

} // namespace nodewise
