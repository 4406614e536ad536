// A run as one HTML file that needs nothing else.
#pragma once

#include "cache/run_history.h"
#include "session/cascade.h"
#include "session/cost_table.h"
#include "session/session.h"

#include <map>
#include <string>

namespace nodewise {

/// What a report has besides the run itself.
struct ReportParts {
  std::string title;               ///< empty: the run's file
  std::string svg;                 ///< the graph; may be empty
  std::string svgNote;             ///< why there is no drawing
  std::vector<CascadeItem> causes; ///< root causes of what missed
  HitRates rates;
  std::vector<std::string> warnings;          ///< about the cache
  std::map<int64_t, std::string> origins;     ///< lines of the program, by a node's position
  std::map<int64_t, std::string> unsupported; ///< why nodes are not supported, likewise
};

/// What the graph of an open session adds: title, origins, and why nodes are not supported.
void addGraphParts(const Session& session, ReportParts& parts);

/// Outcomes, the graph, root causes, costs by op and by node with every phase and run times, in tables that
/// are sorted by a click on a heading and filtered by what is typed above them. Light or dark as the reader's
/// system has it.
std::string htmlReport(const RunRecord& record, const ReportParts& parts);

/// Colour of an outcome or kind, as in the window (Okabe and Ito's palette): "#009E73".
std::string_view statusColour(const NodeInfo& info, const NodeState& state);

} // namespace nodewise
