// Looking into single nodes: passes, costs of instructions, values; and runs in a process of their own.
#include "graph_text.h"

#include "jit/host.h"
#include "session/child_process.h"
#include "session/guarded_run.h"
#include "session/passes.h"
#include "session/values.h"

#include <algorithm>
#include <csignal>
#include <limits>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

/// y = f(x), z = y + x.
std::string graphText(const std::string& f) {
  return R"({"values":[)" + value("float64", "[4]") + "," + value("float64", "[4]") + "," +
         value("float64", "[4]") + R"(],"inputs":[0],"outputs":[2],"nodes":[)" + elemwise(f, "[0]", 1) + "," +
         elemwise("add", "[1,0]", 2) + "]}";
}

/// In place of the program, a script that marks node 1 and then does something else. It is called as "run
/// FILE ...
/// --mark MARK ...".
std::string programThat(const QTemporaryDir& folder, const QByteArray& does, const QByteArray& skip = "") {
  const QString program = folder.filePath("program");
  QFile script(program);
  if (!script.open(QIODevice::WriteOnly)) return {};
  script.write("#!/bin/sh\nwhile [ \"$1\" != --mark ]; do shift; done\n"
               "printf '\\002\\000\\000\\000' | dd of=\"$2\" conv=notrunc 2>/dev/null\n" +
               skip + does + "\n");
  script.close();
  if (!script.setPermissions(script.permissions() | QFile::ExeOwner)) return {};
  return program.toStdString();
}

} // namespace

class TestInspect : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void passesAreRecordedWithTheirIr() {
    auto session = need(openText(graphText("tanh"), withoutCache()));
    const NodePasses passes = need(session->passes(0));
    QVERIFY(passes.passes.size() > 3);
    QVERIFY(std::ranges::any_of(passes.passes, &PassRecord::changed));
    for (size_t k = 1; k < passes.passes.size(); ++k)
      QVERIFY(passes.passes[k].irBefore == passes.passes[k - 1].irAfter); // nothing happens in between
    for (const PassRecord& pass : passes.passes) QCOMPARE(pass.changed, pass.irBefore != pass.irAfter);
    QVERIFY(passes.codegenNs > 0);
    const Result<NodePasses> none = session->passes(0);
    QVERIFY(none.ok());
  }

  void atLevelNoughtThereAreNoPasses() {
    SessionSettings settings = withoutCache();
    settings.options.optLevel = 0;
    auto session = need(openText(graphText("exp"), settings));
    QCOMPARE(need(session->passes(0)).passes.size(), size_t{0});
  }

  void instructionsHaveTheCostsOfTheModel() {
    const TargetSpec skylake{"x86_64-pc-linux-gnu", "skylake", "+avx2"};
    const AssemblyCosts costs =
        need(instructionCosts("\t.text\nf:\n\tvaddpd %ymm0, %ymm1, %ymm2\n\t# a comment\n\tvsqrtpd %ymm0, "
                              "%ymm1\n\tmovq (%rdi), %rax\n\tmovq %rax, (%rsi)\n\tretq\n",
                              skylake));
    QVERIFY(costs.hasModel);
    QCOMPARE(costs.instructions.size(), size_t{5});
    const InstructionCost &add = costs.instructions[0], &root = costs.instructions[1];
    QCOMPARE(add.line, size_t{3});
    QCOMPARE(root.line, size_t{5});
    QCOMPARE(add.latency, 4); // Intel's manual: additions of skylake take 4 cycles, two begin each cycle
    QCOMPARE(add.throughput, 0.5);
    QVERIFY(root.latency > add.latency && root.throughput > add.throughput);
    QVERIFY(costs.instructions[2].loads && !costs.instructions[2].stores);
    QVERIFY(costs.instructions[3].stores && !costs.instructions[3].loads);
    QVERIFY(costs.instructions[4].branches);
    QVERIFY(
        !need(instructionCosts("f:\n\tretq\n", {"x86_64-pc-linux-gnu", "x86-64", ""})).instructions.empty());
    QVERIFY(!instructionCosts("f:\n\tno such instruction\n", skylake).ok());
  }

  void theAssemblyOfANodeIsUnderstood() {
    auto session = need(openText(graphText("exp"), withoutCache()));
    const NodePasses passes = need(session->passes(0));
    QVERIFY(passes.costs.instructions.size() > 10);
    const QStringList lines = QString::fromStdString(passes.assembly).split('\n');
    for (const InstructionCost& cost : passes.costs.instructions) {
      QVERIFY(cost.line >= 1 && cost.line <= static_cast<size_t>(lines.size()));
      QVERIFY(!lines[static_cast<qsizetype>(cost.line) - 1].trimmed().isEmpty());
    }
    const QString annotated = QString::fromStdString(annotatedAssembly(passes.assembly, passes.costs));
    QCOMPARE(annotated.count('\n'), lines.size() + (lines.last().isEmpty() ? 0 : 1));
  }

  void differencesOfTexts_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("difference");
    QTest::newRow("same") << "a\nb\n"
                          << "a\nb\n"
                          << " a\n b\n";
    QTest::newRow("changed") << "a\nb\nc\n"
                             << "a\nx\nc\n"
                             << " a\n-b\n+x\n c\n";
    QTest::newRow("gone") << "a\nb\n"
                          << "b\n"
                          << "-a\n b\n";
    QTest::newRow("new") << ""
                         << "a\n"
                         << "+a\n";
    QTest::newRow("moved") << "a\nb\nc\nd\n"
                           << "c\na\nb\nd\n"
                           << "+c\n a\n b\n-c\n d\n";
  }
  void differencesOfTexts() {
    QFETCH(QString, before);
    QFETCH(QString, after);
    QTEST(QString::fromStdString(textDifference(before.toStdString(), after.toStdString())), "difference");
  }

  void valuesAreCounted() {
    auto session = need(openText(graphText("log"), withoutCache()));
    const double inf = std::numeric_limits<double>::infinity();
    const ValueReport report = need(session->values({tensorOf<double>({4}, {1, 0, -1, inf})}, {}));
    QCOMPARE(report.nodes.size(), size_t{2});
    const NodeValues& log = *report.find(0);
    QCOMPARE(log.in[0].dtype, std::string("float64"));
    QCOMPARE(log.in[0].shape, std::vector<int64_t>{4});
    QCOMPARE(log.in[0].infs, int64_t{1});
    QCOMPARE(log.in[0].min, -1.0);
    QCOMPARE(log.in[0].max, 1.0);
    QCOMPARE(log.in[0].mean, 0.0);
    QCOMPARE(log.out[0].nans, int64_t{1}); // log -1
    QCOMPARE(log.out[0].infs, int64_t{2}); // log 0, log inf
    QVERIFY(log.makesNan);
    QVERIFY(!log.makesInf); // its input had one
    QCOMPARE(report.firstNan, std::optional<NodeIndex>(0));
    QVERIFY(!report.find(1)->makesNan); // passed on
    QVERIFY(!report.error);
  }

  void valuesOfEveryDtypeAndLayoutAreRead_data() {
    QTest::addColumn<int>("dtype");
    for (const DTypeRow& row : dtypeTable())
      QTest::newRow(std::string(row.name).c_str()) << static_cast<int>(row.dtype);
  }
  void valuesOfEveryDtypeAndLayoutAreRead() {
    QFETCH(int, dtype);
    // Ones of the dtype as [2, 3], read transposed.
    Array array;
    array.dtype = static_cast<DType>(dtype);
    const auto size = static_cast<size_t>(dtypeSize(array.dtype));
    std::vector<std::byte> one(size), bytes;
    switch (array.dtype) {
    case DType::Float16: {
      const uint16_t bits = 0x3c00;
      std::memcpy(one.data(), &bits, 2);
      break;
    }
    case DType::Float32:
    case DType::Complex64: {
      const float f = 1;
      std::memcpy(one.data(), &f, 4);
      break;
    }
    case DType::Float64:
    case DType::Complex128: {
      const double d = 1;
      std::memcpy(one.data(), &d, 8);
      break;
    }
    default:
      one[0] = std::byte{1};
    }
    for (int k = 0; k < 6; ++k) bytes.insert(bytes.end(), one.begin(), one.end());
    const auto bytesEach = static_cast<int64_t>(size);
    int64_t shape[] = {3, 2}, strides[] = {bytesEach, 3 * bytesEach};
    array.data = bytes.data();
    array.shape = shape;
    array.strides = strides;
    array.rank = 2;
    ValueStats stats;
    addValues(stats, array);
    QCOMPARE(stats.finite, int64_t{6});
    QCOMPARE(stats.min, 1.0);
    QCOMPARE(stats.max, 1.0);
    QCOMPARE(stats.mean, 1.0);
    int64_t none[] = {0, 2};
    array.shape = none;
    addValues(stats, array); // nothing is added by nothing
    QCOMPARE(stats.elements, int64_t{6});
  }

  void childrenSayHowTheyEnded() {
    const auto run = [](const char* script, int timeoutMs = 0) {
      return need(runChild({"/bin/sh", "-c", script}, std::chrono::milliseconds(timeoutMs)));
    };
    const ChildEnd fine = run("echo out; echo err >&2; exit 3");
    QCOMPARE(fine.exitCode, 3);
    QCOMPARE(fine.output, std::string("out\n"));
    QCOMPARE(fine.errors, std::string("err\n"));
    const ChildEnd crashed = run("kill -SEGV $$");
    QCOMPARE(crashed.signal, SIGSEGV);
    QVERIFY(signalText(crashed.signal).starts_with("SIGSEGV ("));
    QVERIFY(run("exec sleep 100", 100).timedOut);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(need(runChild({"/bin/sh", "-c", "exec sleep 100"}, {}, stop.get_token())).cancelled);
    QVERIFY(!runChild({"/no/such/program"}, {}).ok());
  }

  void aMarkOutlivesTheProcessThatSetIt() {
    const StepMark mark = need(StepMark::create());
    QVERIFY(!mark.node());
    // A child that writes node 6 and dies, as a run would: 7 in four bytes.
    const ChildEnd end = need(runChild({"/bin/sh", "-c",
                                        R"(printf '\007\000\000\000' | dd of=")" + mark.file() +
                                            R"(" conv=notrunc 2>/dev/null; kill -SEGV $$)"},
                                       {}));
    QCOMPARE(end.signal, SIGSEGV);
    QCOMPARE(mark.node(), std::optional<int32_t>(6));
    StepMark other = need(StepMark::open(mark.file()));
    other.set(0);
    QCOMPARE(mark.node(), std::optional<int32_t>(0));
    QVERIFY(!StepMark::open("/proc/self/no such file").ok());
  }

  void stepsAreTold() {
    auto session = need(openText(graphText("exp"), withoutCache()));
    std::vector<NodeIndex> steps;
    session->watchSteps([&](NodeIndex node) { steps.push_back(node); });
    need(session->run({tensorOf<double>({4}, {1, 2, 3, 4})}, 2, false, {}));
    QCOMPARE(steps, (std::vector<NodeIndex>{0, 1, 0, 1}));
    session->watchSteps(nullptr);
    need(session->run({tensorOf<double>({4}, {1, 2, 3, 4})}, 1, false, {}));
    QCOMPARE(steps.size(), size_t{4});
  }

  void aProgramThatDiesFailsItsNode() {
    QTemporaryDir folder;
    SessionSettings settings;
    settings.cache.file = folder.filePath("cache.db").toStdString();
    auto session = need(openText(graphText("exp"), settings));
    GuardedOptions options;
    options.program = programThat(folder, "kill -ILL $$");
    const GuardedResult result = need(runGuarded(*session, options, {}, {}));
    QVERIFY(result.died());
    QVERIFY2(result.failure.starts_with("SIGILL"), result.failure.c_str());
    QCOMPARE(result.failedNode, std::optional<NodeIndex>(1));
    const NodeState state = session->state(1);
    QCOMPARE(state.outcome, std::optional(Outcome::Failed));
    QVERIFY2(state.reason.find("SIGILL") != std::string::npos &&
                 state.reason.find("its entry is quarantined") != std::string::npos,
             state.reason.c_str());
    QCOMPARE(session->state(0).outcome, std::optional(Outcome::Miss)); // only that one
    // Nobody is served the entry again.
    const Explanation why = need(session->explain(1));
    QVERIFY(why.answer.outcome != Outcome::Hit);
    QVERIFY2(why.answer.reason.find("SIGILL") != std::string::npos, why.answer.reason.c_str());
  }

  void aNodeThatDoesNotEndIsToBlameForATimeOut() {
    // A node begun long ago (the mark's clock counts from the start of the machine) against one begun just
    // now.
    for (const bool justBegun : {false, true}) {
      QTemporaryDir folder;
      auto session = need(openText(graphText("exp"), withoutCache()));
      GuardedOptions options;
      options.timeout = std::chrono::milliseconds(300);
      // Eight bytes of 0x7f make a begin in the far future.
      const QByteArray begin = justBegun
                                   ? "printf '\\177\\177\\177\\177\\177\\177\\177\\177' | dd of=\"$2\" bs=1 "
                                     "seek=8 conv=notrunc 2>/dev/null\n"
                                   : "";
      options.program = programThat(folder, "exec sleep 100", begin);
      const GuardedResult result = need(runGuarded(*session, options, {}, {}));
      QVERIFY2(result.failure.starts_with("took longer than 0.3 s"), result.failure.c_str());
      QCOMPARE(result.failedNode, justBegun ? std::optional<NodeIndex>() : std::optional<NodeIndex>(1));
      QCOMPARE(session->state(1).outcome == Outcome::Failed, !justBegun);
      QCOMPARE(result.failure.find("it had come to $.graph.nodes[1]") != std::string::npos, justBegun);
    }
  }
};

QTEST_APPLESS_MAIN(TestInspect)
#include "tst_inspect.moc"
