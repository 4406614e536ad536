// What a process has once, however many graphs it opens: the target, the linked code, the compile workers.
#pragma once

#include "cache/key.h"
#include "cache/store.h"
#include "codegen/abi.h"
#include "jit/compiler.h"
#include "jit/linker.h"
#include "jit/workers.h"
#include "ops/op.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>

namespace nodewise {

/// A content that was made or loaded in this process.
struct MadeContent {
  std::string symbol;
  std::vector<std::byte> object;
  Phases phases; ///< of the compile
};

class Engine {
public:
  /// `threads`: compile workers; 0: one a core. Costs next to nothing until something is compiled or linked.
  explicit Engine(int threads = 0);
  ~Engine();

  const TargetSpec& target() const { return m_target; }
  const Toolchain& toolchain() const { return m_toolchain; }
  Linker& linker();
  Workers& workers();

  /// The open cache, kept open while the engine lives (closing the last connection would write everything
  /// back each time), with the lock that its use needs. Error: it cannot be opened; tried again by the next
  /// call.
  struct LockedStore {
    std::unique_lock<std::mutex> lock;
    Store* store = nullptr;
  };
  Result<LockedStore> store(const CacheOptions& options);

  /// Makes `content` once, whoever asks first; others wait for it. `make` runs on the caller's thread.
  Result<std::shared_ptr<const MadeContent>>
  makeOnce(const Hash& content, const std::function<Result<MadeContent>()>& make, bool& madeHere);

private:
  struct Pending {
    bool done = false;
    std::shared_ptr<const MadeContent> content;
    std::optional<Error> error;
  };
  int m_threads;
  TargetSpec m_target;
  Toolchain m_toolchain;
  std::once_flag m_linkerOnce, m_workersOnce;
  std::unique_ptr<Linker> m_linker;
  std::unique_ptr<Workers> m_workers;
  std::mutex m_storeMutex;
  std::map<std::string, Store> m_stores; ///< by path
  std::mutex m_mutex;
  std::condition_variable m_ready;
  std::map<Hash, std::shared_ptr<Pending>> m_contents;
};

/// The function name of a content in its object.
std::string contentSymbol(const Hash& content);
/// Emits a lowered kernel into a module, as the options and the target ask for.
EmitFn emitterOf(const Lowered& lowered, const CodeOptions& options, const TargetSpec& target);

} // namespace nodewise
