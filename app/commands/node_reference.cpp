#include "node_reference.h"

#include <fmt/format.h>

namespace nodewise {

Result<NodeIndex> findNode(const Session& session, const std::string& text) {
  const bool number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  std::vector<NodeIndex> found;
  for (const NodeInfo& info : session.nodes())
    if (info.path == text || info.name == text ||
        (number && info.parent < 0 && std::to_string(info.indexInGraph) == text))
      found.push_back(info.index);
  if (found.size() == 1) return found[0];
  return Error{fmt::format("{} node \"{}\"", found.empty() ? "no" : "more than one", text),
               session.file().path,
               "give a position (35), a path ($.graph.nodes[35]) or a name",
               {}};
}

} // namespace nodewise
