// nodewise cache: looking after the file, and checking entries by compiling them.
#include "cache/words.h"
#include "cache_commands.h"
#include "text.h"

#include "cache/doctor.h"
#include "session/entry_work.h"

#include <fmt/format.h>
#include <unistd.h>

namespace nodewise::cache_command {

namespace {

using nlohmann::json;

/// One line that writes over itself, on a terminal that looks.
StoreProgress showProgress(const CommonOptions& common) {
  if (common.json || ::isatty(STDERR_FILENO) == 0) return {};
  return [](int64_t done, int64_t total, std::string_view what) {
    fmt::print(stderr, "\r{} {} of {} ", what, countText(done), countText(total));
    if (done >= total) fmt::print(stderr, "\r\x1b[K");
  };
}

Result<std::vector<int64_t>> idsOf(const CommonOptions& common, const Line& line, const char* command) {
  NW_TRY(const Selection selection, selected(line, command));
  NW_TRY(Store store, openStore(common));
  return entriesToWorkOn(store, selection);
}

Result<Exit> preview(const CommonOptions& common, const Line& line, const char* command, const char* done) {
  NW_TRY(const Selection selection, selected(line, command));
  NW_TRY(Store store, openStore(common));
  return reportAction(common, line, previewWork(store, selection, done));
}

Exit print(const CommonOptions& common, const EntriesReport& report) {
  json problems = json::array();
  TextTable table({"key", "what", "problem"}, {});
  for (const EntryProblem& p : report.problems) {
    problems.push_back({{"key", p.entry.key.hex()}, {"op", p.entry.op}, {"reason", p.reason}});
    table.add({p.entry.key.shortHex(), nodeTitle(p.entry.op, p.entry.label), p.reason});
  }
  if (common.json) {
    fmt::print("{}\n", json{{"version", 1},
                            {"entries", report.entries},
                            {"foreign", report.foreign},
                            {"compile ns", report.compileNs},
                            {"problems", problems},
                            {"summary", report.summary}}
                           .dump(1));
  } else {
    if (!table.empty()) fmt::print("{}\n", table.text(90));
    fmt::print("{}\n", report.summary);
  }
  return report.problems.empty() ? Exit::Fine : Exit::Found;
}

} // namespace

Result<Exit> checkDatabase(const CommonOptions& common, const Line& line) {
  NW_TRY(Store store, openStore(common));
  NW_TRY(DoctorReport r, doctor(store, line.repair ? Repair::Yes : Repair::No, showProgress(common)));
  bool open = false;
  json findings = json::array();
  for (const Finding& f : r.findings) {
    open = open || !f.repaired;
    findings.push_back({{"what", f.what}, {"remedy", f.remedy}, {"repaired", f.repaired}});
    if (!common.json)
      fmt::print("{}: {}{}\n", f.repaired ? "repaired" : "found", f.what,
                 f.remedy.empty() ? "" : " (" + f.remedy + ")");
  }
  if (common.json)
    fmt::print("{}\n", json{{"version", 1},
                            {"findings", findings},
                            {"entries", r.entriesChecked},
                            {"objects", r.objectsChecked}}
                           .dump(1));
  else
    fmt::print("{} entries and {} objects checked: {}\n", countText(r.entriesChecked),
               countText(r.objectsChecked),
               r.findings.empty()
                   ? "all is well"
                   : fmt::format("{} findings{}", r.findings.size(), open ? "; repair with --repair" : ""));
  return open ? Exit::Found : Exit::Fine;
}

Result<Exit> vacuumDatabase(const CommonOptions& common, const Line& line) {
  NW_TRY(Store store, openStore(common));
  NW_TRY(VacuumReport r, vacuum(store, line.dry(), showProgress(common)));
  if (common.json)
    fmt::print("{}\n", json{{"version", 1},
                            {"dry run", line.dryRun},
                            {"entries", r.entries},
                            {"bytes before", r.bytesBefore},
                            {"bytes after", r.bytesAfter}}
                           .dump(1));
  else
    fmt::print("{}{} entries gone for good; the file {} {} (was {})\n", line.dryRun ? "dry run: " : "",
               r.entries, line.dryRun ? "would have" : "has", bytesText(r.bytesAfter),
               bytesText(r.bytesBefore));
  return Exit::Fine;
}

Result<Exit> keepSetting(const CommonOptions& common, const Line& line) {
  NW_TRY(Store store, openStore(common));
  NW_CHECK(store.keepSetting(line.name, line.value));
  for (const SettingRow& row : settingRows(store.settings())) {
    if (row.name == line.name && !common.json)
      fmt::print("{}: {} (from the {})\n", row.name, row.value, originName(row.origin));
    if (row.name == line.name && common.json)
      fmt::print(
          "{}\n",
          json{{"version", 1}, {row.name, {{"value", row.value}, {"from", originName(row.origin)}}}}.dump(1));
  }
  return Exit::Fine;
}

Result<Exit> compileAgain(const CommonOptions& common, const Line& line) {
  if (line.dryRun) return preview(common, line, "rerun", "compiled again");
  NW_TRY(const std::vector<int64_t> ids, idsOf(common, line, "rerun"));
  Engine engine;
  NW_TRY(const EntriesReport report, compileEntries(engine, common.settings.cache, ids, {}, {}));
  return print(common, report);
}

Result<Exit> verify(const CommonOptions& common, const Line& line) {
  if (line.dryRun) return preview(common, line, "verify", "compiled and compared");
  NW_TRY(const std::vector<int64_t> ids, idsOf(common, line, "verify"));
  Engine engine;
  NW_TRY(const EntriesReport report, verifyEntries(engine, common.settings.cache, ids, {}, {}));
  return print(common, report);
}

} // namespace nodewise::cache_command
