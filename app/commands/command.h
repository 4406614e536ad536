// A command of the program: how it is described to CLI11, and what it does.
#pragma once

#include "session/session.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>

namespace nodewise {

/// Exit codes of the program, the same for every command.
enum class Exit : int { Fine = 0, Found = 1, Usage = 2, NoEnvironment = 3 };

/// Options that every command takes.
struct CommonOptions {
  SessionSettings settings;
  bool json = false;
};

/// What a command line asked for; run after parsing.
struct Invocation {
  std::function<Exit()> run;
};

/// Adds one subcommand; its callback fills in `invocation`.
using AddCommand = void (*)(CLI::App& app, CommonOptions& common, Invocation& invocation);

/// Adds --cache, --no-cache, --level, --threads, ... to a command that compiles or looks up.
void addCacheOptions(CLI::App& command, CommonOptions& common);
void addCodeOptions(CLI::App& command, CommonOptions& common);

/// Prints an error to standard error, and gives `exit` back.
Exit fail(const Error& error, Exit exit);

void addCost(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addDiff(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addCompile(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addBench(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addOps(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addAudit(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addExport(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addExplain(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addCache(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addDraw(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addGui(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addReport(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addRun(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addSample(CLI::App& app, CommonOptions& common, Invocation& invocation);
void addVerify(CLI::App& app, CommonOptions& common, Invocation& invocation);

} // namespace nodewise
