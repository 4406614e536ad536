// Running a graph so that a crash of its code leaves the window standing.
#pragma once

#include "session/session.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace nodewise::ui {

/// Who runs graphs.
struct RunProgram {
  std::string path;                     ///< of `nodewise`, for a process of its own; empty: they are run here
  std::chrono::milliseconds timeout{0}; ///< such a process is ended after so long; 0: never
};

/// What came out of a run.
struct RunEnd {
  int64_t wallNs = 0;
  size_t outputs = 0;
  bool recorded = false;                ///< it was a recorded case
  std::string raised;                   ///< the error that the case records, which was raised
  std::vector<std::string> differences; ///< from the recorded results
  std::string failure, remedy;          ///< why it had to be ended: a crash, or it took too long; else empty
  std::optional<NodeIndex> failedNode;  ///< that is to blame; the session has it as failed
  std::optional<NodeIndex> lastNode;    ///< where it was then, if no node is to blame
};

/// Runs a recorded case (or invented inputs where there is none) once, with the run time of each node: in
/// a process of its own, or here. A crash, or a run that takes too long, is no error: its end says so.
Result<RunEnd> runApart(Session& session, const RunProgram& program, size_t caseIndex,
                        const std::stop_token& stop);

} // namespace nodewise::ui
