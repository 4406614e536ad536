// The store: thousands of entries at once, a full cache, a large one.
#include "large_store.h"
#include "measure.h"
#include "rows.h"

#include "cache/entries.h"
#include "cache/list.h"
#include "cache/store_state.h"

#include <fmt/format.h>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace nodewise::bench {

namespace {

constexpr int kCapRounds = 12;

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

namespace {

double secondsSince(int64_t begin) { return static_cast<double>(nowNs() - begin) / 1e9; }

/// A million entries: opening, first rows in any order, first rows of filters that many or few entries match.
Result<void> millionRows(std::vector<BenchRow>& rows) {
  const ScratchStore scratch;
  {
    NW_TRY(Store store, scratch.open("million.db", "8T"));
    NW_CHECK(fillWithRows(store, 1'000'000));
  }
  const int64_t begin = nowNs();
  NW_TRY(Store store, scratch.open("million.db", "8T"));
  NW_TRY(const EntryPage first, listEntries(store, {}));
  rows.push_back({"opening a million entries", secondsSince(begin), "s", 0.5, {}, "with the first 200 rows"});
  double slowest = 0;
  std::string which;
  for (const EntryColumnRow& column : entryColumns()) {
    for (const bool descending : {true, false}) {
      EntryQuery query;
      query.sort = column.column;
      query.descending = descending;
      const int64_t from = nowNs();
      NW_TRY(const EntryPage page, listEntries(store, query));
      if (secondsSince(from) <= slowest) continue;
      slowest = secondsSince(from);
      which = column.name;
    }
  }
  rows.push_back({"first rows of a million, sorted", slowest, "s", 0.2, {}, "slowest column: " + which});
  slowest = 0;
  for (const char* text : {"op:Sum", "op:Elemwise", "dtype:float32", "state:invalidated", "cost>9ms",
                           "size>9k", "hits=7", "cpu:skylake", "op:Scan dtype:int64", "add", "/op4[0-9]/"}) {
    EntryQuery query;
    NW_TRY(query.filter, parseFilter(text));
    query.sort = EntryColumn::CompileNs;
    const int64_t from = nowNs();
    NW_TRY(const EntryPage page, listEntries(store, query));
    if (secondsSince(from) <= slowest) continue;
    slowest = secondsSince(from);
    which = text;
  }
  rows.push_back({"first rows of a million, filtered", slowest, "s", 0.2, {}, "slowest filter: " + which});
  return {};
}

/// Another process takes the write lock and is killed with it: how long until the next writer has written.
Result<void> deadWriter(std::vector<BenchRow>& rows) {
  const ScratchStore scratch;
  NW_TRY(Store store, scratch.open("lock.db", "1G"));
  int told[2];
  if (::pipe(told) != 0) return Error{"no pipe", "bench", {}, {}};
  const pid_t child = ::fork();
  if (child == 0) {
    auto theirs = scratch.open("lock.db", "1G");
    const bool open = theirs.ok();
    auto held = open ? Transaction::begin(*theirs->state().connection, TransactionKind::Write)
                     : Result<Transaction>(Error{"", "", "", ""});
    const char answer = held.ok() ? 'h' : 'n';
    if (::write(told[1], &answer, 1) == 1) ::pause();
    ::_exit(0);
  }
  char answer = 'n';
  const bool held = child > 0 && ::read(told[0], &answer, 1) == 1 && answer == 'h';
  ::close(told[0]);
  ::close(told[1]);
  const int64_t begin = nowNs();
  if (child > 0) ::kill(child, SIGKILL);
  const auto results = storeEntries(store, entries(0, 1));
  const double seconds = secondsSince(begin);
  if (child > 0) ::waitpid(child, nullptr, 0);
  if (!held || !results[0].ok())
    return Error{"the lock could not be taken: " + results[0].text, "bench", {}, {}};
  rows.push_back({"a killed writer's lock", seconds, "s", 1.0, {}, "until the next has stored an entry"});
  return {};
}

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
    // At half of the cap nothing is evicted, at the cap one entry goes for each that comes. In turn, so that
    // a change of the machine's speed hits both; all rounds count, since only some commits pay for moving
    // the log into the file.
    NW_TRY(Store half, scratch.open("half.db", "12M"));
    NW_TRY(Store full, scratch.open("full.db", "12M"));
    (void)storeEntries(half, entries(0, 800));
    (void)storeEntries(full, entries(0, 6000));
    Pair sum{0, 0};
    for (int round = 0; round < kCapRounds; ++round) {
      const auto batch = entries(10'000 + 200 * round, 200);
      sum.a += leastNs(1, 1, [&] { (void)storeEntries(half, batch); });
      sum.b += leastNs(1, 1, [&] { (void)storeEntries(full, batch); });
    }
    rows.push_back({"storing at the cap",
                    sum.b / sum.a,
                    "times the cost at half",
                    2.0,
                    {},
                    fmt::format("200 entries, each pushing one out; {} rounds", kCapRounds)});
  }
  NW_CHECK(deadWriter(rows));
  NW_CHECK(millionRows(rows));
  return rows;
}

} // namespace nodewise::bench
