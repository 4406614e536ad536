// The one file that includes LLVM's ORC.
#include "jit/linker.h"

#include "jit/code_memory.h"
#include "jit/object_check.h"

#include <fmt/format.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/MemoryBuffer.h>

#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>

namespace nodewise {

namespace {

namespace orc = llvm::orc;

llvm::StringRef ref(std::string_view text) { return {text.data(), text.size()}; }

Error makeError(std::string what) { return {.what = std::move(what), .where = {}, .remedy = {}, .type = {}}; }

/// So that a map of strings can be asked for a string_view.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
template <class T> using TextMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

/// An object that passed its check and is to be linked; `request` indexes the caller's list.
struct Candidate {
  const ObjectRef* object;
  orc::SymbolStringPtr name;
};

/// LLVM does not copy the bytes, and wants them aligned; those from a database may not be.
std::unique_ptr<llvm::MemoryBuffer> bufferOf(const ObjectRef& object) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(object.bytes.data()), object.bytes.size());
  if (reinterpret_cast<uintptr_t>(object.bytes.data()) % 8 == 0)
    return llvm::MemoryBuffer::getMemBuffer(bytes, ref(object.symbol), /*RequiresNullTerminator=*/false);
  return llvm::MemoryBuffer::getMemBufferCopy(bytes, ref(object.symbol));
}

} // namespace

struct Linker::State {
  std::unique_ptr<llvm::jitlink::JITLinkMemoryManager> memory;
  std::unique_ptr<orc::ExecutionSession> session;
  std::unique_ptr<orc::ObjectLinkingLayer> layer;
  orc::JITDylib* dylib = nullptr;
  std::string startError; ///< why nothing can be linked; else empty
  std::string reported;   ///< what LLVM told the session during the current link

  TextMap<void*> externals;
  TextMap<void*> linked;
  mutable std::shared_mutex linkedMutex; ///< guards `linked`
  std::mutex linkMutex;                  ///< one link at a time: they share `reported`

  void start() {
    memory = makeCodeMemory();
    auto control =
        orc::SelfExecutorProcessControl::Create(nullptr, std::make_unique<orc::InPlaceTaskDispatcher>());
    if (!control) {
      startError = llvm::toString(control.takeError());
      return;
    }
    session = std::make_unique<orc::ExecutionSession>(std::move(*control));
    session->setErrorReporter([this](llvm::Error error) {
      if (!reported.empty()) reported += "; ";
      reported += llvm::toString(std::move(error));
    });
    layer = std::make_unique<orc::ObjectLinkingLayer>(*session, *memory);
    dylib = &session->createBareJITDylib("nodes");
    orc::SymbolMap symbols;
    for (const auto& [name, address] : externals)
      symbols[session->intern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    if (auto bad = dylib->define(orc::absoluteSymbols(std::move(symbols))))
      startError = llvm::toString(std::move(bad));
  }

  void* find(std::string_view symbol) const {
    const std::shared_lock lock(linkedMutex);
    const auto it = linked.find(symbol);
    return it == linked.end() ? nullptr : it->second;
  }

  Result<void> check(const ObjectRef& object) const {
    if (externals.contains(object.symbol))
      return makeError(fmt::format("\"{}\" is the name of a library function", object.symbol));
    NW_TRY(const UndefinedNames names, inspectObject(object.symbol, object.bytes));
    for (std::string_view name : names)
      if (!externals.contains(name))
        return Error{.what = fmt::format("the object calls \"{}\", which is not there", name),
                     .where = {},
                     .remedy = "compile it again",
                     .type = {}};
    return {};
  }

  /// Adds and looks up all of them with one resource tracker. On an error nothing of them stays.
  Result<void> linkTogether(std::span<const Candidate> batch) {
    reported.clear();
    const orc::ResourceTrackerSP tracker = dylib->createResourceTracker();
    const auto flags = llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable;
    orc::SymbolLookupSet wanted;
    std::string failure;
    for (const Candidate& one : batch) {
      orc::SymbolFlagsMap defines;
      defines[one.name] = flags;
      if (auto bad = layer->add(tracker, bufferOf(*one.object), {std::move(defines), nullptr})) {
        failure = llvm::toString(std::move(bad));
        break;
      }
      wanted.add(one.name);
    }
    if (failure.empty()) {
      auto found = session->lookup({{dylib, orc::JITDylibLookupFlags::MatchAllSymbols}}, std::move(wanted));
      if (found) {
        const std::unique_lock lock(linkedMutex);
        for (const Candidate& one : batch)
          linked.emplace(std::string(one.object->symbol), (*found)[one.name].getAddress().toPtr<void*>());
        return {};
      }
      failure = llvm::toString(found.takeError());
    }
    if (auto bad = tracker->remove()) failure += "; " + llvm::toString(std::move(bad));
    return makeError("cannot be linked: " + (reported.empty() ? failure : reported));
  }
};

Linker::Linker(std::span<const RuntimeSymbol> externals) : m_state(std::make_unique<State>()) {
  for (const RuntimeSymbol& symbol : externals) m_state->externals.emplace(symbol.name, symbol.address);
}

Linker::~Linker() {
  if (!m_state->session) return;
  if (auto bad = m_state->session->endSession()) llvm::consumeError(std::move(bad));
}

bool Linker::isLinked(std::string_view symbol) const { return m_state->find(symbol) != nullptr; }

std::vector<Result<void*>> Linker::link(std::span<const ObjectRef> objects) {
  State& state = *m_state;
  TextMap<Error> failures;
  const bool allLinked =
      std::ranges::all_of(objects, [&](const ObjectRef& o) { return state.find(o.symbol); });
  if (!allLinked) {
    const std::scoped_lock lock(state.linkMutex);
    if (!state.session && state.startError.empty()) state.start();
    std::vector<Candidate> batch;
    TextMap<bool> inBatch;
    for (const ObjectRef& object : objects) {
      if (state.find(object.symbol) || inBatch.contains(object.symbol)) continue;
      if (!state.startError.empty()) {
        failures.emplace(object.symbol, makeError("the linker did not start: " + state.startError));
      } else if (auto checked = state.check(object); !checked) {
        failures.emplace(object.symbol, checked.error());
      } else {
        inBatch.emplace(object.symbol, true);
        batch.push_back({&object, state.session->intern(ref(object.symbol))});
      }
    }
    // What the check cannot see shows up in the lookup, which then fails as a whole: one by one finds the
    // culprit.
    if (!batch.empty() && !state.linkTogether(batch))
      for (const Candidate& one : batch)
        if (auto alone = state.linkTogether({&one, 1}); !alone)
          failures.emplace(one.object->symbol, alone.error());
  }
  std::vector<Result<void*>> addresses;
  addresses.reserve(objects.size());
  for (const ObjectRef& object : objects) {
    if (void* address = state.find(object.symbol)) {
      addresses.emplace_back(address);
    } else {
      const auto it = failures.find(object.symbol);
      addresses.emplace_back(it != failures.end() ? it->second : makeError("not linked"));
    }
  }
  return addresses;
}

} // namespace nodewise
