// What there is to tell of one node: its key against the cache's entries, its code, its passes.
#include "cache/lookup.h"
#include "cache/show.h"
#include "jit/compiler.h"
#include "session/compile.h"
#include "session/passes.h"
#include "session/session_impl.h"

#include <algorithm>
#include <fmt/format.h>

namespace nodewise {

namespace {

/// `pretended` versions in place of the real ones.
std::vector<KeyPart> pretendVersions(std::vector<KeyPart> parts, const std::map<std::string, int>& versions) {
  std::string op;
  for (KeyPart& part : parts) {
    if (part.name == "op") op = part.value;
    if (part.name == "op version" && versions.contains(op)) part.value = std::to_string(versions.at(op));
    if (part.name != "scalar op versions") continue;
    std::string text, word;
    size_t at = 0;
    while (at <= part.value.size()) { // "add 1, mul 1"
      const size_t comma = std::min(part.value.find(", ", at), part.value.size());
      word = part.value.substr(at, comma - at);
      const std::string name = word.substr(0, word.find(' '));
      if (versions.contains(name)) word = fmt::format("{} {}", name, versions.at(name));
      text += (text.empty() ? "" : ", ") + word;
      at = comma + 2;
    }
    part.value = text;
  }
  return parts;
}

} // namespace

Result<Explanation> Session::explain(NodeIndex node) {
  const SessionSettings& settings = m_impl->settings;
  return explain(node, {settings.pretendTarget, settings.pretendLlvmVersion, settings.pretendVersions, {}});
}

Result<Explanation> Session::explain(NodeIndex node, const Pretend& pretend) {
  const Impl& impl = *m_impl;
  const NodeInfo& info = impl.nodes[static_cast<size_t>(node)];
  if (info.kind != NodeKind::Kernel)
    return Error{fmt::format("{} is a {} node: it has no key, since there is nothing to compile{}", info.op,
                             nodeKindName(info.kind), info.reason.empty() ? "" : " (" + info.reason + ")"),
                 info.path,
                 {},
                 {}};
  KeyEnvironment environment = impl.environment();
  if (pretend.target) environment.target = *pretend.target;
  if (pretend.llvmVersion) environment.toolchain.llvmVersion = *pretend.llvmVersion;
  if (pretend.optLevel) environment.options.optLevel = *pretend.optLevel;
  Explanation explanation;
  explanation.key =
      makeKey(pretendVersions(impl.planned[static_cast<size_t>(node)]->lowered.keyParts, pretend.versions),
              environment);
  NW_TRY(Engine::LockedStore locked, impl.engine->store(impl.settings.cache));
  Store& store = *locked.store;
  NW_TRY(explanation.answer, lookupKey(store, explanation.key, environment.target));
  explanation.answer.object.reset();
  const std::optional<Hash> near = explanation.answer.outcome == Outcome::Hit
                                       ? std::optional(explanation.key.hash)
                                       : explanation.answer.nearest;
  if (near)
    if (Result<EntryDetail> detail = showEntry(store, *near)) {
      explanation.nearestParts = detail->parts;
      explanation.nearestCompileNs = detail->row.compileNs;
    }
  if (near) explanation.differences = diffParts(explanation.nearestParts, explanation.key.parts);
  return explanation;
}

namespace {

/// A kernel's way to IR, or why there is none.
Result<const Lowered*> loweredKernel(const NodeInfo& info, const PlannedNode& planned) {
  if (info.kind == NodeKind::Kernel) return &planned.lowered;
  return Error{fmt::format("{} is a {} node: there is no code to show", info.op, nodeKindName(info.kind)),
               info.path,
               {},
               {}};
}

} // namespace

Result<NodeCode> Session::code(NodeIndex node) {
  const Impl& impl = *m_impl;
  const NodeInfo& info = impl.nodes[static_cast<size_t>(node)];
  NW_TRY(const Lowered* lowered, loweredKernel(info, *impl.planned[static_cast<size_t>(node)]));
  const EmitFn emit = emitterOf(*lowered, impl.settings.options, impl.engine->target());
  Compiler compiler(impl.engine->target());
  NodeCode code;
  NW_TRY(BuiltIr shown, compiler.build(emit, ValueNames::Keep));
  code.ir = codegen::moduleText(*shown.module.module);
  NW_TRY(code.optimisedIr, compiler.optimisedIr(std::move(shown), impl.settings.options));
  NW_TRY(BuiltIr again, compiler.build(emit));
  NW_TRY(code.assembly, compiler.assembly(std::move(again), codegen::kKernelName, impl.settings.options));
  return code;
}

Result<NodePasses> Session::passes(NodeIndex node) {
  const Impl& impl = *m_impl;
  const NodeInfo& info = impl.nodes[static_cast<size_t>(node)];
  NW_TRY(const Lowered* lowered, loweredKernel(info, *impl.planned[static_cast<size_t>(node)]));
  const CodeOptions& options = impl.settings.options;
  const TargetSpec& target = impl.engine->target();
  const EmitFn emit = emitterOf(*lowered, options, target);
  Compiler compiler(target);
  NodePasses result;
  NW_TRY(BuiltIr shown, compiler.build(emit, ValueNames::Keep));
  NW_TRY(result.passes, compiler.recordPasses(std::move(shown), options));
  // Times of what is compiled in earnest: with value names, building is slower.
  NW_TRY(BuiltIr built, compiler.build(emit));
  result.buildNs = built.buildNs;
  NW_TRY(const CompiledObject object, compiler.compile(std::move(built), codegen::kKernelName, options));
  result.codegenNs = object.emitNs;
  NW_TRY(BuiltIr again, compiler.build(emit));
  NW_TRY(result.assembly, compiler.assembly(std::move(again), codegen::kKernelName, options));
  NW_TRY(result.costs, instructionCosts(result.assembly, target));
  return result;
}

} // namespace nodewise
