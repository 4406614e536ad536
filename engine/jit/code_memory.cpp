#include "jit/code_memory.h"

#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/Support/Error.h>

#include <sys/mman.h>
#include <unistd.h>

#include <mutex>
#include <vector>

namespace nodewise {

namespace {

namespace jitlink = llvm::jitlink;
using FinalizedAlloc = jitlink::JITLinkMemoryManager::FinalizedAlloc;

constexpr size_t kSlabBytes = size_t{16} << 20;
constexpr size_t kLine = 64; ///< objects start at cache lines

size_t roundUp(size_t n, size_t to) { return (n + to - 1) / to * to; }

/// The same memory at two addresses.
class Slab {
public:
  static std::unique_ptr<Slab> map(size_t bytes) {
    const int file = memfd_create("nodewise code", MFD_CLOEXEC);
    if (file < 0) return nullptr;
    std::unique_ptr<Slab> slab;
    if (ftruncate(file, static_cast<off_t>(bytes)) == 0) {
      void* write = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      void* run = mmap(nullptr, bytes, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
      if (write != MAP_FAILED && run != MAP_FAILED) {
        slab.reset(new Slab(static_cast<char*>(write), static_cast<char*>(run), bytes));
      } else {
        if (write != MAP_FAILED) munmap(write, bytes);
        if (run != MAP_FAILED) munmap(run, bytes);
      }
    }
    close(file); // the mappings keep it
    return slab;
  }
  ~Slab() {
    munmap(m_write, m_bytes);
    munmap(m_run, m_bytes);
  }
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  struct Piece {
    char* write;
    char* run;
  };
  /// Null pointers when it is full.
  Piece take(size_t bytes) {
    if (m_bytes - m_used < bytes) return {nullptr, nullptr};
    const Piece piece{m_write + m_used, m_run + m_used};
    m_used += roundUp(bytes, kLine);
    return piece;
  }

private:
  Slab(char* write, char* run, size_t bytes) : m_write(write), m_run(run), m_bytes(bytes) {}
  char* m_write;
  char* m_run;
  size_t m_bytes;
  size_t m_used = 0;
};

class InFlight final : public jitlink::JITLinkMemoryManager::InFlightAlloc {
public:
  InFlight(jitlink::LinkGraph& graph, char* run, size_t bytes) : m_graph(graph), m_run(run), m_bytes(bytes) {}

  void abandon(OnAbandonedFunction done) override { done(llvm::Error::success()); }

  void finalize(OnFinalizedFunction done) override {
    __builtin___clear_cache(m_run, m_run + m_bytes);
    // The graph has actions only for data that must be registered (unwind tables); our objects have none.
    if (!m_graph.allocActions().empty())
      return done(llvm::createStringError("the object wants to run code while it is linked"));
    done(FinalizedAlloc(llvm::orc::ExecutorAddr::fromPtr(m_run)));
  }

private:
  jitlink::LinkGraph& m_graph;
  char* m_run;
  size_t m_bytes;
};

class CodeMemory final : public jitlink::JITLinkMemoryManager {
public:
  explicit CodeMemory(std::unique_ptr<Slab> first) { m_slabs.push_back(std::move(first)); }

  void allocate(const jitlink::JITLinkDylib*, jitlink::LinkGraph& graph, OnAllocatedFunction done) override {
    jitlink::BasicLayout layout(graph);
    size_t bytes = 0;
    for (auto& [group, segment] : layout.segments()) {
      using llvm::BitmaskEnumDetail::operator&;
      if ((group.getMemProt() & llvm::orc::MemProt::Write) != llvm::orc::MemProt::None)
        return done(llvm::createStringError("the object has data that can be written to"));
      if (segment.Alignment.value() > kLine)
        return done(llvm::createStringError("the object asks for large alignment"));
      bytes += roundUp(segment.ContentSize + segment.ZeroFillSize, kLine);
    }
    const Slab::Piece piece = take(bytes);
    if (!piece.write) return done(llvm::createStringError("no memory for code"));
    size_t at = 0;
    for (auto& [group, segment] : layout.segments()) {
      segment.WorkingMem = piece.write + at;
      segment.Addr = llvm::orc::ExecutorAddr::fromPtr(piece.run + at);
      at += roundUp(segment.ContentSize + segment.ZeroFillSize, kLine);
    }
    if (auto bad = layout.apply()) return done(std::move(bad));
    done(std::make_unique<InFlight>(graph, piece.run, bytes));
  }

  /// Happens to objects that failed to link, which are rare: their bytes are not used again.
  void deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction done) override {
    for (FinalizedAlloc& one : allocations) one.release();
    done(llvm::Error::success());
  }

private:
  Slab::Piece take(size_t bytes) {
    const std::scoped_lock lock(m_mutex);
    Slab::Piece piece = m_slabs.back()->take(bytes);
    if (piece.write) return piece;
    auto slab = Slab::map(std::max(kSlabBytes, roundUp(bytes, size_t{1} << 16)));
    if (!slab) return {nullptr, nullptr};
    piece = slab->take(bytes);
    m_slabs.push_back(std::move(slab));
    return piece;
  }

  std::mutex m_mutex;
  std::vector<std::unique_ptr<Slab>> m_slabs;
};

} // namespace

std::unique_ptr<jitlink::JITLinkMemoryManager> makeCodeMemory() {
  if (auto slab = Slab::map(kSlabBytes)) return std::make_unique<CodeMemory>(std::move(slab));
  return std::make_unique<jitlink::InProcessMemoryManager>(static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
}

} // namespace nodewise
