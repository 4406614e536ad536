// The scene: all boxes and edges that are to be drawn for the groups that are open, with their places. Plain
// data, made on a worker; states and colours come later and change without a new scene.
#pragma once

#include "ui/graph/box_size.h"
#include "ui/graph/dot_layout.h"
#include "ui/graph/grouping.h"
#include "ui/graph/layout_cache.h"

#include <QRectF>
#include <QStringList>

#include <memory>

namespace nodewise::ui {

enum class ItemKind : uint8_t {
  Frame, ///< an open group: what is in it stands on it
  Node,
  Group, ///< a closed one
  Value  ///< an input or output of the group around it
};

struct SceneItem {
  ItemKind kind = ItemKind::Node;
  QRectF rect;
  NodeIndex node = -1; ///< of a node; of an inner graph's frame its owner
  GroupId group = -1;  ///< of a frame or group; of a node with an inner graph the group that it opens to
  QString title, detail;
};

struct SceneEdge {
  Spline spline;
  QRectF bounds;
  int from = -1, to = -1; ///< items
  QString label;          ///< "f64[919]"
  int level = 0;          ///< whose values it carries
  std::vector<ValueId> values;
};

struct Scene {
  std::vector<SceneItem> items; ///< frames before what stands on them
  std::vector<SceneEdge> edges;
  QRectF bounds;
  std::vector<int> itemOfNode; ///< the node's own item, or that of the closed group or node that hides it
  QStringList notices;         ///< why a part was not laid out by dot
  bool complete = true;        ///< false: stopped early
};

/// All that a scene is made of; shared with workers, does not change.
struct SceneSource {
  std::vector<NodeInfo> nodes;
  Structure structure;
  Grouping grouping;
  TextMeasure measure;
  std::shared_ptr<const void> keepAlive; ///< owner of the graphs that `nodes` point into
};

/// A part of one level that alone is shown.
struct Focus {
  int level = 0;
  std::vector<bool> nodes; ///< by node
  QString title;           ///< "ancestors of Sum"
};

/// What of a graph is to be seen.
struct Extent {
  OpenGroups open;
  GroupId root = 0;                   ///< what fills the picture: the outer graph, an inner one, or a group
  std::shared_ptr<const Focus> focus; ///< null: everything

  Extent() = default;
  Extent(OpenGroups groups) : open(std::move(groups)) {} // NOLINT: open groups alone are the usual case
};

Scene makeScene(const SceneSource& source, const Extent& extent, const DotSettings& settings,
                LayoutCache& cache, const std::stop_token& stop);

} // namespace nodewise::ui
