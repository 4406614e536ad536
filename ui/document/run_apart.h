// Running a graph so that a crash of its code leaves the window standing.
#pragma once

#include "session/session.h"

#include <stop_token>
#include <string>

namespace nodewise::ui {

/// Runs a recorded case (or invented inputs where there is none) once, with the run time of each node: by
/// `program` in a process of its own, or here if that is empty. Only the number of outputs is given back by
/// another process, not what they hold. A crash is an error of type "Crashed" that names the node; the
/// session has its state as failed.
Result<RunResult> runApart(Session& session, const std::string& program, size_t caseIndex,
                           const std::stop_token& stop);

} // namespace nodewise::ui
