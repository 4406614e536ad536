// Sentences about a node, for the inspector and screen readers.
#pragma once

#include "session/session.h"

#include <QString>

namespace nodewise::ui {

/// Why it is what it is: "dtype of input 1: was float64, now float32; nearest entry 3f2a9c1b02, 4 days old".
/// For a hit what it saved; for a kind without lookups what that means. `nowUnix` dates the nearest entry.
QString reasonText(const NodeInfo& info, const NodeState& state, int64_t nowUnix);
/// Inputs and outputs: "f64[919], f64 → f64[919]".
QString signatureText(const NodeInfo& info);

/// Why a node of this kind has no key; empty for kernels.
QString noKeyText(NodeKind kind);

} // namespace nodewise::ui
