// What tests of models share: how failures are told, states of nodes, what a column shows.
#pragma once

#include "session/session.h"

#include <QAbstractItemModelTester>
#include <QStringList>

namespace nodewise::ui::test {

inline constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::QtTest;

inline NodeState stateOf(Outcome outcome, int64_t compileNs = 0) {
  NodeState state;
  state.outcome = outcome;
  state.recordedCompileNs = compileNs;
  return state;
}

inline QStringList columnOf(const QAbstractItemModel& model, int column) {
  QStringList texts;
  for (int row = 0; row < model.rowCount(); ++row)
    texts.push_back(model.index(row, column).data().toString());
  return texts;
}

} // namespace nodewise::ui::test
