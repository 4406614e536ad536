// Making files and rows wrong at random, and what must hold afterwards.
#pragma once

#include "support.h"

#include <random>

namespace nodewise::test {

/// A small cache with something in every table, and the bytes of its file and its log.
struct Pristine {
  QByteArray file, log;
  int entries = 6;
};
/// `inLog`: the last entries are in the log only, as a process that was killed leaves them.
Pristine makePristine(const QString& folder, bool inLog);
/// Where thousands of files are written: in memory, where the system has such a place.
QString quickPlace();
void writeFiles(const QString& path, const Pristine& pristine);
/// Removes the database, its log and what was moved aside.
void removeFiles(const QString& path);

/// Opens, looks up, stores again, looks up again. What a cache may never do is a failed check: serve wrong
/// code, or not go on. `whole` counts caches that had all entries again at the end, `refused` those that said
/// why they cannot be used.
struct Survival {
  int whole = 0, refused = 0, hits = 0;
  QByteArray failure; ///< empty: all well
};
void checkSurvival(const QString& path, const Pristine& pristine, Survival& survival);

} // namespace nodewise::test
