// Nodes as a command line names them.
#pragma once

#include "session/session.h"

#include <string>

namespace nodewise {

/// For help texts: how a node is named.
inline constexpr const char* kNodeHelp = "Position, path or name of a node";

/// A position among the outer graph's nodes ("35"), a path ("$.graph.nodes[35]") or a name. Errors: there is
/// none, or more than one.
Result<NodeIndex> findNode(const Session& session, const std::string& text);

} // namespace nodewise
