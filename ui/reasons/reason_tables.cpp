#include "ui/reasons/reason_tables.h"

#include "cache/words.h"
#include "ui/models/swatch.h"
#include "ui/theme/numbers.h"
#include "ui/theme/text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace nodewise::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("ReasonsView", text); }

} // namespace

TableData whatIfTable(const std::shared_ptr<const WhatIf>& result, std::span<const NodeInfo> nodes,
                      const Theme& theme) {
  const WhatIf* r = result.get();
  TableData data;
  data.rows = r->nodes.size();
  data.keepAlive = result;
  const auto info = [nodes, r](size_t row) -> const NodeInfo* {
    const auto n = static_cast<size_t>(r->nodes[row].node);
    return n < nodes.size() ? &nodes[n] : nullptr;
  };
  TableColumn node = textColumn(tr("Node"), [info](size_t row) {
    const NodeInfo* i = info(row);
    return i ? text(nodeTitle(i->op, i->detail)) : QString();
  });
  node.exact = [node, info](size_t row) {
    const NodeInfo* i = info(row);
    return i ? node.text(row) + u'\n' + text(i->path) : QString();
  };
  TableColumn cost = textColumn(tr("Compile, recorded"), [r](size_t row) {
    return r->nodes[row].costNs > 0 ? durationText(r->nodes[row].costNs) : tr("none of its own");
  });
  cost.number = [r](size_t row) { return r->nodes[row].costNs; };
  cost.exact = [r](size_t row) { return exactDurationText(r->nodes[row].costNs); };
  cost.bar = true;
  data.columns = {
      statusColumn(
          tr("Then"), [r](size_t row) { return std::optional(statusOf(r->nodes[row].then)); }, theme),
      statusColumn(
          tr("Now"), [r](size_t row) { return std::optional(statusOf(r->nodes[row].now)); }, theme),
      node, cost, textColumn(tr("Reason"), [r](size_t row) { return text(r->nodes[row].reason); })};
  return data;
}

TableData auditTable(const AuditReport& report) {
  struct Row {
    bool unsound;
    QString key, what, reason;
    int64_t keys;
  };
  auto rows = std::make_shared<std::vector<Row>>();
  for (const UnsoundKey& u : report.unsound)
    rows->push_back(
        {true, text(u.entry.key.shortHex()), text(nodeTitle(u.entry.op, u.entry.label)), text(u.reason), 1});
  for (const SharedContent& s : report.overSpecific) {
    QStringList parts;
    for (const PartDiff& d : s.examples)
      parts.push_back(tr("%1: %2 / %3").arg(text(d.name), text(d.oldValue), text(d.newValue)));
    rows->push_back({false, text(s.content.shortHex()), text(nodeTitle(s.entries[0].op, s.entries[0].label)),
                     parts.join(QStringLiteral("; ")), static_cast<int64_t>(s.entries.size())});
  }
  const auto* r = rows.get();
  TableData data;
  data.rows = rows->size();
  data.keepAlive = rows;
  TableColumn keys = textColumn(tr("Keys"), [r](size_t row) { return countText((*r)[row].keys); });
  keys.number = [r](size_t row) { return (*r)[row].keys; };
  data.columns = {
      textColumn(tr("Finding"),
                 [r](size_t row) {
                   return (*r)[row].unsound ? tr("!  unsound: same key, other code")
                                            : tr("over-specific: other keys, same code");
                 }),
      keys, textColumn(tr("Key or content"), [r](size_t row) { return (*r)[row].key; }),
      textColumn(tr("What"), [r](size_t row) { return (*r)[row].what; }),
      textColumn(tr("Reason, or in what the keys differ"), [r](size_t row) { return (*r)[row].reason; })};
  data.columns[2].fixed = true;
  return data;
}

Result<std::map<std::string, int>> parseVersions(const QString& typed) {
  std::map<std::string, int> versions;
  static const QRegularExpression kSeparators(QStringLiteral("[,\\s]+"));
  static const QRegularExpression kPair(QStringLiteral("^([^=]+)=(\\d{1,6})$"));
  for (const QString& word : typed.split(kSeparators, Qt::SkipEmptyParts)) {
    const QRegularExpressionMatch match = kPair.match(word);
    if (!match.hasMatch())
      return Error{"\"" + word.toStdString() + "\" is not OP=VERSION", {}, "as in exp=2, Elemwise=3", {}};
    versions[match.captured(1).toStdString()] = match.captured(2).toInt();
  }
  return versions;
}

} // namespace nodewise::ui
