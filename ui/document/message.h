// What the window tells its user: in a bar in place, never in a dialog that blocks.
#pragma once

#include "base/result.h"

#include <QString>

#include <functional>

namespace nodewise::ui {

enum class MessageKind : uint8_t { Info, Warning, Error };

struct Message {
  MessageKind kind = MessageKind::Info;
  QString text;       ///< what, and where
  QString remedy;     ///< what to do about it
  QString actionText; ///< "Undo"; empty: no button
  std::function<void()> action;
  QString topic; ///< a newer message of the same topic takes its place
};

inline Message errorMessage(const Error& error, const QString& doing = {}) {
  QString text = QString::fromStdString(error.where.empty() ? error.what : error.where + ": " + error.what);
  if (!doing.isEmpty()) text = doing + QStringLiteral(": ") + text;
  return {MessageKind::Error, text, QString::fromStdString(error.remedy), {}, {}, {}};
}

} // namespace nodewise::ui
