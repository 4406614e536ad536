#include "ui/models/command_list_model.h"

#include <algorithm>

namespace nodewise::ui {

namespace {

/// One word of what was typed, in full: the higher, the more likely it is meant.
enum Place : int { Scattered = 0, Inside = 1000, StartsWord = 2000, WholeWord = 3000 };

bool isWordEdge(const QString& text, qsizetype at) {
  return at <= 0 || at >= text.size() || !text[at - 1].isLetterOrNumber() || !text[at].isLetterOrNumber();
}

/// Where a word stands best in a text; Scattered: nowhere.
int placeOf(const QString& word, const QString& text) {
  int best = Scattered;
  for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
       at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) {
    const bool starts = isWordEdge(text, at), ends = isWordEdge(text, at + word.size());
    best = std::max(best, starts && ends ? int{WholeWord} : starts ? int{StartsWord} : int{Inside});
  }
  return best;
}

/// The letters of a word in this order, anywhere: starts of words and letters side by side count more. -1:
/// they are not all there. best[j] is the fit so far with the last letter at j.
int scatteredFit(const QString& word, const QString& text) {
  constexpr int kNone = -1;
  std::vector<int> best(static_cast<size_t>(text.size()), kNone), next(best.size(), kNone);
  for (qsizetype k = 0; k < word.size(); ++k) {
    int before = kNone; // the best that ends before j - 1
    for (qsizetype j = 0; j < text.size(); ++j) {
      const auto at = static_cast<size_t>(j);
      int from = k == 0 ? 0 : kNone;
      if (k > 0 && j > 0) {
        from = best[at - 1] == kNone ? before : std::max(before, best[at - 1] + 4);
        before = std::max(before, best[at - 1]);
      }
      const bool same = text[j].toCaseFolded() == word[k].toCaseFolded();
      next[at] = same && from != kNone ? from + 1 + (isWordEdge(text, j) ? 3 : 0) : kNone;
    }
    std::swap(best, next);
  }
  const auto found = std::ranges::max_element(best);
  return found == best.end() ? kNone : *found;
}

} // namespace

int fitOf(const QString& letters, const QString& text) {
  int fit = 0;
  const QStringList words = letters.split(u' ', Qt::SkipEmptyParts);
  for (const QString& word : words) {
    const int place = placeOf(word, text), scattered = place == Scattered ? scatteredFit(word, text) : 0;
    if (scattered < 0) return -1;
    fit += place + scattered;
  }
  // The words as they were typed, one after the other.
  if (words.size() > 1) fit += placeOf(letters.simplified(), text);
  return fit;
}

void CommandListModel::setCommands(std::vector<ListedCommand> commands) {
  beginResetModel();
  m_commands = std::move(commands);
  choose();
  endResetModel();
}

void CommandListModel::setLetters(const QString& letters) {
  beginResetModel();
  m_letters = letters;
  choose();
  endResetModel();
}

void CommandListModel::choose() {
  std::vector<std::pair<int, int>> found; // fit, command
  for (size_t k = 0; k < m_commands.size(); ++k)
    if (const int fit = fitOf(m_letters, m_commands[k].text); fit >= 0)
      found.emplace_back(fit, static_cast<int>(k));
  // Those that can be used now come first; then the best; then as the menus have them.
  std::ranges::stable_sort(found, [&](const auto& a, const auto& b) {
    const bool usable = m_commands[static_cast<size_t>(a.second)].enabled,
               other = m_commands[static_cast<size_t>(b.second)].enabled;
    return usable != other ? usable : a.first > b.first;
  });
  m_shown.clear();
  for (const auto& [fit, command] : found) m_shown.push_back(command);
}

int CommandListModel::commandOf(const QModelIndex& index) const {
  return checkIndex(index, CheckIndexOption::IndexIsValid) ? m_shown[static_cast<size_t>(index.row())] : -1;
}

int CommandListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant CommandListModel::data(const QModelIndex& index, int role) const {
  const int k = commandOf(index);
  if (k < 0) return {};
  const ListedCommand& command = m_commands[static_cast<size_t>(k)];
  switch (role) {
  case Qt::DisplayRole:
    return command.text;
  case Qt::ToolTipRole:
  case HelpRole:
    return command.help;
  case Qt::AccessibleTextRole:
    return command.keys.isEmpty() ? command.text : command.text + QStringLiteral(", ") + command.keys;
  case KeysRole:
    return command.keys;
  default:
    return {};
  }
}

Qt::ItemFlags CommandListModel::flags(const QModelIndex& index) const {
  const int k = commandOf(index);
  if (k < 0) return Qt::NoItemFlags;
  return m_commands[static_cast<size_t>(k)].enabled ? Qt::ItemIsEnabled | Qt::ItemIsSelectable
                                                    : Qt::NoItemFlags;
}

} // namespace nodewise::ui
