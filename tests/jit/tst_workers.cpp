// Compile workers: every job ends exactly once, whatever happens.
#include "jit/workers.h"

#include "jit/compiler.h"
#include "jit/host.h"
#include "jit/linker.h"
#include "kernel_text.h"

#include <QtTest>

#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <thread>

using namespace nodewise;
using namespace nodewise::testing;

class TestWorkers : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void compilesOnEachWorker() {
    Workers workers(hostTarget(), 3);
    QCOMPARE(workers.threads(), 3);
    std::mutex mutex;
    std::vector<CompiledObject> objects;
    for (int k = 0; k < 60; ++k)
      QVERIFY(workers.submit({.work = [&, k](Compiler& compiler) -> Result<void> {
                                NW_TRY(CompiledObject object,
                                       compiled(returning(k), "nw_w" + std::to_string(k), {}, compiler));
                                const std::scoped_lock lock(mutex);
                                objects.push_back(std::move(object));
                                return {};
                              },
                              .done = [](const JobEnd& end) { QCOMPARE(end.state, JobEnd::State::Done); },
                              .stop = {}}));
    workers.wait();
    QCOMPARE(objects.size(), size_t{60});
    for (const CompiledObject& one : objects) QVERIFY(checkObject(one.symbol, one.object).ok());
  }

  void endsAreDeliveredOnce_data() {
    QTest::addColumn<int>("threads");
    QTest::newRow("one thread") << 1;
    QTest::newRow("four threads") << 4;
  }
  void endsAreDeliveredOnce() {
    QFETCH(int, threads);
    Workers workers(hostTarget(), threads);
    std::vector<std::atomic<int>> ends(2000);
    for (auto& end : ends)
      workers.submit({.work = [](Compiler&) -> Result<void> { return {}; },
                      .done = [&end](const JobEnd&) { ++end; },
                      .stop = {}});
    workers.wait();
    for (const auto& end : ends) QCOMPARE(end.load(), 1);
  }

  void failureIsReported() {
    Workers workers(hostTarget(), 1);
    JobEnd seen;
    workers.submit({.work = [](Compiler&) -> Result<void> {
                      return Error{"no", "node 3", "", ""};
                    },
                    .done = [&](const JobEnd& end) { seen = end; },
                    .stop = {}});
    workers.wait();
    QCOMPARE(seen.state, JobEnd::State::Failed);
    QCOMPARE(seen.error.where, std::string("node 3"));
  }

  void exceptionIsAFailure() {
    Workers workers(hostTarget(), 1);
    JobEnd seen;
    workers.submit({.work = [](Compiler&) -> Result<void> { throw std::runtime_error("thrown"); },
                    .done = [&](const JobEnd& end) { seen = end; },
                    .stop = {}});
    workers.submit({.work = [](Compiler&) -> Result<void> { return {}; },
                    .done = [](const JobEnd&) { throw 1; },
                    .stop = {}});
    workers.wait();
    QCOMPARE(seen.state, JobEnd::State::Failed);
    QCOMPARE(seen.error.what, std::string("thrown"));
  }

  void stoppedJobsDoNotBegin() {
    Workers workers(hostTarget(), 1);
    std::latch begun(1), go(1);
    std::stop_source stop;
    std::atomic<int> worked = 0, cancelled = 0, finished = 0;
    const auto done = [&](const JobEnd& end) {
      (end.state == JobEnd::State::Cancelled ? cancelled : finished)++;
    };
    workers.submit({.work = [&](Compiler&) -> Result<void> {
                      begun.count_down();
                      go.wait();
                      return {};
                    },
                    .done = done,
                    .stop = stop.get_token()});
    for (int k = 0; k < 10; ++k)
      workers.submit({.work = [&](Compiler&) -> Result<void> {
                        ++worked;
                        return {};
                      },
                      .done = done,
                      .stop = k < 6 ? stop.get_token() : std::stop_token()});
    begun.wait();
    stop.request_stop();
    go.count_down();
    workers.wait();
    QCOMPARE(cancelled.load(), 6);
    QCOMPARE(worked.load(), 4);
    QCOMPARE(finished.load(), 5); // the one that ran when it was stopped is done
  }

  void shutDownEndsWhatHasNotBegun() {
    std::atomic<int> ends = 0, cancelled = 0;
    {
      Workers workers(hostTarget(), 2);
      std::latch begun(2);
      for (int k = 0; k < 100; ++k)
        workers.submit({.work = [&, k](Compiler&) -> Result<void> {
                          if (k < 2) {
                            begun.count_down();
                            std::this_thread::sleep_for(std::chrono::milliseconds(20));
                          }
                          return {};
                        },
                        .done =
                            [&](const JobEnd& end) {
                              ++ends;
                              if (end.state == JobEnd::State::Cancelled) ++cancelled;
                            },
                        .stop = {}});
      begun.wait();
    }
    QCOMPARE(ends.load(), 100);
    QCOMPARE(cancelled.load(), 98);
  }

  void nothingIsTakenAfterShutDown() {
    Workers workers(hostTarget(), 1);
    workers.shutDown();
    bool called = false;
    QVERIFY(!workers.submit({.work = [&](Compiler&) -> Result<void> {
                               called = true;
                               return {};
                             },
                             .done = [&](const JobEnd&) { called = true; },
                             .stop = {}}));
    workers.wait();
    workers.shutDown();
    QVERIFY(!called);
  }

  void waitingForNothingReturns() {
    Workers workers(hostTarget(), 2);
    workers.wait();
    std::atomic<bool> called = false;
    QVERIFY(workers.submit({.work = [](Compiler&) -> Result<void> { return {}; },
                            .done = [&](const JobEnd&) { called = true; },
                            .stop = {}}));
    workers.wait();
    QVERIFY(called); // and work goes on afterwards
  }

  void doneMaySubmitMore() {
    Workers workers(hostTarget(), 2);
    std::atomic<int> depth = 0;
    std::function<void()> next = [&] {
      workers.submit({.work = [](Compiler&) -> Result<void> { return {}; },
                      .done =
                          [&](const JobEnd&) {
                            if (++depth < 500) next();
                          },
                      .stop = {}});
    };
    next();
    workers.wait();
    QCOMPARE(depth.load(), 500);
  }

  void jobsBeginInOrder() {
    Workers workers(hostTarget(), 1);
    std::vector<int> order;
    for (int k = 0; k < 100; ++k)
      workers.submit({.work = [&order, k](Compiler&) -> Result<void> {
                        order.push_back(k);
                        return {};
                      },
                      .done = {},
                      .stop = {}});
    workers.wait();
    QCOMPARE(order.size(), size_t{100});
    QVERIFY(std::ranges::is_sorted(order));
  }

  void deepExpressionsFitOnTheStack() {
    // A chain of 20,000 operations: LLVM's recursive parts overflow a default thread stack on such.
    Workers workers(hostTarget(), 1);
    JobEnd seen;
    workers.submit({.work = [](Compiler& compiler) -> Result<void> {
                      std::string body = "%v0 = fadd double %x, %y\n";
                      constexpr int kDepth = 20000;
                      for (int k = 1; k < kDepth; ++k)
                        body += "%v" + std::to_string(k) + " = " + (k % 2 ? "fmul" : "fsub") + " double %v" +
                                std::to_string(k - 1) + ", %y\n";
                      body += "%r = fadd double %v" + std::to_string(kDepth - 1) + ", 1.0";
                      NW_CHECK(compiled(loopOf("double", body), "nw_deep", {.optLevel = 1}, compiler));
                      return {};
                    },
                    .done = [&](const JobEnd& end) { seen = end; },
                    .stop = {}});
    workers.wait();
    QVERIFY2(seen.state == JobEnd::State::Done, seen.error.text().c_str());
  }
};

QTEST_APPLESS_MAIN(TestWorkers)
#include "tst_workers.moc"
