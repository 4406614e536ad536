// Threads that compile.
#pragma once

#include "base/result.h"
#include "cache/key.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace nodewise {

class Compiler;

/// How a job ended.
struct JobEnd {
  enum class State : uint8_t {
    Done,
    Failed,   ///< work gave an error, or threw
    Cancelled ///< it had not begun when its stop was requested or the workers were shut down
  };
  State state = State::Done;
  Error error; ///< of Failed
};

struct Job {
  /// Runs on a worker with that worker's own Compiler. Long jobs may look at `stop` themselves.
  std::function<Result<void>(Compiler&)> work;
  /// Called exactly once for every job, on a worker, after `work` or instead of it. May submit further jobs.
  std::function<void(const JobEnd&)> done;
  std::stop_token stop;
};

/// A fixed number of threads with stacks large enough for LLVM on deep expressions. Jobs begin in the order
/// they were submitted. Thread safe.
class Workers {
public:
  /// `threads` 0: one a core. Threads start with the first job.
  explicit Workers(TargetSpec target, int threads = 0);
  /// Ends jobs that have not begun as Cancelled, waits for those that run.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// False (and `done` not called) only when shut down.
  bool submit(Job job);
  /// Waits until every job submitted so far, and those they submitted, has ended. Not from within a job.
  void wait();
  /// As the destructor; later calls of submit() give false.
  void shutDown();

  int threads() const;

private:
  struct State;
  std::unique_ptr<State> m_state;
};

} // namespace nodewise
