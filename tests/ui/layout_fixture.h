// Requests for layouts, and what holds of every layout.
#pragma once

#include "ui/graph/layout.h"

#include <QRectF>
#include <QTest>

namespace nodewise::ui::test {

/// a -> b, a -> c, b -> d, c -> d, a -> d
inline LayoutRequest diamond() {
  LayoutRequest request;
  for (int k = 0; k < 4; ++k) request.boxes.push_back({QSizeF(80, 44), RankRole::Free});
  request.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 3}};
  return request;
}

/// Boxes of a layout do not lie on each other, and stand inside its size.
inline void verifyApart(const LayoutRequest& request, const LayoutResult& result) {
  QCOMPARE(result.centres.size(), request.boxes.size());
  QCOMPARE(result.splines.size(), request.edges.size());
  const QRectF all = QRectF(QPointF(), result.size).adjusted(-1, -1, 1, 1);
  std::vector<QRectF> rects;
  for (size_t k = 0; k < request.boxes.size(); ++k) {
    QRectF rect({}, request.boxes[k].size);
    rect.moveCenter(result.centres[k]);
    QVERIFY(all.contains(rect));
    for (const QRectF& other : rects) QVERIFY(!other.intersects(rect));
    rects.push_back(rect);
  }
  for (size_t e = 0; e < request.edges.size(); ++e) {
    const Spline& spline = result.splines[e];
    QVERIFY(spline.size() >= 4 && spline.size() % 3 == 1);
    const auto near = [&](QPointF p, int box) {
      return rects[static_cast<size_t>(box)].adjusted(-2, -2, 2, 2).contains(p);
    };
    QVERIFY(near(spline.front(), request.edges[e].from));
    QVERIFY(near(spline.back(), request.edges[e].to));
  }
}

} // namespace nodewise::ui::test
