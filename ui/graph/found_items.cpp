#include "ui/graph/found_items.h"

namespace nodewise::ui {

std::vector<FoundItem> foundItems(const Scene& scene, const std::vector<bool>& matches) {
  std::vector<FoundItem> found(scene.items.size());
  for (size_t k = 0; k < found.size(); ++k)
    found[k].any = scene.items[k].kind == ItemKind::Frame || scene.items[k].kind == ItemKind::Value;
  for (size_t n = 0; n < scene.itemOfNode.size() && n < matches.size(); ++n) {
    const int at = scene.itemOfNode[n];
    if (!matches[n] || at < 0) continue;
    FoundItem& item = found[static_cast<size_t>(at)];
    item.any = true;
    ++item.nodes;
  }
  return found;
}

} // namespace nodewise::ui
