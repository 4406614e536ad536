// Focus: the part of a level that matters to one node, as a set of nodes. The title is for who shows it.
#pragma once

#include "ui/graph/scene.h"

#include <functional>

namespace nodewise::ui {

/// What feeds a node, or what it feeds, however far away; the node itself is among them.
Focus ancestorsOf(const Structure& structure, NodeIndex node);
Focus descendantsOf(const Structure& structure, NodeIndex node);
/// Nodes at most `hops` edges away, in either direction.
Focus neighbourhoodOf(const Structure& structure, NodeIndex node, int hops);
/// All nodes on any way from one node to the other, whichever comes first. None: there is no way, or they
/// stand in different levels.
std::optional<Focus> waysBetween(const Structure& structure, NodeIndex a, NodeIndex b);
/// The nodes of the way through a level whose costs sum up to the most. `cost` is asked once a node; it is 0
/// or more.
Focus criticalPath(const Structure& structure, int level, const std::function<int64_t(NodeIndex)>& cost);

/// How many nodes a focus shows.
int64_t sizeOf(const Focus& focus);

} // namespace nodewise::ui
