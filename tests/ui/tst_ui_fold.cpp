// Layouts that are too high stand in columns, and edges between columns run behind no box.
#include "layout_fixture.h"
#include "ui/graph/fold.h"

#include <cmath>

using namespace nodewise::ui;
using namespace nodewise::ui::test;

namespace {

LayoutRequest chainOf(int count, QSizeF size) {
  LayoutRequest request;
  for (int k = 0; k < count; ++k) {
    request.boxes.push_back({size, RankRole::Free});
    if (k > 0) request.edges.push_back({k - 1, k});
  }
  return request;
}

QPointF pointOf(const Spline& spline, size_t curve, double t) {
  const double s = 1 - t;
  const QPointF* p = &spline[3 * curve];
  return p[0] * (s * s * s) + p[1] * (3 * s * s * t) + p[2] * (3 * s * t * t) + p[3] * (t * t * t);
}

/// How many edges run behind a box, also behind the ones that they join.
int edgesBehindBoxes(const LayoutRequest& request, const LayoutResult& layout) {
  constexpr int kPoints = 40;
  int behind = 0;
  for (const Spline& spline : layout.splines) {
    const auto isHidden = [&](QPointF p) {
      for (size_t k = 0; k < request.boxes.size(); ++k) {
        QRectF box({}, request.boxes[k].size);
        box.moveCenter(layout.centres[k]);
        if (box.adjusted(1, 1, -1, -1).contains(p)) return true;
      }
      return false;
    };
    bool hidden = false;
    for (size_t curve = 0; 3 * curve + 3 < spline.size(); ++curve)
      for (int k = 0; k <= kPoints; ++k)
        hidden = hidden || isHidden(pointOf(spline, curve, double(k) / kPoints));
    behind += hidden;
  }
  return behind;
}

} // namespace

Q_DECLARE_METATYPE(nodewise::ui::LayoutRequest)

class TestUiFold : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void aLongChainStandsInColumns();
  void aWideLayoutIsNotFolded();
  void anOpenGroupWidensItsColumnAlone();
  void edgesRunBehindNoBox_data();
  void edgesRunBehindNoBox();
};

void TestUiFold::aLongChainStandsInColumns() {
  LayoutRequest request;
  for (int k = 0; k < 200; ++k) {
    request.boxes.push_back({QSizeF(120, 44), RankRole::Free});
    if (k > 0) request.edges.push_back({k - 1, k});
  }
  LayoutResult layout = layoutLayered(request, {});
  QVERIFY(layout.size.height() > 20 * layout.size.width());
  foldIntoColumns(request, layout);
  QVERIFY(layout.size.height() < 3 * layout.size.width());
  verifyApart(request, layout);
}

void TestUiFold::aWideLayoutIsNotFolded() {
  LayoutResult layout = layoutLayered(diamond(), {});
  const LayoutResult before = layout;
  foldIntoColumns(diamond(), layout);
  QCOMPARE(layout.size, before.size);
  QCOMPARE(layout.centres, before.centres);
}

void TestUiFold::anOpenGroupWidensItsColumnAlone() {
  LayoutRequest request = chainOf(46, QSizeF(208, 68));
  request.boxes[2].size = QSizeF(2400, 2300);
  LayoutResult layout = layoutLayered(request, {});
  const double before = layout.size.height();
  foldIntoColumns(request, layout);
  verifyApart(request, layout);
  // The others take columns of their own width: all of it is no higher than the open group asks for.
  QVERIFY2(layout.size.height() < 0.5 * before, qPrintable(QString::number(layout.size.height())));
  QVERIFY2(layout.size.width() < 2 * 2400, qPrintable(QString::number(layout.size.width())));
}

void TestUiFold::edgesRunBehindNoBox_data() {
  QTest::addColumn<LayoutRequest>("request");
  QTest::newRow("chain") << chainOf(200, QSizeF(120, 44));
  LayoutRequest open = chainOf(46, QSizeF(208, 68));
  open.boxes[2].size = QSizeF(2400, 2300);
  QTest::newRow("an open group") << open;
  open.boxes[20].size = open.boxes[45].size = QSizeF(900, 700);
  QTest::newRow("three open groups") << open;
}

void TestUiFold::edgesRunBehindNoBox() {
  QFETCH(LayoutRequest, request);
  LayoutResult layout = layoutLayered(request, {});
  const QSizeF before = layout.size;
  foldIntoColumns(request, layout);
  QVERIFY(layout.size != before);
  QCOMPARE(edgesBehindBoxes(request, layout), 0);
}

QTEST_GUILESS_MAIN(TestUiFold)
#include "tst_ui_fold.moc"
