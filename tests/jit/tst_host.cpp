// Which machine code is for; code for another CPU is refused, not run.
#include "jit/host.h"

#include "codegen/abi.h"

#include <QtTest>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace nodewise;

class TestHost : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void namesTheMachineNotNative() {
    const TargetSpec host = hostTarget();
    QVERIFY(!host.triple.empty());
    QVERIFY(!host.cpu.empty());
    QVERIFY(host.cpu != "native");
    QVERIFY(host.triple.find("linux") != std::string::npos);
  }

  void featuresAreSortedAndOnlyThoseEnabled() {
    const std::vector<std::string> names = split(hostTarget().features);
    QVERIFY(!names.empty());
    for (const std::string& name : names) {
      QVERIFY(name.size() > 1);
      QCOMPARE(name[0], '+');
    }
    QVERIFY(std::ranges::is_sorted(names));
  }

  void featuresAreThoseTheSystemEnables() {
    // The kernel lists a flag only where it saves the registers.
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line) && !line.starts_with("flags")) {
    }
    if (line.empty()) QSKIP("no CPU flags in /proc/cpuinfo on this architecture");
    const std::string flags = line.substr(line.find(':') + 1) + " ";
    const std::string features = hostTarget().features + ",";
    for (const char* name : {"avx", "avx2", "fma", "avx512f", "avx512bw", "f16c"}) {
      const bool system = flags.find(std::string(" ") + name + " ") != std::string::npos;
      QCOMPARE(features.find(std::string("+") + name + ",") != std::string::npos, system);
    }
  }

  void isTheSameEveryTime() {
    QCOMPARE(hostTarget().features, hostTarget().features);
    QCOMPARE(hostTarget().cpu, hostTarget().cpu);
  }

  void toolchainHasTheLinkedVersion() {
    QVERIFY(hostToolchain().llvmVersion.starts_with("19."));
    QCOMPARE(hostToolchain().engineAbi, kEngineAbi);
  }

  void runnable_data() {
    QTest::addColumn<QString>("triple");
    QTest::addColumn<QString>("cpu");
    QTest::addColumn<QString>("features");
    QTest::addColumn<QString>("refusal"); // a word of the error; empty: may run
    QTest::newRow("the same") << "x86_64-pc-linux-gnu"
                              << "haswell"
                              << "+avx,+avx2,+fma"
                              << "";
    QTest::newRow("fewer features") << "x86_64-pc-linux-gnu"
                                    << "haswell"
                                    << "+avx"
                                    << "";
    QTest::newRow("no features") << "x86_64-pc-linux-gnu"
                                 << "x86-64"
                                 << ""
                                 << "";
    QTest::newRow("another CPU with the same features") << "x86_64-pc-linux-gnu"
                                                        << "znver4"
                                                        << "+avx,+avx2"
                                                        << "";
    QTest::newRow("SIGILL foreign features") << "x86_64-pc-linux-gnu"
                                             << "znver4"
                                             << "+avx,+avx512f,+sse4a"
                                             << "avx512f, sse4a";
    QTest::newRow("a feature whose name begins like another") << "x86_64-pc-linux-gnu"
                                                              << "haswell"
                                                              << "+avx5"
                                                              << "avx5";
    QTest::newRow("another system") << "x86_64-apple-darwin"
                                    << "haswell"
                                    << "+avx"
                                    << "x86_64-apple-darwin";
    QTest::newRow("another architecture") << "aarch64-unknown-linux-gnu"
                                          << "generic"
                                          << ""
                                          << "aarch64";
    QTest::newRow("damaged features") << "x86_64-pc-linux-gnu"
                                      << "haswell"
                                      << "+avx,garbage"
                                      << "garbage";
    QTest::newRow("disabled feature is not in the format") << "x86_64-pc-linux-gnu"
                                                           << "haswell"
                                                           << "-avx"
                                                           << "-avx";
    QTest::newRow("empty item") << "x86_64-pc-linux-gnu"
                                << "haswell"
                                << "+avx,,+fma"
                                << "does not have";
  }
  void runnable() {
    QFETCH(QString, triple);
    QFETCH(QString, cpu);
    QFETCH(QString, features);
    QFETCH(QString, refusal);
    const TargetSpec host{"x86_64-pc-linux-gnu", "haswell", "+avx,+avx2,+fma"};
    const Result<void> answer =
        checkRunnable({triple.toStdString(), cpu.toStdString(), features.toStdString()}, host);
    QCOMPARE(answer.ok(), refusal.isEmpty());
    if (!refusal.isEmpty())
      QVERIFY2(answer.error().text().find(refusal.toStdString()) != std::string::npos,
               answer.error().text().c_str());
  }

  void hostRunsItsOwnCode() { QVERIFY(checkRunnable(hostTarget(), hostTarget()).ok()); }

private:
  static std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> names;
    std::istringstream in(text);
    for (std::string name; std::getline(in, name, ',');) names.push_back(name);
    return names;
  }
};

QTEST_APPLESS_MAIN(TestHost)
#include "tst_host.moc"
