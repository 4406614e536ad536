#include "ui/inspector/node_text.h"

#include "ui/theme/numbers.h"
#include "ui/theme/status.h"
#include "ui/theme/text.h"

namespace nodewise::ui {
namespace {

QString withPeriod(QString sentence) {
  return sentence.isEmpty() || sentence.endsWith(u'.') ? sentence : sentence + u'.';
}

} // namespace

QString reasonText(const NodeInfo& info, const NodeState& state, int64_t nowUnix) {
  if (info.kind == NodeKind::Unsupported && !state.outcome) return withPeriod(text(info.reason));
  if (!state.outcome) return text(statusRow(statusOf(info, state)).doc);
  if (*state.outcome == Outcome::Hit) {
    QString said = withPeriod(text(state.reason));
    if (state.recordedCompileNs > 0)
      said = (said.isEmpty() ? QString() : said + u' ') +
             QStringLiteral("Saved %1 of compiling.").arg(durationText(state.recordedCompileNs));
    return said;
  }
  QString said = text(state.reason);
  if (said.isEmpty() && !state.changedPart.empty())
    said = QStringLiteral("%1: was %2, now %3")
               .arg(text(state.changedPart), text(state.oldValue), text(state.newValue));
  if (state.nearest) {
    const QString hash = text(state.nearest->shortHex());
    if (!said.contains(hash)) {
      said += QStringLiteral(" · nearest entry %1").arg(hash);
      if (state.nearestCreatedUnix > 0)
        said += QStringLiteral(", %1 old").arg(ageText(nowUnix - state.nearestCreatedUnix));
    }
  }
  if (said.isEmpty()) said = text(statusRow(statusOf(info, state)).doc);
  if (!state.storeResult.empty()) said += QStringLiteral(" · ") + text(state.storeResult);
  return said;
}

QString signatureText(const NodeInfo& info) {
  const auto list = [&](const std::vector<ValueId>& values) {
    QStringList types;
    for (const ValueId v : values) {
      const Value& value = info.graph->values[static_cast<size_t>(v)];
      types.push_back(QString::fromStdString(shortText(value.type)) +
                      (value.constant ? QStringLiteral(" const") : QString()));
    }
    return types.join(QStringLiteral(", "));
  };
  return list(info.node().in) + QStringLiteral(" → ") + list(info.node().out);
}

QString noKeyText(NodeKind kind) {
  switch (kind) {
  case NodeKind::Kernel:
    return {};
  case NodeKind::View:
    return QStringLiteral("No key: a view changes shape and strides only. Nothing is compiled for it, so "
                          "there is nothing to look up.");
  case NodeKind::Prebuilt:
    return QStringLiteral(
        "No key: nothing is compiled for this node. It calls a library routine, or runs its "
        "inner graph node by node.");
  case NodeKind::Unsupported:
    return QStringLiteral("No key: this op is not supported, so no code is made for the node.");
  }
  return {};
}

} // namespace nodewise::ui
