#include "ui/models/colouring.h"

#include "ui/theme/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace nodewise::ui {
namespace {

constexpr std::array<ColourByRow, 3> kColourBy{
    {{ColourBy::Outcome, "outcome"}, {ColourBy::Kind, "kind"}, {ColourBy::Cost, "compile cost"}}};

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

Category categoryOf(const StatusRow& row) {
  return {text(row.name), QString(QChar(row.letter)), text(row.doc), row.colour, row.border, row.hatched, 0};
}

void add(Colouring& c, size_t category, QRgb colour) {
  ++c.categories[category].count;
  c.looks.push_back({static_cast<uint8_t>(category), colour});
}

void byOutcome(Colouring& c, std::span<const NodeInfo> nodes, std::span<const NodeState> states) {
  for (const StatusRow& row : statusTable()) c.categories.push_back(categoryOf(row));
  for (size_t n = 0; n < nodes.size(); ++n) {
    const auto k = static_cast<size_t>(statusOf(nodes[n], states[n]));
    add(c, k, c.categories[k].colour);
  }
}

void byKind(Colouring& c, std::span<const NodeInfo> nodes) {
  // In the order of NodeKind. Kernels are blue: no outcome has this colour.
  c.categories = {categoryOf(statusRow(Status::View)),
                  {},
                  categoryOf(statusRow(Status::Prebuilt)),
                  categoryOf(statusRow(Status::Unsupported))};
  c.categories[1] = {QStringLiteral("kernel"),
                     QStringLiteral("k"),
                     QStringLiteral("Compiled from LLVM IR."),
                     0xff0072b2,
                     Border::Thin,
                     false,
                     0};
  for (const NodeInfo& info : nodes) {
    const auto k = static_cast<size_t>(info.kind);
    add(c, k, c.categories[k].colour);
  }
}

void byCost(Colouring& c, std::span<const NodeInfo> nodes, std::span<const NodeState> states) {
  constexpr int kSteps = 5;
  int64_t least = std::numeric_limits<int64_t>::max(), greatest = 0;
  for (const NodeState& state : states) {
    c.costs.push_back(state.recordedCompileNs);
    if (state.recordedCompileNs <= 0) continue;
    least = std::min(least, state.recordedCompileNs);
    greatest = std::max(greatest, state.recordedCompileNs);
  }
  c.categories.push_back({QStringLiteral("no cost known"), QStringLiteral("·"),
                          QStringLiteral("Not compiled, or nothing to compile."), 0, Border::Thin, false, 0});
  const double ratio = greatest > 0 ? static_cast<double>(greatest) / static_cast<double>(least) : 1;
  for (int k = 0; k < kSteps && greatest > 0; ++k) {
    const auto from = static_cast<int64_t>(static_cast<double>(least) * std::pow(ratio, double(k) / kSteps));
    c.categories.push_back({QStringLiteral("from %1").arg(durationText(from)), QString::number(k + 1),
                            QStringLiteral("Recorded compile time, on a log scale."),
                            costColour((k + 0.5) / kSteps).rgb(), Border::Thin, false, 0});
  }
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (c.costs[n] <= 0) {
      add(c, 0, 0);
      continue;
    }
    const double position = logPosition(c.costs[n], least, greatest);
    add(c, 1 + static_cast<size_t>(std::min(static_cast<int>(position * kSteps), kSteps - 1)),
        costColour(position).rgb());
  }
}

} // namespace

std::span<const ColourByRow> colourByTable() { return kColourBy; }

Colouring makeColouring(ColourBy by, std::span<const NodeInfo> nodes, std::span<const NodeState> states) {
  Colouring c;
  c.by = by;
  c.looks.reserve(nodes.size());
  switch (by) {
  case ColourBy::Outcome:
    byOutcome(c, nodes, states);
    break;
  case ColourBy::Kind:
    byKind(c, nodes);
    break;
  case ColourBy::Cost:
    byCost(c, nodes, states);
    break;
  }
  return c;
}

} // namespace nodewise::ui
