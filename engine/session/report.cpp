#include "session/report.h"

#include "base/units.h"
#include "session/phase_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nodewise {

namespace {

struct StatusRow {
  char letter;
  std::string_view name, colour;
};
constexpr StatusRow kOutcomes[] = {{'H', "hit", "#009E73"},    {'M', "miss", "#D55E00"},
                                   {'S', "stale", "#E69F00"},  {'U', "uncacheable", "#CC79A7"},
                                   {'!', "failed", "#B2182B"}, {'?', "lookup error", "#B2182B"}};
constexpr StatusRow kKinds[] = {{'v', "view", "#BBBBBB"},
                                {' ', "kernel", "#FFFFFF"},
                                {'p', "prebuilt", "#BBBBBB"},
                                {'x', "unsupported", "#888888"}};

const StatusRow& statusOf(const NodeInfo& info, const NodeState& state) {
  if (state.outcome) return kOutcomes[static_cast<size_t>(*state.outcome)];
  return kKinds[static_cast<size_t>(info.kind)];
}

/// Of a recorded node; its kind is kept as a word.
const StatusRow& statusOf(const RunNode& node) {
  if (node.outcome) return kOutcomes[static_cast<size_t>(*node.outcome)];
  const auto row = std::ranges::find(kKinds, node.kind, &StatusRow::name);
  return row == std::end(kKinds) ? kKinds[1] : *row;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string threeDigits(double value) {
  return value >= 99.95   ? fmt::format("{:.0f}", value)
         : value >= 9.995 ? fmt::format("{:.1f}", value)
                          : fmt::format("{:.2f}", value);
}

std::string timeText(int64_t ns) {
  const auto value = static_cast<double>(ns);
  return ns < 1000            ? fmt::format("{} ns", ns)
         : ns < 1'000'000     ? threeDigits(value / 1e3) + " µs"
         : ns < 1'000'000'000 ? threeDigits(value / 1e6) + " ms"
                              : threeDigits(value / 1e9) + " s";
}

std::string numberText(const CostColumn& column, int64_t value) {
  if (value == 0) return {};
  switch (column.unit) {
  case CostColumn::Unit::Time:
    return timeText(value);
  case CostColumn::Unit::Size:
    return units::bytes(value);
  case CostColumn::Unit::Number:
    return std::to_string(value);
  }
  return {};
}

/// A number that sorts by data-v and reads with a unit; a bar below it shows its share of the column's
/// greatest.
std::string numberCell(const CostColumn& column, int64_t value, int64_t greatest) {
  const double share = greatest > 0 ? 100.0 * static_cast<double>(value) / static_cast<double>(greatest) : 0;
  const std::string bar =
      share >= 0.5 && column.adds ? fmt::format(" style=\"--w:{:.1f}%\" class=\"n b\"", share) : " class=n";
  return fmt::format("<td{} data-v={}>{}", bar, value, numberText(column, value));
}

constexpr std::string_view kStyle = R"(
:root{color-scheme:light dark;--line:#8883;--quiet:#8889;--bar:#0072b2}
body{font:14px/1.45 system-ui,sans-serif;margin:24px auto;max-width:1500px;padding:0 24px}
h1{font-size:20px;margin:0 0 4px}h2{font-size:16px;margin:28px 0 8px}p{margin:4px 0}.quiet{opacity:.7}
.scroll{overflow-x:auto}table{border-collapse:collapse}
th,td{padding:3px 12px 3px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
thead th{cursor:pointer;white-space:nowrap;position:sticky;top:0;background:Canvas}
th[aria-sort=ascending]::after{content:" ▲";font-size:9px}th[aria-sort=descending]::after{content:" ▼";font-size:9px}
th.n,td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.b{background:linear-gradient(var(--bar),var(--bar)) right 12px bottom 1px/calc((100% - 12px)*var(--w)/100%) 2px no-repeat}
tfoot td{font-weight:600;border-top:2px solid var(--line)}
.s{display:inline-block;min-width:1.4em;text-align:center;border-radius:3px;color:#000;font-weight:600}
.share{display:flex;height:18px;margin:8px 0;border-radius:3px;overflow:hidden;max-width:720px}
.share span{color:#000;font-weight:600;font-size:12px;text-align:center;overflow:hidden}
code{font-family:ui-monospace,monospace;font-size:13px}
.graph{overflow:auto;border:1px solid var(--line);background:#fff;padding:8px;max-height:70vh}
.graph text{font-family:system-ui,sans-serif}#fit:checked~.graph svg{width:100%;height:auto}
details{margin-left:1.2em}summary{cursor:pointer}summary b{font-weight:600}.leaf{margin-left:2.4em}
input.box{width:auto;margin:0 6px 8px 0}input:not(.box){font:inherit;padding:3px 6px;margin-bottom:6px;width:320px;max-width:100%}
.legend span.s{margin:0 4px 0 14px}.legend span.s:first-child{margin-left:0}
@media print{input{display:none}.graph{max-height:none}}
)";

// Sorts a table by the heading that was clicked, numbers most first; again: the other way. Filters rows by
// all words.
constexpr std::string_view kScript = R"(
document.querySelectorAll('thead th').forEach(h=>{h.tabIndex=0;const sort=()=>{const t=h.closest('table'),b=t.tBodies[0],
k=[...h.parentNode.children].indexOf(h),num=h.classList.contains('n'),was=h.getAttribute('aria-sort'),
up=was?was!=='ascending':!num;t.querySelectorAll('th').forEach(o=>o.removeAttribute('aria-sort'));
h.setAttribute('aria-sort',up?'ascending':'descending');const v=r=>{const c=r.children[k];
return c.dataset.v!==undefined?+c.dataset.v:c.textContent};
[...b.rows].sort((x,y)=>{const p=v(x),q=v(y);return(p<q?-1:p>q?1:0)*(up?1:-1)}).forEach(r=>b.append(r))};
h.onclick=sort;h.onkeydown=e=>{if(e.key==='Enter')sort()}});
document.querySelectorAll('input[data-for]').forEach(i=>i.oninput=()=>{const w=i.value.toLowerCase().split(/\s+/);
document.querySelectorAll('#'+i.dataset.for+' tbody tr').forEach(r=>{const t=r.textContent.toLowerCase();
r.hidden=!w.every(x=>t.includes(x))})});
)";

std::string mark(const StatusRow& row) {
  return fmt::format("<span class=s style=\"background:{}\" title=\"{}\">{}</span>", row.colour, row.name,
                     row.letter);
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", *share * 100) : "not known";
}

std::string headline(const RunRecord& record, const HitRates& rates) {
  std::array<int64_t, std::size(kOutcomes)> outcomes{};
  std::map<std::string_view, int64_t> kinds;
  int64_t compiled = 0;
  int64_t compileNs = 0;
  for (const RunNode& node : record.nodes) {
    ++kinds[node.kind];
    if (node.outcome) ++outcomes[static_cast<size_t>(*node.outcome)];
    if (node.phases.compile() > 0) ++compiled;
    compileNs += node.phases.compile();
  }
  std::string words, share;
  for (size_t k = 0; k < outcomes.size(); ++k) {
    if (outcomes[k] == 0) continue;
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", outcomes[k], kOutcomes[k].name);
    share +=
        fmt::format("<span style=\"flex:{};background:{}\" title=\"{} {}\">{} {}</span>", outcomes[k],
                    kOutcomes[k].colour, outcomes[k], kOutcomes[k].name, kOutcomes[k].letter, outcomes[k]);
  }
  std::string out = fmt::format("<p>{}{}{}; {} view, {} prebuilt, {} unsupported. {} compiled.</p>\n",
                                units::counted(kinds["kernel"], "kernel node"), words.empty() ? "" : ": ",
                                words, kinds["view"], kinds["prebuilt"], kinds["unsupported"],
                                units::counted(compiled, "content"));
  if (!share.empty()) out += fmt::format("<div class=share>{}</div>\n", share);
  out += fmt::format("<p>{} as waited for; {} of compiling, {} saved by the cache (as recorded). Hit rate {} "
                     "by count, {} by "
                     "compile time, {} by wall time.</p>\n",
                     timeText(record.run.wallNs), timeText(compileNs), timeText(record.run.savedNs),
                     percent(rates.byCount()), percent(rates.byCompileTime()),
                     rates.byWallTime() ? percent(rates.byWallTime())
                                        : "not known (no run of this graph without a hit is recorded)");
  return out;
}

std::string legend() {
  std::string out = "<p class=legend>";
  for (const StatusRow& row : kOutcomes) out += mark(row) + std::string(row.name);
  for (const StatusRow& row : kKinds)
    if (row.letter != ' ') out += mark(row) + std::string(row.name);
  return out + "</p>\n";
}

std::string causeText(const CascadeItem& item) {
  return fmt::format("<b>{}</b> <span class=quiet>{}{}{} node{}, {}</span>", escaped(item.text),
                     escaped(item.path), item.path.empty() ? "" : " · ", item.nodes,
                     item.nodes == 1 ? "" : "s",
                     item.costNs > 0 ? timeText(item.costNs) : "cost not recorded");
}

std::string causes(const std::vector<CascadeItem>& items) {
  if (items.empty()) return {};
  std::string out = "<h2>Why nodes missed</h2>\n<p class=quiet>Root causes with what follows from each; "
                    "compile time as recorded "
                    "(of the nearest entry, where a node had not been compiled).</p>\n";
  // Items stand after their parents: what is open is closed as far as the next one's parent.
  std::vector<int32_t> open;
  for (size_t i = 0; i < items.size(); ++i) {
    while (!open.empty() && open.back() != items[i].parent) {
      out += "</details>\n";
      open.pop_back();
    }
    if (items[i].children.empty()) {
      out += fmt::format("<div class=leaf>{}</div>\n", causeText(items[i]));
      continue;
    }
    out += fmt::format("<details{}><summary>{}</summary>\n", items[i].children.size() <= 30 ? " open" : "",
                       causeText(items[i]));
    open.push_back(static_cast<int32_t>(i));
  }
  for (size_t k = 0; k < open.size(); ++k) out += "</details>\n";
  return out;
}

struct Column {
  const CostColumn* column;
  int64_t greatest = 0;
};

/// Those that are not nought throughout.
std::vector<Column> usedColumns(const CostTable& table) {
  std::vector<Column> used;
  for (const CostColumn& column : costColumns()) {
    Column one{&column, 0};
    for (const CostRow& row : table.rows) one.greatest = std::max(one.greatest, column.value(row));
    if (one.greatest > 0) used.push_back(one);
  }
  return used;
}

std::string headings(const std::vector<Column>& columns) {
  std::string out;
  for (const Column& c : columns)
    out += fmt::format("<th class=n title=\"{}\">{}", escaped(c.column->doc), c.column->name);
  return out;
}

std::string cells(const std::vector<Column>& columns, const CostRow& row) {
  std::string out;
  for (const Column& c : columns) out += numberCell(*c.column, c.column->value(row), c.greatest);
  return out;
}

std::string totals(const std::vector<Column>& columns, const CostRow& total, int before) {
  std::string out = fmt::format("<tfoot><tr><td colspan={}>total", before);
  for (const Column& c : columns)
    out += fmt::format("<td class=n>{}", c.column->adds ? numberText(*c.column, c.column->value(total)) : "");
  return out + "</tr></tfoot>";
}

std::string opTable(const RunRecord& record) {
  const CostTable table = costTable(record, CostGroup::Op);
  const std::vector<Column> columns = usedColumns(table);
  std::string out =
      "<h2>Costs by op</h2><div class=scroll><table id=ops><thead><tr><th>op<th class=n>nodes<th "
      "class=n>hits" +
      headings(columns) + "</tr></thead><tbody>\n";
  for (const CostRow& row : table.rows)
    out += fmt::format("<tr><td>{}<td class=n data-v={}>{}<td class=n data-v={}>{}{}</tr>\n",
                       escaped(row.name), row.nodes.size(), row.nodes.size(), row.hits,
                       row.hits ? std::to_string(row.hits) : "", cells(columns, row));
  return out + "</tbody>" + totals(columns, table.total, 3) + "</table></div>\n";
}

std::string_view textAt(const std::map<int64_t, std::string>& texts, int64_t position) {
  const auto at = texts.find(position);
  return at == texts.end() ? std::string_view() : at->second;
}

std::string nodeTable(const RunRecord& record, const ReportParts& parts) {
  const CostTable table = costTable(record, CostGroup::Node);
  const std::vector<Column> columns = usedColumns(table);
  std::string out = "<h2>Nodes</h2><input data-for=nodes placeholder=\"Filter: words that a row must have\" "
                    "aria-label=\"Filter of the nodes\"><div class=scroll><table "
                    "id=nodes><thead><tr><th><th>node<th>op<th>what<th>dtype<th>reason" +
                    headings(columns) + "<th>origin</tr></thead><tbody>\n";
  for (const CostRow& row : table.rows) {
    const RunNode& node = record.nodes[row.nodes.front()];
    const std::string_view why = textAt(parts.unsupported, node.position);
    out += fmt::format("<tr><td>{}<td><code>{}</code><td>{}<td>{}<td>{}<td>{}{}<td>{}</tr>\n",
                       mark(statusOf(node)), escaped(node.path), escaped(node.op), escaped(node.label),
                       escaped(node.dtype), escaped(why.empty() ? node.reason : why), cells(columns, row),
                       escaped(textAt(parts.origins, node.position)));
  }
  return out + "</tbody>" + totals(columns, table.total, 6) + "</table></div>\n";
}

} // namespace

std::string_view statusColour(const NodeInfo& info, const NodeState& state) {
  return statusOf(info, state).colour;
}

void addGraphParts(const Session& session, ReportParts& parts) {
  parts.title = session.file().name;
  for (const NodeInfo& info : session.nodes()) {
    if (!info.origin.empty()) parts.origins[info.index] = info.origin;
    if (!info.reason.empty()) parts.unsupported[info.index] = info.reason;
  }
}

std::string htmlReport(const RunRecord& record, const ReportParts& parts) {
  const std::string title = parts.title.empty() ? record.run.file : parts.title;
  std::string html = fmt::format(
      "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width\"><title>{0} - Nodewise</title><style>{1}</style><h1>{0}</h1>\n",
      escaped(title), kStyle);
  html += fmt::format(
      "<p class=quiet>{}{} · O{} · {} · LLVM {} · {} compile worker{}</p>\n", escaped(record.run.file),
      record.run.id > 0 ? fmt::format(" · run {}", record.run.id) : "", record.level, escaped(record.cpu),
      escaped(record.llvmVersion), record.workers, record.workers == 1 ? "" : "s");
  html += headline(record, parts.rates);
  for (const std::string& warning : parts.warnings)
    html += fmt::format("<p><b>{}</b></p>\n", escaped(warning));
  html += "<h2>Graph</h2>\n" + legend();
  html += parts.svg.empty() ? fmt::format("<p>{}</p>\n", escaped(parts.svgNote))
                            : fmt::format("<input type=checkbox id=fit class=box><label for=fit>the whole "
                                          "graph</label>\n<div class=graph>{}</div>\n",
                                          parts.svg);
  html += causes(parts.causes) + opTable(record) + nodeTable(record, parts);
  html += fmt::format("<script>{}</script></html>\n", kScript);
  return html;
}

} // namespace nodewise
