#include "ui/problems/problems.h"

#include "cache/words.h"
#include "ui/models/swatch.h"
#include "ui/theme/text.h"

#include <QCoreApplication>

namespace nodewise::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Problems", text); }

bool isProblem(Status status) {
  return status == Status::Failed || status == Status::LookupError || status == Status::Uncacheable ||
         status == Status::Unsupported;
}

} // namespace

std::vector<Problem> problemsOf(std::span<const NodeInfo> nodes, std::span<const NodeState> states) {
  std::vector<Problem> problems;
  for (size_t n = 0; n < nodes.size() && n < states.size(); ++n) {
    const Status status = statusOf(nodes[n], states[n]);
    if (isProblem(status)) {
      const std::string& why = status == Status::Unsupported ? nodes[n].reason : states[n].reason;
      problems.push_back({nodes[n].index, status, why.empty() ? text(statusRow(status).doc) : text(why)});
    } else if (states[n].storeResult.starts_with("not stored")) {
      problems.push_back({nodes[n].index, status, text(states[n].storeResult)});
    }
  }
  return problems;
}

TableData problemsTable(std::shared_ptr<const std::vector<Problem>> problems, std::span<const NodeInfo> nodes,
                        const Theme& theme) {
  const std::vector<Problem>* all = problems.get();
  TableColumn status = statusColumn(
      tr("State"), [all](size_t row) { return std::optional((*all)[row].status); }, theme);
  TableColumn node = textColumn(tr("Node"), [all, nodes](size_t row) {
    const NodeInfo& info = nodes[static_cast<size_t>((*all)[row].node)];
    return text(nodeTitle(info.op, info.detail));
  });
  node.exact = [all, nodes](size_t row) { return text(nodes[static_cast<size_t>((*all)[row].node)].path); };
  TableData data;
  data.rows = all->size();
  data.columns = {std::move(status), std::move(node),
                  textColumn(tr("What is wrong"), [all](size_t row) { return (*all)[row].text; })};
  data.keepAlive = std::move(problems);
  return data;
}

} // namespace nodewise::ui
