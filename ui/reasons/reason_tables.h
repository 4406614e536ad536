// What stands in the tables of the reasons view, and what is typed in its fields.
#pragma once

#include "session/audit.h"
#include "session/session.h"
#include "session/what_if.h"
#include "ui/models/table_model.h"
#include "ui/theme/theme.h"

#include <map>
#include <span>
#include <string>

namespace nodewise::ui {

/// What each kernel would be under a supposition, and what it is now. `nodes` are those of the open graph,
/// and stay as they are while the table is shown.
TableData whatIfTable(const std::shared_ptr<const WhatIf>& result, std::span<const NodeInfo> nodes,
                      const Theme& theme);
/// Unsound and over-specific keys.
TableData auditTable(const AuditReport& report);

/// What is typed as "exp=2, Elemwise=3". Error: names what is not OP=VERSION.
Result<std::map<std::string, int>> parseVersions(const QString& typed);

} // namespace nodewise::ui
