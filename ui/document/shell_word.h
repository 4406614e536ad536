// Words of command lines.
#pragma once

#include <QString>

namespace nodewise::ui {

/// A word as a shell reads it: quoted where it has to be.
QString shellWord(const QString& word);

} // namespace nodewise::ui
