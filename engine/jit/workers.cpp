#include "jit/workers.h"

#include "jit/compiler.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace nodewise {

/// LLVM's passes recurse over expressions, and a fused node can be thousands of operations deep. Only pages
/// that are touched take memory.
static constexpr size_t kStackBytes = size_t{64} << 20;

struct Workers::State {
  TargetSpec target;
  int count = 1;

  std::mutex mutex; ///< guards all below
  std::condition_variable work, idle;
  std::deque<Job> queue;
  std::vector<pthread_t> threads;
  size_t unfinished = 0; ///< submitted, and `done` has not returned yet
  bool closed = false;
  std::mutex joining; ///< shutDown() may be called twice at once

  static void* threadMain(void* self) {
    static_cast<State*>(self)->run();
    return nullptr;
  }

  void run() {
    Compiler compiler(target);
    for (;;) {
      Job job;
      bool cancelled = false;
      {
        std::unique_lock lock(mutex);
        work.wait(lock, [&] { return closed || !queue.empty(); });
        if (queue.empty()) return;
        job = std::move(queue.front());
        queue.pop_front();
        cancelled = closed;
      }
      finish(job, cancelled, &compiler);
    }
  }

  /// Runs a job, or not, and tells its owner.
  void finish(Job& job, bool cancelled, Compiler* compiler) {
    JobEnd end;
    if (cancelled || job.stop.stop_requested())
      end.state = JobEnd::State::Cancelled;
    else
      end = perform(job, *compiler);
    try {
      if (job.done) job.done(end);
    } catch (...) { // nobody is left to tell
    }
    job = {}; // what it holds is freed before wait() returns
    const std::scoped_lock lock(mutex);
    if (--unfinished == 0) idle.notify_all();
  }

  static JobEnd perform(const Job& job, Compiler& compiler) {
    const auto failed = [](std::string what) {
      return JobEnd{.state = JobEnd::State::Failed,
                    .error = {.what = std::move(what), .where = {}, .remedy = {}, .type = {}}};
    };
    try {
      if (!job.work) return {};
      const Result<void> result = job.work(compiler);
      if (!result) return {.state = JobEnd::State::Failed, .error = result.error()};
      return {};
    } catch (const std::exception& e) {
      return failed(e.what());
    } catch (...) {
      return failed("an unknown exception");
    }
  }

  /// Starts threads until there are as many as there is work for. Called with the mutex held.
  bool startThreads() {
    while (threads.size() < static_cast<size_t>(count) && threads.size() < unfinished) {
      pthread_attr_t attributes;
      pthread_attr_init(&attributes);
      pthread_attr_setstacksize(&attributes, kStackBytes);
      pthread_t thread{};
      const int failure = pthread_create(&thread, &attributes, &threadMain, this);
      pthread_attr_destroy(&attributes);
      if (failure != 0) break; // fewer threads do, unless there is none at all
      threads.push_back(thread);
    }
    return !threads.empty();
  }
};

Workers::Workers(TargetSpec target, int threads) : m_state(std::make_unique<State>()) {
  m_state->target = std::move(target);
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  m_state->count = threads > 0 ? threads : std::max(cores, 1);
}

Workers::~Workers() { shutDown(); }

bool Workers::submit(Job job) {
  State& state = *m_state;
  const std::scoped_lock lock(state.mutex);
  if (state.closed) return false;
  ++state.unfinished;
  if (!state.startThreads()) {
    --state.unfinished;
    return false;
  }
  state.queue.push_back(std::move(job));
  state.work.notify_one();
  return true;
}

void Workers::wait() {
  std::unique_lock lock(m_state->mutex);
  m_state->idle.wait(lock, [&] { return m_state->unfinished == 0; });
}

void Workers::shutDown() {
  const std::scoped_lock joining(m_state->joining);
  std::vector<pthread_t> threads;
  {
    const std::scoped_lock lock(m_state->mutex);
    m_state->closed = true;
    threads.swap(m_state->threads);
  }
  m_state->work.notify_all();
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}

int Workers::threads() const { return m_state->count; }

} // namespace nodewise
