#include "ui/jobs/job_tracker.h"
#include "ui/jobs/stall_watchdog.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <semaphore>
#include <thread>

using namespace nodewise::ui;

class TestUiJobs : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void resultsArriveOnTheWindowsThread();
  void jobsOfOneLaneRunInOrder();
  void jobsOfTwoLanesRunSideBySide();
  void aNewerJobOfASlotDropsTheOlderOnesResult();
  void aCancelledJobStillSaysWhatBecameOfIt();
  void aDroppedLaneDeliversNothing();
  void progressIsShownUntilTheEnd();
  void quietJobsAreNotShownAsBusy();
  void destructionStopsWhatRuns();
  void watchdogMeasuresAStall();
};

void TestUiJobs::resultsArriveOnTheWindowsThread() {
  JobTracker jobs;
  int result = 0;
  QThread *worked = nullptr, *delivered = nullptr;
  jobs.start(
      {"adding", "lane", {}, false},
      [&](JobContext&) {
        worked = QThread::currentThread();
        return 42;
      },
      [&](int r) {
        delivered = QThread::currentThread();
        result = r;
      });
  QTRY_COMPARE(result, 42);
  QCOMPARE(delivered, thread());
  QVERIFY(worked != thread());
  QVERIFY(jobs.idle());
}

void TestUiJobs::jobsOfOneLaneRunInOrder() {
  JobTracker jobs;
  QList<int> order;
  std::atomic<int> running{0}, most{0};
  for (int k = 0; k < 20; ++k)
    jobs.start(
        {"step", "lane", {}, false},
        [&](JobContext&) {
          most = std::max(most.load(), ++running);
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          --running;
          return true;
        },
        [&order, k](bool) { order.push_back(k); });
  QTRY_COMPARE(order.size(), 20);
  QVERIFY(std::ranges::is_sorted(order));
  QCOMPARE(most.load(), 1);
}

void TestUiJobs::jobsOfTwoLanesRunSideBySide() {
  JobTracker jobs;
  std::binary_semaphore first(0), second(0);
  int done = 0;
  // Each waits for the other: in one lane they would never end.
  jobs.start(
      {"a", "one", {}, false},
      [&](JobContext&) {
        first.release();
        return second.try_acquire_for(std::chrono::seconds(20));
      },
      [&](bool met) { done += met; });
  jobs.start(
      {"b", "two", {}, false},
      [&](JobContext&) {
        second.release();
        return first.try_acquire_for(std::chrono::seconds(20));
      },
      [&](bool met) { done += met; });
  QTRY_COMPARE_WITH_TIMEOUT(done, 2, 20000);
}

void TestUiJobs::aNewerJobOfASlotDropsTheOlderOnesResult() {
  JobTracker jobs;
  QStringList results;
  std::atomic<bool> sawStop{false};
  std::binary_semaphore started(0);
  jobs.start(
      {"old", "lane", "slot", false},
      [&](JobContext& context) {
        started.release();
        while (!context.stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        sawStop = true;
        return QString("old");
      },
      [&](const QString& r) { results.push_back(r); });
  started.acquire();
  jobs.start(
      {"never runs", "lane", "slot", false}, [](JobContext&) { return QString("middle"); },
      [&](const QString& r) { results.push_back(r); });
  jobs.start(
      {"new", "lane", "slot", false}, [](JobContext&) { return QString("new"); },
      [&](const QString& r) { results.push_back(r); });
  QTRY_COMPARE(results, QStringList{"new"});
  QTRY_VERIFY(jobs.idle());
  QVERIFY(sawStop);
  QCOMPARE(results, QStringList{"new"});
}

void TestUiJobs::aCancelledJobStillSaysWhatBecameOfIt() {
  JobTracker jobs;
  QString result;
  const uint64_t id = jobs.start(
      {"long", "lane", {}, false},
      [](JobContext& context) {
        while (!context.stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return QString("cancelled half way");
      },
      [&](const QString& r) { result = r; });
  jobs.cancel(id);
  QTRY_COMPARE(result, "cancelled half way");
}

void TestUiJobs::aDroppedLaneDeliversNothing() {
  JobTracker jobs;
  bool delivered = false;
  for (int k = 0; k < 3; ++k)
    jobs.start(
        {"long", "lane", {}, false},
        [](JobContext& context) {
          while (!context.stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          return true;
        },
        [&](bool) { delivered = true; });
  jobs.dropLane("lane");
  QVERIFY(!jobs.busy("lane"));
  QTRY_VERIFY(jobs.idle());
  QVERIFY(!delivered);
}

void TestUiJobs::progressIsShownUntilTheEnd() {
  JobTracker jobs;
  std::binary_semaphore goOn(0);
  jobs.start(
      {"counting", "lane", {}, false},
      [&](JobContext& context) {
        context.report({3, 10, "three of ten"});
        goOn.acquire();
        return true;
      },
      [](bool) {});
  QTRY_COMPARE(jobs.jobs().front().progress.text, "three of ten");
  QCOMPARE(jobs.jobs().front().progress.done, 3);
  goOn.release();
  QSignalSpy changed(&jobs, &JobTracker::changed);
  QTRY_VERIFY(jobs.idle());
  QVERIFY(changed.count() > 0);
}

void TestUiJobs::quietJobsAreNotShownAsBusy() {
  JobTracker jobs;
  std::binary_semaphore goOn(0);
  jobs.start(
      {"poll", "lane", {}, true},
      [&](JobContext&) {
        goOn.acquire();
        return true;
      },
      [](bool) {});
  QVERIFY(!jobs.busy("lane") && !jobs.idle());
  goOn.release();
  QTRY_VERIFY(jobs.idle());
}

void TestUiJobs::destructionStopsWhatRuns() {
  std::atomic<bool> ended{false};
  {
    JobTracker jobs;
    jobs.start(
        {"long", "lane", {}, false},
        [&](JobContext& context) {
          while (!context.stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          ended = true;
          return true;
        },
        [](bool) { qFatal("delivered after the end"); });
  }
  QVERIFY(ended);
}

void TestUiJobs::watchdogMeasuresAStall() {
  StallWatchdog watchdog;
  QTest::qWait(20);
  watchdog.reset();
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
  QVERIFY(watchdog.longestMs() >= 100); // seen while it lasts
  QTest::qWait(20);
  QVERIFY(watchdog.longestMs() >= 100);
  watchdog.reset();
  QVERIFY(watchdog.longestMs() < 100);
}

QTEST_MAIN(TestUiJobs)
#include "tst_ui_jobs.moc"
