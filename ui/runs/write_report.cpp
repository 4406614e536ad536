#include "ui/runs/write_report.h"

#include "base/file.h"
#include "session/report.h"
#include "session/run_of_graph.h"
#include "ui/graph/export.h"

#include <QTemporaryDir>

namespace nodewise::ui {
namespace {

constexpr int64_t kLargestPicture = int64_t{1} << 28;

/// What the window shows, coloured by what the run says, as an element that an HTML file can hold.
Result<std::string> svgOf(const CanvasPicture& picture, std::span<const NodeInfo> nodes,
                          const RunRecord& record) {
  const QTemporaryDir dir;
  const QString path = dir.filePath(QStringLiteral("graph.svg"));
  CanvasPicture light = picture; // pages are light, whatever the window is
  light.theme = makeTheme(false);
  light.found.reset();
  light.colouring = makeColouring(ColourBy::Outcome, nodes, recordedStates(record, nodes), 0);
  light.groups = totalsOfGroups(light.source->grouping, light.colouring);
  NW_CHECK(exportScene(light.input(), path));
  NW_TRY(const std::string text, readFile(path.toStdString(), kLargestPicture));
  const size_t start = text.find("<svg"); // without the XML declaration
  return start == std::string::npos ? std::string() : text.substr(start);
}

Result<RunRecord> recordOf(const ReportRequest& request, JobContext& context) {
  if (request.run > 0) {
    NW_TRY(Store store, Store::open(request.settings));
    return loadRun(store, request.run);
  }
  if (!request.session) return Error{"no graph is open", {}, "open one, or pick a recorded run", {}};
  RunRecord record = request.session->record();
  if (!record.nodes.empty()) return record;
  const auto progress = [&](const Progress& p) {
    context.report({p.done, p.total, QString::fromStdString(p.text)});
  };
  NW_TRY(const CompileSummary summary, request.session->compile({}, progress, context.stop()));
  return request.session->record();
}

} // namespace

Result<void> writeReport(const ReportRequest& request, JobContext& context) {
  NW_TRY(const RunRecord record, recordOf(request, context));
  ReportParts parts;
  const bool shown = request.session && isRunOf(record, request.session->nodes());
  if (shown) addGraphParts(*request.session, parts);
  // Without a cache there is nothing to compare with; the run itself is there all the same.
  std::optional<RunRow> cold;
  if (Result<Store> store = Store::open(request.settings); store.ok()) {
    if (auto found = coldRunOf(*store, record.run); found.ok()) cold = *found;
    if (shown)
      if (auto explained = explainRun(*store, record); explained.ok())
        parts.causes = cascade(request.session->nodes(), *explained);
  }
  parts.rates = hitRates(record, cold);
  if (shown && request.picture) {
    context.report({0, 0, QStringLiteral("drawing the graph")});
    Result<std::string> svg = svgOf(*request.picture, request.session->nodes(), record);
    if (svg.ok())
      parts.svg = std::move(*svg);
    else
      parts.svgNote = "No drawing: " + svg.error().text();
  } else {
    parts.svgNote = "No drawing: the graph of this run is not the one that was open.";
  }
  return writeFile(request.path.toStdString(), htmlReport(record, parts));
}

} // namespace nodewise::ui
