// The engine's words as Qt's.
#pragma once

#include <QString>

#include <string_view>

namespace nodewise::ui {

/// UTF-8, as all text of the engine is.
inline QString text(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace nodewise::ui
