// A program of ours as a child: what it prints, how it ends, and which node it was at when it died.
#pragma once

#include "base/result.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace nodewise {

/// A number in a file that two processes share. The child writes the node that it is about to run; the parent
/// reads it after the child's death: memory of a file outlives a process that crashes.
class StepMark {
public:
  /// A new file in the folder for temporary files, removed by the destructor.
  static Result<StepMark> create();
  /// One that the parent made.
  static Result<StepMark> open(const std::string& file);
  StepMark(StepMark&& other) noexcept;
  StepMark& operator=(StepMark&&) = delete;
  ~StepMark();

  const std::string& file() const { return m_file; }
  void set(int32_t node) { *m_number = node + 1; }
  std::optional<int32_t> node() const; ///< none: no node was begun

private:
  StepMark(std::string file, volatile int32_t* number, bool owner);
  std::string m_file;
  volatile int32_t* m_number; ///< node + 1; 0: none
  bool m_owner;
};

struct ChildEnd {
  int exitCode = -1; ///< if it ended by itself
  int signal = 0;    ///< that ended it; 0: none
  bool timedOut = false, cancelled = false;
  std::string output, errors; ///< what it printed
};
/// "SIGSEGV (segmentation fault)".
std::string signalText(int signal);

/// Runs `command` (a path and its arguments) to its end, or kills it after `timeout` (0: never) or on `stop`.
/// Error: it could not be started.
Result<ChildEnd> runChild(const std::vector<std::string>& command, std::chrono::milliseconds timeout,
                          std::stop_token stop = {});

} // namespace nodewise
