// Starting the window.
#pragma once

#include "cache/settings.h"
#include "ui/theme/theme.h"

#include <optional>
#include <string>

namespace nodewise::ui {

struct WindowOptions {
  std::string file;   ///< graph to open at once; empty: that of the last time, if restoreSession
  CacheOptions cache; ///< as the command line gives it
  int optLevel = 2;
  std::optional<ThemeChoice> theme; ///< none: as it was last time
  std::string samplesDir;           ///< graphs for the Samples menu; empty: looked for beside the program
  std::string dotProgram = "dot";
  std::string
      runProgram; ///< this program, to run graphs in a process of its own; empty: they are run in this one
  int runTimeoutSeconds = 0;  ///< a run in such a process is ended after so long; 0: never
  bool restoreSession = true; ///< window, recent files, theme, graph; false: nothing is read or kept
};

} // namespace nodewise::ui

namespace nodewise {

using WindowOptions = ui::WindowOptions;

/// Opens the window and runs until it is closed; gives the exit code. Makes the QApplication.
int runWindow(const WindowOptions& options, int& argc, char** argv);

} // namespace nodewise
