#include "cache/doctor_checks.h"

#include "base/units.h"
#include "cache/entry_check.h"
#include "cache/layouts.h"
#include "cache/parts.h"
#include "cache/seal.h"
#include "cache/totals.h"
#include "cache/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace nodewise {

namespace {

/// Entries in one read, so that writers and the log are not held up by a long check.
constexpr int64_t kBatch = 256;

struct Checked {
  int64_t id;
  std::string shortKey, damage;
};

Result<std::string> damageBeside(Connection& connection, const CheckedEntry& entry) {
  NW_TRY(std::vector<KeyPart> parts, readNodeParts(connection, entry.id));
  if (entry.environment) std::ranges::copy(entry.environment->parts, std::back_inserter(parts));
  if (hashParts(parts) != entry.key) return std::string("its key parts do not give its key");
  NW_TRY(Query query, connection.prepare("SELECT graph, ir, symbol, seal FROM recipe WHERE entry_id = ?"));
  NW_TRY(const bool row, query.bind(entry.id).step());
  if (!row) return std::string("its recipe is missing");
  const Seal seal = recipeSeal(entry.key, query.text(0).value_or(""), query.text(1).value_or(""),
                               query.text(2).value_or(""));
  if (!sameBytes(query.blob(3), seal)) return std::string("the checksum of its recipe is wrong");
  return std::string();
}

/// The next entries after an id, and what is wrong with each.
Result<std::vector<Checked>> checkBatch(Connection& connection, EnvironmentCache& environments,
                                        int64_t after) {
  static const std::string sql =
      fmt::format("SELECT {} FROM {} WHERE e.id > ? ORDER BY e.id LIMIT ?", kCheckedColumns, kCheckedTables);
  NW_TRY(Transaction transaction, Transaction::begin(connection, TransactionKind::Read));
  std::vector<Checked> batch;
  NW_TRY(Query query, connection.prepare(sql));
  query.bind(after, kBatch);
  for (;;) {
    NW_TRY(const bool row, query.step());
    if (!row) return batch;
    NW_TRY(CheckedEntry entry, readCheckedEntry(connection, environments, query, CheckObject::Yes));
    if (entry.damage.empty()) {
      NW_TRY(entry.damage, damageBeside(connection, entry));
    }
    if (entry.state == "quarantined") entry.damage.clear(); // known, and served to nobody
    batch.push_back({entry.id, entry.key.shortHex(), std::move(entry.damage)});
  }
}

struct RowCheck {
  std::string_view what, remedy;
  std::string_view condition; ///< of rows that are wrong
  std::string_view table;
  std::string_view repair; ///< what SET is to be; empty: the rows are removed
};

constexpr std::string_view kNoEntry = "NOT EXISTS (SELECT 1 FROM entry WHERE entry.id = entry_id)";

constexpr std::array<RowCheck, 14> kRowChecks{{
    {"objects without an entry", "removed",
     "NOT EXISTS (SELECT 1 FROM entry WHERE entry.content = object.content)", "object", ""},
    {"key parts without an entry", "removed", kNoEntry, "entry_part", ""},
    {"part texts that no key has", "removed", "NOT EXISTS (SELECT 1 FROM entry_part WHERE part_id = part.id)",
     "part", ""},
    {"recipes without an entry", "removed", kNoEntry, "recipe", ""},
    {"phase times without an entry", "removed", kNoEntry, "phase", ""},
    {"changes of entries that are gone", "removed", kNoEntry, "change", ""},
    {"changes without an operation", "removed", "operation_id NOT IN (SELECT id FROM operation)", "change",
     ""},
    {"lookups without a run", "removed", "run_id IS NULL OR run_id NOT IN (SELECT id FROM run)", "lookup",
     ""},
    {"use counter that cannot be right", "counted on from the entries",
     "typeof(use_counter) <> 'integer' OR use_counter < 0 OR use_counter > 1099511627776", "total",
     "use_counter = (SELECT ifnull(max(last_use), 0) + 1 FROM entry WHERE last_use BETWEEN 0 AND "
     "1099511627776)"},
    {"counters of use that cannot be right", "set to the present one",
     "typeof(last_use) <> 'integer' OR last_use < 0 OR last_use > (SELECT use_counter FROM total WHERE id = "
     "1) OR "
     "typeof(priority) <> 'integer' OR priority < 0 OR priority > last_use + 4096",
     "entry",
     "last_use = (SELECT use_counter FROM total WHERE id = 1), "
     "priority = (SELECT use_counter FROM total WHERE id = 1)"},
    {"counts of hits that cannot be right", "set to 0", "typeof(hits) <> 'integer' OR hits < 0", "entry",
     "hits = 0"},
    {"pins that are neither on nor off", "set to off", "pinned IS NOT 0 AND pinned IS NOT 1", "entry",
     "pinned = 0"},
    {"days that cannot be right", "removed",
     "typeof(day) <> 'text' OR day NOT GLOB '[0-9]*-[0-9]*-[0-9]*' OR typeof(runs) <> 'integer' OR runs < 0 "
     "OR "
     "typeof(hits) <> 'integer' OR hits < 0 OR typeof(lookups) <> 'integer' OR lookups < hits OR "
     "typeof(compile_ns) <> 'integer' OR compile_ns < 0 OR typeof(saved_ns) <> 'integer' OR saved_ns < 0",
     "day", ""},
    {"dates in the future", "set to now",
     "typeof(used) <> 'integer' OR used < 0 OR used > CAST(strftime('%s', 'now') AS INTEGER) + 86400",
     "entry", "used = CAST(strftime('%s', 'now') AS INTEGER)"},
}};

Result<void> checkOne(Connection& connection, const RowCheck& check, Repair repair, DoctorReport& report) {
  int64_t count = 0;
  {
    NW_TRY(Query query, connection.prepareOnce(
                            fmt::format("SELECT count(*) FROM {} WHERE {}", check.table, check.condition)));
    NW_TRY(const bool row, query.step());
    if (row) count = query.integerOr(0);
  }
  if (count == 0) return {};
  if (repair == Repair::Yes) {
    const std::string sql =
        check.repair.empty()
            ? fmt::format("DELETE FROM {} WHERE {}", check.table, check.condition)
            : fmt::format("UPDATE {} SET {} WHERE {}", check.table, check.repair, check.condition);
    NW_CHECK(connection.execute(sql));
  }
  report.findings.push_back(
      {fmt::format("{}: {}", check.what, count), std::string(check.remedy), repair == Repair::Yes, 0});
  return {};
}

Result<void> checkTotals(Connection& connection, Repair repair, DoctorReport& report) {
  NW_TRY(const Totals kept, readTotals(connection));
  NW_TRY(const Totals counted, countTotals(connection));
  if (kept == counted) return {};
  if (repair == Repair::Yes) NW_CHECK(writeTotals(connection, counted));
  report.findings.push_back(
      {fmt::format("totals are wrong: {} entries and {} are recorded, {} and {} are there", kept.entries,
                   units::bytes(kept.ownBytes + kept.objectBytes), counted.entries,
                   units::bytes(counted.ownBytes + counted.objectBytes)),
       "counted anew", repair == Repair::Yes, 0});
  return {};
}

/// They are made again when they are needed.
Result<void> checkLayouts(Connection& connection, Repair repair, DoctorReport& report) {
  NW_TRY(const std::vector<int64_t> damaged, damagedLayouts(connection));
  if (damaged.empty()) return {};
  for (const int64_t id : damaged) {
    if (repair == Repair::No) break;
    NW_TRY(Query query, connection.prepare("DELETE FROM layout WHERE id = ?"));
    NW_CHECK(query.bind(id).run());
  }
  report.findings.push_back(
      {fmt::format("layouts that are damaged: {}", damaged.size()), "removed", repair == Repair::Yes, 0});
  return {};
}

} // namespace

Result<void> checkEntries(Connection& connection, EnvironmentCache& environments, Repair repair,
                          const StoreProgress& progress, DoctorReport& report) {
  NW_TRY(const int64_t total, connection.queryInteger("SELECT count(*) FROM entry"));
  for (int64_t after = std::numeric_limits<int64_t>::min();;) {
    NW_TRY(const std::vector<Checked> batch, checkBatch(connection, environments, after));
    if (batch.empty()) return {};
    after = batch.back().id;
    report.entriesChecked += static_cast<int64_t>(batch.size());
    for (const Checked& entry : batch) {
      if (entry.damage.empty()) continue;
      if (repair == Repair::Yes) {
        NW_TRY(Query query,
               connection.prepare("UPDATE entry SET state = 'quarantined', state_reason = ? WHERE id = ?"));
        NW_CHECK(query.bind(entry.damage, entry.id).run());
      }
      report.findings.push_back({fmt::format("entry {} is damaged: {}", entry.shortKey, entry.damage),
                                 "quarantined: it will be compiled again", repair == Repair::Yes, entry.id});
    }
    if (progress) progress(report.entriesChecked, total, "checking entries");
  }
}

Result<void> checkRows(Connection& connection, Repair repair, DoctorReport& report) {
  const auto kind = repair == Repair::Yes ? TransactionKind::Write : TransactionKind::Read;
  NW_TRY(Transaction transaction, Transaction::begin(connection, kind));
  NW_TRY(report.objectsChecked, connection.queryInteger("SELECT count(*) FROM object"));
  for (const RowCheck& check : kRowChecks) NW_CHECK(checkOne(connection, check, repair, report));
  NW_CHECK(checkLayouts(connection, repair, report));
  NW_CHECK(checkTotals(connection, repair, report));
  return transaction.commit();
}

} // namespace nodewise
