#include "ui/models/colouring.h"

#include "cache/hash_map.h"
#include "ops/op.h"
#include "ui/theme/numbers.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace nodewise::ui {
namespace {

QString quoted(const QString& word) { return word.contains(u' ') ? u'"' + word + u'"' : word; }

void add(Colouring& c, size_t category, QRgb colour) {
  ++c.categories[category].count;
  c.looks.push_back({static_cast<uint8_t>(category), colour});
}

/// Paler than a miss, and of a letter of its own.
Category followerCategory() {
  return {QStringLiteral("miss that follows"),
          QStringLiteral("m"),
          QStringLiteral("It missed only because another node did: see Reasons."),
          0xfff3b58b,
          Border::Thin,
          false,
          0,
          {}};
}

void byOutcome(Colouring& c, std::span<const NodeInfo> nodes, std::span<const NodeState> states,
               const std::vector<bool>& followers) {
  for (const StatusRow& row : statusTable()) c.categories.push_back(categoryOf(row));
  const size_t follower = c.categories.size();
  if (!followers.empty()) c.categories.push_back(followerCategory());
  for (size_t n = 0; n < nodes.size(); ++n) {
    const Status status = statusOf(nodes[n], states[n]);
    const bool follows = status == Status::Miss && n < followers.size() && followers[n];
    const size_t k = follows ? follower : static_cast<size_t>(status);
    add(c, k, c.categories[k].colour);
  }
}

void byKind(Colouring& c, std::span<const NodeInfo> nodes) {
  // In the order of NodeKind. Kernels are blue: no outcome has this colour.
  c.categories = {categoryOf(statusRow(Status::View)),
                  {},
                  categoryOf(statusRow(Status::Prebuilt)),
                  categoryOf(statusRow(Status::Unsupported))};
  c.categories[1] = {QStringLiteral("kernel"),
                     QStringLiteral("k"),
                     QStringLiteral("Compiled from LLVM IR."),
                     0xff0072b2,
                     Border::Thin,
                     false,
                     0,
                     {}};
  for (const NodeInfo& info : nodes) {
    const auto k = static_cast<size_t>(info.kind);
    add(c, k, c.categories[k].colour);
  }
}

/// Something measured: a ramp on a log scale.
struct AmountRow {
  ColourBy by;
  int64_t (*amount)(const NodeState& state, int64_t nowUnix);
  QString (*text)(int64_t);
  bool adds;
  bool ofKey;        ///< is one thing for all nodes of a key
  const char* field; ///< of the query language, or null
  const char* unit;  ///< of the field's numbers
  const char *none, *doc;
};
constexpr std::array<AmountRow, 5> kAmounts{{
    {ColourBy::Cost, [](const NodeState& s, int64_t) { return s.recordedCompileNs; }, durationText, true,
     true, "cost", "ns", "no cost known", "Recorded compile time, on a log scale."},
    {ColourBy::Run, [](const NodeState& s, int64_t) { return s.runNs; }, durationText, true, false, nullptr,
     "", "not run", "Time in the last run, on a log scale."},
    {ColourBy::Size, [](const NodeState& s, int64_t) { return s.objectBytes; }, bytesText, true, true, "size",
     "", "no object", "Bytes of its object code, on a log scale."},
    {ColourBy::Hits, [](const NodeState& s, int64_t) { return s.hits; }, countText, false, true, "hits", "",
     "no hits", "How often its entry was found, on a log scale."},
    {ColourBy::Age,
     [](const NodeState& s, int64_t now) {
       const bool known = s.outcome == Outcome::Hit && s.nearestCreatedUnix > 0;
       return known ? std::max<int64_t>(now - s.nearestCreatedUnix, 1) : int64_t{0};
     },
     ageText, false, true, nullptr, "", "no age known", "Age of its entry, on a log scale."},
}};

std::vector<int32_t> keysOf(std::span<const NodeInfo> nodes) {
  HashMap<int32_t> numbers;
  std::vector<int32_t> keys;
  for (const NodeInfo& info : nodes)
    keys.push_back(info.kind == NodeKind::Kernel
                       ? numbers.emplace(info.key, static_cast<int32_t>(numbers.size())).first->second
                       : -1);
  return keys;
}

/// Run times without those of inner graphs, which their owner's time holds.
std::vector<int64_t> withoutInner(std::span<const NodeInfo> nodes, const std::vector<int64_t>& amounts) {
  std::vector<int64_t> own = amounts;
  for (size_t n = 0; n < nodes.size() && n < amounts.size(); ++n)
    if (nodes[n].parent >= 0) {
      int64_t& owner = own[static_cast<size_t>(nodes[n].parent)];
      owner = std::max<int64_t>(owner - amounts[n], 0);
    }
  return own;
}

void byAmount(Colouring& c, const AmountRow& row, std::span<const NodeInfo> nodes,
              std::span<const NodeState> states, int64_t nowUnix) {
  c.amountText = row.text;
  c.adds = row.adds;
  int64_t least = std::numeric_limits<int64_t>::max(), greatest = 0;
  for (const NodeState& state : states) {
    const int64_t amount = row.amount(state, nowUnix);
    c.amounts.push_back(amount);
    if (amount <= 0) continue;
    least = std::min(least, amount);
    greatest = std::max(greatest, amount);
  }
  c.shares = row.ofKey ? c.amounts : withoutInner(nodes, c.amounts);
  if (row.ofKey) c.keys = keysOf(nodes);
  c.categories.push_back({QString::fromUtf8(row.none),
                          QStringLiteral("·"),
                          QStringLiteral("Nothing measured."),
                          0,
                          Border::Thin,
                          false,
                          0,
                          {}});
  const double ratio = greatest > 0 ? static_cast<double>(greatest) / static_cast<double>(least) : 1;
  const int steps = greatest == 0 ? 0 : ratio > 1 ? 5 : 1;
  const auto from = [&](int k) {
    return static_cast<int64_t>(std::lround(static_cast<double>(least) * std::pow(ratio, double(k) / steps)));
  };
  for (int k = 0; k < steps; ++k) {
    QString query;
    if (row.field) {
      query =
          QStringLiteral("%1>=%2%3").arg(QLatin1String(row.field)).arg(from(k)).arg(QLatin1String(row.unit));
      if (k + 1 < steps)
        query += QStringLiteral(" %1<%2%3")
                     .arg(QLatin1String(row.field))
                     .arg(from(k + 1))
                     .arg(QLatin1String(row.unit));
    }
    c.categories.push_back({QStringLiteral("from %1").arg(row.text(from(k))), QString::number(k + 1),
                            QString::fromUtf8(row.doc), costColour((k + 0.5) / steps).rgb(), Border::Thin,
                            false, 0, query});
  }
  for (const int64_t amount : c.amounts) {
    if (amount <= 0) {
      add(c, 0, 0);
      continue;
    }
    int step = 0;
    while (step + 1 < steps && amount >= from(step + 1)) ++step;
    add(c, 1 + static_cast<size_t>(step), costColour(logPosition(amount, least, greatest)).rgb());
  }
}

/// A word for each node: the most frequent ones get colours of their own, all the others one.
void byWord(Colouring& c, std::span<const NodeInfo> nodes, std::string_view (*word)(const NodeInfo&),
            const char* field) {
  static constexpr std::array<QRgb, 8> kColours{0xff0072b2, 0xffe69f00, 0xff009e73, 0xffcc79a7,
                                                0xff56b4e9, 0xffd55e00, 0xfff0e442, 0xff8c6bb1};
  std::map<std::string_view, int64_t> counts;
  for (const NodeInfo& info : nodes) ++counts[word(info)];
  std::vector<std::pair<std::string_view, int64_t>> order(counts.begin(), counts.end());
  std::ranges::stable_sort(order, std::greater{}, [](const auto& entry) { return entry.second; });
  std::map<std::string_view, size_t> categoryOfWord;
  for (const auto& [name, count] : order) {
    const size_t k = c.categories.size();
    if (k < kColours.size()) {
      categoryOfWord[name] = k;
      const QString shown = name.empty() ? QStringLiteral("none") : text(name);
      c.categories.push_back({shown, QString(QChar(static_cast<char16_t>(u'A' + k))), shown, kColours[k],
                              Border::Thin, false, 0,
                              field && !name.empty() ? QLatin1String(field) + quoted(shown) : QString()});
      continue;
    }
    if (k == kColours.size())
      c.categories.push_back(
          {QStringLiteral("others"), QStringLiteral("·"), {}, 0xff9a9a9a, Border::Thin, false, 0, {}});
    c.categories.back().doc +=
        (c.categories.back().doc.isEmpty() ? QString() : QStringLiteral(", ")) + text(name);
    categoryOfWord[name] = kColours.size();
  }
  for (const NodeInfo& info : nodes) {
    const size_t k = categoryOfWord[word(info)];
    add(c, k, c.categories[k].colour);
  }
}

std::string_view dtypeOf(const NodeInfo& info) { return info.dtype; }
std::string_view familyOf(const NodeInfo& info) {
  const OpRow* op = findOp(info.op);
  return op ? op->family : std::string_view("unknown op");
}

constexpr std::array<ColourByRow, 9> kColourBy{{{ColourBy::Outcome, "outcome", "outcome"},
                                                {ColourBy::Kind, "kind", "kind"},
                                                {ColourBy::Cost, "cost", "compile cost"},
                                                {ColourBy::Run, "run", "run cost"},
                                                {ColourBy::Size, "size", "object size"},
                                                {ColourBy::Hits, "hits", "hits"},
                                                {ColourBy::Age, "age", "age"},
                                                {ColourBy::Dtype, "dtype", "dtype"},
                                                {ColourBy::Family, "family", "op family"}}};

} // namespace

Category categoryOf(const StatusRow& row) {
  return {text(row.name),
          QString(QChar(row.letter)),
          text(row.doc),
          row.colour,
          row.border,
          row.hatched,
          0,
          QStringLiteral("state:") + quoted(text(row.name))};
}

std::span<const ColourByRow> colourByTable() { return kColourBy; }

std::optional<ColourBy> parseColourBy(std::string_view name) {
  const auto row = std::ranges::find(kColourBy, name, &ColourByRow::name);
  return row == kColourBy.end() ? std::nullopt : std::optional(row->by);
}

Colouring makeColouring(ColourBy by, std::span<const NodeInfo> nodes, std::span<const NodeState> states,
                        int64_t nowUnix, const std::vector<bool>& followers) {
  Colouring c;
  c.by = by;
  c.looks.reserve(nodes.size());
  if (const auto row = std::ranges::find(kAmounts, by, &AmountRow::by); row != kAmounts.end())
    byAmount(c, *row, nodes, states, nowUnix);
  else if (by == ColourBy::Kind)
    byKind(c, nodes);
  else if (by == ColourBy::Dtype)
    byWord(c, nodes, dtypeOf, "dtype:");
  else if (by == ColourBy::Family)
    byWord(c, nodes, familyOf, nullptr);
  else
    byOutcome(c, nodes, states, followers);
  return c;
}

} // namespace nodewise::ui
