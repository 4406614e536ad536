// A process for tests with several of them. cache_helper COMMAND FILE [NUMBER [COUNT]]:
//
//   store FILE FIRST COUNT   stores entries FIRST to FIRST + COUNT - 1, looks each up, says what was stored
//   and hit forever FILE FIRST       stores batches until it is killed; prints a line after each hold FILE
//   takes the write lock, prints a line, and keeps it until killed lookup FILE FIRST COUNT  looks up, as a
//   user without rights if started by root; prints hits, or the error limited FILE BYTES COUNT stores COUNT
//   entries while no file may grow over BYTES
#include "support.h"

#include "cache/store_state.h"

#include <csignal>
#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>

using namespace nodewise;
using namespace nodewise::test;

namespace {

std::vector<NewEntry> entriesFrom(int first, int count) {
  std::vector<NewEntry> entries;
  for (int k = 0; k < count; ++k) entries.push_back(entryOf(first + k));
  return entries;
}

int fail(const Error& error) {
  std::printf("error %s\n", error.text().c_str());
  return 1;
}

int countHits(Store& store, int first, int count) {
  std::vector<Key> keys;
  for (int k = 0; k < count; ++k) keys.push_back(keyOf(first + k));
  std::vector<const Key*> pointers;
  for (const Key& key : keys) pointers.push_back(&key);
  const auto answers = lookupKeys(store, pointers, hostTarget());
  if (!answers.ok()) return -1;
  return static_cast<int>(std::ranges::count(*answers, Outcome::Hit, &LookupAnswer::outcome));
}

int storeCommand(Store& store, int first, int count) {
  int stored = 0;
  for (const StoreResult& result : storeEntries(store, entriesFrom(first, count))) {
    if (result.ok())
      ++stored;
    else
      std::printf("%s\n", result.text.c_str());
  }
  const int hits = countHits(store, first, count);
  std::printf("stored %d hits %d\n", stored, hits);
  for (const std::string& notice : store.takeNotices()) std::printf("notice %s\n", notice.c_str());
  return stored == count && hits == count ? 0 : 1;
}

int foreverCommand(Store& store, int first) {
  for (;; first += 5) {
    storeEntries(store, entriesFrom(first, 5));
    std::printf("%d\n", first);
    std::fflush(stdout);
  }
}

int holdCommand(Store& store) {
  auto transaction = Transaction::begin(*store.state().connection, TransactionKind::Write);
  std::printf("%s\n", transaction.ok() ? "held" : "not held");
  std::fflush(stdout);
  for (;;) ::pause();
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string command = argv[1];
  const int number = argc > 3 ? std::atoi(argv[3]) : 0;
  const int count = argc > 4 ? std::atoi(argv[4]) : 0;
  if (command == "lookup" && ::geteuid() == 0 && ::setuid(65534) != 0) return 3;
  CacheSettings settings = settingsFor(QString::fromLocal8Bit(argv[2]));
  settings.busyMs.set(60'000, Origin::CommandLine); // sanitized, and twenty at once on a small machine
  if (command == "limited") {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{static_cast<rlim_t>(number), static_cast<rlim_t>(number)};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  auto store = Store::open(settings);
  if (!store.ok()) return fail(store.error());
  if (command == "store") return storeCommand(*store, number, count);
  if (command == "forever") return foreverCommand(*store, number);
  if (command == "hold") return holdCommand(*store);
  if (command == "limited") return storeCommand(*store, 0, count);
  const int hits = countHits(*store, number, count);
  std::printf("hits %d\n", hits);
  const StoreResult result = storeEntry(*store, entryOf(number + count + 1));
  std::printf("%s\n", result.text.c_str());
  for (const std::string& notice : store->takeNotices()) std::printf("notice %s\n", notice.c_str());
  return hits == count ? 0 : 1;
}
