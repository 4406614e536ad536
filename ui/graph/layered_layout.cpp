// A layered layout after Sugiyama, Tagawa and Toda (1981): ranks by longest path, order within a rank by
// barycentres swept down and up, long edges through invisible boxes in the ranks they cross.
#include "ui/graph/layout.h"

#include <algorithm>
#include <cstdlib>

namespace nodewise::ui {
namespace {

constexpr double kGapX = 20, kGapY = 40, kThread = 8; // kThread: width of an invisible box
constexpr int kSweeps = 8;
constexpr size_t kMaxThreads = 40000; // above, long edges are drawn straight

struct Slot {
  double width = kThread, height = 0, x = 0, order = 0;
  int rank = 0;
  std::vector<int> up, down; ///< neighbours in the ranks above and below
};

struct Layered {
  const LayoutRequest& request;
  std::vector<Slot> slots; ///< the boxes, then invisible ones
  std::vector<std::vector<int>> ranks;
  std::vector<std::vector<int>>
      threads; ///< invisible boxes of each edge, from its upper end to its lower one

  explicit Layered(const LayoutRequest& r) : request(r), slots(r.boxes.size()), threads(r.edges.size()) {
    for (size_t k = 0; k < r.boxes.size(); ++k) {
      slots[k].width = r.boxes[k].size.width();
      slots[k].height = r.boxes[k].size.height();
    }
  }
  Slot& slot(int k) { return slots[static_cast<size_t>(k)]; }
  void rank();
  void thread();
  void order(const std::stop_token& stop);
  void sweep(bool downwards);
  void place();
  LayoutResult result();
};

/// Longest path from a source, by removing boxes without unranked predecessors; a cycle is cut at its first
/// box.
void Layered::rank() {
  std::vector<std::vector<int>> readers(slots.size());
  std::vector<int> waiting(slots.size(), 0);
  for (const LayoutEdge& e : request.edges) {
    if (e.from == e.to) continue;
    readers[static_cast<size_t>(e.from)].push_back(e.to);
    ++waiting[static_cast<size_t>(e.to)];
  }
  std::vector<int> ready;
  std::vector<bool> done(slots.size(), false);
  size_t next = 0; // where to look for a box to cut a cycle at
  for (size_t k = 0; k < slots.size(); ++k)
    if (waiting[k] == 0) ready.push_back(static_cast<int>(k));
  for (size_t count = 0; count < slots.size(); ++count) {
    if (ready.empty()) {
      while (done[next]) ++next;
      ready.push_back(static_cast<int>(next));
    }
    const int k = ready.back();
    ready.pop_back();
    done[static_cast<size_t>(k)] = true;
    for (const int reader : readers[static_cast<size_t>(k)]) {
      if (done[static_cast<size_t>(reader)]) continue;
      slot(reader).rank = std::max(slot(reader).rank, slot(k).rank + 1);
      if (--waiting[static_cast<size_t>(reader)] == 0) ready.push_back(reader);
    }
  }
  int last = 0;
  for (const Slot& s : slots) last = std::max(last, s.rank);
  // Sources come down to just above their first reader, so that their edges are short.
  for (size_t k = 0; k < slots.size(); ++k) {
    if (request.boxes[k].role == RankRole::Last) slots[k].rank = last;
    if (request.boxes[k].role != RankRole::Free || slots[k].rank != 0 || readers[k].empty()) continue;
    int nearest = last;
    for (const int reader : readers[k]) nearest = std::min(nearest, slot(reader).rank - 1);
    slots[k].rank = std::max(nearest, 0);
  }
}

void Layered::thread() {
  size_t total = 0;
  for (const LayoutEdge& e : request.edges)
    total += static_cast<size_t>(std::abs(slot(e.from).rank - slot(e.to).rank));
  for (size_t e = 0; e < request.edges.size(); ++e) {
    int upper = request.edges[e].from, lower = request.edges[e].to;
    if (slot(upper).rank > slot(lower).rank) std::swap(upper, lower);
    if (slot(upper).rank == slot(lower).rank) continue;
    int above = upper;
    for (int r = slot(upper).rank + 1; r < slot(lower).rank && total <= kMaxThreads; ++r) {
      const int k = static_cast<int>(slots.size());
      slots.emplace_back().rank = r;
      slot(above).down.push_back(k);
      slot(k).up.push_back(above);
      threads[e].push_back(k);
      above = k;
    }
    slot(above).down.push_back(lower);
    slot(lower).up.push_back(above);
  }
  for (size_t k = 0; k < slots.size(); ++k) {
    const auto r = static_cast<size_t>(slots[k].rank);
    if (ranks.size() <= r) ranks.resize(r + 1);
    slots[k].order = static_cast<double>(ranks[r].size());
    ranks[r].push_back(static_cast<int>(k));
  }
}

void Layered::sweep(bool downwards) {
  for (size_t step = 0; step < ranks.size(); ++step) {
    auto& rank = ranks[downwards ? step : ranks.size() - 1 - step];
    for (const int k : rank) {
      const auto& fixed = downwards ? slot(k).up : slot(k).down;
      if (fixed.empty()) continue;
      double sum = 0;
      for (const int n : fixed) sum += slot(n).order;
      slot(k).order = sum / static_cast<double>(fixed.size());
    }
    std::ranges::stable_sort(rank, {}, [this](int k) { return slot(k).order; });
    for (size_t at = 0; at < rank.size(); ++at) slot(rank[at]).order = static_cast<double>(at);
  }
}

void Layered::order(const std::stop_token& stop) {
  for (int k = 0; k < kSweeps && !stop.stop_requested(); ++k) sweep(k % 2 == 0);
}

/// Along each rank: every box as near to the mean of its neighbours as order and gaps allow.
void Layered::place() {
  for (auto& rank : ranks) {
    double x = 0;
    for (const int k : rank) {
      slot(k).x = x + slot(k).width / 2;
      x += slot(k).width + kGapX;
    }
  }
  for (int round = 0; round < 6; ++round) {
    const bool downwards = round % 2 == 0;
    for (size_t step = 0; step < ranks.size(); ++step) {
      auto& rank = ranks[downwards ? step : ranks.size() - 1 - step];
      double shift = 0;
      std::vector<double> wanted(rank.size());
      for (size_t at = 0; at < rank.size(); ++at) {
        const Slot& s = slot(rank[at]);
        const auto& fixed = downwards ? s.up : s.down;
        double sum = 0;
        for (const int n : fixed) sum += slot(n).x;
        wanted[at] = fixed.empty() ? s.x : sum / static_cast<double>(fixed.size());
      }
      // From the left with gaps kept, then the whole rank moved so that boxes are off by nothing in the mean.
      double left = -1e18;
      for (size_t at = 0; at < rank.size(); ++at) {
        Slot& s = slot(rank[at]);
        s.x = std::max(wanted[at], left + s.width / 2);
        left = s.x + s.width / 2 + kGapX;
        shift += wanted[at] - s.x;
      }
      shift /= static_cast<double>(std::max<size_t>(rank.size(), 1));
      for (const int k : rank) slot(k).x += shift;
    }
  }
}

/// One smooth curve from point to point, leaving and arriving vertically.
void curveTo(Spline& spline, QPointF to) {
  const QPointF from = spline.back();
  const double reach = (to.y() - from.y()) / 2;
  spline.push_back(from + QPointF(0, reach));
  spline.push_back(to - QPointF(0, reach));
  spline.push_back(to);
}

LayoutResult Layered::result() {
  std::vector<double> middle(ranks.size());
  double y = 0, least = 1e18, greatest = -1e18;
  for (size_t r = 0; r < ranks.size(); ++r) {
    double height = 0;
    for (const int k : ranks[r]) {
      height = std::max(height, slot(k).height);
      least = std::min(least, slot(k).x - slot(k).width / 2);
      greatest = std::max(greatest, slot(k).x + slot(k).width / 2);
    }
    middle[r] = y + height / 2;
    y += height + kGapY;
  }
  LayoutResult result;
  if (ranks.empty()) return result;
  result.size = {greatest - least, y - kGapY};
  const auto centre = [&](int k) {
    return QPointF(slot(k).x - least, middle[static_cast<size_t>(slot(k).rank)]);
  };
  for (size_t k = 0; k < request.boxes.size(); ++k) result.centres.push_back(centre(static_cast<int>(k)));
  for (size_t e = 0; e < request.edges.size(); ++e) {
    const LayoutEdge& edge = request.edges[e];
    const bool backwards = slot(edge.from).rank > slot(edge.to).rank;
    const double side = backwards ? -0.5 : 0.5;
    Spline spline{centre(edge.from) + QPointF(0, side * slot(edge.from).height)};
    std::vector<int> through = threads[e];
    if (backwards) std::ranges::reverse(through);
    for (const int k : through) curveTo(spline, centre(k));
    curveTo(spline, centre(edge.to) - QPointF(0, side * slot(edge.to).height));
    result.splines.push_back(std::move(spline));
  }
  return result;
}

} // namespace

LayoutResult layoutLayered(const LayoutRequest& request, const std::stop_token& stop) {
  Layered layered(request);
  layered.rank();
  layered.thread();
  layered.order(stop);
  layered.place();
  return layered.result();
}

} // namespace nodewise::ui
