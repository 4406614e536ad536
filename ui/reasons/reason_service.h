// What the reasons view asks for, each as a job: root causes, suppositions, the audit, two keys beside each
// other.
#pragma once

#include "session/audit.h"
#include "session/cascade.h"
#include "session/what_if.h"
#include "ui/document/document.h"
#include "ui/jobs/job_tracker.h"

#include <QObject>

namespace nodewise::ui {

/// Key parts of one side of a comparison.
struct KeySide {
  QString title; ///< "now", "entry 3f2a9c1b02, 4 days old", "run 12"
  std::vector<KeyPart> parts;
};

class ReasonService : public QObject {
  Q_OBJECT
public:
  ReasonService(JobTracker& jobs, Document& document, CacheSettings settings, QObject* parent = nullptr);

  /// Of the last compile of the open graph (the run of this id, if it is not 0), or else as looked up now.
  void requestCauses(int64_t runId);
  void requestWhatIf(const Pretend& pretend);
  void requestAudit();
  /// The key of an entry, by the first digits of its key; or the key that a node had in a run.
  void requestEntry(const QString& keyPrefix);
  void requestRunKey(int64_t runId, const QString& path);

Q_SIGNALS:
  void causesReady(const std::vector<nodewise::CascadeItem>& items, bool recorded);
  void whatIfReady(const std::shared_ptr<const nodewise::WhatIf>& result);
  void auditReady(const std::shared_ptr<const nodewise::AuditReport>& report);
  void keyReady(const nodewise::ui::KeySide& key);
  void failed(const nodewise::Error& error);

private:
  JobTracker& m_jobs;
  Document& m_document;
  CacheSettings m_settings;
};

} // namespace nodewise::ui
