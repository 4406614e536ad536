// Texts of the Help menu.
#pragma once

#include <QString>

namespace nodewise::ui {

QString keysText();
QString aboutText();

} // namespace nodewise::ui
