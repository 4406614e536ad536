#include "cache/doctor.h"

#include "cache/bundle.h"
#include "cache/doctor_checks.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

/// What SQLite says is wrong with the file, a line each.
Result<std::vector<std::string>> integrityComplaints(Connection& connection) {
  connection.clearFault();
  std::vector<std::string> complaints;
  auto query = connection.prepare("PRAGMA integrity_check(20)");
  if (!query.ok() && connection.fault() != Fault::Damaged) return query.error();
  if (!query.ok()) return std::vector<std::string>{query.error().what};
  for (;;) {
    const auto row = query->step();
    if (!row.ok() && connection.fault() != Fault::Damaged) return row.error();
    if (!row.ok()) complaints.push_back(row.error().what);
    if (!row.ok() || !*row) return complaints;
    const std::string line = query->textOr(0);
    if (line != "ok") complaints.push_back(line);
  }
}

/// Moves the file aside and stores what can be read of it in a fresh one.
Result<std::string> rebuild(Store& store, const StoreProgress& progress) {
  Store::State& state = store.state();
  if (!state.identity) return Error{"a cache in memory cannot be rebuilt", "", "", ""};
  state.connection.reset();
  std::string aside;
  {
    NW_TRY(const DirectoryLock lock,
           DirectoryLock::take(state.path, DirectoryLock::Kind::Exclusive, state.given.busyMs.value));
    NW_TRY(aside, moveAside(state.path));
  }
  NW_CHECK(state.openAgain());
  const auto imported = importBundle(store, aside, DryRun::No, progress);
  if (!imported.ok() && imported.error().what == "cancelled") return imported.error();
  if (!imported.ok()) return fmt::format("nothing could be read of it; it was kept as {}", aside);
  return fmt::format(
      "{} sound entries were stored in a fresh file, {} were damaged; the old one was kept as {}",
      imported->entries, imported->kept, aside);
}

Result<DoctorReport> checkWhole(Store& store, Repair repair, const StoreProgress& progress) {
  return onStore(store, [&](Connection& connection) -> Result<DoctorReport> {
    DoctorReport report;
    store.state().environments.clear();
    NW_CHECK(checkEntries(connection, store.state().environments, repair, progress, report));
    NW_CHECK(checkRows(connection, repair, report));
    return report;
  });
}

} // namespace

Result<DoctorReport> doctor(Store& store, Repair repair, const StoreProgress& progress) {
  NW_CHECK(store.state().ensureOpen());
  if (store.readOnly()) repair = Repair::No;
  if (progress) progress(0, 0, "checking the file");
  NW_TRY(const std::vector<std::string> complaints, integrityComplaints(*store.state().connection));
  if (complaints.empty()) return checkWhole(store, repair, progress);
  DoctorReport damaged;
  std::string remedy = "moved aside; what can be read of it is stored in a fresh file";
  if (repair == Repair::Yes) {
    NW_TRY(remedy, rebuild(store, progress));
    NW_TRY(damaged, checkWhole(store, repair, progress));
  }
  std::vector<Finding> findings;
  for (const std::string& complaint : complaints) {
    findings.push_back({"the file is damaged: " + complaint, remedy, repair == Repair::Yes, 0});
  }
  damaged.findings.insert(damaged.findings.begin(), findings.begin(), findings.end());
  return damaged;
}

} // namespace nodewise
