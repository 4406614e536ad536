#include "ui/theme/status.h"

#include <algorithm>

namespace nodewise::ui {
namespace {

constexpr std::array<StatusRow, kStatusCount> kStatuses{{
    {Status::Hit, u'H', "hit", 0xff009e73, Border::Thin, false, "Compiled code was found in the cache."},
    {Status::Miss, u'M', "miss", 0xffd55e00, Border::Thin, false,
     "Not in the cache: it was, or has to be, compiled."},
    {Status::Stale, u'S', "stale", 0xffe69f00, Border::Thin, false,
     "The cache has it for another op version, code options, target or toolchain, or it was invalidated."},
    {Status::Uncacheable, u'U', "uncacheable", 0xffcc79a7, Border::Thin, false,
     "It cannot be named by a complete key."},
    {Status::Failed, u'!', "failed", 0xffb2182b, Border::Thick, false,
     "It could not be compiled, linked or run."},
    {Status::LookupError, u'?', "lookup error", 0xffb2182b, Border::Dashed, false,
     "The cache could not be asked."},
    {Status::NotCompiled, u'·', "not compiled", 0, Border::Thin, false, "Not looked up yet."},
    {Status::View, u'v', "view", 0xff9a9a9a, Border::Thin, false, "Stride arithmetic: no code."},
    {Status::Prebuilt, u'p', "prebuilt", 0xff9a9a9a, Border::Thin, false,
     "A library routine: nothing to compile."},
    {Status::Unsupported, u'x', "unsupported", 0xff9a9a9a, Border::Thin, true, "It cannot be run."},
}};

Status statusOfKind(NodeKind kind) {
  switch (kind) {
  case NodeKind::View:
    return Status::View;
  case NodeKind::Kernel:
    return Status::NotCompiled;
  case NodeKind::Prebuilt:
    return Status::Prebuilt;
  case NodeKind::Unsupported:
    break;
  }
  return Status::Unsupported;
}

} // namespace

std::span<const StatusRow> statusTable() { return kStatuses; }

const StatusRow& statusRow(Status status) { return kStatuses[static_cast<size_t>(status)]; }

std::optional<Status> parseStatus(std::string_view name) {
  const auto row = std::ranges::find(kStatuses, name, &StatusRow::name);
  return row == kStatuses.end() ? std::nullopt : std::optional(row->status);
}

Status statusOf(const NodeInfo& info, const NodeState& state) {
  // The first six statuses are the outcomes, in their order.
  if (state.outcome) return static_cast<Status>(*state.outcome);
  return statusOfKind(info.kind);
}

} // namespace nodewise::ui
