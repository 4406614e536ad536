// What the cache keeps of the selected entry, whether or not its graph is at hand: its key part by part, what
// it cost, its code. Of two selected entries, their keys beside each other.
#pragma once

#include "ui/cache/cache_service.h"
#include "ui/models/key_model.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QWidget>

namespace nodewise::ui {

class EntryPanel : public QWidget {
  Q_OBJECT
public:
  explicit EntryPanel(CacheService& service, QWidget* parent = nullptr);

  enum Tab { KeyTab, IrTab, OptimisedTab, AsmTab };

  /// One entry, or two to compare; none or more: says what to pick. Read when the panel is seen.
  void showEntries(std::vector<int64_t> entries);
  void setDarkTheme(bool dark) { m_key.setDarkTheme(dark); }

  QString headline() const { return m_head->text(); }
  const KeyModel& keyModel() const { return m_key; }
  QTabWidget& tabs() { return *m_tabs; }
  QString codeText() const { return m_code[m_tabs->currentIndex() - IrTab]->toPlainText(); }

protected:
  void showEvent(QShowEvent* event) override;

private:
  void ask();
  void askForCode();
  void showDetails(const std::vector<EntryDetail>& details);
  void showCode(int64_t entry, const Result<EntryCode>& code);

  CacheService& m_service;
  std::vector<int64_t> m_entries;
  KeyModel m_key;
  QLabel* m_head;
  QTabWidget* m_tabs;
  QTableView* m_table;
  std::array<QPlainTextEdit*, 3> m_code{};
  QTimer m_rest; ///< keys held down pass over many entries
  int64_t m_shownCode = 0;
};

} // namespace nodewise::ui
