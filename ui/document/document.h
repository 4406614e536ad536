// An open graph: its session, what is known of its nodes, and the commands on them. Lives on the window's
// thread; all work is done by jobs, one at a time, on the session's lane.
#pragma once

#include "session/engine.h"
#include "session/session.h"
#include "ui/document/message.h"
#include "ui/document/run_apart.h"
#include "ui/graph/scene.h"
#include "ui/jobs/job_tracker.h"
#include "ui/models/outline_tree.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace nodewise::ui {

/// A session with all that is derived from it once; made on a worker, shared, unchanging.
struct OpenGraph {
  std::shared_ptr<Session> session;
  std::shared_ptr<const SceneSource> source;
  std::shared_ptr<const OutlineTree> outline;
  std::vector<NodeState> states; ///< as they are when opened
};

class Document : public QObject {
  Q_OBJECT
public:
  Document(JobTracker& jobs, SessionSettings settings, TextMeasure measure, QObject* parent = nullptr);
  ~Document() override;

  void open(const QString& path);
  void close();
  /// Another optimisation level: the keys change, so the graph is opened anew.
  void setLevel(int level);
  int level() const { return m_settings.options.optLevel; }
  const SessionSettings& settings() const { return m_settings; }
  const std::shared_ptr<Engine>& engine() const { return m_engine; }

  void compile(CompileRequest request, const QString& title);
  /// Runs the file's first recorded case, or made-up inputs where it has none, once, with the run time of
  /// each node.
  void run();
  /// Runs graphs in a process of its own, so that a crash leaves this one standing.
  void setRunProgram(RunProgram program) { m_runProgram = std::move(program); }
  /// Asks for the key and the IR of a node; answers come by explained() and coded().
  void explain(NodeIndex node);
  void requestCode(NodeIndex node);
  /// Asks the cache again what these nodes would be now (after an invalidation), without compiling.
  void lookAgain(std::vector<NodeIndex> nodes);

  bool isOpen() const { return m_graph.session != nullptr; }
  bool isWorking() const { return m_jobs.busy(lane()); }
  const QString& path() const { return m_path; }
  /// What was asked for last, be it open yet or not.
  const QString& pendingPath() const { return m_pendingPath; }
  QString title() const;
  const Session& session() const { return *m_graph.session; }
  /// For jobs of views, which may outlast the graph; null: none is open.
  std::shared_ptr<Session> sharedSession() const { return m_graph.session; }
  std::span<const NodeInfo> nodes() const;
  std::span<const NodeState> states() const { return m_graph.states; }
  std::shared_ptr<const SceneSource> source() const { return m_graph.source; }
  std::shared_ptr<const OutlineTree> outline() const { return m_graph.outline; }
  const std::optional<CompileSummary>& summary() const { return m_summary; }
  std::vector<NodeIndex> nodesOfKeys(std::span<const Hash> keys) const;

  static QString lane() { return QStringLiteral("session"); }
  /// Reading jobs of the session, which may run beside a compile.
  static QString inspectLane() { return QStringLiteral("inspect"); }

Q_SIGNALS:
  void opened();
  void closed();
  void statesChanged();
  void compiled();
  void ran(); ///< well or not; the states are told before
  void explained(int node, const nodewise::Result<nodewise::Explanation>& explanation);
  void coded(int node, const nodewise::Result<nodewise::NodeCode>& code);
  void message(const nodewise::ui::Message& message);
  void nodeWanted(int node); ///< the button of a message about this node

private:
  /// Nodes that workers reported as changed, for the next turn of the window's thread.
  struct Changes {
    std::mutex mutex;
    std::vector<NodeIndex> nodes; ///< guarded by mutex
  };
  void dropJobs();
  void startOpening(const QString& title, std::function<Result<std::unique_ptr<Session>>()> open);
  void show(Result<OpenGraph> graph);
  Message notOpened(const Error& error) const;
  void showEnd(const Result<RunEnd>& end);
  void leave(OpenGraph graph);
  void releaseLeft();
  void takeChanges();

  JobTracker& m_jobs;
  SessionSettings m_settings;
  std::shared_ptr<Engine> m_engine; ///< linked code and workers, kept from graph to graph
  TextMeasure m_measure;
  QString m_path, m_pendingPath;
  RunProgram m_runProgram;
  OpenGraph m_graph;
  std::optional<CompileSummary> m_summary;
  std::shared_ptr<Changes> m_changes = std::make_shared<Changes>();
  std::vector<OpenGraph> m_left; ///< graphs that a view may still hold
  QTimer m_ticker, m_sweeper;
};

} // namespace nodewise::ui
