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

/// A few bytes in a file that two processes share. The child writes the node that it is about to run, and
/// when; the parent reads them after the child's death: memory of a file outlives a process that crashes.
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
  void set(int32_t node);
  std::optional<int32_t> node() const; ///< none: no node was begun
  /// How long ago the node was begun; 0 if none was.
  std::chrono::nanoseconds sinceBegin() const;

private:
  /// What is in the file. The clock is the system's monotonic one: the same in both processes.
  struct Shared {
    int32_t number;  ///< node + 1; 0: none
    int64_t beginNs; ///< by std::chrono::steady_clock
  };
  static Result<StepMark> mapped(int handle, std::string file, bool owner);
  StepMark(std::string file, volatile Shared* shared, bool owner);
  std::string m_file;
  volatile Shared* m_shared;
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
