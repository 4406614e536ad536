#include "ui/runs/run_tables.h"

#include "cache/words.h"
#include "ui/models/swatch.h"
#include "ui/theme/numbers.h"
#include "ui/theme/status.h"
#include "ui/theme/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace nodewise::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("RunTables", text); }
QString fileName(const std::string& path) { return text(path).section(u'/', -1); }
/// Without the ending that all graphs have.
QString graphName(const std::string& path) {
  QString name = fileName(path);
  const QString ending = QStringLiteral(".nwg.json");
  if (name.endsWith(ending)) name.chop(ending.size());
  return name;
}
QString timeOrNothing(int64_t ns) { return ns == 0 ? QString() : durationText(ns); }
QString countOrNothing(int64_t n) { return n == 0 ? QString() : countText(n); }

TableColumn timeColumn(const QString& title, const std::function<int64_t(size_t)>& ns, bool bar = false) {
  TableColumn column;
  column.title = title;
  column.number = ns;
  column.text = [ns](size_t row) { return timeOrNothing(ns(row)); };
  column.exact = [ns](size_t row) { return exactDurationText(ns(row)); };
  column.bar = bar;
  return column;
}
TableColumn countColumn(const QString& title, const std::function<int64_t(size_t)>& n) {
  TableColumn column;
  column.title = title;
  column.number = n;
  column.text = [n](size_t row) { return countOrNothing(n(row)); };
  column.exact = [n](size_t row) { return countText(n(row)); };
  return column;
}
TableColumn differenceColumn(const QString& title, const std::function<int64_t(size_t)>& ns) {
  TableColumn column = timeColumn(title, ns);
  column.text = [ns](size_t row) {
    const int64_t value = ns(row);
    if (value == 0) return QString();
    return (value > 0 ? QStringLiteral("+") : QStringLiteral("−")) + durationText(std::abs(value));
  };
  return column;
}

std::optional<Status> statusOf(const RunNode* node) {
  if (!node) return {};
  return node->outcome            ? nodewise::ui::statusOf(*node->outcome)
         : node->kind == "kernel" ? Status::NotCompiled
                                  : parseStatus(node->kind);
}

QString callsText(const std::optional<double>& calls) {
  return calls ? countText(static_cast<int64_t>(std::llround(std::min(*calls, 9e15)))) : QString();
}

} // namespace

QString differenceText(int64_t ns) {
  if (ns == 0) return tr("the same");
  return ns > 0 ? tr("%1 more").arg(durationText(ns)) : tr("%1 less").arg(durationText(-ns));
}

TableData runsTable(const std::vector<RunRow>& given) {
  const auto held = std::make_shared<const std::vector<RunRow>>(given);
  const std::vector<RunRow>& runs = *held;
  TableData data;
  data.rows = runs.size();
  data.keepAlive = held;
  const auto number = [&runs](auto field) {
    return [&runs, field](size_t row) { return static_cast<int64_t>(runs[row].*field); };
  };
  TableColumn id = countColumn(tr("Run"), number(&RunRow::id));
  TableColumn when = textColumn(tr("When"), {});
  when.number = number(&RunRow::startedUnix);
  when.text = [&runs](size_t row) {
    return tr("%1 ago").arg(ageText(QDateTime::currentSecsSinceEpoch() - runs[row].startedUnix));
  };
  when.exact = [&runs](size_t row) {
    return QDateTime::fromSecsSinceEpoch(runs[row].startedUnix).toString();
  };
  TableColumn graph = textColumn(tr("Graph"), [&runs](size_t row) { return graphName(runs[row].file); });
  graph.exact = [&runs](size_t row) { return text(runs[row].file); };
  data.columns = {id,
                  when,
                  textColumn(tr("Command"), [&runs](size_t row) { return text(runs[row].command); }),
                  graph,
                  countColumn(tr("Kernels"), number(&RunRow::nodes)),
                  countColumn(tr("Hit"), number(&RunRow::hits)),
                  countColumn(tr("Miss"), number(&RunRow::misses)),
                  countColumn(tr("Stale"), number(&RunRow::stale)),
                  countColumn(tr("Failed"), number(&RunRow::failed)),
                  timeColumn(tr("Wall"), number(&RunRow::wallNs), true),
                  timeColumn(tr("Compile"), number(&RunRow::compileNs), true),
                  timeColumn(tr("Saved"), number(&RunRow::savedNs), true)};
  return data;
}

TableData compareTable(const std::shared_ptr<const ComparedRuns>& runs, const Theme& theme) {
  TableData data;
  if (!runs) return data;
  const ComparedRuns* r = runs.get();
  data.rows = r->diff.nodes.size();
  data.keepAlive = runs;
  const auto before = [r](size_t row) -> const RunNode* {
    const auto& at = r->diff.nodes[row].before;
    return at ? &r->before.nodes[*at] : nullptr;
  };
  const auto after = [r](size_t row) -> const RunNode* {
    const auto& at = r->diff.nodes[row].after;
    return at ? &r->after.nodes[*at] : nullptr;
  };
  const auto any = [before, after](size_t row) -> const RunNode& {
    const RunNode* node = after(row);
    return node ? *node : *before(row);
  };
  TableColumn change = textColumn(tr("Change"), [r](size_t row) {
    const NodeChangeRow& c = nodeChangeRow(r->diff.nodes[row].change);
    return QChar::fromLatin1(c.mark) + QStringLiteral("  ") + text(c.name);
  });
  change.exact = [r](size_t row) {
    const NodeDiff& d = r->diff.nodes[row];
    QString said = text(nodeChangeRow(d.change).doc);
    if (d.matched != MatchedBy::Nothing) said += tr(" Matched by %1.").arg(text(matchedByName(d.matched)));
    return said;
  };
  const auto side = [](auto node, auto value) {
    return [node, value](size_t row) -> int64_t { return node(row) ? value(*node(row)) : 0; };
  };
  const auto compile = [](const RunNode& n) { return n.phases.compile(); };
  TableColumn node =
      textColumn(tr("Node"), [any](size_t row) { return text(nodeTitle(any(row).op, any(row).label)); });
  node.exact = [node, any](size_t row) { return node.text(row) + u'\n' + text(any(row).path); };
  TableColumn difference =
      differenceColumn(tr("Difference"), [r](size_t row) { return r->diff.nodes[row].compileDiff; });
  difference.doc = tr("Of compiling: build, optimise and emit");
  data.columns = {
      change,
      node,
      statusColumn(
          tr("Was"), [before](size_t row) { return statusOf(before(row)); }, theme),
      statusColumn(
          tr("Now"), [after](size_t row) { return statusOf(after(row)); }, theme),
      timeColumn(tr("Compile, was"), side(before, compile), true),
      timeColumn(tr("Compile, now"), side(after, compile), true),
      difference,
      differenceColumn(tr("All phases"), [r](size_t row) { return r->diff.nodes[row].totalDiff; }),
      differenceColumn(tr("Each call"), [r](size_t row) { return r->diff.nodes[row].runDiff; }),
      textColumn(tr("Reason"), [any](size_t row) { return text(any(row).reason); })};
  return data;
}

TableData costTableData(const std::shared_ptr<const CostTable>& table, CostGroup group) {
  TableData data;
  if (!table) return data;
  const CostTable* t = table.get();
  data.rows = t->rows.size() + 1;
  data.pinned = 1;
  data.keepAlive = table;
  const auto rowAt = [t](size_t row) -> const CostRow& {
    return row < t->rows.size() ? t->rows[row] : t->total;
  };
  const QString title = group == CostGroup::Node ? tr("Node")
                        : group == CostGroup::Op ? tr("Op")
                                                 : tr("Scope");
  data.columns.push_back(textColumn(title, [rowAt](size_t row) {
    const CostRow& r = rowAt(row);
    return text(r.detail.empty() ? r.name : r.detail);
  }));
  data.columns.back().exact = [rowAt](size_t row) { return text(rowAt(row).name); };
  if (group == CostGroup::Node) {
    data.columns.push_back(textColumn(tr("Path"), [rowAt, t](size_t row) {
      return row < t->rows.size() ? text(rowAt(row).name) : QString();
    }));
    data.columns.back().order = [](size_t row) { return static_cast<int64_t>(row); }; // as the graph has it
  } else {
    data.columns.push_back(countColumn(
        tr("Nodes"), [rowAt](size_t row) { return static_cast<int64_t>(rowAt(row).nodes.size()); }));
  }
  data.columns.push_back(countColumn(tr("Hits"), [rowAt](size_t row) { return rowAt(row).hits; }));
  for (const CostColumn& c : costColumns()) {
    const auto value = [rowAt, c = &c](size_t row) { return c->value(rowAt(row)); };
    QString name = text(c.name);
    name[0] = name[0].toUpper();
    TableColumn column =
        c.unit == CostColumn::Unit::Number ? countColumn(name, value) : timeColumn(name, value, true);
    if (c.unit == CostColumn::Unit::Size) {
      column.text = [value](size_t row) { return value(row) == 0 ? QString() : bytesText(value(row)); };
      column.exact = [value](size_t row) { return countText(value(row)) + QStringLiteral(" B"); };
    }
    column.doc = text(c.doc);
    data.columns.push_back(std::move(column));
  }
  return data;
}

BreakEvenRows breakEvenTable(const std::shared_ptr<const ShownRun>& run) {
  struct Row {
    const BreakEven* even;
    const LevelMeasure* level;
    const BreakEven::Crossing* crossing;
  };
  BreakEvenRows out;
  if (!run) return out;
  struct Held {
    std::shared_ptr<const ShownRun> run;
    std::vector<Row> rows;
  };
  auto held = std::make_shared<Held>(Held{run, {}});
  for (const BreakEven& even : run->breakEven)
    for (const LevelMeasure& level : even.levels) {
      const auto crossing = std::ranges::find(even.crossings, level.level, &BreakEven::Crossing::to);
      held->rows.push_back({&even, &level, crossing == even.crossings.end() ? nullptr : &*crossing});
      out.nodes.push_back(even.node);
    }
  const Held* h = held.get();
  out.data.rows = held->rows.size();
  out.data.keepAlive = held;
  const auto node = [h](size_t row) -> const RunNode& {
    return h->run->record.nodes[h->rows[row].even->node];
  };
  TableColumn each = timeColumn(tr("Each call"), [h](size_t row) {
    return static_cast<int64_t>(std::llround(h->rows[row].level->eachNs));
  });
  each.text = [h](size_t row) {
    const LevelMeasure& level = *h->rows[row].level;
    return level.calls > 0 ? durationText(std::llround(level.eachNs)) : tr("not run");
  };
  TableColumn calls = countColumn(tr("Calls until run = compile"), [h](size_t row) {
    return std::llround(std::min(h->rows[row].level->callsForCompile().value_or(-1), 9e15));
  });
  calls.text = [h](size_t row) { return callsText(h->rows[row].level->callsForCompile()); };
  calls.doc = tr("After so many calls, running has taken as long as compiling did.");
  TableColumn pays = countColumn(tr("Pays over the level below after"), [h](size_t row) {
    const auto* crossing = h->rows[row].crossing;
    return !crossing ? -1 : std::llround(std::min(crossing->calls.value_or(9e15), 9e15));
  });
  pays.text = [h](size_t row) {
    const auto* crossing = h->rows[row].crossing;
    if (!crossing) return QString();
    return crossing->calls ? tr("%1 calls").arg(callsText(crossing->calls)) : tr("never");
  };
  pays.doc = tr(
      "Against the next lower level that was measured: what this one costs more to compile, over what a call "
      "takes less. \"never\": its calls are not faster.");
  TableColumn level = countColumn(tr("Level"), [h](size_t row) { return h->rows[row].level->level; });
  level.text = [h](size_t row) { return QStringLiteral("O%1").arg(h->rows[row].level->level); };
  out.data.columns = {textColumn(tr("Op"), [node](size_t row) { return text(node(row).op); }),
                      textColumn(tr("Detail"), [node](size_t row) { return text(node(row).label); }),
                      level,
                      timeColumn(
                          tr("Compile"), [h](size_t row) { return h->rows[row].level->compileNs; }, true),
                      each,
                      countColumn(tr("Calls"), [h](size_t row) { return h->rows[row].level->calls; }),
                      calls,
                      pays,
                      textColumn(tr("Path"), [node](size_t row) { return text(node(row).path); })};
  out.data.columns.back().order = [](size_t row) { return static_cast<int64_t>(row); }; // as the graph has it
  return out;
}

QString runTitle(const RunRow& run, const QDateTime& now) {
  const QDateTime started = QDateTime::fromSecsSinceEpoch(run.startedUnix);
  const QString clock = started.toString(QStringLiteral("hh:mm"));
  const qint64 days = started.date().daysTo(now.date());
  const QString when = days == 0   ? tr("today %1").arg(clock)
                       : days == 1 ? tr("yesterday %1").arg(clock)
                                   : started.toString(QStringLiteral("yyyy-MM-dd ")) + clock;
  return tr("Run %1").arg(run.id) + QStringLiteral(" · ") + graphName(run.file) + QStringLiteral(" · ") +
         when;
}

QString runLine(const RunRecord& record) {
  const RunRow& run = record.run;
  QStringList words{runTitle(run, QDateTime::currentDateTime())};
  if (record.level >= 0) words.push_back(QStringLiteral("O%1").arg(record.level));
  QStringList outcomes;
  const std::pair<int64_t, QString> counts[] = {
      {run.hits, tr("hit")}, {run.misses, tr("miss")}, {run.stale, tr("stale")}, {run.failed, tr("failed")}};
  for (const auto& [count, name] : counts)
    if (count > 0) outcomes.push_back(countText(count) + u' ' + name);
  words.push_back(
      countedText(run.nodes, tr("kernel")) +
      (outcomes.isEmpty() ? QString() : QStringLiteral(": ") + outcomes.join(QStringLiteral(", "))));
  words.push_back(tr("wall %1").arg(durationText(run.wallNs)));
  words.push_back(tr("compile %1").arg(durationText(run.compileNs)));
  words.push_back(tr("saved %1").arg(durationText(run.savedNs)));
  return words.join(QStringLiteral(" · "));
}

QString hitRateText(const HitRates& rates) {
  const auto percent = [](double share) { return QStringLiteral("%1 %").arg(share * 100, 0, 'f', 1); };
  if (!rates.byCount()) return tr("Nothing was looked up.");
  QStringList parts{tr("Hit rate %1 by count (%2 of %3)")
                        .arg(percent(*rates.byCount()), countText(rates.hits), countText(rates.lookups))};
  if (rates.byCompileTime())
    parts.push_back(tr("%1 by compile time (%2 saved, %3 spent)")
                        .arg(percent(*rates.byCompileTime()), durationText(rates.savedNs),
                             durationText(rates.compiledNs)));
  const bool itself =
      rates.hits == 0 && rates.coldWallNs == rates.wallNs; // compared with itself: says nothing
  if (!itself)
    parts.push_back(rates.byWallTime()
                        ? tr("%1 by wall time (run %2, without a hit, took %3; this one %4)")
                              .arg(percent(*rates.byWallTime()), countText(rates.coldRun),
                                   durationText(rates.coldWallNs), durationText(rates.wallNs))
                        : tr("by wall time not known: no run of this graph without a hit is recorded"));
  return parts.join(QStringLiteral(" · "));
}

} // namespace nodewise::ui
