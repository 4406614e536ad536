#include "ui/graph/dot_layout.h"

#include <QProcess>
#include <QStandardPaths>

#include <fmt/format.h>

namespace nodewise::ui {
namespace {

constexpr double kPixelsPerInch = 72;      // dot's points are our pixels
constexpr qsizetype kMaxOutput = 64 << 20; // a thousand boxes make less than one megabyte
constexpr int kPollMs = 20;                // how soon Cancel is seen

Error dotError(std::string what) {
  return {std::move(what), "dot", "the graph is drawn by the built-in layout instead", {}};
}

/// Numbers of one line of plain output, after `skip` words; names (of ours) have no spaces.
struct Words {
  QList<QByteArray> words;
  qsizetype at = 0;
  bool bad = false;

  explicit Words(const QByteArray& line) : words(line.simplified().split(' ')) {}
  QByteArray next() {
    if (at < words.size()) return words[at++];
    bad = true;
    return {};
  }
  double number() {
    bool ok = false;
    const double value = next().toDouble(&ok);
    bad = bad || !ok;
    return value;
  }
  /// Index behind the "n" of a name.
  int name(size_t count) {
    const QByteArray word = next();
    bool ok = false;
    const int k = word.mid(1).toInt(&ok);
    const bool good = ok && word.startsWith('n') && k >= 0 && static_cast<size_t>(k) < count;
    bad = bad || !good;
    return good ? k : 0;
  }
};

struct PlainReader {
  const LayoutRequest& request;
  LayoutResult result;
  double height = 0;
  std::vector<std::vector<size_t>> edgesFrom; ///< edges of each box that still wait for their spline

  explicit PlainReader(const LayoutRequest& r) : request(r), edgesFrom(r.boxes.size()) {
    result.centres.resize(r.boxes.size());
    result.splines.resize(r.edges.size());
    for (size_t e = r.edges.size(); e-- > 0;) edgesFrom[static_cast<size_t>(r.edges[e].from)].push_back(e);
  }

  QPointF point(double x, double y) const { return {x * kPixelsPerInch, (height - y) * kPixelsPerInch}; }

  void graph(Words& w) {
    w.number(); // scale
    const double width = w.number();
    height = w.number();
    result.size = QSizeF(width, height) * kPixelsPerInch;
  }
  void node(Words& w) {
    const int k = w.name(request.boxes.size());
    const double x = w.number(), y = w.number();
    result.centres[static_cast<size_t>(k)] = point(x, y);
  }
  void edge(Words& w) {
    const int from = w.name(request.boxes.size()), to = w.name(request.boxes.size());
    const double count = w.number();
    Spline spline;
    for (int k = 0; k < static_cast<int>(count) && !w.bad; ++k) {
      const double x = w.number(), y = w.number();
      spline.push_back(point(x, y));
    }
    if (w.bad) return;
    auto& waiting = edgesFrom[static_cast<size_t>(from)];
    for (auto it = waiting.rbegin(); it != waiting.rend(); ++it) {
      if (request.edges[*it].to != to) continue;
      result.splines[*it] = std::move(spline);
      waiting.erase(std::next(it).base());
      return;
    }
    w.bad = true;
  }
};

} // namespace

QByteArray dotText(const LayoutRequest& request) {
  std::string text = "digraph g {\ngraph [nodesep=0.25, ranksep=0.5, nslimit=20, mclimit=1]\n"
                     "node [shape=box, fixedsize=true, label=\"\"]\nedge [arrowhead=none]\n";
  std::string first, last;
  for (size_t k = 0; k < request.boxes.size(); ++k) {
    const LayoutBox& box = request.boxes[k];
    fmt::format_to(std::back_inserter(text), "n{} [width={:.4f}, height={:.4f}]\n", k,
                   box.size.width() / kPixelsPerInch, box.size.height() / kPixelsPerInch);
    if (box.role == RankRole::First) fmt::format_to(std::back_inserter(first), " n{};", k);
    if (box.role == RankRole::Last) fmt::format_to(std::back_inserter(last), " n{};", k);
  }
  for (const LayoutEdge& edge : request.edges)
    fmt::format_to(std::back_inserter(text), "n{} -> n{}\n", edge.from, edge.to);
  if (!first.empty()) text += "{rank=min;" + first + "}\n";
  if (!last.empty()) text += "{rank=max;" + last + "}\n";
  text += "}\n";
  return QByteArray::fromStdString(text);
}

Result<LayoutResult> parsePlain(const QByteArray& text, const LayoutRequest& request) {
  PlainReader reader(request);
  size_t nodes = 0, edges = 0;
  bool graph = false, stop = false;
  for (const QByteArray& line : text.split('\n')) {
    Words words(line);
    const QByteArray what = words.next();
    if (what == "graph")
      reader.graph(words), graph = true;
    else if (what == "node")
      reader.node(words), ++nodes;
    else if (what == "edge")
      reader.edge(words), ++edges;
    else if (what == "stop")
      stop = true;
    else
      continue;
    if (words.bad) return dotError("its output cannot be read: " + line.left(80).toStdString());
  }
  if (!graph || !stop || nodes != request.boxes.size() || edges != request.edges.size())
    return dotError("its output is incomplete");
  return std::move(reader.result);
}

Result<LayoutResult> layoutWithDot(const LayoutRequest& request, const DotSettings& settings,
                                   const std::stop_token& stop) {
  if (request.boxes.size() > settings.maxBoxes || request.edges.size() > settings.maxEdges)
    return dotError(fmt::format("{} boxes and {} edges are more than dot lays out in reasonable time",
                                request.boxes.size(), request.edges.size()));
  const QString program = QStandardPaths::findExecutable(settings.program);
  if (program.isEmpty())
    return Error{"Graphviz' dot was not found",
                 settings.program.toStdString(),
                 "install graphviz; until then the built-in layout is used",
                 {}};

  QProcess process;
  process.setStandardErrorFile(QProcess::nullDevice());
  process.start(program, {QStringLiteral("-Tplain")});
  process.write(dotText(request));
  process.closeWriteChannel();
  QByteArray output;
  const auto deadline = std::chrono::steady_clock::now() + settings.deadline;
  // Reading while it runs: a full pipe would stop dot.
  while (!process.waitForFinished(kPollMs)) {
    output += process.readAllStandardOutput();
    if (process.state() == QProcess::NotRunning) break;
    if (output.size() > kMaxOutput) {
      process.kill();
      process.waitForFinished();
      return dotError("it prints without end");
    }
    const bool late = std::chrono::steady_clock::now() > deadline;
    if (!late && !stop.stop_requested()) continue;
    process.kill();
    process.waitForFinished();
    return dotError(late ? fmt::format("no layout after {:.0f} s",
                                       std::chrono::duration<double>(settings.deadline).count())
                         : "cancelled");
  }
  if (process.error() == QProcess::FailedToStart)
    return dotError("it could not be started: " + process.errorString().toStdString());
  output += process.readAllStandardOutput();
  if (process.exitStatus() == QProcess::CrashExit) return dotError("it crashed");
  if (process.exitCode() != 0)
    return dotError(fmt::format("it failed with exit code {}", process.exitCode()));
  return parsePlain(output, request);
}

AnyLayout layoutAny(const LayoutRequest& request, const DotSettings& settings, const std::stop_token& stop) {
  auto layout = layoutWithDot(request, settings, stop);
  if (layout.ok()) return {std::move(layout).value(), {}};
  return {layoutLayered(request), QString::fromStdString(layout.error().text())};
}

} // namespace nodewise::ui
