#include "jit/host.h"

#include "codegen/abi.h"

#include <fmt/format.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <vector>

namespace nodewise {

static TargetSpec detectHost() {
  TargetSpec host;
  host.triple = llvm::sys::getProcessTriple();
  host.cpu = llvm::sys::getHostCPUName().str();
  // LLVM asks XGETBV too, so a feature whose registers the operating system does not save is off.
  std::vector<std::string> enabled;
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    if (feature.second) enabled.push_back("+" + feature.first().str());
  std::ranges::sort(enabled);
  host.features = fmt::format("{}", fmt::join(enabled, ","));
  return host;
}

TargetSpec hostTarget() {
  // CPUID traps in a virtual machine: 100 µs for the lot, so it is asked once.
  static const TargetSpec host = detectHost();
  return host;
}

Toolchain hostToolchain() { return {LLVM_VERSION_STRING, kEngineAbi}; }

/// "+a,+b" as sorted names; empty items and those without a plus are kept as they are, and so match nothing.
static std::vector<std::string_view> featureNames(std::string_view features) {
  std::vector<std::string_view> names;
  while (!features.empty()) {
    const size_t comma = std::min(features.find(','), features.size());
    names.push_back(features.substr(0, comma));
    features.remove_prefix(std::min(comma + 1, features.size()));
  }
  std::ranges::sort(names);
  return names;
}

Result<void> checkRunnable(const TargetSpec& entry, const TargetSpec& host) {
  if (entry.triple != host.triple)
    return Error{.what = fmt::format("code for {}, this machine is {}", entry.triple, host.triple),
                 .where = {},
                 .remedy = "compile it again on this machine",
                 .type = {}};
  std::vector<std::string_view> missing;
  std::ranges::set_difference(featureNames(entry.features), featureNames(host.features),
                              std::back_inserter(missing));
  if (missing.empty()) return {};
  for (std::string_view& name : missing)
    if (name.starts_with('+')) name.remove_prefix(1);
  return Error{.what = fmt::format("code for {} with CPU features that this machine ({}) does not have: {}",
                                   entry.cpu, host.cpu, fmt::join(missing, ", ")),
               .where = {},
               .remedy = "compile it again on this machine",
               .type = {}};
}

} // namespace nodewise
