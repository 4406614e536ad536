#include "session/engine.h"

#include "codegen/loop_plan.h"
#include "jit/host.h"
#include "jit/math_symbols.h"
#include "numeric/scalar_routines.h"
#include "numeric/special.h"
#include "ops/emit.h"

namespace nodewise {

namespace {

/// All that compiled code may call.
std::vector<RuntimeSymbol> runtimeSymbols() {
  std::vector<RuntimeSymbol> symbols(mathSymbols().begin(), mathSymbols().end());
  for (const NamedRoutine& r : scalarRoutines()) symbols.push_back({r.name, r.address});
  for (const SpecialFunction& f : specialFunctions()) {
    symbols.push_back({f.symbolF64, const_cast<void*>(f.addressF64)}); // NOLINT: code is not written to
    symbols.push_back({f.symbolF32, const_cast<void*>(f.addressF32)}); // NOLINT
  }
  symbols.push_back({"nodewise_advance", reinterpret_cast<void*>(nodewise_advance)});
  return symbols;
}

bool hasFeature(const TargetSpec& target, std::string_view feature) {
  const std::string list = "," + target.features + ",";
  return list.find(",+" + std::string(feature) + ",") != std::string::npos;
}

} // namespace

Engine::Engine(int threads) : m_threads(threads), m_target(hostTarget()), m_toolchain(hostToolchain()) {}
Engine::~Engine() = default;

Linker& Engine::linker() {
  std::call_once(m_linkerOnce, [this] { m_linker = std::make_unique<Linker>(runtimeSymbols()); });
  return *m_linker;
}

Workers& Engine::workers() {
  std::call_once(m_workersOnce, [this] { m_workers = std::make_unique<Workers>(m_target, m_threads); });
  return *m_workers;
}

Result<Engine::LockedStore> Engine::store(const CacheOptions& options) {
  NW_TRY(CacheSettings settings, resolveCacheSettings(options));
  std::unique_lock lock(m_storeMutex);
  auto it = m_stores.find(settings.file.value);
  if (it == m_stores.end()) {
    NW_TRY(Store opened, Store::open(settings));
    it = m_stores.emplace(settings.file.value, std::move(opened)).first;
  }
  return LockedStore{std::move(lock), &it->second};
}

Result<std::shared_ptr<const MadeContent>>
Engine::makeOnce(const Hash& content, const std::function<Result<MadeContent>()>& make, bool& madeHere) {
  std::shared_ptr<Pending> pending;
  {
    std::unique_lock lock(m_mutex);
    auto [it, isNew] = m_contents.try_emplace(content);
    madeHere = isNew;
    if (isNew) it->second = std::make_shared<Pending>();
    pending = it->second;
    if (!isNew) {
      m_ready.wait(lock, [&] { return pending->done; });
      if (pending->error) return *pending->error;
      return pending->content;
    }
  }
  Result<MadeContent> made = make();
  std::unique_lock lock(m_mutex);
  pending->done = true;
  if (made)
    pending->content = std::make_shared<const MadeContent>(std::move(*made));
  else {
    pending->error = made.error();
    m_contents.erase(content); // the next one may try again
  }
  m_ready.notify_all();
  if (pending->error) return *pending->error;
  return pending->content;
}

std::string contentSymbol(const Hash& content) { return "nw_" + content.hex(); }

EmitFn emitterOf(const Lowered& lowered, const CodeOptions& options, const TargetSpec& target) {
  EmitRequest request;
  request.fastMath = options.fastMath;
  request.vectorMath = options.vectorLibrary == "libmvec";
  request.vectorBytes = options.optLevel == 0           ? 0
                        : hasFeature(target, "avx512f") ? 64
                        : hasFeature(target, "avx2")    ? 32
                                                        : 16;
  request.masks =
      request.vectorBytes == 64 && hasFeature(target, "avx512bw") && hasFeature(target, "avx512vl");
  return [emit = lowered.emit, request](llvm::Module& module) { return emitKernel(emit, module, request); };
}

} // namespace nodewise
