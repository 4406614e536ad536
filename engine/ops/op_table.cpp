#include "ops/families.h"

#include <algorithm>

namespace nodewise {

namespace {

using Family = std::span<const OpRow> (*)();

/// One family a line; each stands in the file that families.h names.
constexpr Family kFamilies[] = {
    elementwiseOps,
    scalarNodeOps,
    reductionOps,
    orderedReductionOps,
    controlOps,
    scanOps,
    shapeOps,
    indexingOps,
    advancedIndexingOps,
    diagonalOps,
    joiningOps,
    creationOps,
    searchingOps,
    signalOps,
    productOps,
    solverOps,
    luOps,
    decompositionOps,
    spectralOps,
    inverseOps,
    randomOps,
    listOps,
    sparseOps,
    optimiserOps,
};

std::vector<OpRow> joinFamilies() {
  std::vector<OpRow> rows;
  for (const Family family : kFamilies) {
    const std::span<const OpRow> members = family();
    rows.insert(rows.end(), members.begin(), members.end());
  }
  std::sort(rows.begin(), rows.end(), [](const OpRow& a, const OpRow& b) { return a.name < b.name; });
  return rows;
}

} // namespace

const std::vector<OpRow>& opTable() {
  static const std::vector<OpRow> rows = joinFamilies();
  return rows;
}

const OpRow* findOp(std::string_view name) {
  const std::vector<OpRow>& rows = opTable();
  const auto found = std::lower_bound(rows.begin(), rows.end(), name,
                                      [](const OpRow& row, std::string_view key) { return row.name < key; });
  return found != rows.end() && found->name == name ? &*found : nullptr;
}

} // namespace nodewise
