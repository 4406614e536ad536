#include "session/report.h"

#include <fmt/format.h>

#include <algorithm>

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

/// A number that sorts by data-v and reads with a unit.
std::string timeCell(int64_t ns) {
  if (ns == 0) return "<td data-v=\"0\"></td>";
  const auto value = static_cast<double>(ns);
  std::string text = ns < 1000            ? fmt::format("{} ns", ns)
                     : ns < 1'000'000     ? fmt::format("{:.3g} µs", value / 1e3)
                     : ns < 1'000'000'000 ? fmt::format("{:.3g} ms", value / 1e6)
                                          : fmt::format("{:.3g} s", value / 1e9);
  return fmt::format("<td class=n data-v=\"{}\">{}</td>", ns, text);
}

constexpr std::string_view kStyle = R"(
:root{color-scheme:light dark}
body{font:14px/1.4 system-ui,sans-serif;margin:24px;max-width:1400px}
h1{font-size:20px;margin:0 0 4px}h2{font-size:16px;margin:24px 0 8px}
table{border-collapse:collapse}th,td{padding:3px 10px 3px 0;text-align:left;vertical-align:top;border-bottom:1px solid #8883}
th{cursor:pointer;white-space:nowrap}td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.s{display:inline-block;width:1.4em;text-align:center;border-radius:3px;color:#000;font-weight:600}
code{font-family:ui-monospace,monospace}.graph{overflow:auto;border:1px solid #8883;background:#fff;padding:8px;max-height:70vh}
.legend span.s{margin:0 4px 0 14px}
)";

// Sorts a table by the column of the heading that was clicked; again: the other way.
constexpr std::string_view kScript = R"(
document.querySelectorAll('th').forEach(h=>h.onclick=()=>{const t=h.closest('table'),b=t.tBodies[0],k=[...h.parentNode.children].indexOf(h),
d=h.dataset.d=h.dataset.d==='1'?'-1':'1';const v=r=>{const c=r.children[k];return c.dataset.v!==undefined?+c.dataset.v:c.textContent};
[...b.rows].sort((x,y)=>{const p=v(x),q=v(y);return (p<q?-1:p>q?1:0)*d}).forEach(r=>b.append(r))})
)";

} // namespace

std::string_view statusColour(const NodeInfo& info, const NodeState& state) {
  return statusOf(info, state).colour;
}
char statusLetter(const NodeInfo& info, const NodeState& state) { return statusOf(info, state).letter; }

std::string htmlReport(const Session& session, const CompileSummary& s, const std::string& svg,
                       const std::string& svgNote) {
  const GraphFile& file = session.file();
  const std::string title = file.name.empty() ? file.path : file.name;
  std::string html = fmt::format("<!doctype html><html lang=en><meta charset=utf-8><title>{0} - "
                                 "Nodewise</title><style>{1}</style><h1>{0}</h1>\n",
                                 escaped(title), kStyle);
  html += fmt::format("<p>{} kernel nodes: {} hit, {} miss, {} stale, {} uncacheable, {} failed, {} lookup "
                      "errors; {} view, {} prebuilt, {} unsupported. {} contents compiled.</p>\n",
                      s.nodes, s.hits, s.misses, s.stale, s.uncacheable, s.failed, s.lookupErrors, s.views,
                      s.prebuilt, s.unsupported, s.compiled);
  for (const std::string& warning : s.warnings) html += fmt::format("<p><b>{}</b></p>\n", escaped(warning));
  html += "<p class=legend>";
  for (const StatusRow& row : kOutcomes)
    html +=
        fmt::format("<span class=s style=\"background:{}\">{}</span>{}", row.colour, row.letter, row.name);
  for (const StatusRow& row : kKinds)
    if (row.letter != ' ')
      html +=
          fmt::format("<span class=s style=\"background:{}\">{}</span>{}", row.colour, row.letter, row.name);
  html += "</p>\n<h2>Graph</h2>\n";
  html += svg.empty() ? fmt::format("<p>{}</p>\n", escaped(svgNote))
                      : fmt::format("<div class=graph>{}</div>\n", svg);

  html += "<h2>Costs</h2><table><thead><tr><th>phase<th>sum over nodes</tr></thead><tbody>";
  const std::pair<const char*, int64_t> phases[] = {{"lookup", s.phases.lookup},
                                                    {"build IR", s.phases.build},
                                                    {"optimise", s.phases.optimise},
                                                    {"emit", s.phases.emit},
                                                    {"link", s.phases.link},
                                                    {"store", s.phases.store},
                                                    {"all of it, as waited for", s.wallNs},
                                                    {"saved by the cache (recorded)", s.savedNs}};
  for (const auto& [name, ns] : phases) html += fmt::format("<tr><td>{}{}</tr>", name, timeCell(ns));
  html += "</tbody></table>\n<h2>Nodes</"
          "h2>\n<table><thead><tr><th><th>node<th>op<th>what<th>dtype<th>reason<th>compile<th>recorded<th>"
          "size<th>calls<th>run time<th>origin</tr></thead><tbody>\n";
  for (const NodeInfo& info : session.nodes()) {
    const NodeState state = session.state(info.index);
    const StatusRow& status = statusOf(info, state);
    html += fmt::format("<tr><td title=\"{}\"><span class=s "
                        "style=\"background:{}\">{}</span><td><code>{}</code><td>{}<td>{}<td>{}<td>{}",
                        status.name, status.colour, status.letter, escaped(info.path), escaped(info.op),
                        escaped(info.detail), escaped(info.dtype),
                        escaped(info.reason.empty() ? state.reason : info.reason));
    html += timeCell(state.phases.compile()) + timeCell(state.recordedCompileNs);
    html += fmt::format(
        "<td class=n data-v=\"{0}\">{1}<td class=n data-v=\"{2}\">{3}", state.objectBytes,
        state.objectBytes ? fmt::format("{:.3g} kB", static_cast<double>(state.objectBytes) / 1024) : "",
        state.runCalls, state.runCalls ? std::to_string(state.runCalls) : "");
    html += timeCell(state.runNs) + fmt::format("<td>{}</tr>\n", escaped(info.origin));
  }
  html += fmt::format("</tbody></table>\n<script>{}</script></html>\n", kScript);
  return html;
}

} // namespace nodewise
