// Kernels for tests, as IR text.
#pragma once

#include "jit/compiler.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>

#include <string>

namespace nodewise::testing {

/// An emitter that writes this module text, which defines @kernel.
inline EmitFn fromText(std::string text) {
  return [text = std::move(text)](llvm::Module& module) -> Result<void> {
    llvm::LLVMContext& context = module.getContext();
    const bool discard = context.shouldDiscardValueNames();
    context.setDiscardValueNames(false); // the parser needs them
    module.getFunction("kernel")->eraseFromParent();
    llvm::SMDiagnostic problem;
    const bool bad = llvm::parseAssemblyInto(llvm::MemoryBufferRef(text, "test"), &module, nullptr, problem);
    context.setDiscardValueNames(discard);
    if (bad) return Error{problem.getMessage().str(), problem.getLineContents().str(), {}, {}};
    if (!discard) return {};
    for (llvm::Function& function : module) {
      for (llvm::Argument& argument : function.args()) argument.setName("");
      for (llvm::BasicBlock& block : function) {
        block.setName("");
        for (llvm::Instruction& instruction : block) instruction.setName("");
      }
    }
    return {};
  };
}

/// out[i] = `body`(a[i], b[i]) for i < n. `body` computes %r from %x and %y of `type`; `declarations` go
/// before.
/// @kernel is called with two lists of three pointers and a count: see LoopFn.
inline std::string loopText(const std::string& type, const std::string& body,
                            const std::string& declarations = {}) {
  return declarations + R"(
define i32 @kernel(ptr %in, ptr %out, ptr %count) nounwind {
  %in1 = getelementptr ptr, ptr %in, i64 1
  %a = load ptr, ptr %in
  %b = load ptr, ptr %in1
  %o = load ptr, ptr %out
  %n = load i64, ptr %count
  call void @loop(ptr %a, ptr %b, ptr %o, i64 %n)
  ret i32 0
}
define internal void @loop(ptr noalias %a, ptr noalias %b, ptr noalias %o, i64 %n) nounwind alwaysinline {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %head, label %done
head:
  %i = phi i64 [0, %entry], [%next, %head]
  %pa = getelementptr inbounds TYPE, ptr %a, i64 %i
  %pb = getelementptr inbounds TYPE, ptr %b, i64 %i
  %po = getelementptr inbounds TYPE, ptr %o, i64 %i
  %x = load TYPE, ptr %pa
  %y = load TYPE, ptr %pb
)" + body +
         R"(
  store TYPE %r, ptr %po
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %head, label %done
done:
  ret void
}
)" + "; " +
         type;
}

/// loopText with the type put in.
inline EmitFn loopOf(const std::string& type, const std::string& body, const std::string& declarations = {}) {
  std::string text = loopText(type, body, declarations);
  for (size_t at = 0; (at = text.find("TYPE", at)) != std::string::npos;) text.replace(at, 4, type);
  return fromText(text);
}

/// A kernel that returns a number and touches nothing.
inline EmitFn returning(int number) {
  return fromText("define i32 @kernel(ptr %in, ptr %out, ptr %c) nounwind {\n  ret i32 " +
                  std::to_string(number) + "\n}\n");
}

using LoopFn = int32_t (*)(const void* const* in, void* const* out, const int64_t* count);
using PlainFn = int32_t (*)(void*, void*, void*);

/// Builds and compiles; an error ends the test through the caller's check of `ok()`.
inline Result<CompiledObject> compiled(const EmitFn& emit, std::string_view symbol,
                                       const CodeOptions& options, Compiler& compiler) {
  NW_TRY(BuiltIr ir, compiler.build(emit));
  return compiler.compile(std::move(ir), symbol, options);
}

} // namespace nodewise::testing
