#include "jit/stride_steps.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace nodewise {

namespace {

/// i = phi [start, preheader], [i + step, latch], with a step that does not change in the loop.
struct Counter {
  llvm::PHINode* phi;
  llvm::Value* start;
  llvm::Value* step;
};

std::optional<Counter> counterOf(llvm::PHINode& phi, const llvm::Loop& loop) {
  if (phi.getNumIncomingValues() != 2 || !phi.getType()->isIntegerTy()) return {};
  llvm::Value* next = phi.getIncomingValueForBlock(loop.getLoopLatch());
  auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(next);
  if (!sum || sum->getOpcode() != llvm::Instruction::Add) return {};
  llvm::Value* step = sum->getOperand(0) == &phi ? sum->getOperand(1) : sum->getOperand(0);
  if ((sum->getOperand(0) != &phi && sum->getOperand(1) != &phi) || !loop.isLoopInvariant(step)) return {};
  return Counter{&phi, phi.getIncomingValueForBlock(loop.getLoopPreheader()), step};
}

/// The factor of `i * factor`, if it does not change in the loop and is not a constant (those are shifts).
llvm::Value* factorOf(const llvm::BinaryOperator& product, const llvm::PHINode& i, const llvm::Loop& loop) {
  llvm::Value* factor = product.getOperand(0) == &i ? product.getOperand(1) : product.getOperand(0);
  return llvm::isa<llvm::Constant>(factor) || !loop.isLoopInvariant(factor) ? nullptr : factor;
}

/// Modulo 2^n the sums are the products, whatever wraps: no flags are put on them.
bool replaceProducts(const Counter& counter, const llvm::Loop& loop) {
  std::vector<llvm::BinaryOperator*> products;
  for (llvm::User* user : counter.phi->users()) {
    auto* product = llvm::dyn_cast<llvm::BinaryOperator>(user);
    if (product && product->getOpcode() == llvm::Instruction::Mul && loop.contains(product) &&
        factorOf(*product, *counter.phi, loop))
      products.push_back(product);
  }
  for (llvm::BinaryOperator* product : products) {
    llvm::Value* factor = factorOf(*product, *counter.phi, loop);
    llvm::IRBuilder<> before(loop.getLoopPreheader()->getTerminator());
    llvm::Value* first = before.CreateMul(counter.start, factor);
    llvm::Value* growth = before.CreateMul(counter.step, factor);
    llvm::IRBuilder<> head(&loop.getHeader()->front());
    llvm::PHINode* offset = head.CreatePHI(product->getType(), 2, "offset");
    llvm::IRBuilder<> latch(loop.getLoopLatch()->getTerminator());
    offset->addIncoming(first, loop.getLoopPreheader());
    offset->addIncoming(latch.CreateAdd(offset, growth), loop.getLoopLatch());
    product->replaceAllUsesWith(offset);
    product->eraseFromParent();
  }
  return !products.empty();
}

} // namespace

llvm::PreservedAnalyses StrideSteps::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->getLoopPreheader() || !loop->getLoopLatch()) continue;
    std::vector<Counter> counters;
    for (llvm::PHINode& phi : loop->getHeader()->phis())
      if (const auto counter = counterOf(phi, *loop)) counters.push_back(*counter);
    for (const Counter& counter : counters) changed |= replaceProducts(counter, *loop);
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

} // namespace nodewise
