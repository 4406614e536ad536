#include "cache/lookup.h"

#include <algorithm>
#include <fmt/format.h>

namespace nodewise {

namespace {

/// The features that are on, sorted. A feature that is off ("-avx") asks nothing of the host.
std::vector<std::string_view> featuresOn(std::string_view list) {
  std::vector<std::string_view> features;
  while (!list.empty()) {
    const size_t comma = list.find(',');
    const std::string_view feature = list.substr(0, comma);
    if (feature.starts_with('+')) features.push_back(feature.substr(1));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  std::ranges::sort(features);
  return features;
}

} // namespace

std::string foreignReason(const TargetSpec& entry, const TargetSpec& host) {
  if (entry.triple != host.triple) {
    return fmt::format("it was made for {}, this machine is {}",
                       entry.triple.empty() ? "no known machine" : entry.triple, host.triple);
  }
  if (entry.features == host.features) return {};
  const auto needed = featuresOn(entry.features), present = featuresOn(host.features);
  std::vector<std::string_view> missing;
  std::ranges::set_difference(needed, present, std::back_inserter(missing));
  if (missing.empty()) return {};
  return fmt::format("it needs {}, which this machine does not have", fmt::join(missing, ", "));
}

} // namespace nodewise
