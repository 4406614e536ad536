#include "ui/timeline/time_scale.h"

#include "ui/theme/numbers.h"

#include <algorithm>
#include <cmath>

namespace nodewise::ui {
namespace {

constexpr int64_t kLeast = 100; ///< nanoseconds on screen: clocks tell no less apart

} // namespace

void TimeScale::setLength(int64_t length) {
  m_length = std::max<int64_t>(length, kLeast);
  fit();
}

void TimeScale::setWidth(double pixels) { m_width = std::max(pixels, 1.0); }

double TimeScale::x(int64_t ns) const {
  return static_cast<double>(ns - m_from) / static_cast<double>(m_to - m_from) * m_width;
}

int64_t TimeScale::at(double x) const {
  const double ns = static_cast<double>(m_from) + x / m_width * static_cast<double>(m_to - m_from);
  return std::clamp(static_cast<int64_t>(std::llround(ns)), int64_t{0}, m_length);
}

void TimeScale::fit() {
  m_from = 0;
  m_to = m_length;
}

void TimeScale::show(int64_t from, int64_t to) {
  const int64_t span = std::clamp(to - from, std::min(kLeast, m_length), m_length);
  m_from = std::clamp(from, int64_t{0}, m_length - span);
  m_to = m_from + span;
}

void TimeScale::zoom(double factor, double x) {
  const int64_t fixed = at(x);
  const double span =
      std::clamp(static_cast<double>(m_to - m_from) / factor, static_cast<double>(std::min(kLeast, m_length)),
                 static_cast<double>(m_length));
  const auto from = static_cast<int64_t>(std::llround(static_cast<double>(fixed) - x / m_width * span));
  show(from, from + static_cast<int64_t>(std::llround(span)));
}

void TimeScale::pan(double pixels) {
  const auto by = static_cast<int64_t>(std::llround(pixels / m_width * static_cast<double>(m_to - m_from)));
  show(m_from + by, m_to + by);
}

std::vector<TimeScale::Tick> TimeScale::ticks(double pixels) const {
  const double least = static_cast<double>(m_to - m_from) * pixels / m_width;
  const double power = std::pow(10, std::floor(std::log10(std::max(least, 1.0))));
  double step = power;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    step = power * factor;
    if (step >= least) break;
  }
  std::vector<Tick> ticks;
  const auto round = std::max<int64_t>(static_cast<int64_t>(step), 1);
  for (int64_t ns = (m_from + round - 1) / round * round; ns <= m_to; ns += round)
    ticks.push_back({ns, ns == 0 ? QStringLiteral("0") : durationText(ns)});
  return ticks;
}

} // namespace nodewise::ui
