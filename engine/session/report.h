// A run as one HTML file that needs nothing else.
#pragma once

#include "session/session.h"

#include <string>

namespace nodewise {

/// The graph (`svg`, as dot draws it; may be empty), outcomes with reasons, costs by phase and run times, in
/// tables that sort when a heading is clicked. `svgNote` says why there is no drawing.
std::string htmlReport(const Session& session, const CompileSummary& summary, const std::string& svg,
                       const std::string& svgNote);

/// Colour of an outcome or kind, as in the window (Okabe and Ito's palette): "#009E73".
std::string_view statusColour(const NodeInfo& info, const NodeState& state);
/// Its letter: H M S U ! ? v p x, or a blank for what was not looked up yet.
char statusLetter(const NodeInfo& info, const NodeState& state);

} // namespace nodewise
