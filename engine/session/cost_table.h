// What a run cost, as a table: of nodes, ops, or scopes, with every phase, and totals that add up.
#pragma once

#include "cache/run_history.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nodewise {

enum class CostGroup : uint8_t { Node, Op, Scope };
struct CostGroupRow {
  CostGroup group;
  std::string_view name; ///< "node", "op", "scope"
};
std::span<const CostGroupRow> costGroupTable();

/// One node, or all nodes of one op or scope.
struct CostRow {
  std::string name, detail;
  std::vector<size_t> nodes; ///< positions in the record's nodes
  Phases phases;             ///< sums
  int64_t calls = 0, runNs = 0, recordedNs = 0, objectBytes = 0;
  int64_t lookups = 0, hits = 0;
  int64_t savedNs = 0; ///< recorded compile time of the hits
  int64_t eachNs() const { return calls > 0 ? runNs / calls : 0; }
};

/// A column that holds a number of a row: the same in the window, on the command line and in exports.
struct CostColumn {
  std::string_view name, doc;
  int64_t (*value)(const CostRow&);
  enum class Unit : uint8_t { Time, Number, Size } unit;
  bool adds; ///< the rows' values add up to the total's
};
std::span<const CostColumn> costColumns();

struct CostTable {
  std::vector<CostRow> rows; ///< in the order of the run's nodes (of the first of a group)
  CostRow total;             ///< of every row
};
/// `only`: positions of the record's nodes that count; none given: all.
CostTable costTable(const RunRecord& record, CostGroup group, const std::vector<bool>* only = nullptr);

/// How much of a run the cache did. Each is between 0 and 1; none where it cannot be said.
struct HitRates {
  int64_t hits = 0, lookups = 0;
  int64_t savedNs = 0;    ///< recorded compile time of the hits
  int64_t compiledNs = 0; ///< compile time that this run spent
  int64_t wallNs = 0, coldWallNs = 0;
  int64_t coldRun = 0; ///< the run without a hit that this one is compared with; 0: none is recorded
  std::optional<double> byCount() const;
  /// Of the compile time that all nodes need, the part that hits saved.
  std::optional<double> byCompileTime() const;
  /// Of the wall time of the run without a hit, the part that this run did not take. Measured, not reckoned:
  /// needs such a run of the same graph. Below 0 where the cache cost more than it saved.
  std::optional<double> byWallTime() const;
};
HitRates hitRates(const RunRecord& record, const std::optional<RunRow>& cold);

} // namespace nodewise
