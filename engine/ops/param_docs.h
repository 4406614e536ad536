// What each op's params mean, for documentation.
#pragma once

#include <span>
#include <string_view>

namespace nodewise {

struct ParamDoc {
  std::string_view op, name, doc;
};

/// Sorted by op. Ops that are not named take no params (or, for people only, any).
std::span<const ParamDoc> paramDocs();

} // namespace nodewise
