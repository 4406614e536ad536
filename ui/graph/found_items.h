// What search and filters leave of a scene, by its items: closed groups stand for the nodes in them.
#pragma once

#include "ui/graph/scene.h"

namespace nodewise::ui {

struct FoundItem {
  bool any = true;   ///< false: nothing that it stands for is left, and it is dimmed
  int64_t nodes = 0; ///< of a closed group: how many of its nodes are left
};

/// By item of the scene; `matches` is by node. Frames, inputs and outputs are never dimmed.
std::vector<FoundItem> foundItems(const Scene& scene, const std::vector<bool>& matches);

} // namespace nodewise::ui
