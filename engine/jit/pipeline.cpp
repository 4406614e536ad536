// The one file that includes LLVM's PassBuilder (9 s to compile).
#include "jit/pipeline.h"

#include "jit/math_symbols.h"
#include "jit/stride_steps.h"

#include <fmt/format.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <array>
#include <chrono>

namespace nodewise {

namespace {

// Level 1.
constexpr std::string_view kCleanUp =
    "always-inline,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>)";

// Level 2, for modules whose emitter wrote vectors already: the vectoriser would only find the strided and
// remainder loops.
constexpr std::string_view kLoops =
    "always-inline,function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop-mssa(loop-rotate,licm),stride-steps,simplifycfg)";

// Level 2, for all others.
constexpr std::string_view kVectorise =
    "always-inline,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop-mssa(loop-rotate,licm),loop(indvars),inject-tli-mappings,loop-vectorize,"
    "instcombine<no-verify-fixpoint>,early-cse,loop-unroll<O2>,stride-steps,simplifycfg)";

bool hasVectors(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.getType()->isVectorTy()) return true;
  return false;
}

/// Tells the vectoriser which math functions have vector forms on this target. LLVM's own list has the 128
/// and 256 bit forms of five functions, and offers 256 bit ones where there is no AVX2.
void addVectorFunctions(llvm::TargetLibraryInfoImpl& library, std::string_view features) {
  // Keeps the texts that VecDesc points to.
  struct Texts {
    std::string prefix, intrinsic;
  };
  static const std::vector<Texts> texts = [] {
    std::vector<Texts> made;
    for (const VectorVariant& v : vectorVariants()) {
      const bool isFloat = v.scalar.ends_with('f') && v.scalar != "erf";
      const std::string_view name = isFloat ? v.scalar.substr(0, v.scalar.size() - 1) : v.scalar;
      made.push_back(
          {fmt::format("_ZGV_LLVM_N{}{}", v.lanes, std::string(static_cast<size_t>(v.arguments), 'v')),
           fmt::format("llvm.{}.{}", name, isFloat ? "f32" : "f64")});
    }
    return made;
  }();
  const bool avx2 = features.find("+avx2") != std::string_view::npos;
  const bool avx512 = features.find("+avx512f") != std::string_view::npos;
  std::vector<llvm::VecDesc> forms;
  size_t k = 0;
  for (const VectorVariant& v : vectorVariants()) {
    const Texts& text = texts[k++];
    if ((v.isa == 'd' && !avx2) || (v.isa == 'e' && !avx512)) continue;
    const auto lanes = llvm::ElementCount::getFixed(static_cast<unsigned>(v.lanes));
    const llvm::StringRef name(v.name.data(), v.name.size());
    forms.emplace_back(llvm::StringRef(v.scalar.data(), v.scalar.size()), name, lanes, false, text.prefix);
    forms.emplace_back(text.intrinsic, name, lanes, false, text.prefix);
  }
  library.addVectorizableFunctions(forms);
}

/// Keeps a record of each pass that runs, by callbacks.
class Recorder {
public:
  Recorder(const llvm::Module& module, std::vector<PassRecord>& records)
      : m_module(module), m_records(records) {}

  void attach(llvm::PassInstrumentationCallbacks& callbacks) {
    m_callbacks = &callbacks;
    callbacks.registerBeforeNonSkippedPassCallback(
        [this](llvm::StringRef pass, const llvm::Any&) { before(pass); });
    callbacks.registerAfterPassCallback(
        [this](llvm::StringRef pass, const llvm::Any&, const llvm::PreservedAnalyses&) { after(pass); });
    callbacks.registerAfterPassInvalidatedCallback(
        [this](llvm::StringRef pass, const llvm::PreservedAnalyses&) { after(pass); });
  }

private:
  using Clock = std::chrono::steady_clock;

  /// Managers and adaptors contain the passes; they are none themselves.
  static bool isContainer(llvm::StringRef pass) {
    return llvm::isSpecialPass(pass,
                               {"PassManager", "PassAdaptor", "RequireAnalysisPass", "InvalidateAnalysisPass",
                                "ModuleInlinerWrapperPass", "DevirtSCCRepeatedPass"});
  }

  void before(llvm::StringRef pass) {
    if (isContainer(pass)) return;
    if (m_text.empty()) m_text = codegen::moduleText(m_module);
    m_started = Clock::now();
  }

  void after(llvm::StringRef pass) {
    if (isContainer(pass)) return;
    const auto ended = Clock::now();
    std::string text = codegen::moduleText(m_module);
    const llvm::StringRef name = m_callbacks->getPassNameForClassName(pass);
    m_records.push_back({name.empty() ? pass.str() : name.str(),
                         std::chrono::duration_cast<std::chrono::nanoseconds>(ended - m_started).count(),
                         text != m_text, m_text, text});
    m_text = std::move(text);
  }

  const llvm::Module& m_module;
  std::vector<PassRecord>& m_records;
  llvm::PassInstrumentationCallbacks* m_callbacks = nullptr;
  std::string m_text; ///< the module after the last pass
  Clock::time_point m_started;
};

Error badOption(std::string what) { return {.what = std::move(what), .where = {}, .remedy = {}, .type = {}}; }

} // namespace

Result<void> runPasses(llvm::Module& module, llvm::TargetMachine& machine, const CodeOptions& options,
                       std::vector<PassRecord>* records) {
  if (options.optLevel < 0 || options.optLevel > 3)
    return badOption(fmt::format("optimisation level {}: expected 0 to 3", options.optLevel));
  if (options.vectorLibrary != "libmvec" && options.vectorLibrary != "none")
    return badOption(fmt::format("vector library \"{}\": expected libmvec or none", options.vectorLibrary));
  if (options.optLevel == 0) return {};

  llvm::PassInstrumentationCallbacks callbacks;
  std::optional<Recorder> recorder;
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  if (options.vectorLibrary == "libmvec") {
    const llvm::StringRef features = machine.getTargetFeatureString();
    addVectorFunctions(library, {features.data(), features.size()});
  }
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::FunctionPassManager& list,
                                             llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
    if (name != "stride-steps") return false;
    list.addPass(StrideSteps());
    return true;
  });

  llvm::ModulePassManager passes;
  if (options.optLevel == 3) {
    passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  } else {
    const std::string_view text = options.optLevel == 1 ? kCleanUp : hasVectors(module) ? kLoops : kVectorise;
    if (auto bad = builder.parsePassPipeline(passes, llvm::StringRef(text.data(), text.size())))
      return badOption("pass list: " + llvm::toString(std::move(bad)));
  }
  if (records) {
    recorder.emplace(module, *records);
    recorder->attach(callbacks);
  }
  passes.run(module, modules);
  return {};
}

} // namespace nodewise
