// Measures how long the window's thread was deaf: the longest time between two turns of its event loop.
#pragma once

#include <QObject>

#include <atomic>
#include <chrono>
#include <thread>

namespace nodewise::ui {

/// A thread asks the event loop for a sign of life every few milliseconds and keeps the longest answer time.
class StallWatchdog : public QObject {
public:
  explicit StallWatchdog(QObject* parent = nullptr);
  ~StallWatchdog() override;

  /// Longest stall since the last reset, in milliseconds; also one that still lasts.
  double longestMs() const;
  void reset();

protected:
  bool event(QEvent* event) override;

private:
  using Clock = std::chrono::steady_clock;
  void watch(const std::stop_token& stop);

  std::atomic<Clock::rep> m_asked{0}; ///< when the open question was put; 0: none is open
  std::atomic<Clock::rep> m_longest{0};
  std::jthread m_thread;
};

} // namespace nodewise::ui
