// Texts of the Help menu.
#pragma once

#include <QString>

namespace nodewise::ui {

/// Versions of the program and of what it stands on, and the CPU that code is made for.
QString aboutText();

} // namespace nodewise::ui
