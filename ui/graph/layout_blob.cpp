#include "ui/graph/layout_blob.h"

#include <cmath>
#include <cstring>

namespace nodewise::ui {
namespace {

constexpr auto kVersion = std::byte{1};
constexpr float kFarthest = 1e7F; ///< pixels; beyond it nothing is drawn that was ever laid out

void put(std::vector<std::byte>& bytes, auto number) {
  const size_t at = bytes.size();
  bytes.resize(at + sizeof number);
  std::memcpy(bytes.data() + at, &number, sizeof number);
}
void put(std::vector<std::byte>& bytes, QPointF p) {
  put(bytes, static_cast<float>(p.x()));
  put(bytes, static_cast<float>(p.y()));
}

struct Reader {
  std::span<const std::byte> bytes;
  bool bad = false;

  template <class T> T number() {
    T value{};
    if (bytes.size() < sizeof value) {
      bad = true;
      return value;
    }
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
    return value;
  }
  double coordinate() {
    const auto value = number<float>();
    bad = bad || !std::isfinite(value) || std::abs(value) > kFarthest;
    return bad ? 0 : static_cast<double>(value);
  }
  QPointF point() {
    const double x = coordinate();
    return {x, coordinate()};
  }
};

} // namespace

std::vector<std::byte> layoutBytes(const LayoutResult& layout) {
  std::vector<std::byte> bytes{kVersion};
  put(bytes, static_cast<int32_t>(layout.centres.size()));
  put(bytes, static_cast<int32_t>(layout.splines.size()));
  put(bytes, QPointF(layout.size.width(), layout.size.height()));
  for (const QPointF& centre : layout.centres) put(bytes, centre);
  for (const Spline& spline : layout.splines) {
    put(bytes, static_cast<int32_t>(spline.size()));
    for (const QPointF& p : spline) put(bytes, p);
  }
  return bytes;
}

std::optional<LayoutResult> layoutOfBytes(std::span<const std::byte> bytes, const LayoutRequest& request) {
  if (bytes.empty() || bytes.front() != kVersion) return {};
  Reader reader{bytes.subspan(1)};
  const auto boxes = reader.number<int32_t>(), edges = reader.number<int32_t>();
  if (reader.bad || static_cast<size_t>(boxes) != request.boxes.size() ||
      static_cast<size_t>(edges) != request.edges.size())
    return {};
  LayoutResult layout;
  const QPointF size = reader.point();
  layout.size = {size.x(), size.y()};
  layout.centres.resize(request.boxes.size());
  for (QPointF& centre : layout.centres) centre = reader.point();
  layout.splines.resize(request.edges.size());
  for (Spline& spline : layout.splines) {
    const auto points = reader.number<int32_t>();
    // One point, and three for each curve; none for an edge without a way.
    if (reader.bad || points < 0 || (points > 0 && points % 3 != 1) ||
        static_cast<size_t>(points) > reader.bytes.size() / (2 * sizeof(float)))
      return {};
    spline.resize(static_cast<size_t>(points));
    for (QPointF& p : spline) p = reader.point();
  }
  if (reader.bad || !reader.bytes.empty()) return {};
  return layout;
}

} // namespace nodewise::ui
