// What an action would do, and the choice to do it: a strip above the table, which blocks nothing.
#pragma once

#include "ui/cache/cache_service.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>

namespace nodewise::ui {

class ActionBar : public QFrame {
  Q_OBJECT
public:
  explicit ActionBar(CacheService& service, QWidget* parent = nullptr);

  /// Asks what it would do; the bar shows when that is known, with the keyboard on its button; on Cancel
  /// where that would do too much at a touch.
  void offer(const CacheRequest& request);
  /// Nothing is done. `back` gets the keyboard, where the bar had it.
  void dismiss();
  void setFocusBack(QWidget* back) { m_back = back; }

  QString text() const { return m_text->text(); }
  QPushButton& doIt() { return *m_doIt; }

Q_SIGNALS:
  /// An export was agreed to: where to?
  void fileWanted(const nodewise::ui::CacheRequest& request);

protected:
  void keyPressEvent(QKeyEvent* event) override;

private:
  void show(const CacheRequest& request, const Result<ActionReport>& report);
  void agree();

  CacheService& m_service;
  CacheRequest m_request;
  QLabel *m_title, *m_text;
  QPushButton *m_doIt, *m_cancel;
  QWidget* m_back = nullptr;
};

} // namespace nodewise::ui
