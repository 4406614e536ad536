#include "ui/jobs/stall_watchdog.h"

#include <QCoreApplication>
#include <QEvent>

#include <algorithm>

namespace nodewise::ui {
namespace {

const QEvent::Type kPing = static_cast<QEvent::Type>(QEvent::registerEventType());
constexpr std::chrono::milliseconds kInterval{2};

} // namespace

StallWatchdog::StallWatchdog(QObject* parent)
    : QObject(parent), m_thread([this](const std::stop_token& stop) { watch(stop); }) {}

StallWatchdog::~StallWatchdog() {
  m_thread.request_stop();
  m_thread.join();
}

void StallWatchdog::watch(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (m_asked.load() == 0) {
      m_asked = Clock::now().time_since_epoch().count();
      QCoreApplication::postEvent(this, new QEvent(kPing), Qt::HighEventPriority);
    }
    std::this_thread::sleep_for(kInterval);
  }
}

bool StallWatchdog::event(QEvent* event) {
  if (event->type() != kPing) return QObject::event(event);
  const Clock::rep waited = Clock::now().time_since_epoch().count() - m_asked.load();
  if (waited > m_longest.load()) m_longest = waited;
  m_asked = 0;
  return true;
}

double StallWatchdog::longestMs() const {
  const Clock::rep asked = m_asked.load();
  const Clock::rep open = asked == 0 ? 0 : Clock::now().time_since_epoch().count() - asked;
  const Clock::duration longest(std::max(open, m_longest.load()));
  return std::chrono::duration<double, std::milli>(longest).count();
}

void StallWatchdog::reset() { m_longest = 0; }

} // namespace nodewise::ui
