// Recorded runs as a command line names them.
#pragma once

#include "command.h"

#include "cache/run_history.h"

namespace nodewise {

/// For help texts: how a run is named.
inline constexpr const char* kRunHelp =
    "Number of a recorded run, \"last\", or \"last~1\" for the one before it";

/// The cache that the options name; what it says on opening goes to standard error. Error: of type
/// "Environment".
Result<Store> openCache(const CommonOptions& common);
/// "12", "last", "last~2". Errors: no such run, not a name of one.
Result<RunRecord> findRun(Store& store, const std::string& text);
/// The exit code that an error of these calls for.
Exit exitOf(const Error& error);

} // namespace nodewise
