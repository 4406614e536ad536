// nodewise export: a recorded run for other programs.
#include "run_reference.h"

#include "base/file.h"
#include "session/export_run.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

struct ExportOptions {
  std::string run = "last", format = "json", output;
};

Result<Exit> runExport(const CommonOptions& common, const ExportOptions& o) {
  NW_TRY(Store store, openCache(common));
  NW_TRY(const RunRecord record, findRun(store, o.run));
  ExportFormat format = ExportFormat::Json;
  for (const ExportFormatRow& row : exportFormats())
    if (row.name == o.format) format = row.format;
  if (format == ExportFormat::Chrome && !record.timed)
    return Error{fmt::format("run {} was recorded without times", record.run.id),
                 {},
                 "compile the graph again",
                 "Usage"};
  const std::string text = exportRun(record, format);
  if (o.output.empty()) {
    fmt::print("{}", text);
    return Exit::Fine;
  }
  if (Result<void> written = writeFile(o.output, text); !written) {
    Error error = written.error();
    error.type = "Environment";
    return error;
  }
  fmt::print("wrote {}\n", o.output);
  return Exit::Fine;
}

} // namespace

void addExport(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  std::string doc = "Write a recorded run for other programs:";
  std::vector<std::string> names;
  for (const ExportFormatRow& row : exportFormats()) {
    doc += fmt::format("\n  {}: {}", row.name, row.doc);
    names.emplace_back(row.name);
  }
  CLI::App* command =
      app.add_subcommand("export", doc + "\nExample: nodewise export last --format chrome -o run.trace.json");
  auto o = std::make_shared<ExportOptions>();
  command->add_option("RUN", o->run, kRunHelp);
  command->add_option("--format", o->format, "csv, json, chrome or folded")
      ->check(CLI::IsMember(names))
      ->type_name("NAME");
  command->add_option("-o,--output", o->output, "File to write; otherwise standard output")
      ->type_name("FILE");
  command->add_flag_callback(
      "--json", [o] { o->format = "json"; }, "The same as --format json");
  addCacheOptions(*command, common);
  command->callback([&, o] {
    invocation.run = [&, o] {
      Result<Exit> exit = runExport(common, *o);
      return exit ? *exit : fail(exit.error(), exitOf(exit.error()));
    };
  });
}

} // namespace nodewise
