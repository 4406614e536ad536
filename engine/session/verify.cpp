#include "session/verify.h"

#include "session/compare.h"
#include "session/engine.h"
#include "session/factor_outputs.h"
#include "session/opaque.h"
#include "session/phase_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace nodewise {

namespace {

int64_t since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
}

class Verifier {
public:
  Verifier(const SessionSettings& settings, std::shared_ptr<Engine> engine, VerifyReport& report)
      : m_settings(settings), m_engine(std::move(engine)), m_report(report) {}

  void verify(const std::string& path, std::stop_token stop) {
    ++m_report.graphs;
    Result<std::unique_ptr<Session>> opened = Session::open(path, m_settings, m_engine);
    if (!opened) {
      ++m_report.cases;
      add({path, 0, Verdict::Invalid, {}, opened.error().text()});
      return;
    }
    Session& session = **opened;
    countKinds(session);
    const auto begin = std::chrono::steady_clock::now();
    Result<CompileSummary> compiled = session.compile({}, {}, stop);
    m_report.compileWallNs += since(begin);
    if (compiled) countLookups(*compiled);
    const std::vector<Case>& cases = session.file().cases;
    if (cases.empty()) {
      ++m_report.compiledOnly;
      std::string why = compiled ? std::string() : compiled.error().text();
      for (const NodeInfo& info : session.nodes())
        if (session.state(info.index).outcome == Outcome::Failed)
          why = fmt::format("{} {}: {}", info.path, info.op, session.state(info.index).reason);
      if (!why.empty()) {
        ++m_report.notCompiled;
        m_report.records.push_back({path, -1, Verdict::Failed, {}, why});
      }
      return;
    }
    for (size_t k = 0; k < cases.size(); ++k) {
      ++m_report.cases;
      add(verifyCase(session, cases[k], path, static_cast<int>(k), stop));
    }
  }

private:
  void add(CaseRecord record) {
    int64_t* counts[] = {&m_report.passed, &m_report.failed, &m_report.unsupported, &m_report.invalid};
    ++*counts[static_cast<size_t>(record.verdict)];
    if (record.verdict == Verdict::Passed) {
      m_report.upToSign += record.upToSign ? 1 : 0;
      m_report.closerThanRecord += record.closerThanRecord ? 1 : 0;
    }
    m_report.records.push_back(std::move(record));
  }

  void countKinds(const Session& session) {
    int64_t* counts[] = {&m_report.views, &m_report.kernels, &m_report.prebuilt, &m_report.unsupportedNodes};
    for (const NodeInfo& info : session.nodes()) ++*counts[static_cast<size_t>(info.kind)];
  }

  void countLookups(const CompileSummary& s) {
    m_report.hits += s.hits;
    m_report.misses += s.misses;
    m_report.stale += s.stale;
    m_report.uncacheable += s.uncacheable;
    m_report.failedLookups += s.failed;
    m_report.lookupErrors += s.lookupErrors;
    m_report.compiled += s.compiled;
    m_report.shared += s.shared;
    addPhases(m_report.phases, s.phases);
    for (const std::string& warning : s.warnings)
      if (std::ranges::find(m_report.warnings, warning) == m_report.warnings.end())
        m_report.warnings.push_back(warning);
  }

  CaseRecord verifyCase(Session& session, const Case& recorded, const std::string& path, int index,
                        std::stop_token stop) {
    CaseRecord record{path, index, Verdict::Passed, {}, {}};
    for (const NodeInfo& info : session.nodes())
      if (info.kind == NodeKind::Unsupported) {
        record.verdict = Verdict::Unsupported;
        record.op = info.op;
        record.reason = info.reason;
        return record;
      }
    const Graph& graph = session.file().graph;
    std::optional<OpaqueValue> opaque = opaqueInput(graph);
    if (!opaque) opaque = opaqueValue(graph, recorded);
    if (opaque) {
      record.verdict = Verdict::Unsupported;
      record.op = opaque->type;
      record.reason = opaque->why;
      return record;
    }
    const auto begin = std::chrono::steady_clock::now();
    Result<RunResult> result = session.run(recorded.inputs, 1, false, stop);
    m_report.runNs += since(begin);
    if (!recorded.raisesType.empty()) {
      if (result)
        fail(record, fmt::format("expected {}, found no error", recorded.raisesType));
      else if (result.error().type != recorded.raisesType)
        fail(record, fmt::format("expected {}, found {}", recorded.raisesType, result.error().text()));
      return record;
    }
    if (!result) {
      fail(record, result.error().text());
      return record;
    }
    for (size_t k = 0; k < recorded.outputs.size() && k < result->outputs.size(); ++k)
      if (std::string why = difference(result->outputs[k], recorded.outputs[k], recorded); !why.empty()) {
        if (const auto factors = checkFactorOutput(session, m_engine, recorded, result->outputs, k, stop)) {
          countLookups(factors->compile);
          if (factors->wrong.empty()) {
            record.upToSign = true;
            continue;
          }
          why += "; " + factors->wrong;
        } else if (const auto wrong =
                       checkExponentialOutput(session.file().graph, recorded, result->outputs, k)) {
          if (wrong->empty()) {
            record.closerThanRecord = true;
            continue;
          }
          why += "; " + *wrong;
        }
        fail(record, fmt::format("output {}: {}", k, why));
        record.op = makerOf(graph, graph.outputs[k]);
        return record;
      }
    return record;
  }

  static void fail(CaseRecord& record, std::string reason) {
    record.verdict = Verdict::Failed;
    record.reason = std::move(reason);
  }

  static std::string makerOf(const Graph& graph, ValueId value) {
    for (const Node& node : graph.nodes)
      if (std::ranges::find(node.out, value) != node.out.end()) return node.op;
    return {};
  }

  SessionSettings m_settings;
  std::shared_ptr<Engine> m_engine;
  VerifyReport& m_report;
};

} // namespace

std::string CaseRecord::note() const {
  if (verdict != Verdict::Passed) return {};
  std::string text = upToSign ? "up to sign" : "";
  if (closerThanRecord)
    text += fmt::format("{}closer to the exact result than the record", text.empty() ? "" : "; ");
  return text;
}

std::string_view verdictName(Verdict verdict) {
  constexpr std::string_view names[] = {"passed", "failed", "unsupported", "invalid"};
  return names[static_cast<size_t>(verdict)];
}

Result<std::vector<std::string>> graphFilesBelow(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      const size_t before = files.size();
      for (auto it =
               fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, error);
           !error && it != fs::recursive_directory_iterator(); it.increment(error))
        if (it->path().string().ends_with(".nwg.json")) files.push_back(it->path().string());
      if (error) return Error{"cannot be read: " + error.message(), path, {}, {}};
      if (files.size() == before)
        return Error{"no .nwg.json file below this folder", path, "give a file or another folder", {}};
    } else if (fs::exists(path, error)) {
      files.push_back(path);
    } else {
      return Error{"no such file or folder", path, {}, {}};
    }
  }
  std::ranges::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

VerifyReport verifyFiles(const std::vector<std::string>& files, const SessionSettings& settings,
                         std::shared_ptr<Engine> engine,
                         const std::function<void(size_t, const VerifyReport&)>& progress,
                         std::stop_token stop) {
  VerifyReport report;
  if (!engine) engine = std::make_shared<Engine>(settings.threads);
  const auto begin = std::chrono::steady_clock::now();
  Verifier verifier(settings, engine, report);
  for (size_t k = 0; k < files.size() && !stop.stop_requested(); ++k) {
    verifier.verify(files[k], stop);
    report.wallNs = since(begin);
    if (progress) progress(k + 1, report);
  }
  return report;
}

} // namespace nodewise
