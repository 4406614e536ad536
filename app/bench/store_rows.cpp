// The store: thousands of entries at once, a full cache, a large one.
#include "measure.h"
#include "rows.h"

#include "cache/entries.h"
#include "cache/list.h"
#include "cache/store.h"

#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>

namespace nodewise::bench {

namespace {

std::vector<NewEntry> entries(int first, int count) {
  std::vector<NewEntry> out;
  for (int k = first; k < first + count; ++k) {
    NewEntry e;
    KeyEnvironment environment;
    environment.target = {"x86_64-pc-linux-gnu", "x86-64", "+sse2"};
    environment.toolchain.llvmVersion = "19";
    e.key = makeKey({{"op", "Elemwise"}, {"op version", "1"}, {"scalar op", fmt::format("op{}", k)}},
                    environment);
    e.content = hashBytes(fmt::format("content {}", k));
    e.symbol = "nw_" + e.content.hex();
    // The store looks for the symbol's name in the object, which the loader then checks in earnest.
    const std::string text = e.symbol + std::string(2500, static_cast<char>(k));
    e.object.assign(reinterpret_cast<const std::byte*>(text.data()),
                    reinterpret_cast<const std::byte*>(text.data()) + text.size());
    e.op = "Elemwise";
    e.label = fmt::format("op{}", k);
    e.dtype = "float64";
    e.recipe = "{}";
    e.phases.optimise = 1'000'000 + k;
    out.push_back(std::move(e));
  }
  return out;
}

struct ScratchStore {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("nodewise-bench-store-{}", ::getpid());
  ScratchStore() { std::filesystem::create_directories(folder); }
  ~ScratchStore() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  Result<Store> open(const std::string& name, const std::string& cap) const {
    CacheOptions options;
    options.file = (folder / name).string();
    options.cap = cap;
    NW_TRY(CacheSettings settings, resolveCacheSettings(options));
    return Store::open(settings);
  }
};

} // namespace

Result<std::vector<BenchRow>> storeRows() {
  std::vector<BenchRow> rows;
  const ScratchStore scratch;
  {
    NW_TRY(Store store, scratch.open("new.db", "1G"));
    const auto batch = entries(0, 2000);
    const int64_t begin = nowNs();
    for (const StoreResult& r : storeEntries(store, batch))
      if (!r.ok()) return Error{r.text, "bench", {}, {}};
    rows.push_back({"storing 2,000 entries",
                    static_cast<double>(nowNs() - begin) / 1e9,
                    "s",
                    1.0,
                    {},
                    "one call, objects of 2.5 kB"});
  }
  {
    // At half of the cap nothing is evicted, at the cap one entry goes for each that comes.
    NW_TRY(Store store, scratch.open("full.db", "12M"));
    (void)storeEntries(store, entries(0, 1500));
    int64_t begin = nowNs();
    (void)storeEntries(store, entries(10'000, 200));
    const auto half = static_cast<double>(nowNs() - begin);
    (void)storeEntries(store, entries(20'000, 4000));
    begin = nowNs();
    (void)storeEntries(store, entries(40'000, 200));
    const auto full = static_cast<double>(nowNs() - begin);
    rows.push_back({"storing at the cap",
                    full / half,
                    "times the cost at half",
                    2.0,
                    {},
                    "200 entries, each pushing one out"});
  }
  return rows;
}

} // namespace nodewise::bench
