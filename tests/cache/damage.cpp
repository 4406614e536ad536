#include "damage.h"

#include "cache/actions.h"
#include "cache/runs.h"
#include "cache/stats.h"

#include <QDir>
#include <QFile>

namespace nodewise::test {

namespace {

QByteArray contentsOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  if (file.open(QIODevice::WriteOnly | QIODevice::Truncate)) file.write(bytes);
}

/// Empty if every answer is right: a hit with the very bytes, or a reason.
QByteArray checkAnswers(std::span<const LookupAnswer> answers, std::span<const NewEntry> entries, int& hits) {
  hits = 0;
  for (size_t k = 0; k < answers.size(); ++k) {
    if (answers[k].outcome != Outcome::Hit) {
      if (answers[k].reason.empty()) return "a miss without a reason";
      continue;
    }
    ++hits;
    if (!answers[k].object || answers[k].object->object != entries[k].object) return "wrong code was served";
    if (answers[k].object->symbol != entries[k].symbol) return "a wrong symbol was served";
  }
  return {};
}

std::vector<NewEntry> pristineEntries(int count) {
  std::vector<NewEntry> entries;
  for (int k = 0; k < count; ++k) entries.push_back(entryOf(k, 600));
  return entries;
}

} // namespace

Pristine makePristine(const QString& folder, bool inLog) {
  Pristine pristine;
  const QString path = folder + "/pristine.db";
  removeFiles(path);
  const std::vector<NewEntry> entries = pristineEntries(pristine.entries);
  const auto fill = [&](Store& store, size_t first, size_t count) {
    storeEntries(store, std::span(entries).subspan(first, count));
    std::vector<LookupRow> lookups(2);
    lookups[0].outcome = Outcome::Hit;
    lookups[0].key = entries[0].key.hash;
    need(recordRun(store, {0, "g.json", "compile", "hash"}, lookups));
    need(undo(store, need(invalidate(store, Selection::of({1}), DryRun::No)).operation, DryRun::No));
  };
  {
    Store store = need(Store::open(settingsFor(path)));
    fill(store, 0, inLog ? 4 : 6);
  }
  if (inLog) {
    Store store = need(Store::open(settingsFor(path)));
    fill(store, 4, 2);
    pristine.file = contentsOf(path);
    pristine.log = contentsOf(path + "-wal");
  } else {
    pristine.file = contentsOf(path);
  }
  removeFiles(path);
  return pristine;
}

QString quickPlace() {
  const QFileInfo memory(QStringLiteral("/dev/shm"));
  return (memory.isDir() && memory.isWritable() ? memory.filePath() : QDir::tempPath()) + "/nodewise-XXXXXX";
}

void writeFiles(const QString& path, const Pristine& pristine) {
  removeFiles(path);
  write(path, pristine.file);
  if (!pristine.log.isEmpty()) write(path + "-wal", pristine.log);
}

void removeFiles(const QString& path) {
  const QFileInfo info(path);
  QDir folder = info.dir();
  for (const QString& name : folder.entryList({info.fileName() + "*"}, QDir::Files)) folder.remove(name);
}

void checkSurvival(const QString& path, const Pristine& pristine, Survival& survival) {
  const std::vector<NewEntry> entries = pristineEntries(pristine.entries);
  auto store = Store::open(settingsFor(path));
  if (!store.ok()) {
    ++survival.refused;
    if (store.error().what.empty() || store.error().remedy.empty())
      survival.failure = "refused without a remedy";
    return;
  }
  std::vector<const Key*> keys;
  for (const NewEntry& entry : entries) keys.push_back(&entry.key);
  int hits = 0;
  const auto before = lookupKeys(*store, keys, hostTarget());
  if (before.ok()) survival.failure = checkAnswers(*before, entries, hits);
  survival.hits += hits;
  if (!survival.failure.isEmpty()) return;
  if (!before.ok() || hits < pristine.entries) {
    for (const StoreResult& result : storeEntries(*store, entries)) {
      if (result.text.empty()) survival.failure = "a store without a result";
    }
  }
  const auto after = lookupKeys(*store, keys, hostTarget());
  if (after.ok()) survival.failure = checkAnswers(*after, entries, hits);
  survival.whole += after.ok() && hits == pristine.entries;
}

} // namespace nodewise::test
