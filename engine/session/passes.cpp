#include "session/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

namespace nodewise {

namespace {

std::vector<std::string_view> linesIn(const std::string& text, size_t most) {
  std::vector<std::string_view> lines;
  for (size_t from = 0; from < text.size() && lines.size() < most;) {
    const size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(std::string_view(text).substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

using Lines = std::span<const std::string_view>;

/// Texts that share most lines are cut at their common beginning and end; what is left is compared by the
/// table of longest common parts if that is small, or else taken as replaced.
class Difference {
public:
  std::string text;

  void compare(Lines before, Lines after) {
    while (!before.empty() && !after.empty() && before.front() == after.front()) {
      common(before.front());
      before = before.subspan(1);
      after = after.subspan(1);
    }
    std::vector<std::string_view> tail;
    while (!before.empty() && !after.empty() && before.back() == after.back()) {
      tail.push_back(before.back());
      before = before.first(before.size() - 1);
      after = after.first(after.size() - 1);
    }
    middle(before, after);
    for (auto line = tail.rbegin(); line != tail.rend(); ++line) common(*line);
  }

private:
  void common(std::string_view line) { add(' ', line); }
  void add(char mark, std::string_view line) {
    text += mark;
    text += line;
    text += '\n';
  }

  void middle(Lines before, Lines after) {
    constexpr size_t kLargestTable = 4'000'000;
    const size_t n = before.size(), m = after.size();
    if (n == 0 || m == 0 || n * m > kLargestTable) {
      for (const auto line : before) add('-', line);
      for (const auto line : after) add('+', line);
      return;
    }
    std::vector<uint32_t> longest((n + 1) * (m + 1), 0); // common lines from here on
    const auto at = [&](size_t i, size_t j) -> uint32_t& { return longest[i * (m + 1) + j]; };
    for (size_t i = n; i-- > 0;)
      for (size_t j = m; j-- > 0;)
        at(i, j) = before[i] == after[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    size_t i = 0, j = 0;
    while (i < n || j < m) {
      if (i < n && j < m && before[i] == after[j])
        common(before[i++]), ++j;
      else if (j == m || (i < n && at(i + 1, j) >= at(i, j + 1)))
        add('-', before[i++]);
      else
        add('+', after[j++]);
    }
  }
};

} // namespace

int64_t linesOf(const std::string& text) { return std::ranges::count(text, '\n'); }

std::string annotatedAssembly(const std::string& assembly, const AssemblyCosts& costs) {
  std::string out = costs.hasModel
                        ? "# latency  cycles each (LLVM's scheduling model of the CPU, not measured)\n"
                        : "# LLVM has no scheduling model of this CPU\n";
  size_t line = 0;
  auto cost = costs.instructions.begin();
  for (const std::string_view text : linesIn(assembly, SIZE_MAX)) {
    ++line;
    while (cost != costs.instructions.end() && cost->line < line) ++cost;
    const bool known = cost != costs.instructions.end() && cost->line == line && cost->latency >= 0;
    out += known ? fmt::format("{:>9}  {:>6.2f}  {}\n", cost->latency, cost->throughput, text)
                 : fmt::format("{:>9}  {:>6}  {}\n", "", "", text);
  }
  return out;
}

std::string textDifference(const std::string& before, const std::string& after, size_t most) {
  Difference difference;
  const std::vector<std::string_view> old = linesIn(before, most), now = linesIn(after, most);
  difference.compare(old, now);
  return std::move(difference.text);
}

} // namespace nodewise
