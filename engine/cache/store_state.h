// What an open store holds, and how every job runs on it.
#pragma once

#include "cache/environments.h"
#include "cache/open.h"
#include "cache/store.h"

namespace nodewise {

struct Store::State {
  CacheSettings given;                    ///< as asked for
  CacheSettings settings;                 ///< with the database's values
  std::string path;                       ///< absolute, or ":memory:"
  std::unique_ptr<Connection> connection; ///< null: could not be opened again
  std::optional<FileIdentity> identity;
  std::optional<FileIdentity> trustedOnce; ///< read as damaged, and was found sound
  std::vector<std::string> notices;
  std::stop_token stop;
  EnvironmentCache environments;

  Result<void> openAgain();
  /// Opens again what was deleted, replaced, or could not be opened before.
  Result<void> ensureOpen();
  /// Mends what the last failure was about; true: worth another try.
  bool mend();
};

/// Runs `work` on the store's connection; once more after mending the file, if that was what was wrong.
template <class Work> auto onStore(Store& store, Work&& work) -> decltype(work(std::declval<Connection&>())) {
  Store::State& state = store.state();
  if (auto open = state.ensureOpen(); !open.ok()) return open.error();
  state.connection->clearFault();
  auto result = work(*state.connection);
  if (result.ok() || !state.mend()) return result;
  state.connection->clearFault();
  return work(*state.connection);
}

} // namespace nodewise
