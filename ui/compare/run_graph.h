// The graph of a recorded run, read again from its file: the record has no edges.
#pragma once

#include "cache/run_history.h"
#include "ui/document/document.h"

namespace nodewise::ui {

/// Reads the file of a run and lays out what drawing needs; for a worker. Error: the file is gone or cannot
/// be read, or is another graph than the one that was run (type "Changed"): then nothing may be said of its
/// nodes.
Result<std::shared_ptr<const SceneSource>> graphOfRun(const RunRecord& run, const TextMeasure& measure);

} // namespace nodewise::ui
