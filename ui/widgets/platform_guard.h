// Qt aborts where it finds no display. Its own program cannot ask beforehand: whether a display can be
// reached is known when the application object connects to it.
#pragma once

namespace nodewise::ui {

/// While it lives, what Qt calls fatal ends the program with exit code 3 and a sentence that says what to do.
/// To stand around the making of an application object.
class PlatformGuard {
public:
  PlatformGuard();
  ~PlatformGuard();
  PlatformGuard(const PlatformGuard&) = delete;
  PlatformGuard& operator=(const PlatformGuard&) = delete;
};

} // namespace nodewise::ui
