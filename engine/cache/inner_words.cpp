#include "cache/inner_words.h"

#include "base/units.h"
#include "cache/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <vector>

namespace nodewise {

namespace {

constexpr size_t kNamed = 4; ///< ops of a list

/// One line of a scalar graph: "v0:f8 = exp(i0)".
struct Step {
  std::string_view results, op, arguments;
  bool operator==(const Step&) const = default;
};
struct Steps {
  std::vector<Step> steps;  ///< those of graphs within follow their own node
  std::string_view outputs; ///< of the outermost
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '{' || text.front() == '}'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '}')) text.remove_suffix(1);
  return text;
}

std::optional<Step> stepOf(std::string_view text) {
  const size_t equals = text.find(" = ");
  const size_t open = text.find('(', equals == std::string_view::npos ? 0 : equals);
  if (equals == std::string_view::npos || open == std::string_view::npos || !text.ends_with(')'))
    return std::nullopt;
  return Step{text.substr(0, equals), text.substr(equals + 3, open - equals - 3),
              text.substr(open + 1, text.size() - open - 2)};
}

std::optional<Steps> stepsOf(std::string_view text) {
  Steps all;
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    // What a graph within gives stands before the node that follows it: "-> v0 } v1 = add(...)".
    while (line.starts_with("->")) {
      const size_t close = std::min(line.find('}'), line.size());
      all.outputs = trimmed(line.substr(2, close - 2));
      line = trimmed(line.substr(close));
    }
    if (line.empty()) continue;
    const std::optional<Step> step = stepOf(line);
    if (!step) return std::nullopt;
    all.steps.push_back(*step);
  }
  if (all.steps.empty()) return std::nullopt;
  return all;
}

/// "exp, log and 3 more"; ops that occur several times with their number.
std::string opList(const std::map<std::string_view, int64_t>& ops) {
  std::string words;
  size_t named = 0;
  for (const auto& [op, count] : ops) {
    if (named == kNamed) return words + fmt::format(" and {} more", ops.size() - kNamed);
    ++named;
    const bool last = named == ops.size();
    words += (named == 1 ? "" : last ? " and " : ", ") + std::string(op);
    if (count > 1) words += fmt::format(" ×{}", count);
  }
  return words;
}

/// Those of which `b` has more than `a`.
std::map<std::string_view, int64_t> moreIn(const std::vector<Step>& a, const std::vector<Step>& b) {
  std::map<std::string_view, int64_t> count;
  for (const Step& step : b) ++count[step.op];
  for (const Step& step : a) --count[step.op];
  std::erase_if(count, [](const auto& op) { return op.second <= 0; });
  return count;
}

std::string stepWords(const Step& before, const Step& now) {
  if (before.op != now.op) return fmt::format("was {}, now {}", before.op, now.op);
  if (before.arguments != now.arguments)
    return fmt::format("({}) takes ({}), took ({})", now.op, now.arguments, before.arguments);
  return fmt::format("({}) gives {}, gave {}", now.op, now.results, before.results);
}

std::string sameLength(const Steps& before, const Steps& now) {
  size_t first = now.steps.size();
  int64_t differing = 0;
  for (size_t k = now.steps.size(); k-- > 0;)
    if (before.steps[k] != now.steps[k]) ++differing, first = k;
  if (differing == 0) return fmt::format("gives {}, gave {}", now.outputs, before.outputs);
  const std::string words =
      fmt::format("step {} {}", first + 1, stepWords(before.steps[first], now.steps[first]));
  return differing == 1 ? words
                        : fmt::format("{} of {} differ: {}", differing,
                                      units::counted(static_cast<int64_t>(now.steps.size()), "step"), words);
}

std::string otherLength(const Steps& before, const Steps& now) {
  const auto added = moreIn(before.steps, now.steps), removed = moreIn(now.steps, before.steps);
  std::string words = fmt::format(
      "now {}, was {}", units::counted(static_cast<int64_t>(now.steps.size()), "step"), before.steps.size());
  if (!added.empty()) words += ": " + opList(added) + " added";
  if (!removed.empty()) words += (added.empty() ? ": " : ", ") + opList(removed) + " removed";
  return words;
}

struct Constant {
  std::string_view name, dtype, number, bits;
  bool operator==(const Constant&) const = default;
};

/// "k0=float64 2 (0x4000000000000000) k1=int64 0x0300000000000000"
std::optional<std::vector<Constant>> constantsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::vector<Constant> all;
  for (const std::string_view word : words) {
    const size_t equals = word.find('=');
    if (equals != std::string_view::npos)
      all.push_back({word.substr(0, equals), word.substr(equals + 1), {}, {}});
    else if (all.empty())
      return std::nullopt;
    else if (word.starts_with('('))
      all.back().bits = word;
    else
      all.back().number = word;
  }
  return all;
}

std::string constantText(const Constant& constant, bool precise) {
  std::string text(constant.number.empty() ? constant.dtype : constant.number);
  if (precise && !constant.bits.empty()) text += fmt::format(" {}", constant.bits);
  return text;
}

} // namespace

std::optional<std::string> innerGraphWords(std::string_view before, std::string_view now) {
  const std::optional<Steps> old = stepsOf(before), present = stepsOf(now);
  if (!old || !present) return std::nullopt;
  return old->steps.size() == present->steps.size() ? sameLength(*old, *present)
                                                    : otherLength(*old, *present);
}

bool sameOps(std::string_view before, std::string_view now) {
  const std::optional<Steps> old = stepsOf(before), present = stepsOf(now);
  return old && present && std::ranges::equal(old->steps, present->steps, {}, &Step::op, &Step::op);
}

std::optional<std::string> constantWords(std::string_view before, std::string_view now) {
  const auto old = constantsOf(before), present = constantsOf(now);
  if (!old || !present || old->empty() || present->empty()) return std::nullopt;
  if (old->size() != present->size())
    return fmt::format("now {}, was {}", units::counted(static_cast<int64_t>(present->size()), "constant"),
                       old->size());
  int64_t differing = 0;
  std::string words;
  for (size_t k = present->size(); k-- > 0;) {
    const Constant &a = (*old)[k], &b = (*present)[k];
    if (a == b) continue;
    ++differing;
    if (a.dtype != b.dtype)
      words = fmt::format("constant {} was {}, now {}", k, a.dtype, b.dtype);
    else
      words = fmt::format("constant {} was {}, now {}", k, constantText(a, a.number == b.number),
                          constantText(b, a.number == b.number));
  }
  if (differing == 0) return std::nullopt;
  return differing == 1 ? words : fmt::format("{} constants differ: {}", differing, words);
}

std::string changeWords(const PartDiff& diff) {
  std::optional<std::string> words;
  if (!diff.oldValue.empty() && !diff.newValue.empty()) {
    if (diff.name == "inner graph") words = innerGraphWords(diff.oldValue, diff.newValue);
    if (diff.name == "constants") words = constantWords(diff.oldValue, diff.newValue);
  }
  if (words) return *words;
  const auto value = [](const std::string& text) { return text.empty() ? "absent" : shortened(text); };
  return fmt::format("was {}, now {}", value(diff.oldValue), value(diff.newValue));
}

} // namespace nodewise
