#include "ui/models/command_list_model.h"

#include <algorithm>

namespace nodewise::ui {

int fitOf(const QString& letters, const QString& text) {
  int fit = 0;
  qsizetype at = 0;
  bool beside = false;
  for (const QChar letter : letters) {
    if (letter.isSpace()) {
      beside = false;
      continue;
    }
    const qsizetype found = text.indexOf(letter, at, Qt::CaseInsensitive);
    if (found < 0) return -1;
    const bool startsWord = found == 0 || !text[found - 1].isLetterOrNumber();
    fit += 1 + (startsWord ? 3 : 0) + (beside && found == at ? 4 : 0);
    at = found + 1;
    beside = true;
  }
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
