#include "runtime/root_runner.h"

#include "numeric/strided.h"
#include "ops/control.h"
#include "runtime/scan_runner.h"

#include <fmt/format.h>

#include <limits>

namespace nodewise {

namespace {

/// Finds x, from x0 on, where the inner graph's output 0 is zero. Its input 0 is x, in x0's shape; the others
/// stay as they are.
class RootRunner : public ControlRunner {
public:
  explicit RootRunner(const PlannedNode& node) : m_params(*node.lowered.control), m_machine(*node.inner) {}
  Machine* inner() override { return &m_machine; }

  int32_t run(Machine& outer, Step& step) override {
    const Array& start = *step.in[0];
    m_point.resize(static_cast<size_t>(start.size() * dtypeSize(start.dtype)));
    m_strides.resize(static_cast<size_t>(start.rank));
    m_x = start;
    m_x.strides = m_strides.data();
    m_x.data = m_point.data();
    setContiguousStrides(m_x);
    m_machine.setInput(0, m_x);
    for (size_t k = 1; k < step.in.size(); ++k) m_machine.setInput(k, *step.in[k]);

    std::vector<double> x(static_cast<size_t>(start.size()));
    toDoubles(start, x.data());
    m_failed = nullptr;
    const bool scalar = m_params.kind == ControlParams::Kind::RootScalar;
    const roots::Outcome outcome = scalar ? solveEquation(x[0]) : solveSystem(x);
    if (m_failed) return outer.context().fail("ValueError", m_failed);
    if (outcome.stopped) return passError(outer, m_machine);
    outer.provide(step.out[0], start.shape, start.rank);
    fromDoubles(x.data(), *step.out[0]);
    outer.provide(step.out[1], nullptr, 0);
    *step.out[1]->data = outcome.converged ? std::byte{1} : std::byte{0};
    return 0;
  }

private:
  /// The elements in C order.
  static void toDoubles(const Array& from, double* to) {
    std::vector<int64_t> strides(static_cast<size_t>(from.rank));
    contiguousStrides(from.shape, from.rank, sizeof(double), strides.data());
    assign({reinterpret_cast<std::byte*>(to), strides.data(), DType::Float64},
           {from.data, from.strides, from.dtype}, from.shape, from.rank);
  }
  static void fromDoubles(const double* from, const Array& to) {
    std::vector<int64_t> strides(static_cast<size_t>(to.rank));
    contiguousStrides(to.shape, to.rank, sizeof(double), strides.data());
    assign({to.data, to.strides, to.dtype},
           {reinterpret_cast<const std::byte*>(from), strides.data(), DType::Float64}, to.shape, to.rank);
  }

  bool runAt(const double* x) {
    fromDoubles(x, m_x);
    return m_machine.run();
  }
  bool give(size_t output, size_t count, double* to) {
    if (static_cast<size_t>(m_machine.output(output).size()) != count) {
      m_failed = output == 0 ? "the function's value changes its size, or is not as long as x"
                             : "the derivative has not the size of the function's value and x";
      return false;
    }
    toDoubles(m_machine.output(output), to);
    return true;
  }

  roots::Outcome solveSystem(std::vector<double>& x) {
    roots::System system;
    const size_t n = x.size();
    if (!runAt(x.data())) return {true, false};
    const auto m = static_cast<size_t>(m_machine.output(0).size());
    const bool squares = m_params.root.method == roots::Method::LevenbergMarquardt;
    if (squares ? m < n : m != n) {
      m_failed =
          squares ? "there are fewer equations than unknowns" : "there are not as many equations as unknowns";
      return {true, false};
    }
    system.unknowns = static_cast<int64_t>(n);
    system.equations = static_cast<int64_t>(m);
    if (m_x.dtype == DType::Float32) system.precision = std::numeric_limits<float>::epsilon();
    system.value = [this, m](const double* at, double* f) { return runAt(at) && give(0, m, f); };
    if (m_params.root.derivatives > 0)
      system.jacobian = [this, m, n](const double* at, double* jacobian) {
        return runAt(at) && give(1, m * n, jacobian);
      };
    return roots::solveSystem(system, m_params.root.method, m_params.root.limits, x);
  }

  roots::Outcome solveEquation(double& x) {
    roots::Equation equation;
    equation.derivatives = m_params.root.derivatives;
    equation.evaluate = [this](double at, double* values) {
      if (!runAt(&at)) return false;
      for (size_t k = 0; k <= static_cast<size_t>(m_params.root.derivatives); ++k)
        if (!give(k, 1, values + k)) return false;
      return true;
    };
    return roots::solveEquation(equation, m_params.root.scalarLimits, x);
  }

  const ControlParams& m_params;
  Machine m_machine;
  Array m_x; ///< the inner input, in m_point
  std::vector<std::byte> m_point;
  std::vector<int64_t> m_strides;
  const char* m_failed = nullptr; ///< why a function's value cannot be used
};

} // namespace

std::unique_ptr<ControlRunner> makeRootRunner(const PlannedNode& node) {
  return std::make_unique<RootRunner>(node);
}

} // namespace nodewise
