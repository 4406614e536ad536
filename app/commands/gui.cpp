// nodewise [gui] [FILE]: the window.
#include "command.h"

#include "ui/main_window/run_window.h"

#include <filesystem>

namespace nodewise {

void addGui(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* command =
      app.add_subcommand("gui", "Open the window (what nodewise does without a command).\n"
                                "Example: nodewise gui resources/samples/kalman_filter.nwg.json");
  struct Options {
    std::string file, theme;
    int runTimeout = 0;
  };
  auto o = std::make_shared<Options>();
  command->add_option("FILE", o->file, "Graph file to open");
  command->add_option("--theme", o->theme, "Colours of the window")
      ->check(CLI::IsMember({"light", "dark", "system"}))
      ->type_name("NAME");
  command
      ->add_option(
          "--run-timeout", o->runTimeout,
          "End a run after so many seconds: the node that took them fails, and its entry is quarantined")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("SECONDS");
  command->add_option("--level,-O", common.settings.options.optLevel, "Optimisation level, 0 to 3")
      ->check(CLI::Range(0, 3))
      ->type_name("N");
  addCacheOptions(*command, common);
  command->callback([&, o] {
    invocation.run = [&, o] {
      WindowOptions options;
      options.file = o->file;
      options.cache = common.settings.cache;
      std::error_code ignored;
      options.runProgram = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
      options.runTimeoutSeconds = o->runTimeout;
      options.optLevel = common.settings.options.optLevel;
      if (o->theme == "light") options.theme = ui::ThemeChoice::Light;
      if (o->theme == "dark") options.theme = ui::ThemeChoice::Dark;
      if (o->theme == "system") options.theme = ui::ThemeChoice::System;
      // Qt takes no part in the command line: all options are ours.
      int argc = 1;
      std::string name = "nodewise";
      char* argv[] = {name.data(), nullptr};
      return static_cast<Exit>(runWindow(options, argc, argv));
    };
  });
}

} // namespace nodewise
