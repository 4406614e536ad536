// Kernels against hand-written loops, measured in turn.
#include "baselines.h"
#include "graphs.h"
#include "measure.h"
#include "rows.h"

#include "runtime/machine.h"
#include "session/session.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

namespace nodewise::bench {

namespace {

/// A kernel of one node, with inputs of n elements bound.
struct Kernel {
  std::unique_ptr<Session> session;
  Machine* machine = nullptr;
  std::vector<std::vector<double>> inputs;
  int64_t shape = 0, stride = sizeof(double);
};

Result<std::unique_ptr<Kernel>> makeKernel(GraphFile graph, size_t count, int64_t n) {
  auto k = std::make_unique<Kernel>();
  SessionSettings settings;
  settings.useCache = false;
  settings.threads = 1;
  NW_TRY(k->session, Session::open(std::move(graph), settings));
  NW_TRY(k->machine, k->session->machine());
  k->shape = n;
  for (size_t i = 0; i < count; ++i) {
    k->inputs.emplace_back(static_cast<size_t>(n));
    for (size_t j = 0; j < k->inputs[i].size(); ++j)
      k->inputs[i][j] = 0.001 * static_cast<double>(j % 997) - 0.3;
  }
  for (size_t i = 0; i < count; ++i) {
    Array array;
    array.rank = 1;
    array.shape = &k->shape;
    array.strides = &k->stride;
    array.data = reinterpret_cast<std::byte*>(k->inputs[i].data());
    k->machine->setInput(i, array);
  }
  if (!k->machine->run()) return k->machine->error();
  return k;
}

int64_t callsFor(int64_t n) { return std::max<int64_t>(1, 4'000'000 / n); }

BenchRow ratio(std::string name, Pair times, double atLeast, std::string note) {
  return {std::move(name),
          times.b / times.a,
          "of the loop's speed",
          {},
          atLeast,
          fmt::format("{}: kernel {:.4g} µs, loop {:.4g} µs", note, times.a / 1e3, times.b / 1e3)};
}

} // namespace

Result<std::vector<BenchRow>> kernelRows() {
  std::vector<BenchRow> rows;
  for (const int64_t n : {int64_t{1000}, int64_t{100'000}, int64_t{10'000'000}}) {
    const bool large = n >= 1'000'000;
    NW_TRY(auto add, makeKernel(elementwise("add", 2), 2, n));
    const auto length = static_cast<size_t>(n);
    std::vector<double> out(length);
    auto loop = large ? baseline::addStreaming : baseline::add;
    Pair times = inTurn(
        9, callsFor(n), [&] { (void)add->machine->run(); },
        [&] { loop(add->inputs[0].data(), add->inputs[1].data(), out.data(), n); });
    rows.push_back(ratio(fmt::format("add of {} elements", n), times, large ? 0.95 : 0,
                         large ? "against streaming stores" : "whole call of the VM"));
    NW_TRY(auto sums, makeKernel(sum(), 1, n));
    volatile double sink = 0;
    times = inTurn(
        9, callsFor(n), [&] { (void)sums->machine->run(); },
        [&] { sink = baseline::sum(sums->inputs[0].data(), n); });
    rows.push_back(
        ratio(fmt::format("sum of {} elements", n), times, large ? 0.95 : 0, "whole call of the VM"));
  }
  NW_TRY(auto exp, makeKernel(elementwise("exp", 1), 1, 1000));
  std::vector<double> out(1000);
  const Pair times = inTurn(
      15, 4000, [&] { (void)exp->machine->run(); },
      [&] { baseline::exponential(exp->inputs[0].data(), out.data(), 1000); });
  rows.push_back(ratio("exp of 1000 elements", times, 0.90, "against a loop over libmvec"));
  return rows;
}

} // namespace nodewise::bench
