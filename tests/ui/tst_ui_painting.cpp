// What a canvas paints of a scene, from near and from afar.
#include "graph_fixture.h"
#include "ui/graph/graph_canvas.h"
#include "ui/graph/paint_parts.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>

using namespace nodewise;
using namespace nodewise::ui;
using namespace nodewise::ui::test;

namespace {

/// A scene made by hand, on a canvas of its own.
struct Painted {
  std::shared_ptr<const SceneSource> source;
  std::shared_ptr<Scene> scene = std::make_shared<Scene>();
  GraphCanvas canvas;

  explicit Painted(int nodes) : source(sourceOf(chain(nodes, [](int) { return ""; }))) {
    scene->itemOfNode.assign(static_cast<size_t>(nodes), -1);
  }
  int add(ItemKind kind, const QRectF& rect, NodeIndex node, const QString& title) {
    SceneItem item;
    item.kind = kind;
    item.rect = rect;
    item.node = node;
    item.group = kind == ItemKind::Node ? -1 : 0;
    item.title = title;
    if (kind == ItemKind::Group) item.detail = "72 nodes";
    const int index = static_cast<int>(scene->items.size());
    if (node >= 0) scene->itemOfNode[static_cast<size_t>(node)] = index;
    scene->items.push_back(item);
    scene->bounds |= rect;
    return index;
  }
  QImage at(double scale, Colouring colouring) {
    canvas.resize(600, 400);
    canvas.setScene(source, scene);
    canvas.setColouring(std::move(colouring));
    ViewTransform view;
    view.scale = scale;
    view.offset = QPointF(20, 20);
    canvas.setView(view);
    return canvas.grab().toImage();
  }
  QImage at(double scale) {
    return at(scale, makeColouring(ColourBy::Outcome, source->nodes, hits(source->nodes.size())));
  }
};

/// How many pixels of an area are nearer to one colour than to another.
int count(const QImage& image, const QRect& area, const QColor& colour, const QColor& other) {
  const auto distance = [](const QColor& a, const QColor& b) {
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
  };
  int pixels = 0;
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x)
      pixels += distance(image.pixelColor(x, y), colour) < distance(image.pixelColor(x, y), other);
  return pixels;
}

} // namespace

class TestUiPainting : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void fromAfarEdgesKeepTheirWay();
  void fromAfarOpenGroupsAreNamed();
  void groupsAreReadAtHalfSize();
  void textIsWholeOrEndsWithAnEllipsis();
  void aBoxHoldsItsTextAtUsualZooms();
  void whatChangedIsMarkedBesideItsOutcome();
  void thousandsOfItemsArePainted();
};

void TestUiPainting::fromAfarEdgesKeepTheirWay() {
  Painted p(2);
  const int from = p.add(ItemKind::Node, QRectF(0, 0, 100, 44), 0, "A");
  const int to = p.add(ItemKind::Node, QRectF(2900, 0, 100, 44), 1, "B");
  SceneEdge edge; // down, a long way to the right, and up
  const std::array<QPointF, 4> way{QPointF(50, 44), QPointF(50, 2000), QPointF(2950, 2000),
                                   QPointF(2950, 44)};
  edge.spline = {way[0]};
  for (size_t k = 1; k < way.size(); ++k) {
    const QPointF step = (way[k] - way[k - 1]) / 3;
    edge.spline.insert(edge.spline.end(), {way[k - 1] + step, way[k] - step, way[k]});
  }
  edge.bounds = QRectF(50, 44, 2900, 1956);
  edge.from = from;
  edge.to = to;
  p.scene->edges.push_back(edge);
  p.scene->bounds = QRectF(0, 0, 3000, 2100);
  const QImage image = p.at(0.1);
  const Theme theme = makeTheme(false);
  // On the screen: the way's lower side, and where a straight line would be.
  QVERIFY(count(image, QRect(100, 218, 100, 5), theme.edge, theme.canvas) >= 100);
  QCOMPARE(count(image, QRect(60, 21, 200, 30), theme.edge, theme.canvas), 0);
}

void TestUiPainting::fromAfarOpenGroupsAreNamed() {
  Painted p(1);
  p.add(ItemKind::Frame, QRectF(0, 0, 3000, 2000), -1, "stage1");
  p.add(ItemKind::Node, QRectF(1400, 900, 100, 44), 0, "A");
  const QImage image = p.at(0.1);
  const Theme theme = makeTheme(false);
  QVERIFY(count(image, QRect(22, 22, 60, 14), theme.text, theme.frame) > 40);
}

void TestUiPainting::groupsAreReadAtHalfSize() {
  Painted p(1);
  const TextMeasure measure(p.canvas.font());
  const QSizeF size = groupBoxSize(measure, "stage27", "72 nodes");
  p.add(ItemKind::Group, QRectF({}, size), -1, "stage27");
  const QImage image = p.at(0.5);
  const Theme theme = makeTheme(false);
  const QRect upper(24, 22, 70, 11), lower(24, 33, 70, 11);
  QVERIFY(count(image, upper, theme.text, theme.box) > 30);
  QVERIFY(count(image, lower, theme.quietText, theme.box) > 20);
}

void TestUiPainting::textIsWholeOrEndsWithAnEllipsis() {
  QImage image(400, 40, QImage::Format_RGB32);
  QPainter painter(&image);
  const QString text = "composite: sigmoid, mul, sqr";
  const QFontMetricsF metrics(painter.font());
  const double whole = metrics.horizontalAdvance(text);
  for (double width = 20; width < whole + 5; width += 0.5) {
    const QString shown = elided(painter, text, width);
    QVERIFY(shown.size() == 1 || metrics.horizontalAdvance(shown) <= width);
    QVERIFY(shown == text || shown.endsWith(QStringLiteral("…")));
    QCOMPARE(shown == text, width >= whole);
  }
}

void TestUiPainting::aBoxHoldsItsTextAtUsualZooms() {
  const QString title = "Elemwise", detail = "composite: sigmoid, mul, sqr";
  QFont font = QGuiApplication::font();
  const QSizeF box = nodeBoxSize(TextMeasure(font), title, detail, false);
  for (const double zoom : {0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 2.0}) {
    font.setPixelSize(static_cast<int>(std::lround(kDetailPixels * zoom)));
    const double room = (box.width() - kStrip - 14) * zoom; // as boxes are painted
    QVERIFY2(QFontMetricsF(font).horizontalAdvance(detail) <= room, qPrintable(QString::number(zoom)));
  }
}

void TestUiPainting::whatChangedIsMarkedBesideItsOutcome() {
  Painted p(2);
  p.add(ItemKind::Node, QRectF(0, 20, 160, 44), 0, "A");
  p.add(ItemKind::Node, QRectF(0, 120, 160, 44), 1, "B");
  Colouring colouring = makeColouring(ColourBy::Outcome, p.source->nodes, hits(2));
  Category changed;
  changed.letter = "*";
  colouring.marks = {{}, changed};
  colouring.looks[1].mark = 1;
  const QImage image = p.at(1, colouring);
  const Theme theme = makeTheme(false);
  for (const NodeIndex node : {0, 1}) {
    const QRect box = p.canvas.screenRect(p.canvas.itemOfNode(node)).toRect();
    QCOMPARE(image.pixelColor(box.topLeft() + QPoint(4, 5)), theme.fill(statusRow(Status::Hit).colour));
    const int dark = count(image, QRect(box.topRight() - QPoint(6, 6), QSize(13, 13)), theme.text, theme.box);
    if (node == 1)
      QVERIFY2(dark > 60, qPrintable(QString::number(dark)));
    else
      QVERIFY2(dark < 20, qPrintable(QString::number(dark)));
  }
}

void TestUiPainting::thousandsOfItemsArePainted() {
  // A grid of 5,000 boxes with edges, as if every group were open.
  auto source = sourceOf(chain(5000, [](int) { return ""; }), 10000);
  auto scene = std::make_shared<Scene>();
  for (int k = 0; k < 5000; ++k) {
    SceneItem item;
    item.node = k;
    item.title = "Elemwise";
    item.rect = QRectF((k % 100) * 140, (k / 100) * 90, 110, 44);
    scene->items.push_back(item);
    scene->itemOfNode.push_back(k);
    if (k < 100) continue;
    const QPointF from = scene->items[static_cast<size_t>(k - 100)].rect.center() + QPointF(0, 22),
                  to = item.rect.center() - QPointF(0, 22);
    SceneEdge edge;
    edge.spline = {from, from + QPointF(0, 20), to - QPointF(0, 20), to};
    edge.bounds = QRectF(from, to);
    edge.from = k - 100;
    edge.to = k;
    edge.label = "f64[4]";
    scene->edges.push_back(std::move(edge));
  }
  scene->bounds = QRectF(0, 0, 14000, 4500);
  GraphCanvas canvas;
  canvas.resize(1600, 1000);
  canvas.setScene(source, scene);
  const std::vector<NodeState> states = hits(5000);
  canvas.setColouring(makeColouring(ColourBy::Outcome, source->nodes, states));
  canvas.show();
  canvas.fit();
  QPixmap target(canvas.size());
  for (const double zoom : {1.0, 2.0, 2.5}) {
    canvas.zoomBy(zoom);
    double longest = 0, sum = 0;
    constexpr int kFrames = 20;
    for (int frame = 0; frame < kFrames; ++frame) {
      canvas.panBy(QPointF(7, 3));
      QElapsedTimer timer;
      timer.start();
      canvas.render(&target);
      const double ms = static_cast<double>(timer.nsecsElapsed()) / 1e6;
      longest = std::max(longest, ms);
      sum += ms;
    }
    const QRectF seen = canvas.view().toScene(QRectF(canvas.rect()));
    qInfo("scale %.2f, %zu items in view: %.1f ms a frame, longest %.1f ms", canvas.view().scale,
          SceneIndex(*scene).itemsIn(seen).size(), sum / kFrames, longest);
  }
  // Guarded is what is drawn, not how fast this machine is today.
  canvas.fit();
  const QImage image = canvas.grab().toImage();
  const QRgb green = makeTheme(false).fill(statusRow(Status::Hit).colour).rgb();
  int filled = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) filled += image.pixel(x, y) == green;
  QVERIFY(filled > 5000);
}

QTEST_MAIN(TestUiPainting)
#include "tst_ui_painting.moc"
