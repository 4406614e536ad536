#include "ui/inspector/group_text.h"

#include "ui/models/node_name.h"
#include "ui/theme/numbers.h"
#include "ui/theme/text.h"

#include <QCoreApplication>
#include <QStringList>

namespace nodewise::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("nodewise::ui::Inspector", text); }

QString costText(const QString& all, const CostSum& cost, std::span<const NodeInfo> nodes) {
  if (cost.dearest < 0) return {};
  return tr("%1; the most is %2, of %3")
      .arg(all, durationText(cost.most), nodeName(nodes[static_cast<size_t>(cost.dearest)]));
}

} // namespace

QString groupText(const GroupSummary& summary) {
  QString said = countedText(summary.nodes, tr("node"));
  if (summary.inner > 0) said += tr(", %1 of them in inner graphs").arg(countText(summary.inner));
  QStringList counts;
  for (const StatusRow& row : statusTable())
    if (const int64_t count = summary.counts[static_cast<size_t>(row.status)]; count > 0)
      counts += QStringLiteral("%1 %2").arg(countText(count), text(row.name));
  return said + QStringLiteral(": ") + counts.join(QStringLiteral(" · "));
}

QString groupDetails(const GroupSummary& summary, std::span<const NodeInfo> nodes) {
  QStringList lines;
  lines += summary.compile.dearest < 0
               ? tr("Compile cost: not known yet")
               : costText(tr("Compile cost: %1 for %2, each counted once")
                              .arg(durationText(summary.compile.all), countedText(summary.keys, tr("key"))),
                          summary.compile, nodes);
  if (summary.run.dearest >= 0)
    lines += costText(tr("Run time: %1").arg(durationText(summary.run.all)), summary.run, nodes);
  return lines.join(u'\n');
}

QString groupHint() {
  return tr("Enter or a double click opens or closes it, Ctrl+Enter shows only what is in it, Ctrl+T filters "
            "all views to its nodes.");
}

} // namespace nodewise::ui
