// Running recorded cases and comparing with their recorded results.
#pragma once

#include "session/session.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace nodewise {

enum class Verdict : uint8_t { Passed, Failed, Unsupported, Invalid };
std::string_view verdictName(Verdict verdict);

/// One case, or the compile of a graph that has none (`caseIndex` -1).
struct CaseRecord {
  std::string file;
  int caseIndex = 0;
  Verdict verdict = Verdict::Passed;
  std::string op;                ///< of the node, or type of the value, that is unsupported or failed
  std::string reason;            ///< for anything but passed
  bool upToSign = false;         ///< a factor was checked by its equation
  bool closerThanRecord = false; ///< a single-precision result was checked by the exact one
  /// How it passed where not by equality with the record; "" else.
  std::string note() const;
};

struct VerifyReport {
  std::vector<CaseRecord> records;
  int64_t cases = 0, passed = 0, failed = 0, unsupported = 0, invalid = 0;
  int64_t upToSign = 0, closerThanRecord = 0; ///< of those that passed
  int64_t graphs = 0, compiledOnly = 0,
          notCompiled = 0; ///< graphs without a case; of them, those that do not compile
  int64_t views = 0, kernels = 0, prebuilt = 0, unsupportedNodes = 0; ///< nodes by kind
  int64_t hits = 0, misses = 0, stale = 0, uncacheable = 0, failedLookups = 0, lookupErrors = 0;
  int64_t compiled = 0, shared = 0; ///< contents through LLVM; new keys of contents that were there
  Phases phases;
  int64_t wallNs = 0, runNs = 0, compileWallNs = 0; ///< first calls; compile, lookup and link as waited for
  std::vector<std::string> warnings;
  /// No failed or invalid case, and every graph without a case compiles.
  bool good() const { return failed == 0 && invalid == 0 && notCompiled == 0; }
};

/// All .nwg.json files below the given files and folders, sorted. Error: a path that is not there, a folder
/// without any.
Result<std::vector<std::string>> graphFilesBelow(const std::vector<std::string>& paths);

/// Verifies all; `progress` after each file. Equal keys of different files compile once.
VerifyReport verifyFiles(const std::vector<std::string>& files, const SessionSettings& settings,
                         std::shared_ptr<Engine> engine,
                         const std::function<void(size_t done, const VerifyReport& soFar)>& progress,
                         std::stop_token stop);

} // namespace nodewise
