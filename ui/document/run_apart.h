// Running a graph so that a crash of its code leaves the window standing.
#pragma once

#include "session/session.h"

#include <chrono>
#include <stop_token>
#include <string>

namespace nodewise::ui {

/// Who runs graphs.
struct RunProgram {
  std::string path;                     ///< of `nodewise`, for a process of its own; empty: they are run here
  std::chrono::milliseconds timeout{0}; ///< such a process is ended after so long; 0: never
};

/// Runs a recorded case (or invented inputs where there is none) once, with the run time of each node: in
/// a process of its own, or here. Only the number of outputs is given back by another process, not what they
/// hold. A crash, or a run that takes too long, is an error of type "Crashed" that names the node where one
/// is to blame; the session has its state as failed.
Result<RunResult> runApart(Session& session, const RunProgram& program, size_t caseIndex,
                           const std::stop_token& stop);

} // namespace nodewise::ui
