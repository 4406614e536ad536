#include "codegen/module.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

namespace nodewise::codegen {

static llvm::StringRef ref(std::string_view text) { return {text.data(), text.size()}; }

KernelModule::KernelModule() = default;
KernelModule::KernelModule(KernelModule&&) noexcept = default;
KernelModule::~KernelModule() = default;

KernelModule& KernelModule::operator=(KernelModule&& other) noexcept {
  module = std::move(other.module); // before its context
  context = std::move(other.context);
  return *this;
}

KernelModule makeKernelModule(std::string_view triple, std::string_view dataLayout) {
  KernelModule made;
  made.context = std::make_unique<llvm::LLVMContext>();
  // The module's name ends up in the object (as its source file), so it is the same for all.
  made.module = std::make_unique<llvm::Module>(ref(kKernelName), *made.context);
  made.module->setTargetTriple(ref(triple));
  made.module->setDataLayout(ref(dataLayout));
  auto* pointer = llvm::PointerType::getUnqual(*made.context);
  auto* type =
      llvm::FunctionType::get(llvm::Type::getInt32Ty(*made.context), {pointer, pointer, pointer}, false);
  auto* kernel =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, ref(kKernelName), *made.module);
  kernel->setDoesNotThrow();
  // The two lists of array pointers are the VM's own: nothing writes to them while a kernel runs.
  for (unsigned list : {0U, 1U}) {
    kernel->addParamAttr(list, llvm::Attribute::NoAlias);
    kernel->addParamAttr(list, llvm::Attribute::NoCapture);
    kernel->addParamAttr(list, llvm::Attribute::ReadOnly);
  }
  return made;
}

std::string moduleText(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  return text;
}

} // namespace nodewise::codegen
