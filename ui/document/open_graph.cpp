#include "ui/document/open_graph.h"

namespace nodewise::ui {

std::shared_ptr<const SceneSource> sceneSourceOf(std::shared_ptr<Session> session,
                                                 const TextMeasure& measure) {
  const std::vector<NodeInfo>& nodes = session->nodes();
  Structure structure = makeStructure(nodes);
  Grouping grouping = makeGrouping(structure);
  return std::make_shared<const SceneSource>(
      SceneSource{nodes, std::move(structure), std::move(grouping), measure, std::move(session)});
}

} // namespace nodewise::ui
