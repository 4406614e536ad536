// A run as one HTML file that needs nothing else.
#pragma once

#include "session/cascade.h"
#include "session/cost_table.h"
#include "session/session.h"

#include <string>

namespace nodewise {

struct ReportParts {
  std::string svg;                 ///< the graph as dot draws it; may be empty
  std::string svgNote;             ///< why there is no drawing
  std::vector<CascadeItem> causes; ///< root causes of what missed, as looked up before the compile
  HitRates rates;
};

/// Outcomes, the graph, root causes, costs by op and by node with every phase and run times, in tables that
/// are sorted by a click on a heading and filtered by what is typed above them. Light or dark as the reader's
/// system has it.
std::string htmlReport(const Session& session, const CompileSummary& summary, const ReportParts& parts);

/// Colour of an outcome or kind, as in the window (Okabe and Ito's palette): "#009E73".
std::string_view statusColour(const NodeInfo& info, const NodeState& state);
/// Its letter: H M S U ! ? v p x, or a blank for what was not looked up yet.
char statusLetter(const NodeInfo& info, const NodeState& state);

} // namespace nodewise
