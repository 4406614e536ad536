// nodewise: the window and the command line in one program.
#include "commands/command.h"

#include <fmt/format.h>

namespace {

/// One command a line, in the order of the help text.
constexpr nodewise::AddCommand kCommands[] = {
    nodewise::addCompile,
    nodewise::addRun,
    nodewise::addVerify,
    nodewise::addExplain,
    nodewise::addCache,
    nodewise::addAudit,
    nodewise::addOps,
    nodewise::addBench,
};

} // namespace

int main(int argc, char** argv) {
  CLI::App app("Nodewise compiles function graphs node by node, and shows the cache.", "nodewise");
  app.set_version_flag("--version", "nodewise " NODEWISE_VERSION);
  app.require_subcommand(1);
  nodewise::CommonOptions common;
  nodewise::Invocation invocation;
  for (auto add : kCommands) add(app, common, invocation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(nodewise::Exit::Usage);
  }
  return static_cast<int>(invocation.run ? invocation.run() : nodewise::Exit::Usage);
}
