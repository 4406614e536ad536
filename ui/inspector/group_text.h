// Sentences about a group of nodes, for the inspector.
#pragma once

#include "ui/models/group_summary.h"

#include <QString>

namespace nodewise::ui {

/// How many nodes it has, and how they came out: "120 nodes: 58 hit · 3 miss · 59 view".
QString groupText(const GroupSummary& summary);
/// What it costs to compile and to run, in all and at most in one node.
QString groupDetails(const GroupSummary& summary, std::span<const NodeInfo> nodes);

/// What can be done with a group.
QString groupHint();

} // namespace nodewise::ui
