#include "cache/operations.h"

#include "base/units.h"
#include "cache/store_state.h"
#include "cache/words.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

constexpr int64_t kKept = 1000;

enum class Direction : bool { Undo, Redo };

struct Turn {
  std::string_view from, toState, toReason; ///< columns of `change`
  std::string_view word;
};
constexpr Turn turnOf(Direction direction) {
  return direction == Direction::Undo ? Turn{"new_state", "old_state", "old_reason", "undid"}
                                      : Turn{"old_state", "new_state", "new_reason", "did again"};
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
                          "INSERT INTO picked SELECT entry_id FROM change JOIN entry ON entry.id = entry_id "
                          "WHERE operation_id = ? AND entry.state IS change.{}",
                          turn.from)));
  return query.bind(operation).run();
}

Result<void> turnPicked(Connection& connection, int64_t operation, const Turn& turn) {
  {
    NW_TRY(Query query,
           connection.prepareOnce(fmt::format(
               "UPDATE entry SET state = c.{}, state_reason = c.{} FROM change AS c "
               "WHERE c.operation_id = ? AND c.entry_id = entry.id AND entry.id IN (SELECT id FROM picked)",
               turn.toState, turn.toReason)));
    NW_CHECK(query.bind(operation).run());
  }
  NW_TRY(Query mark, connection.prepare("UPDATE operation SET undone = ? WHERE id = ?"));
  return mark.bind(turn.from == "new_state", operation).run();
}

Result<ActionReport> turn(Store& store, int64_t operation, DryRun dryRun, Direction direction) {
  return onStore(store, [&](Connection& connection) -> Result<ActionReport> {
    const auto kind = dryRun == DryRun::Yes ? TransactionKind::Read : TransactionKind::Write;
    const Turn way = turnOf(direction);
    NW_TRY(Transaction transaction, Transaction::begin(connection, kind));
    NW_TRY(const OperationRow row, findOperation(connection, operation));
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

} // namespace

Result<int64_t> changePicked(Connection& connection, std::string_view command, std::string_view state,
                             std::string_view reason) {
  {
    NW_TRY(Query query, connection.prepare("INSERT INTO operation (command, at, undone) VALUES (?, ?, 0)"));
    NW_CHECK(query.bind(command, nowUnix()).run());
  }
  const int64_t operation = connection.lastRowId();
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

Result<ActionReport> undo(Store& store, int64_t operation, DryRun dryRun) {
  return turn(store, operation, dryRun, Direction::Undo);
}

Result<ActionReport> redo(Store& store, int64_t operation, DryRun dryRun) {
  return turn(store, operation, dryRun, Direction::Redo);
}

} // namespace nodewise
