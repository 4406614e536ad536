// What the values of a run were: for each input and output of each node its shape, and what its numbers are
// like. Shows where the first not-a-number came from.
#pragma once

#include "codegen/abi.h"
#include "session/session.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nodewise {

struct ValueStats {
  std::string dtype;          ///< "float64"; the kind's name for what holds no numbers
  std::vector<int64_t> shape; ///< in the last call
  int64_t elements = 0;       ///< over all calls, as are the following
  double min = 0, max = 0;    ///< of finite elements; complex ones count by their size
  double mean = 0;            ///< of finite elements
  int64_t finite = 0, nans = 0, infs = 0;
  bool numeric = false;
};

struct NodeValues {
  NodeIndex node = 0;
  int64_t calls = 0; ///< nodes of inner graphs run often
  std::vector<ValueStats> in, out;
  bool makesNan = false; ///< some output had a nan in a call in which no input had one
  bool makesInf = false; ///< likewise
};

struct ValueReport {
  std::vector<NodeValues> nodes;     ///< in the order in which they first ran
  std::optional<NodeIndex> firstNan; ///< the first node that made one of what had none
  std::optional<NodeIndex> firstInf;
  std::optional<Error> error; ///< the run failed; what ran before is in the report
  const NodeValues* find(NodeIndex node) const;
};

/// Adds what an array holds to `stats`; gives how many nan and inf are in this one.
struct BadElements {
  int64_t nans = 0, infs = 0;
};
BadElements addValues(ValueStats& stats, const Array& array);

/// Takes steps as a machine runs them.
class ValueCollector {
public:
  void before(NodeIndex node, std::span<Array* const> in);
  void after(NodeIndex node, std::span<Array* const> out);
  ValueReport take();

private:
  NodeValues& of(NodeIndex node);

  ValueReport m_report;
  std::map<NodeIndex, size_t> m_place;
  std::vector<BadElements> m_inputs; ///< of the steps that are running, the innermost last
};

} // namespace nodewise
