#include "ui/cache/rerun.h"

#include "cache/show.h"
#include "graph/reader.h"
#include "ui/theme/numbers.h"

#include <fmt/format.h>

namespace nodewise::ui {
namespace {

/// Compiles one entry's own graph under the options it was made with.
Result<CompileSummary> rerunEntry(const EntryDetail& entry, SessionSettings settings,
                                  const std::shared_ptr<Engine>& engine, const std::stop_token& stop) {
  NW_TRY(GraphFile file, readGraphText(entry.recipe, "entry " + entry.row.key.shortHex()));
  settings.options = entry.environment.options;
  settings.command = "re-run";
  NW_TRY(std::unique_ptr<Session> session, Session::open(std::move(file), settings, engine));
  CompileRequest request;
  request.ignoreCache = true;
  return session->compile(
      request, [](const Progress&) {}, stop);
}

} // namespace

Result<RerunReport> rerunEntries(Store& store, std::span<const int64_t> entries,
                                 const SessionSettings& settings, const std::shared_ptr<Engine>& engine,
                                 JobContext& context) {
  RerunReport report;
  std::string firstError;
  int64_t done = 0;
  for (const int64_t id : entries) {
    if (context.stopped()) break;
    NW_TRY(EntryDetail entry, showEntry(store, id));
    context.report({done++, static_cast<int64_t>(entries.size()),
                    QStringLiteral("compiling %1 again").arg(QString::fromStdString(entry.row.op))});
    const auto summary = rerunEntry(entry, settings, engine, context.stop());
    report.keys.push_back(entry.row.key);
    if (summary.ok() && summary->failed == 0) {
      ++report.compiled;
      report.compileNs += summary->phases.compile();
      continue;
    }
    ++report.failed;
    if (firstError.empty())
      firstError = summary.ok() ? entry.row.op + " failed to compile" : summary.error().text();
  }
  report.summary = fmt::format("compiled {} again in {}",
                               countedText(report.compiled, QStringLiteral("entry")).toStdString(),
                               durationText(report.compileNs).toStdString());
  if (report.failed > 0) report.summary += fmt::format("; {} failed: {}", report.failed, firstError);
  return report;
}

} // namespace nodewise::ui
