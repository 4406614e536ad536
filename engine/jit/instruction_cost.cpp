#include "jit/instruction_cost.h"

#include "jit/target.h"

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>

namespace nodewise {

namespace {

Error makeError(std::string what) {
  return {.what = std::move(what), .where = "costs of instructions", .remedy = {}, .type = {}};
}

/// Keeps the instructions that a parser reads, with where they stand; everything else is passed over.
class Collector : public llvm::MCStreamer {
public:
  Collector(llvm::MCContext& context, const llvm::SourceMgr& source, const llvm::MCInstrInfo& instructions,
            std::vector<InstructionCost>& costs)
      : MCStreamer(context), m_source(source), m_instructions(instructions), m_costs(costs) {}

  void emitInstruction(const llvm::MCInst& instruction, const llvm::MCSubtargetInfo& cpu) override {
    const llvm::MCInstrDesc& description = m_instructions.get(instruction.getOpcode());
    InstructionCost cost;
    cost.line = m_source.getLineAndColumn(instruction.getLoc()).first;
    cost.loads = description.mayLoad();
    cost.stores = description.mayStore();
    cost.branches = description.isBranch() || description.isReturn();
    cost.calls = description.isCall();
    cost.latency = -1;
    cost.throughput = -1;
    if (const llvm::MCSchedClassDesc* scheduling = classOf(instruction, description, cpu)) {
      cost.latency = llvm::MCSchedModel::computeInstrLatency(cpu, *scheduling);
      cost.throughput = llvm::MCSchedModel::getReciprocalThroughput(cpu, *scheduling);
      cost.microOps = scheduling->NumMicroOps;
    }
    m_costs.push_back(cost);
  }

  bool emitSymbolAttribute(llvm::MCSymbol*, llvm::MCSymbolAttr) override { return true; }
  void emitCommonSymbol(llvm::MCSymbol*, uint64_t, llvm::Align) override {}
  void emitZerofill(llvm::MCSection*, llvm::MCSymbol*, uint64_t, llvm::Align, llvm::SMLoc) override {}

private:
  /// None: not in the model. What depends on operands (zeroing a register by xor) is resolved by them.
  const llvm::MCSchedClassDesc* classOf(const llvm::MCInst& instruction, const llvm::MCInstrDesc& description,
                                        const llvm::MCSubtargetInfo& cpu) const {
    const llvm::MCSchedModel& model = cpu.getSchedModel();
    if (!model.hasInstrSchedModel()) return nullptr;
    unsigned id = description.getSchedClass();
    const llvm::MCSchedClassDesc* found = model.getSchedClassDesc(id);
    while (found && found->isValid() && found->isVariant()) {
      id = cpu.resolveVariantSchedClass(id, &instruction, &m_instructions, model.getProcessorID());
      if (id == 0) return nullptr;
      found = model.getSchedClassDesc(id);
    }
    return found && found->isValid() ? found : nullptr;
  }

  const llvm::SourceMgr& m_source;
  const llvm::MCInstrInfo& m_instructions;
  std::vector<InstructionCost>& m_costs;
};

} // namespace

Result<AssemblyCosts> instructionCosts(const std::string& assembly, const TargetSpec& spec) {
  NW_TRY(const auto machine, makeTargetMachine(spec, 2, false)); // also says what is wrong with the target
  static_cast<void>(machine);
  std::string reason;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(spec.triple, reason);
  if (!target) return makeError(reason);
  const llvm::MCTargetOptions options;
  const std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(spec.triple));
  const std::unique_ptr<llvm::MCSubtargetInfo> cpu(
      target->createMCSubtargetInfo(spec.triple, spec.cpu, codegenFeatures(spec)));
  const std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  if (!registers || !cpu || !instructions) return makeError("LLVM cannot describe " + spec.triple);
  const std::unique_ptr<llvm::MCAsmInfo> syntax(target->createMCAsmInfo(*registers, spec.triple, options));
  if (!syntax) return makeError("LLVM cannot read assembly of " + spec.triple);

  llvm::SourceMgr source;
  std::string problem; // the first
  source.setDiagHandler(
      [](const llvm::SMDiagnostic& diagnostic, void* out) {
        auto& first = *static_cast<std::string*>(out);
        if (first.empty() && diagnostic.getKind() == llvm::SourceMgr::DK_Error)
          first = "line " + std::to_string(diagnostic.getLineNo()) + ": " + diagnostic.getMessage().str();
      },
      &problem);
  source.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(assembly), llvm::SMLoc());
  llvm::MCContext context(llvm::Triple(spec.triple), syntax.get(), registers.get(), cpu.get(), &source,
                          &options);
  const std::unique_ptr<llvm::MCObjectFileInfo> sections(
      target->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(sections.get());

  AssemblyCosts costs;
  costs.hasModel = cpu->getSchedModel().hasInstrSchedModel();
  Collector collector(context, source, *instructions, costs.instructions);
  target->createNullTargetStreamer(collector);
  const std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(source, context, collector, *syntax));
  const std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      target->createMCAsmParser(*cpu, *parser, *instructions, options));
  if (!targetParser) return makeError("LLVM has no assembly parser for " + spec.triple);
  parser->setTargetParser(*targetParser);
  if (parser->Run(/*NoInitialTextSection=*/false) || !problem.empty())
    return makeError("LLVM cannot read its own assembly: " + problem);
  std::ranges::stable_sort(costs.instructions, {}, &InstructionCost::line);
  return costs;
}

} // namespace nodewise
