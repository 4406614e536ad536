// Which stretch of time is on screen, and where: zooming, panning, ticks. No widgets.
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace nodewise::ui {

class TimeScale {
public:
  /// All of a run of this length, on so many pixels.
  void setLength(int64_t length);
  void setWidth(double pixels);

  int64_t from() const { return m_from; }
  int64_t to() const { return m_to; }
  int64_t length() const { return m_length; }
  double x(int64_t ns) const;
  int64_t at(double x) const; ///< within the run

  void fit();
  /// Shows a stretch, widened to what can be told apart.
  void show(int64_t from, int64_t to);
  /// `factor` above 1 comes closer; what is at `x` stays there.
  void zoom(double factor, double x);
  void pan(double pixels);
  bool isFitted() const { return m_from == 0 && m_to == m_length; }

  struct Tick {
    int64_t ns;
    QString text;
  };
  /// At round times, at least `pixels` apart.
  std::vector<Tick> ticks(double pixels) const;

private:
  int64_t m_length = 1, m_from = 0, m_to = 1;
  double m_width = 1;
};

} // namespace nodewise::ui
