#include "ui/graph/edge_bytes.h"

#include "session/values.h"
#include "ui/theme/theme.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nodewise::ui {
namespace {

constexpr double kThinnest = 1, kThickest = 8;

int64_t product(int64_t size, std::span<const int64_t> lengths) {
  for (const int64_t length : lengths) {
    if (length < 0 || (length > 0 && size > std::numeric_limits<int64_t>::max() / length))
      return kUnknownBytes;
    size *= length;
  }
  return size;
}

void takeMeasured(EdgeBytes& bytes, const SceneSource& source, const ValueReport& report) {
  for (const NodeValues& node : report.nodes) {
    const auto n = static_cast<size_t>(node.node);
    if (node.node < 0 || n >= source.nodes.size()) continue;
    std::vector<int64_t>& of = bytes.ofValue[static_cast<size_t>(source.structure.levelOfNode[n])];
    const auto take = [&](const std::vector<ValueId>& ids, const std::vector<ValueStats>& stats) {
      for (size_t k = 0; k < ids.size() && k < stats.size(); ++k) {
        const auto dtype = parseDType(stats[k].dtype);
        if (!dtype) continue;
        of[static_cast<size_t>(ids[k])] = product(dtypeSize(*dtype), stats[k].shape);
        bytes.measured = true;
      }
    };
    take(source.nodes[n].node().in, node.in);
    take(source.nodes[n].node().out, node.out);
  }
}

} // namespace

int64_t bytesOf(const Type& type) {
  if (type.kind != Kind::Tensor && type.kind != Kind::Scalar) return kUnknownBytes;
  return product(dtypeSize(type.dtype), type.shape);
}

EdgeBytes bytesOfValues(const SceneSource& source, const ValueReport* measured) {
  const Structure& structure = source.structure;
  EdgeBytes bytes;
  for (const Level& level : structure.levels) {
    std::vector<int64_t>& of = bytes.ofValue.emplace_back();
    of.reserve(level.graph->values.size());
    for (const Value& value : level.graph->values) of.push_back(bytesOf(value.type));
  }
  if (measured) takeMeasured(bytes, source, *measured);
  for (size_t l = 0; l < structure.levels.size(); ++l)
    for (const LevelEdge& edge : structure.levels[l].edges) {
      const int64_t size = bytes.ofValue[l][static_cast<size_t>(edge.value)];
      if (size == kUnknownBytes) ++bytes.unknown;
      if (size <= 0) continue;
      bytes.least = bytes.least == 0 ? size : std::min(bytes.least, size);
      bytes.greatest = std::max(bytes.greatest, size);
    }
  return bytes;
}

int64_t bytesOf(const EdgeBytes& bytes, const SceneEdge& edge) {
  int64_t sum = 0;
  const std::vector<int64_t>& of = bytes.ofValue[static_cast<size_t>(edge.level)];
  for (const ValueId value : edge.values) {
    const int64_t size = of[static_cast<size_t>(value)];
    if (size == kUnknownBytes || sum > std::numeric_limits<int64_t>::max() - size) return kUnknownBytes;
    sum += size;
  }
  return sum;
}

double edgeWidth(const EdgeBytes& bytes, int64_t size) {
  if (size <= 0 || bytes.greatest == 0) return kThinnest;
  const int64_t within =
      std::clamp(size, bytes.least, bytes.greatest); // joined edges carry more than any value
  return kThinnest + (kThickest - kThinnest) * logPosition(within, bytes.least, bytes.greatest);
}

std::vector<int64_t> exampleSizes(const EdgeBytes& bytes) {
  if (bytes.greatest == 0) return {};
  std::vector<int64_t> sizes{
      bytes.least,
      std::llround(std::sqrt(static_cast<double>(bytes.least) * static_cast<double>(bytes.greatest))),
      bytes.greatest};
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

} // namespace nodewise::ui
