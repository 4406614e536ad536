#include "ui/graph/draw_file.h"

#include "cache/show.h"
#include "ui/graph/export.h"
#include "ui/models/node_query.h"

#include <QDateTime>
#include <QGuiApplication>

namespace nodewise::ui {
namespace {

NodeState stateOf(const LookupAnswer& answer) {
  NodeState state;
  state.outcome = answer.outcome;
  state.reason = answer.reason;
  state.nearestCreatedUnix = answer.nearestCreatedUnix;
  return state;
}

/// What a compile would say of each node now. Nodes of one key are asked about once.
std::vector<NodeState> askCache(Session& session) {
  std::vector<NodeState> states(session.nodes().size());
  std::map<Hash, NodeState> known;
  auto settings = resolveCacheSettings(session.settings().cache);
  auto store = settings.ok() ? Store::open(*settings) : Result<Store>(settings.error());
  for (const NodeInfo& info : session.nodes()) {
    if (info.kind != NodeKind::Kernel) continue;
    const auto [at, isNew] = known.try_emplace(info.key);
    if (isNew) {
      if (auto explained = session.explain(info.index); explained.ok())
        at->second = stateOf(explained->answer);
      if (store.ok() && at->second.outcome == Outcome::Hit)
        if (auto entry = showEntry(*store, info.key); entry.ok()) {
          at->second.recordedCompileNs = entry->row.compileNs;
          at->second.objectBytes = entry->row.objectBytes;
          at->second.hits = entry->row.hits;
        }
    }
    states[static_cast<size_t>(info.index)] = at->second;
  }
  return states;
}

OpenGroups allGroups(const Grouping& grouping) {
  OpenGroups open;
  for (size_t k = 1; k < grouping.groups.size(); ++k) open.insert(static_cast<GroupId>(k));
  return open;
}

} // namespace

std::vector<std::string> drawColours() {
  std::vector<std::string> names;
  for (const ColourByRow& row : colourByTable()) names.emplace_back(row.name);
  return names;
}

Result<DrawnGraph> drawFile(const DrawRequest& request, const SessionSettings& settings) {
  const auto by = parseColourBy(request.colour);
  if (!by) return Error{"unknown colour \"" + request.colour + '"', {}, "see nodewise draw --help", {}};
  NW_TRY(const Filter find, parseFilter(request.find, FilterOn::Nodes));
  NW_TRY(std::unique_ptr<Session> session, Session::open(request.file, settings));

  // Fonts need an application; a display they do not, whatever platform windows are to use.
  qputenv("QT_QPA_PLATFORM", "offscreen");
  int argc = 1;
  std::string name = "nodewise";
  char* argv[] = {name.data(), nullptr};
  const QGuiApplication application(argc, argv);

  const std::vector<NodeInfo>& nodes = session->nodes();
  Structure structure = makeStructure(nodes);
  Grouping grouping = makeGrouping(structure);
  const SceneSource source{
      nodes, std::move(structure), std::move(grouping), TextMeasure(QGuiApplication::font()), {}};
  auto cache = resolveCacheSettings(session->settings().cache);
  LayoutCache layouts = cache.ok() ? LayoutCache(*cache) : LayoutCache();
  const Scene scene =
      makeScene(source, request.openAll ? allGroups(source.grouping) : OpenGroups(), {}, layouts, {});
  if (layouts.isUnsaved()) layouts.save();
  const SceneIndex index(scene);
  const std::vector<NodeState> states = askCache(*session);
  const int64_t now = QDateTime::currentSecsSinceEpoch();
  const Colouring colouring = makeColouring(*by, nodes, states, now);
  const std::vector<GroupTotals> groups = totalsOfGroups(source.grouping, colouring);
  const Theme theme = makeTheme(request.dark);
  std::optional<EdgeBytes> bytes;
  if (request.edgeWidth == "bytes") bytes = bytesOfValues(source);
  DrawnGraph drawn;
  std::vector<FoundItem> found;
  if (!request.find.empty()) {
    std::vector<bool> matches(nodes.size());
    for (const NodeIndex n : findNodes(find, nodes, states, now)) matches[static_cast<size_t>(n)] = true;
    drawn.found = std::ranges::count(matches, true);
    found = foundItems(scene, matches);
  }
  const PaintInput input{scene,
                         index,
                         source,
                         colouring,
                         groups,
                         theme,
                         QGuiApplication::font(),
                         {},
                         -1,
                         -1,
                         drawn.found ? &found : nullptr,
                         bytes ? &*bytes : nullptr};
  if (auto written = exportScene(input, QString::fromStdString(request.output)); !written.ok())
    return written.error();

  drawn.boxes = static_cast<int64_t>(scene.items.size());
  drawn.edges = static_cast<int64_t>(scene.edges.size());
  for (const Category& category : colouring.categories)
    if (category.count > 0) drawn.legend[category.name.toStdString()] += category.count;
  if (bytes) {
    for (const int64_t size : exampleSizes(*bytes))
      drawn.edgeWidths.emplace_back(size, edgeWidth(*bytes, size));
    drawn.unknownEdges = std::ranges::count_if(
        scene.edges, [&](const SceneEdge& edge) { return bytesOf(*bytes, edge) == kUnknownBytes; });
  }
  for (const QString& notice : scene.notices)
    drawn.notices.push_back("not laid out by dot: " + notice.toStdString());
  return drawn;
}

} // namespace nodewise::ui
