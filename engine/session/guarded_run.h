// Runs of a graph in a child process: a kernel that crashes or does not end takes the child along, not the
// window.
#pragma once

#include "session/session.h"

#include <chrono>
#include <string>

namespace nodewise {

struct GuardedOptions {
  std::string program; ///< of `nodewise`
  int caseIndex = 0;
  int calls = 1;
  std::chrono::milliseconds timeout{0}; ///< 0: as long as it takes
};

struct GuardedResult {
  int64_t wallNs = 0; ///< of the last call
  size_t outputs = 0;
  std::vector<std::string> differences; ///< from the recorded case
  std::string raised; ///< the error that the case records, which was raised: "ValueError: ..."
  /// The node to blame, if the child died: its entry is quarantined, and its state is failed. None if the run
  /// as a whole took too long: a node is to blame if it alone ran for half of the time-out.
  std::optional<NodeIndex> failedNode;
  std::optional<NodeIndex> lastNode; ///< that was begun, if the run was ended and no node is to blame
  bool quarantined = false;          ///< the entry of failedNode; else it has none, or could not be
  std::string failure; ///< what happened: "SIGSEGV (Segmentation fault)", "took longer than 10 s"
  bool died() const { return !failure.empty(); }
};

/// Runs a recorded case of the session's file (or invented inputs) with profiling, after compiling what is
/// not linked. Run times come back into the session's states. Errors: what the run itself raised, the child
/// could not be started, "cancelled".
Result<GuardedResult> runGuarded(Session& session, const GuardedOptions& options, const ProgressFn& progress,
                                 std::stop_token stop);

/// The command line of such a child, as `run` reads it.
std::vector<std::string> guardedCommand(const SessionSettings& settings, const std::string& file,
                                        const std::string& markFile, const GuardedOptions& options);

} // namespace nodewise
