#include "cache/operations.h"

#include "base/units.h"
#include "cache/store_state.h"
#include "cache/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace nodewise {

namespace {

constexpr int64_t kKept = 1000;
constexpr int64_t kLookedBack = 100; ///< operations, for what undo and redo are about

enum class Direction : bool { Undo, Redo };

/// What is turned back or done again, as SQL over `entry` and its row of `change` (c).
struct Turn {
  std::string_view holds; ///< where the entry is still as the operation left it, or found it
  std::string_view sets;
  std::string_view word;
  bool undone; ///< afterwards
};
constexpr Turn kUndo{"entry.state IS c.new_state", "state = c.old_state, state_reason = c.old_reason",
                     "undid", true};
constexpr Turn kRedo{"entry.state IS c.old_state", "state = c.new_state, state_reason = c.new_reason",
                     "did again", false};

/// The operations that leave the state alone. Their rows of `change` only name entries.
struct PinTurn {
  std::string_view command;
  Turn undo, redo;
};
constexpr std::string_view kPinned = "entry.pinned IS 1", kFree = "entry.pinned IS NOT 1";
constexpr std::array<PinTurn, 2> kPinTurns{
    {{"pin", {kPinned, "pinned = 0", "undid", true}, {kFree, "pinned = 1", "did again", false}},
     {"unpin", {kFree, "pinned = 1", "undid", true}, {kPinned, "pinned = 0", "did again", false}}}};

Turn turnOf(std::string_view command, Direction direction) {
  const bool undo = direction == Direction::Undo;
  const auto pin = std::ranges::find(kPinTurns, command, &PinTurn::command);
  if (pin != kPinTurns.end()) return undo ? pin->undo : pin->redo;
  return undo ? kUndo : kRedo;
}

Result<OperationRow> findOperation(Connection& connection, int64_t id) {
  NW_TRY(Query query, connection.prepare("SELECT command, at, undone FROM operation WHERE id = ?"));
  NW_TRY(const bool row, query.bind(id).step());
  if (!row) {
    return Error{fmt::format("there is no operation {}", id), "",
                 "vacuum makes operations final; `nodewise cache operations` lists those that can be undone",
                 ""};
  }
  return OperationRow{id, query.textOr(0), query.integerOr(1), 0, query.integerOr(2) == 1};
}

/// Entries that are still in the state the operation found or left them in.
Result<void> pickChanged(Connection& connection, int64_t operation, const Turn& turn) {
  NW_CHECK(pick(connection, Selection{}));
  NW_TRY(Query query, connection.prepareOnce(fmt::format(
                          "INSERT INTO picked SELECT entry_id FROM change AS c JOIN entry ON entry.id = "
                          "entry_id WHERE operation_id = ? AND {}",
                          turn.holds)));
  return query.bind(operation).run();
}

Result<void> turnPicked(Connection& connection, int64_t operation, const Turn& turn) {
  {
    NW_TRY(Query query,
           connection.prepareOnce(fmt::format(
               "UPDATE entry SET {} FROM change AS c "
               "WHERE c.operation_id = ? AND c.entry_id = entry.id AND entry.id IN (SELECT id FROM picked)",
               turn.sets)));
    NW_CHECK(query.bind(operation).run());
  }
  NW_TRY(Query mark, connection.prepare("UPDATE operation SET undone = ? WHERE id = ?"));
  return mark.bind(turn.undone, operation).run();
}

Result<ActionReport> turn(Store& store, int64_t operation, DryRun dryRun, Direction direction) {
  return onStore(store, [&](Connection& connection) -> Result<ActionReport> {
    const auto kind = dryRun == DryRun::Yes ? TransactionKind::Read : TransactionKind::Write;
    NW_TRY(Transaction transaction, Transaction::begin(connection, kind));
    NW_TRY(const OperationRow row, findOperation(connection, operation));
    const Turn way = turnOf(row.command, direction);
    if (row.undone == (direction == Direction::Undo)) {
      return Error{fmt::format("operation {} ({}) {}", operation, row.command,
                               row.undone ? "is undone" : "is not undone"),
                   "", row.undone ? "redo does it again" : "undo takes it back", ""};
    }
    NW_CHECK(pickChanged(connection, operation, way));
    NW_TRY(ActionReport report, reportPicked(connection));
    report.summary = fmt::format("{} {} of {}, {}", way.word, row.command,
                                 units::counted(report.entries, "entry"), units::bytes(report.bytes));
    if (dryRun == DryRun::Yes) return report;
    NW_CHECK(turnPicked(connection, operation, way));
    report.operation = operation;
    NW_CHECK(transaction.commit());
    return report;
  });
}

/// A new row of `operation`; its id.
Result<int64_t> beginOperation(Connection& connection, std::string_view command) {
  NW_TRY(Query query, connection.prepare("INSERT INTO operation (command, at, undone) VALUES (?, ?, 0)"));
  NW_CHECK(query.bind(command, nowUnix()).run());
  return connection.lastRowId();
}

} // namespace

Result<int64_t> changePicked(Connection& connection, std::string_view command, std::string_view state,
                             std::string_view reason) {
  NW_TRY(const int64_t operation, beginOperation(connection, command));
  {
    NW_TRY(Query query, connection.prepare("INSERT INTO change SELECT ?1, id, state, state_reason, ?2, ?3 "
                                           "FROM entry JOIN picked USING (id)"));
    NW_CHECK(query.bind(operation, state, reason).run());
  }
  NW_TRY(Query query, connection.prepare("UPDATE entry SET state = ?, state_reason = ? "
                                         "WHERE id IN (SELECT id FROM picked)"));
  NW_CHECK(query.bind(state, reason).run());
  NW_CHECK(dropOldOperations(connection));
  return operation;
}

Result<int64_t> pinPicked(Connection& connection, bool pinned) {
  NW_TRY(const int64_t operation, beginOperation(connection, pinned ? "pin" : "unpin"));
  {
    NW_TRY(Query query,
           connection.prepare("INSERT INTO change SELECT ?1, id, state, state_reason, state, state_reason "
                              "FROM entry JOIN picked USING (id)"));
    NW_CHECK(query.bind(operation).run());
  }
  NW_TRY(Query query, connection.prepare("UPDATE entry SET pinned = ? WHERE id IN (SELECT id FROM picked)"));
  NW_CHECK(query.bind(pinned).run());
  NW_CHECK(dropOldOperations(connection));
  return operation;
}

Result<int64_t> recordArrived(Connection& connection, std::string_view command, std::span<const Hash> keys) {
  NW_TRY(const int64_t operation, beginOperation(connection, command));
  for (const Hash& key : keys) {
    NW_TRY(Query query,
           connection.prepare("INSERT OR IGNORE INTO change SELECT ?1, id, 'deleted', '', state, "
                              "state_reason FROM entry WHERE key = ?2 AND state = 'live'"));
    NW_CHECK(query.bind(operation, key).run());
  }
  NW_CHECK(dropOldOperations(connection));
  return operation;
}

Result<void> dropOldOperations(Connection& connection) {
  {
    NW_TRY(Query query,
           connection.prepare("DELETE FROM operation WHERE id <= (SELECT max(id) FROM operation) - ?"));
    NW_CHECK(query.bind(kKept).run());
    if (connection.changes() == 0) return {};
  }
  NW_TRY(Query query,
         connection.prepare("DELETE FROM change WHERE operation_id NOT IN (SELECT id FROM operation)"));
  return query.run();
}

Result<std::vector<OperationRow>> listOperations(Store& store, int64_t limit) {
  return onStore(store, [&](Connection& connection) -> Result<std::vector<OperationRow>> {
    NW_TRY(Query query,
           connection.prepare(
               "SELECT id, command, at, (SELECT count(*) FROM change JOIN entry ON entry.id = entry_id "
               "WHERE operation_id = operation.id), undone FROM operation ORDER BY id DESC LIMIT ?"));
    query.bind(limit);
    std::vector<OperationRow> rows;
    for (;;) {
      NW_TRY(const bool row, query.step());
      if (!row) return rows;
      rows.push_back({query.integerOr(0), query.textOr(1), query.integerOr(2), query.integerOr(3),
                      query.integerOr(4) == 1});
    }
  });
}

Result<std::optional<OperationRow>> nextUndo(Store& store) {
  NW_TRY(const std::vector<OperationRow> rows, listOperations(store, kLookedBack));
  for (const OperationRow& row : rows)
    if (!row.undone && row.entries > 0) return std::optional(row);
  return std::optional<OperationRow>();
}

Result<std::optional<OperationRow>> nextRedo(Store& store) {
  NW_TRY(const std::vector<OperationRow> rows, listOperations(store, kLookedBack));
  std::optional<OperationRow> next;
  for (const OperationRow& row : rows) {
    if (!row.undone) break;
    if (row.entries > 0) next = row;
  }
  return next;
}

Result<ActionReport> undo(Store& store, int64_t operation, DryRun dryRun) {
  return turn(store, operation, dryRun, Direction::Undo);
}

Result<ActionReport> redo(Store& store, int64_t operation, DryRun dryRun) {
  return turn(store, operation, dryRun, Direction::Redo);
}

} // namespace nodewise
