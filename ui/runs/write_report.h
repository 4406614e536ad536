// A run as an HTML file, from the window: with the picture that it shows, where the run is of its graph.
#pragma once

#include "cache/settings.h"
#include "session/session.h"
#include "ui/graph/graph_canvas.h"
#include "ui/jobs/job_tracker.h"

namespace nodewise::ui {

struct ReportRequest {
  int64_t run = 0;                              ///< recorded; 0: of the session's last compile
  std::shared_ptr<Session> session;             ///< null: no graph is open
  std::shared_ptr<const CanvasPicture> picture; ///< of the session's graph; null: none
  CacheSettings settings;
  QString path;
};

/// Blocking: call it on a worker. A session that has compiled nothing yet does so first. Errors: no such run,
/// the file cannot be written, cancelled.
Result<void> writeReport(const ReportRequest& request, JobContext& context);

} // namespace nodewise::ui
