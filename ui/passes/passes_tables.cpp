#include "ui/passes/passes_view.h"

#include "ui/theme/numbers.h"

#include <cmath>

namespace nodewise::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("PassesView", text); }

struct AssemblyRow {
  QString text;
  const InstructionCost* cost = nullptr; ///< null: a label, a directive, or not in the model
};
struct AssemblyRows {
  std::shared_ptr<const NodePasses> passes;
  std::vector<AssemblyRow> rows;
};

} // namespace

TableData passesTable(const std::shared_ptr<const NodePasses>& passes) {
  TableData data;
  if (!passes) return data;
  const NodePasses* p = passes.get();
  const size_t count = p->passes.size();
  data.rows = count + 1;
  data.keepAlive = passes;
  const auto isPass = [count](size_t row) { return row < count; };
  TableColumn order, name, time, changed, lines;
  order.title = tr("Nr");
  order.number = [](size_t row) { return static_cast<int64_t>(row) + 1; };
  order.text = [](size_t row) { return countText(static_cast<int64_t>(row) + 1); };
  name.title = tr("Pass");
  name.text = [p, isPass](size_t row) {
    return isPass(row) ? QString::fromStdString(p->passes[row].name) : tr("code generation");
  };
  time.title = tr("Time");
  time.doc = tr("Wall time with the analyses that the pass asked for. Code generation is one figure: pass "
                "callbacks see IR "
                "passes only.");
  time.number = [p, isPass](size_t row) { return isPass(row) ? p->passes[row].ns : p->codegenNs; };
  time.text = [time](size_t row) { return durationText(time.number(row)); };
  time.exact = [time](size_t row) { return exactDurationText(time.number(row)); };
  time.bar = true;
  changed.title = tr("IR");
  changed.text = [p, isPass](size_t row) {
    return !isPass(row) ? QString() : p->passes[row].changed ? tr("changed") : tr("as before");
  };
  lines.title = tr("Lines");
  lines.doc = tr("Lines of IR before and after");
  lines.number = [p, isPass](size_t row) {
    return isPass(row) ? linesOf(p->passes[row].irAfter) - linesOf(p->passes[row].irBefore) : 0;
  };
  lines.text = [p, isPass](size_t row) {
    if (!isPass(row)) return QString();
    const int64_t before = linesOf(p->passes[row].irBefore), after = linesOf(p->passes[row].irAfter);
    return before == after ? countText(after)
                           : QStringLiteral("%1 → %2").arg(countText(before), countText(after));
  };
  data.columns = {order, name, time, changed, lines};
  return data;
}

TableData instructionsTable(const std::shared_ptr<const NodePasses>& passes) {
  TableData data;
  if (!passes) return data;
  auto held = std::make_shared<AssemblyRows>();
  held->passes = passes;
  const QStringList lines = QString::fromStdString(passes->assembly).split(u'\n');
  auto cost = passes->costs.instructions.begin();
  const auto end = passes->costs.instructions.end();
  for (qsizetype line = 0; line < lines.size(); ++line) {
    while (cost != end && cost->line < static_cast<size_t>(line) + 1) ++cost;
    AssemblyRow row;
    row.text = lines[line];
    row.text.replace(u'\t', QStringLiteral("    "));
    if (cost != end && cost->line == static_cast<size_t>(line) + 1) row.cost = &*cost;
    held->rows.push_back(std::move(row));
  }
  const AssemblyRows* h = held.get();
  data.rows = held->rows.size();
  data.keepAlive = held;
  const auto known = [h](size_t row) { return h->rows[row].cost && h->rows[row].cost->latency >= 0; };
  TableColumn line, latency, each, uops, kind, words;
  line.title = tr("Line");
  line.number = [](size_t row) { return static_cast<int64_t>(row) + 1; };
  line.text = [](size_t row) { return QString::number(row + 1); };
  latency.title = tr("Latency");
  latency.doc = tr("Cycles from operands to result, by LLVM's scheduling model of the CPU; not measured");
  latency.number = [h, known](size_t row) { return known(row) ? h->rows[row].cost->latency : 0; };
  latency.text = [latency, known](size_t row) {
    return known(row) ? QString::number(latency.number(row)) : QString();
  };
  latency.bar = true;
  each.title = tr("Cycles each");
  each.doc = tr("Of many that do not depend on each other, by the same model");
  each.number = [h, known](size_t row) {
    return known(row) ? std::llround(h->rows[row].cost->throughput * 100) : 0;
  };
  each.text = [h, known](size_t row) {
    return known(row) ? QString::number(h->rows[row].cost->throughput, 'f', 2) : QString();
  };
  each.bar = true;
  uops.title = tr("Micro-ops");
  uops.number = [h, known](size_t row) { return known(row) ? h->rows[row].cost->microOps : 0; };
  uops.text = [uops, known](size_t row) {
    return known(row) ? QString::number(uops.number(row)) : QString();
  };
  kind.title = tr("Does");
  kind.text = [h](size_t row) {
    QStringList does;
    if (const InstructionCost* c = h->rows[row].cost) {
      if (c->loads) does.push_back(tr("load"));
      if (c->stores) does.push_back(tr("store"));
      if (c->calls) does.push_back(tr("call"));
      if (c->branches) does.push_back(tr("branch"));
    }
    return does.join(QStringLiteral(", "));
  };
  words.title = tr("Assembly");
  words.text = [h](size_t row) { return h->rows[row].text; };
  words.fixed = true;
  data.columns = {line, latency, each, uops, kind, words};
  return data;
}

} // namespace nodewise::ui
