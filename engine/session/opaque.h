// Values that a graph file holds as text alone (objects that the format has no form for): they can be shown,
// and neither run nor compared.
#pragma once

#include "graph/graph.h"

namespace nodewise {

struct OpaqueValue {
  std::string type; ///< short text of its type, "Generic"
  std::string why;  ///< "input 1 is of an opaque type, which cannot be run"
};

/// The first input of a graph that is of an opaque type, or a list of such.
std::optional<OpaqueValue> opaqueInput(const Graph& graph);

/// The first value of a case, given or expected, that is or holds opaque data, whatever its type: of a random
/// generator that the format does not know, say.
std::optional<OpaqueValue> opaqueValue(const Graph& graph, const Case& recorded);

bool holdsOpaque(const Data& data);

} // namespace nodewise
