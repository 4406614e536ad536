#include "ui/graph/scene.h"

#include "ui/graph/fold.h"
#include "ui/graph/group_layout.h"

#include <algorithm>

namespace nodewise::ui {
namespace {

/// A laid-out group, its top left corner at the origin.
struct Placed {
  std::vector<SceneItem> items;
  std::vector<SceneEdge> edges;
  QSizeF size;
};

struct Maker {
  const SceneSource& source;
  const Extent& extent;
  const DotSettings& settings;
  LayoutCache& cache;
  const std::stop_token& stop;
  QStringList notices;

  Placed place(GroupId group);
  std::shared_ptr<const LayoutResult> layout(const LayoutRequest& request);
};

std::shared_ptr<const LayoutResult> Maker::layout(const LayoutRequest& request) {
  const QByteArray text = dotText(request);
  if (auto known = cache.find(text, request)) return known;
  AnyLayout any = layoutAny(request, settings, stop);
  foldIntoColumns(request, any.layout);
  auto made = std::make_shared<const LayoutResult>(std::move(any.layout));
  if (any.notice.isEmpty())
    cache.put(text, made);
  else if (!notices.contains(any.notice))
    notices.push_back(any.notice);
  return made;
}

QString edgeLabel(const Graph& graph, const ContentEdge& edge) {
  if (edge.values.size() > 1) return QStringLiteral("%1 values").arg(edge.values.size());
  return QString::fromStdString(shortText(graph.values[static_cast<size_t>(edge.values.front())].type));
}

QRectF boundsOf(const Spline& spline) {
  if (spline.empty()) return {};
  QPointF least = spline.front(), greatest = least;
  for (const QPointF& p : spline) {
    least = {std::min(least.x(), p.x()), std::min(least.y(), p.y())};
    greatest = {std::max(greatest.x(), p.x()), std::max(greatest.y(), p.y())};
  }
  return {least, greatest};
}

void move(Placed& placed, QPointF by) {
  for (SceneItem& item : placed.items) item.rect.translate(by);
  for (SceneEdge& edge : placed.edges) {
    for (QPointF& p : edge.spline) p += by;
    edge.bounds.translate(by);
  }
}

Placed Maker::place(GroupId group) {
  GroupContent content = contentOf(source, extent, group);
  std::vector<Placed> inside(content.boxes.size());
  LayoutRequest request;
  for (size_t k = 0; k < content.boxes.size(); ++k) {
    ContentBox& box = content.boxes[k];
    if (box.open && !stop.stop_requested()) {
      inside[k] = place(box.item.group);
      box.item.rect.setSize(
          {std::max(inside[k].size.width() + 2 * kFramePadding, box.item.rect.width() + kStrip),
           inside[k].size.height() + kFrameTitle + 2 * kFramePadding});
    }
    request.boxes.push_back({box.item.rect.size(), box.role});
  }
  for (const ContentEdge& edge : content.edges) request.edges.push_back({edge.from, edge.to});
  const auto result = layout(request);

  Placed placed;
  placed.size = result->size;
  std::vector<int> itemOfBox(content.boxes.size());
  for (size_t k = 0; k < content.boxes.size(); ++k) {
    SceneItem& item = content.boxes[k].item;
    item.rect.moveCenter(result->centres[k]);
    itemOfBox[k] = static_cast<int>(placed.items.size());
    placed.items.push_back(item);
    const QPointF corner = item.rect.topLeft() + QPointF((item.rect.width() - inside[k].size.width()) / 2,
                                                         kFrameTitle + kFramePadding);
    move(inside[k], corner);
    const int base = static_cast<int>(placed.items.size());
    for (SceneEdge& edge : inside[k].edges) {
      edge.from += base;
      edge.to += base;
      placed.edges.push_back(std::move(edge));
    }
    placed.items.insert(placed.items.end(), inside[k].items.begin(), inside[k].items.end());
  }
  const int level = source.grouping.groups[static_cast<size_t>(group)].level;
  const Graph& graph = *source.structure.levels[static_cast<size_t>(level)].graph;
  for (size_t e = 0; e < content.edges.size(); ++e) {
    const ContentEdge& edge = content.edges[e];
    placed.edges.push_back(
        {result->splines[e], boundsOf(result->splines[e]), itemOfBox[static_cast<size_t>(edge.from)],
         itemOfBox[static_cast<size_t>(edge.to)], edgeLabel(graph, edge), level, edge.values});
  }
  return placed;
}

/// Which item stands for each node: its own, or the closed group around it.
std::vector<int> itemsOfNodes(const SceneSource& source, const std::vector<SceneItem>& items) {
  std::vector<int> ofGroup(source.grouping.groups.size(), -1), ofNode(source.nodes.size(), -1);
  for (size_t k = 0; k < items.size(); ++k) {
    if (items[k].node >= 0)
      ofNode[static_cast<size_t>(items[k].node)] = static_cast<int>(k);
    else if (items[k].group >= 0)
      ofGroup[static_cast<size_t>(items[k].group)] = static_cast<int>(k);
  }
  for (size_t n = 0; n < ofNode.size(); ++n) {
    // Outwards: through closed groups, and from an inner graph to the node that holds it.
    GroupId id = source.grouping.groupOfNode[n];
    while (ofNode[n] < 0 && id >= 0) {
      const Group& group = source.grouping.groups[static_cast<size_t>(id)];
      ofNode[n] =
          group.owner >= 0 ? ofNode[static_cast<size_t>(group.owner)] : ofGroup[static_cast<size_t>(id)];
      id = group.parent;
    }
  }
  return ofNode;
}

} // namespace

Scene makeScene(const SceneSource& source, const Extent& extent, const DotSettings& settings,
                LayoutCache& cache, const std::stop_token& stop) {
  if (source.structure.levels.empty()) return {};
  Maker maker{source, extent, settings, cache, stop, {}};
  Placed placed = maker.place(extent.root);
  Scene scene;
  scene.itemOfNode = itemsOfNodes(source, placed.items);
  scene.items = std::move(placed.items);
  scene.edges = std::move(placed.edges);
  scene.bounds = QRectF({}, placed.size);
  scene.notices = std::move(maker.notices);
  scene.complete = !stop.stop_requested();
  return scene;
}

} // namespace nodewise::ui
