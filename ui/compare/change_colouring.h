// Nodes of two runs' graphs coloured by what became of them.
#pragma once

#include "session/run_diff.h"
#include "ui/models/colouring.h"

namespace nodewise::ui {

/// What became of a node, as the two graphs show it: NodeChange, and for what is the same whether it costs
/// more or less.
enum class ChangeLook : uint8_t { Same, Gone, New, Outcome, Key, Dearer, Cheaper };

/// Costs differ if compiling took at least a tenth and 0.1 ms more or less; below, times vary by themselves.
ChangeLook changeLook(const NodeDiff& diff, const RunRecord& before, const RunRecord& after);

enum class DiffSide : uint8_t { Before, After };

/// Colours of one side's graph: each node's outcome in its own run, and a mark on what changed. What took no
/// part in the run is shown as what it is.
Colouring changeColouring(const RunDiff& diff, const RunRecord& before, const RunRecord& after, DiffSide side,
                          std::span<const NodeInfo> nodes);
/// The marks, in the order of ChangeLook, with how many nodes of both runs have each.
std::vector<Category> changeMarks(const RunDiff& diff, const RunRecord& before, const RunRecord& after);

} // namespace nodewise::ui
