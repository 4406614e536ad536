// What is recorded of single nodes only when somebody asks: LLVM's passes, and the values of a run.
#pragma once

#include "session/passes.h"
#include "session/values.h"
#include "ui/document/document.h"

#include <QObject>

#include <memory>

namespace nodewise::ui {

class NodeService : public QObject {
  Q_OBJECT
public:
  NodeService(JobTracker& jobs, Document& document, QObject* parent = nullptr);

  /// Compiles a node again, keeping what each pass did.
  void requestPasses(NodeIndex node);
  /// Runs a recorded case, or invented inputs where there is none, and looks at every value.
  void requestValues(size_t caseIndex);

Q_SIGNALS:
  void passesReady(int node, const std::shared_ptr<const nodewise::NodePasses>& passes);
  void passesFailed(int node, const nodewise::Error& error);
  void valuesReady(const std::shared_ptr<const nodewise::ValueReport>& values);
  void valuesFailed(const nodewise::Error& error);

private:
  JobTracker& m_jobs;
  Document& m_document;
};

} // namespace nodewise::ui
