// nodewise verify: recorded cases against their recorded results.
#include "command.h"

#include "session/verify.h"

#include <fmt/format.h>

#include <fstream>

namespace nodewise {

namespace {

nlohmann::json toJson(const VerifyReport& r) {
  nlohmann::json cases = nlohmann::json::array();
  for (const CaseRecord& c : r.records) {
    nlohmann::json one{{"file", c.file}, {"case", c.caseIndex}, {"result", verdictName(c.verdict)}};
    if (!c.op.empty()) one["op"] = c.op;
    if (!c.reason.empty()) one["reason"] = c.reason;
    if (const std::string note = c.note(); !note.empty()) one["note"] = note;
    cases.push_back(std::move(one));
  }
  const Phases& p = r.phases;
  return {{"version", 1},
          {"cases", std::move(cases)},
          {"counts",
           {{"cases", r.cases},
            {"passed", r.passed},
            {"passed up to sign", r.upToSign},
            {"passed closer than the record", r.closerThanRecord},
            {"failed", r.failed},
            {"unsupported", r.unsupported},
            {"invalid", r.invalid}}},
          {"graphs", {{"all", r.graphs}, {"compiled only", r.compiledOnly}, {"not compiled", r.notCompiled}}},
          {"nodes",
           {{"view", r.views},
            {"kernel", r.kernels},
            {"prebuilt", r.prebuilt},
            {"unsupported", r.unsupportedNodes}}},
          {"lookups",
           {{"hit", r.hits},
            {"miss", r.misses},
            {"stale", r.stale},
            {"uncacheable", r.uncacheable},
            {"failed", r.failedLookups},
            {"lookup error", r.lookupErrors}}},
          {"compiled", r.compiled},
          {"shared content", r.shared},
          {"ns",
           {{"lookup", p.lookup},
            {"build", p.build},
            {"optimise", p.optimise},
            {"emit", p.emit},
            {"link", p.link},
            {"store", p.store},
            {"compile wall", r.compileWallNs},
            {"first calls", r.runNs},
            {"wall", r.wallNs}}},
          {"warnings", r.warnings}};
}

Exit runVerify(const CommonOptions& common, const std::vector<std::string>& paths,
               const std::string& jsonFile) {
  Result<std::vector<std::string>> files = graphFilesBelow(paths);
  if (!files) return fail(files.error(), Exit::Usage);
  const VerifyReport report = verifyFiles(*files, common.settings, nullptr, {}, {});
  for (const std::string& warning : report.warnings) fmt::print(stderr, "nodewise: {}\n", warning);
  std::map<std::string, int> unsupported;
  for (const CaseRecord& c : report.records) {
    if (c.closerThanRecord && c.verdict == Verdict::Passed)
      fmt::print("passed {} case {}: {}\n", c.file, c.caseIndex, c.note());
    if (c.verdict == Verdict::Passed) continue;
    if (c.verdict == Verdict::Unsupported) {
      ++unsupported[fmt::format("{}: {}", c.op, c.reason)];
      continue;
    }
    fmt::print("{} {}{}: {}\n", verdictName(c.verdict), c.file,
               c.caseIndex >= 0 ? fmt::format(" case {}", c.caseIndex) : " (compile)", c.reason);
  }
  for (const auto& [what, count] : unsupported) fmt::print("unsupported in {} cases: {}\n", count, what);
  fmt::print("{} graphs, {:.1f} ms: {} kernel nodes ({} hit, {} miss, {} stale, {} failed; {} contents "
             "compiled), {} view, {} prebuilt, {} unsupported\n",
             report.graphs, static_cast<double>(report.wallNs) / 1e6, report.kernels, report.hits,
             report.misses, report.stale, report.failedLookups, report.compiled, report.views,
             report.prebuilt, report.unsupportedNodes);
  if (report.notCompiled > 0) fmt::print("{} graphs without a case did not compile\n", report.notCompiled);
  if (!jsonFile.empty()) {
    std::ofstream out(jsonFile);
    out << toJson(report).dump(1) << '\n';
    out.close();
    if (!out) return fail({"cannot be written", jsonFile, "choose another file", {}}, Exit::NoEnvironment);
  }
  if (report.upToSign > 0)
    fmt::print("{} of the passed cases by the equation of their factors, up to sign\n", report.upToSign);
  if (report.closerThanRecord > 0)
    fmt::print("{} of the passed cases closer to the exact result than the record\n",
               report.closerThanRecord);
  fmt::print("{} cases: {} passed, {} failed, {} unsupported, {} invalid\n", report.cases, report.passed,
             report.failed, report.unsupported, report.invalid);
  return report.good() ? Exit::Fine : Exit::Found;
}

} // namespace

void addVerify(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "verify", "Run every recorded case of every graph file, and compare with its recorded results.\n"
                "Graphs without a case are compiled. Exit 1 if a case failed or a file is invalid.\n"
                "Example: nodewise verify resources/samples");
  auto paths = std::make_shared<std::vector<std::string>>();
  auto json = std::make_shared<std::string>();
  command->add_option("PATH", *paths, "Graph files, and folders to search for them")->required();
  command->add_option("--json", *json, "Write a record of each case, and lookups by outcome")
      ->type_name("FILE");
  addCacheOptions(*command, common);
  addCodeOptions(*command, common);
  command->callback([&, paths, json] {
    common.settings.command = "verify";
    invocation.run = [&, paths, json] { return runVerify(common, *paths, *json); };
  });
}

} // namespace nodewise
