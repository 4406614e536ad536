// What closed groups say of the nodes in them.
#pragma once

#include "ui/graph/grouping.h"
#include "ui/models/colouring.h"

namespace nodewise::ui {

/// What a group's box says of the nodes in it and in inner graphs.
struct GroupTotals {
  std::vector<int64_t> counts; ///< by category
  int64_t marked = 0;          ///< nodes with a mark
  int64_t sum = 0;             ///< of what nodes are coloured by; what the nodes of a key share counts once
  int64_t greatest = 0;        ///< of a node
};

/// By group.
std::vector<GroupTotals> totalsOfGroups(const Grouping& grouping, const Colouring& colouring);

} // namespace nodewise::ui
