// Commands that a few letters find, best first.
#pragma once

#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace nodewise::ui {

/// A command as the palette shows it.
struct ListedCommand {
  QString text, keys, help;
  bool enabled = true;
};

/// How well what was typed fits a text. Each of its words is best as a whole word, then at the start of one,
/// then inside, then as letters in this order (starts of words and letters side by side count more). -1: a
/// word is in none of these.
int fitOf(const QString& letters, const QString& text);

class CommandListModel : public QAbstractListModel {
  Q_OBJECT
public:
  enum Role { KeysRole = Qt::UserRole + 1, HelpRole };
  using QAbstractListModel::QAbstractListModel;

  void setCommands(std::vector<ListedCommand> commands);
  void setLetters(const QString& letters);
  /// Position in the list given to setCommands(), or -1.
  int commandOf(const QModelIndex& index) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
  void choose();

  std::vector<ListedCommand> m_commands;
  std::vector<int> m_shown;
  QString m_letters;
};

} // namespace nodewise::ui
