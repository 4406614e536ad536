// nodewise: the window and the command line in one program.
#include "commands/command.h"

#include <algorithm>
#include <string>
#include <vector>

namespace {

/// One command a line, in the order of the help text.
constexpr nodewise::AddCommand kCommands[] = {
    nodewise::addGui,     nodewise::addCompile, nodewise::addRun,  nodewise::addVerify, nodewise::addReport,
    nodewise::addExplain, nodewise::addDiff,    nodewise::addCost, nodewise::addExport, nodewise::addCache,
    nodewise::addAudit,   nodewise::addDraw,    nodewise::addSample, nodewise::addOps,  nodewise::addBench,
};

/// CLI11 throws where a name is not a subcommand's.
bool isCommand(const CLI::App& app, const std::string& word) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  return std::ranges::any_of(commands, [&](const CLI::App* command) { return command->get_name() == word; });
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app("Nodewise compiles function graphs node by node, and shows the cache.", "nodewise");
  app.set_version_flag("--version", "nodewise " NODEWISE_VERSION);
  app.require_subcommand(1);
  nodewise::CommonOptions common;
  nodewise::Invocation invocation;
  for (auto add : kCommands) add(app, common, invocation);
  // Without a command it is the window: nodewise, nodewise FILE.
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool command = !words.empty() && (words[0].starts_with("-") || isCommand(app, words[0]));
  if (!command) words.insert(words.begin(), "gui");
  std::ranges::reverse(words); // as CLI11 wants them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(nodewise::Exit::Usage);
  }
  return static_cast<int>(invocation.run ? invocation.run() : nodewise::Exit::Usage);
}
