// What stands in the tables of runs, comparisons and costs.
#pragma once

#include "ui/models/table_model.h"
#include "ui/runs/run_service.h"
#include "ui/theme/theme.h"

#include <QDateTime>

namespace nodewise::ui {

/// All recorded runs. Ages are told as of when they are asked for.
TableData runsTable(const std::vector<RunRow>& runs);
/// The column of runsTable() with the longest words.
inline constexpr int kGraphColumn = 3;
/// Two runs node by node. Which rows are shown is the view's.
TableData compareTable(const std::shared_ptr<const ComparedRuns>& runs, const Theme& theme);
inline constexpr int kCompareNode = 1; ///< its column of nodes
/// Costs by node, op or scope, with the total above.
TableData costTableData(const std::shared_ptr<const CostTable>& table, CostGroup group);
/// When a node's compile pays: a row for each node and level that was measured.
struct BreakEvenRows {
  TableData data;
  std::vector<size_t> nodes; ///< by row: position in the record's nodes
};
BreakEvenRows breakEvenTable(const std::shared_ptr<const ShownRun>& run);

/// "3.1 ms more", "412 µs less", "the same".
QString differenceText(int64_t ns);
/// A run's name on whatever shows it: "Run 12 · radon · today 18:20".
QString runTitle(const RunRow& run, const QDateTime& now);
/// One line on a run: "Run 12 · radon · today 18:20 · O2 · 62 kernels: 58 hit, 4 miss · wall 31 ms".
QString runLine(const RunRecord& record);
/// How much the cache did, as one paragraph.
QString hitRateText(const HitRates& rates);

} // namespace nodewise::ui
