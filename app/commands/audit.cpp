// nodewise audit: unsound keys and over-specific ones.
#include "cache/words.h"
#include "command.h"
#include "text.h"

#include "session/audit.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

nlohmann::json auditJson(const AuditReport& r) {
  nlohmann::json unsound = nlohmann::json::array(), over = nlohmann::json::array();
  for (const UnsoundKey& u : r.unsound)
    unsound.push_back(
        {{"key", u.entry.key.hex()}, {"op", u.entry.op}, {"label", u.entry.label}, {"reason", u.reason}});
  for (const SharedContent& s : r.overSpecific) {
    nlohmann::json keys = nlohmann::json::array();
    for (const EntryRow& e : s.entries) keys.push_back(e.key.hex());
    over.push_back({{"content", s.content.hex()}, {"keys", keys}, {"parts", s.partNames}});
  }
  return {{"version", 1},           {"entries", r.entries}, {"foreign", r.foreign}, {"keys", r.keys},
          {"contents", r.contents}, {"unsound", unsound},   {"over-specific", over}};
}

Exit runAudit(const CommonOptions& common) {
  Engine engine;
  Result<AuditReport> result = audit(engine, common.settings.cache, {}, {});
  if (!result) return fail(result.error(), Exit::NoEnvironment);
  const AuditReport& r = *result;
  if (common.json) {
    fmt::print("{}\n", auditJson(r).dump(1));
    return r.unsound.empty() ? Exit::Fine : Exit::Found;
  }
  TextTable unsound({"unsound key", "what", "reason"}, {});
  for (const UnsoundKey& u : r.unsound)
    unsound.add({u.entry.key.shortHex(), nodeTitle(u.entry.op, u.entry.label), u.reason});
  if (!unsound.empty()) fmt::print("{}\n", unsound.text(90));
  TextTable over({"content", "keys", "what", "differ in", "as in"}, {false, true, false, false, false});
  int64_t lost = 0;
  for (const SharedContent& s : r.overSpecific) {
    lost += static_cast<int64_t>(s.entries.size()) - 1;
    std::string example;
    for (const PartDiff& d : s.examples)
      example += fmt::format("{}{} / {}", example.empty() ? "" : "; ", d.oldValue, d.newValue);
    over.add({s.content.shortHex(), std::to_string(s.entries.size()),
              nodeTitle(s.entries[0].op, s.entries[0].label), fmt::format("{}", fmt::join(s.partNames, ", ")),
              example});
  }
  if (!over.empty()) fmt::print("{}\n", over.text(60));
  fmt::print(
      "{} entries made anew ({} for another target or toolchain, not made here): {} keys, {} contents\n",
      r.entries - r.foreign, r.foreign, r.keys, r.contents);
  fmt::print("{} unsound keys, {} over-specific keys\n", r.unsound.size(), lost);
  return r.unsound.empty() ? Exit::Fine : Exit::Found;
}

} // namespace

void addAudit(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "audit",
      "Emit the code of every entry anew and compare: a key that gives different code is unsound (exit 1).\n"
      "Also lists keys that differ although their code is the same.\n"
      "Example: nodewise audit --json");
  command->add_flag("--json", common.json, "Machine-readable output");
  addCacheOptions(*command, common);
  command->callback([&] { invocation.run = [&] { return runAudit(common); }; });
}

} // namespace nodewise
