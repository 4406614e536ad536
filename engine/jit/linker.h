// From object files to addresses.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace nodewise {

/// A function that objects may name. Nothing else of the process can be reached from an object.
struct RuntimeSymbol {
  std::string_view name;
  void* address;
};

/// One object file and the function wanted from it.
struct ObjectRef {
  std::string_view symbol;
  std::span<const std::byte> bytes; ///< needed during link() only
};

/// Holds linked code. Every symbol is linked once: symbols carry the content key, so one name is one content.
/// Code lives as long as the Linker.
class Linker {
public:
  /// `externals` are copied; names must be unique.
  explicit Linker(std::span<const RuntimeSymbol> externals);
  ~Linker();
  Linker(const Linker&) = delete;
  Linker& operator=(const Linker&) = delete;

  /// Links those not linked yet, all in one lookup, and gives the address of each (or why it has none), in
  /// order. A damaged object (not an object file of this machine, truncated, without its symbol, with an
  /// unknown relocation or an unknown external function) is an error of its own, and leaves no trace: the
  /// others are linked, and a sound object of the same symbol can be linked later. May be called from several
  /// threads.
  std::vector<Result<void*>> link(std::span<const ObjectRef> objects);

  /// Whether link() needs no bytes for this symbol. Thread safe.
  bool isLinked(std::string_view symbol) const;

private:
  struct State;
  std::unique_ptr<State> m_state;
};

/// Whether `bytes` can be linked as far as can be seen without linking: an ELF object file of this machine
/// that is whole and defines function `symbol`. Used before storing and after loading.
Result<void> checkObject(std::string_view symbol, std::span<const std::byte> bytes);

} // namespace nodewise
