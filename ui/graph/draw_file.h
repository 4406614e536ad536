// A graph file drawn without a window: what the command line calls.
#pragma once

#include "session/session.h"

#include <string>
#include <vector>

namespace nodewise::ui {

struct DrawRequest {
  std::string file;
  std::string output = "graph.svg"; ///< its ending is the format
  std::string colour = "outcome";   ///< one of drawColours()
  std::string edgeWidth = "alike";  ///< or "bytes"
  std::string find;                 ///< a query: other nodes are dimmed; empty: none are
  bool openAll = false;             ///< groups and inner graphs too
  bool dark = false;
};

/// What the picture shows.
struct DrawnGraph {
  int64_t boxes = 0, edges = 0;
  std::optional<int64_t> found;                       ///< nodes, where a query was given
  std::map<std::string, int64_t> legend;              ///< nodes by category
  std::vector<std::pair<int64_t, double>> edgeWidths; ///< examples: bytes, and pixels at zoom 1
  int64_t unknownEdges = 0;                           ///< thin and dashed; both where widths are by bytes
  std::vector<std::string> notices;                   ///< why a part was not laid out by dot
};

/// Names of what nodes can be coloured by.
std::vector<std::string> drawColours();

/// Reads the graph, asks the cache about its nodes, lays it out and writes the picture; compiles nothing. The
/// layout is taken from the cache database, or kept in it, as the window does. Makes an application object of
/// its own: call it once, from a program without one. Errors of type "Environment": the picture could not be
/// written.
Result<DrawnGraph> drawFile(const DrawRequest& request, const SessionSettings& settings);

} // namespace nodewise::ui
