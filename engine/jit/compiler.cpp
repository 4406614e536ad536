#include "jit/compiler.h"

#include "jit/emission.h"
#include "jit/linker.h"
#include "jit/pipeline.h"
#include "jit/target.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <array>
#include <chrono>

namespace nodewise {

namespace {

/// Nanoseconds since it was made.
class Stopwatch {
public:
  int64_t ns() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - m_start)
        .count();
  }

private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

Error makeError(std::string what) { return {.what = std::move(what), .where = {}, .remedy = {}, .type = {}}; }

llvm::StringRef ref(std::string_view text) { return {text.data(), text.size()}; }

/// Collects what LLVM reports as an error while it lives, instead of printing it and ending the process.
class Diagnostics {
public:
  explicit Diagnostics(llvm::LLVMContext& context) : m_context(context) {
    context.setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo* info, void* self) {
          if (info->getSeverity() != llvm::DS_Error) return;
          std::string& text = static_cast<Diagnostics*>(self)->m_text;
          if (!text.empty()) text += "; ";
          llvm::raw_string_ostream out(text);
          llvm::DiagnosticPrinterRawOStream printer(out);
          info->print(printer);
        },
        this);
  }
  ~Diagnostics() { m_context.setDiagnosticHandlerCallBack(nullptr); }
  Diagnostics(const Diagnostics&) = delete;
  Diagnostics& operator=(const Diagnostics&) = delete;

  Result<void> result() const {
    if (m_text.empty()) return {};
    return makeError("LLVM: " + m_text);
  }

private:
  llvm::LLVMContext& m_context;
  std::string m_text;
};

/// Fast math lets additions be reordered, divisions become products, and functions be less exact. Infinities
/// and NaN keep their meaning: nodes such as isnan depend on them.
void allowFastMath(llvm::Module& module) {
  llvm::FastMathFlags flags;
  flags.setAllowReassoc();
  flags.setAllowContract();
  flags.setAllowReciprocal();
  flags.setApproxFunc();
  flags.setNoSignedZeros();
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (llvm::isa<llvm::FPMathOperator>(instruction)) instruction.setFastMathFlags(flags);
}

/// Checked at once, as the passes would crash on broken IR.
Result<void> checkKernel(llvm::Module& module) {
  const llvm::Function* kernel = module.getFunction(ref(codegen::kKernelName));
  if (!kernel || kernel->isDeclaration()) return makeError("the emitter wrote no kernel");
  std::string problems;
  llvm::raw_string_ostream out(problems);
  if (llvm::verifyModule(module, &out)) return makeError("the emitter wrote broken IR: " + problems);
  return {};
}

} // namespace

struct Compiler::State {
  TargetSpec target;
  std::string features, dataLayout;
  /// By optimisation level and fast math; the first use of one costs 1 ms (its tables of registers and
  /// types).
  std::array<std::unique_ptr<llvm::TargetMachine>, 8> machines;

  Result<llvm::TargetMachine*> machine(int optLevel, bool fastMath) {
    if (optLevel < 0 || optLevel > 3)
      return makeError("optimisation level " + std::to_string(optLevel) + ": expected 0 to 3");
    auto& slot = machines[static_cast<size_t>(optLevel) * 2 + (fastMath ? 1 : 0)];
    if (!slot) {
      NW_TRY(slot, makeTargetMachine(target, optLevel, fastMath));
    }
    return slot.get();
  }

  /// Renames the kernel, and runs the passes. The module is ready to be emitted.
  Result<llvm::TargetMachine*> optimise(llvm::Module& module, std::string_view symbol,
                                        const CodeOptions& options,
                                        std::vector<PassRecord>* records = nullptr) {
    NW_TRY(llvm::TargetMachine * chosen, machine(options.optLevel, options.fastMath));
    llvm::Function* kernel = module.getFunction(ref(codegen::kKernelName));
    if (!kernel) return makeError("the module has no kernel");
    if (!symbol.empty()) {
      kernel->setName(ref(symbol));
      if (kernel->getName() != ref(symbol))
        return makeError("the module uses the name " + std::string(symbol) + " twice");
    }
    setFunctionAttributes(module, target, features);
    if (options.fastMath) allowFastMath(module);
    NW_CHECK(runPasses(module, *chosen, options, records));
    return chosen;
  }
};

Compiler::Compiler(TargetSpec target) : m_state(std::make_unique<State>()) {
  m_state->target = std::move(target);
}
Compiler::Compiler(Compiler&&) noexcept = default;
Compiler& Compiler::operator=(Compiler&&) noexcept = default;
Compiler::~Compiler() = default;

const TargetSpec& Compiler::target() const { return m_state->target; }

Result<BuiltIr> Compiler::build(const EmitFn& emit, ValueNames names) {
  const Stopwatch watch;
  if (m_state->dataLayout.empty()) {
    NW_TRY(llvm::TargetMachine * machine, m_state->machine(2, false));
    m_state->dataLayout = machine->createDataLayout().getStringRepresentation();
    m_state->features = codegenFeatures(m_state->target);
  }
  BuiltIr built{.module = codegen::makeKernelModule(m_state->target.triple, m_state->dataLayout),
                .irBytes = {},
                .buildNs = 0};
  llvm::Module& module = *built.module.module;
  built.module.context->setDiscardValueNames(names == ValueNames::Discard);
  NW_CHECK(emit(module));
  NW_CHECK(checkKernel(module));
  // Text, not bitcode: as fast for kernels (60 µs), and it can be read where it is kept.
  if (names == ValueNames::Discard) built.irBytes = codegen::moduleText(module);
  built.buildNs = watch.ns();
  return built;
}

Result<CompiledObject> Compiler::compile(BuiltIr ir, std::string_view symbol, const CodeOptions& options) {
  if (symbol.empty()) return makeError("a compiled kernel needs a symbol");
  llvm::Module& module = *ir.module.module;
  const Diagnostics diagnostics(*ir.module.context);
  CompiledObject out{.symbol = std::string(symbol), .object = {}, .optimiseNs = 0, .emitNs = 0};
  const Stopwatch optimising;
  NW_TRY(llvm::TargetMachine * machine, m_state->optimise(module, symbol, options));
  NW_CHECK(diagnostics.result());
  out.optimiseNs = optimising.ns();
  const Stopwatch emitting;
  NW_TRY(out.object, emitObject(module, *machine, options.optLevel));
  NW_CHECK(diagnostics.result());
  NW_CHECK(checkObject(symbol, out.object));
  out.emitNs = emitting.ns();
  return out;
}

Result<std::string> Compiler::optimisedIr(BuiltIr ir, const CodeOptions& options) {
  const Diagnostics diagnostics(*ir.module.context);
  NW_CHECK(m_state->optimise(*ir.module.module, {}, options));
  NW_CHECK(diagnostics.result());
  return codegen::moduleText(*ir.module.module);
}

Result<std::string> Compiler::assembly(BuiltIr ir, std::string_view symbol, const CodeOptions& options) {
  const Diagnostics diagnostics(*ir.module.context);
  NW_TRY(llvm::TargetMachine * machine, m_state->optimise(*ir.module.module, symbol, options));
  NW_TRY(std::string text, emitAssembly(*ir.module.module, *machine, options.optLevel));
  NW_CHECK(diagnostics.result());
  return text;
}

Result<std::vector<PassRecord>> Compiler::recordPasses(BuiltIr ir, const CodeOptions& options) {
  const Diagnostics diagnostics(*ir.module.context);
  std::vector<PassRecord> records;
  NW_CHECK(m_state->optimise(*ir.module.module, {}, options, &records));
  NW_CHECK(diagnostics.result());
  return records;
}

} // namespace nodewise
