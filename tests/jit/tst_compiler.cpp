// Building and compiling kernels: results, determinism, errors, views.
#include "jit/compiler.h"

#include "jit/host.h"
#include "jit/linker.h"
#include "jit/math_symbols.h"
#include "kernel_text.h"

#include <QtTest>

#include <cmath>
#include <cstring>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

constexpr int kLength = 37; // whole vectors and a rest

struct Sample {
  const char* name;
  EmitFn emit;
  double (*reference)(double, double);
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all{
      {"add", loopOf("double", "%r = fadd double %x, %y"), [](double x, double y) { return x + y; }},
      {"exp",
       loopOf("double", "%e = call double @llvm.exp.f64(double %x)\n%r = fadd double %e, %y",
              "declare double @llvm.exp.f64(double)"),
       [](double x, double y) { return std::exp(x) + y; }},
      {"erf by name",
       loopOf("double", "%r = call double @erf(double %x)",
              "declare double @erf(double) nounwind memory(none)"),
       [](double x, double) { return std::erf(x); }},
      {"pow",
       loopOf(
           "double",
           "%p = call double @llvm.fabs.f64(double %x)\n%r = call double @llvm.pow.f64(double %p, double %y)",
           "declare double @llvm.pow.f64(double, double)\ndeclare double @llvm.fabs.f64(double)"),
       [](double x, double y) { return std::pow(std::fabs(x), y); }},
      {"fmod", loopOf("double", "%r = frem double %x, %y"),
       [](double x, double y) { return std::fmod(x, y); }},
      {"floor",
       loopOf("double", "%r = call double @llvm.floor.f64(double %x)",
              "declare double @llvm.floor.f64(double)"),
       [](double x, double) { return std::floor(x); }},
      {"sin and cos of one number",
       loopOf("double",
              "%s = call double @llvm.sin.f64(double %x)\n%c = call double @llvm.cos.f64(double %x)\n%r = "
              "fsub double %s, %c",
              "declare double @llvm.sin.f64(double)\ndeclare double @llvm.cos.f64(double)"),
       [](double x, double) { return std::sin(x) - std::cos(x); }},
      {"through half precision",
       loopOf("double", "%h = fptrunc double %x to half\n%r = fpext half %h to double"),
       [](double x, double) { return x; }},
      {"through 128-bit division",
       loopOf("double", "%ix = fptosi double %x to i128\n%iy = fptosi double %y to i128\n%z = or i128 %iy, "
                        "1\n%q = sdiv i128 %ix, %z\n%r = sitofp i128 %q to double"),
       [](double x, double y) {
         return std::trunc(x) == 0 ? 0.0 : double((long long)x / ((long long)y | 1));
       }},
  };
  return all;
}

} // namespace

class TestCompiler : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void computes_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<int>("level");
    QTest::addColumn<QString>("library");
    QTest::addColumn<bool>("fast");
    for (size_t k = 0; k < samples().size(); ++k)
      for (int level = 0; level < 4; ++level)
        for (const char* library : {"libmvec", "none"})
          for (const bool fast : {false, true})
            QTest::addRow("%s, level %d, %s%s", samples()[k].name, level, library, fast ? ", fast math" : "")
                << int(k) << level << library << fast;
  }
  void computes() {
    QFETCH(int, which);
    QFETCH(int, level);
    QFETCH(QString, library);
    QFETCH(bool, fast);
    const Sample& one = samples()[size_t(which)];
    const auto object = compiled(one.emit, "nw_test", {level, fast, library.toStdString()}, m_compiler);
    QVERIFY2(object.ok(), object.ok() ? "" : object.error().text().c_str());
    Linker linker(mathSymbols());
    const ObjectRef wanted{"nw_test", object->object};
    const auto linked = linker.link({&wanted, 1});
    QVERIFY2(linked[0].ok(), linked[0].ok() ? "" : linked[0].error().text().c_str());

    std::vector<double> x, y, out(kLength + 1, -7.0);
    for (int i = 0; i < kLength; ++i) {
      x.push_back((i - 18) * 0.125);
      y.push_back(i * 0.5 - 3);
    }
    const void* in[] = {x.data(), y.data()};
    void* outs[] = {out.data()};
    const int64_t n = kLength;
    QCOMPARE(reinterpret_cast<LoopFn>(*linked[0])(in, outs, &n), 0);
    for (int i = 0; i < kLength; ++i) {
      const double want = one.reference(x[size_t(i)], y[size_t(i)]), got = out[size_t(i)];
      QVERIFY2(std::isnan(want) ? std::isnan(got) : std::fabs(got - want) <= 1e-14 * (1 + std::fabs(want)),
               qPrintable(
                   QString("element %1: %2, expected %3").arg(i).arg(got, 0, 'g', 17).arg(want, 0, 'g', 17)));
    }
    QCOMPARE(out[kLength], -7.0); // nothing behind the end
  }

  void sameKernelGivesSameBytes_data() { levels(); }
  void sameKernelGivesSameBytes() {
    QFETCH(int, level);
    for (const Sample& one : samples()) {
      Compiler other(hostTarget());
      auto a = m_compiler.build(one.emit), b = other.build(one.emit);
      QVERIFY(a.ok() && b.ok());
      QVERIFY(!a->irBytes.empty());
      QCOMPARE(a->irBytes, b->irBytes);
      const CodeOptions options{.optLevel = level};
      const auto c = m_compiler.compile(std::move(*a), "nw_same", options),
                 d = other.compile(std::move(*b), "nw_same", options);
      QVERIFY(c.ok() && d.ok());
      QVERIFY(c->object == d->object);
    }
  }

  void namesOfValuesAreNotHashed() {
    const auto a = m_compiler.build(
        fromText("define i32 @kernel(ptr %a, ptr %b, ptr %c) { %sum = add i32 1, 2\n ret i32 %sum }"));
    const auto b = m_compiler.build(
        fromText("define i32 @kernel(ptr %x, ptr %y, ptr %z) { %total = add i32 1, 2\n ret i32 %total }"));
    const auto c = m_compiler.build(
        fromText("define i32 @kernel(ptr %x, ptr %y, ptr %z) { %total = add i32 1, 3\n ret i32 %total }"));
    QVERIFY(a.ok() && b.ok() && c.ok());
    QCOMPARE(a->irBytes, b->irBytes);
    QVERIFY(a->irBytes != c->irBytes);
  }

  void namesCanBeKeptForViews() {
    const auto built = m_compiler.build(
        fromText("define i32 @kernel(ptr %a, ptr %b, ptr %c) { %sum = add i32 1, 2\n ret i32 %sum }"),
        ValueNames::Keep);
    QVERIFY(built.ok());
    QVERIFY(codegen::moduleText(*built->module.module).find("%sum") != std::string::npos);
    QVERIFY(built->irBytes.empty());
  }

  void phasesAreTimed() {
    auto built = m_compiler.build(samples()[0].emit);
    QVERIFY(built.ok());
    QVERIFY(built->buildNs > 0);
    const auto object = m_compiler.compile(std::move(*built), "nw_timed", {});
    QVERIFY(object.ok());
    QVERIFY(object->optimiseNs > 0);
    QVERIFY(object->emitNs > 0);
    QCOMPARE(object->symbol, std::string("nw_timed"));
  }

  void badEmittersAreErrors_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("no body") << "declare i32 @kernel(ptr, ptr, ptr)"
                             << "wrote no kernel";
    QTest::newRow("no kernel") << "define i32 @colonel(ptr %a, ptr %b, ptr %c) { ret i32 0 }"
                               << "wrote no kernel";
    QTest::newRow("value used before it is made") << "define i32 @kernel(ptr %a, ptr %b, ptr %c) { %y = add "
                                                     "i32 %x, 1\n %x = add i32 1, 1\n ret i32 %y }"
                                                  << "broken IR";
    QTest::newRow("phi without its block") << "define i32 @kernel(ptr %a, ptr %b, ptr %c) {\n e: br label "
                                              "%l\n l: %x = phi i32 [1, %l]\n ret i32 %x }"
                                           << "broken IR";
    QTest::newRow("intrinsic of a wrong type")
        << "declare i32 @llvm.exp.i32(i32)\ndefine i32 @kernel(ptr %a, ptr %b, ptr %c) { %x = call i32 "
           "@llvm.exp.i32(i32 1)\n ret i32 %x }"
        << "";
  }
  void badEmittersAreErrors() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto built = m_compiler.build(fromText(text.toStdString()));
    QVERIFY(!built.ok());
    QVERIFY2(built.error().text().find(says.toStdString()) != std::string::npos,
             built.error().text().c_str());
  }

  void emittersErrorIsPassedOn() {
    const auto built = m_compiler.build([](llvm::Module&) -> Result<void> {
      return Error{"this op is odd", "node 7", "", ""};
    });
    QVERIFY(!built.ok());
    QCOMPARE(built.error().where, std::string("node 7"));
  }

  void whatLlvmReportsIsAnError_data() { levels(); }
  void whatLlvmReportsIsAnError() {
    QFETCH(int, level);
    const auto object = compiled(fromText("define i32 @kernel(ptr %a, ptr %b, ptr %c) {\n call void asm "
                                          "sideeffect \"notaninstruction\", \"\"()\n ret i32 0 }"),
                                 "nw_asm", {.optLevel = level}, m_compiler);
    QVERIFY(!object.ok());
    QVERIFY2(object.error().text().find("notaninstruction") != std::string::npos ||
                 object.error().text().find("mnemonic") != std::string::npos,
             object.error().text().c_str());
    QVERIFY(
        compiled(returning(3), "nw_after", {.optLevel = level}, m_compiler).ok()); // and the compiler goes on
  }

  void badOptionsAreErrors_data() {
    QTest::addColumn<int>("level");
    QTest::addColumn<QString>("library");
    QTest::addColumn<QString>("says");
    QTest::newRow("level -1") << -1 << "libmvec"
                              << "optimisation level -1";
    QTest::newRow("level 4") << 4 << "libmvec"
                             << "optimisation level 4";
    QTest::newRow("unknown library") << 2 << "svml"
                                     << "\"svml\"";
    QTest::newRow("unknown library at level 0") << 0 << ""
                                                << "vector library";
  }
  void badOptionsAreErrors() {
    QFETCH(int, level);
    QFETCH(QString, library);
    QFETCH(QString, says);
    const auto object = compiled(returning(1), "nw_x", {level, false, library.toStdString()}, m_compiler);
    QVERIFY(!object.ok());
    QVERIFY2(object.error().text().find(says.toStdString()) != std::string::npos,
             object.error().text().c_str());
  }

  void badTargetsAreErrors_data() {
    QTest::addColumn<QString>("triple");
    QTest::addColumn<QString>("cpu");
    QTest::newRow("no such architecture") << "pdp11-dec-unix"
                                          << "generic";
    QTest::newRow("no such CPU") << QString::fromStdString(hostTarget().triple) << "abacus";
    QTest::newRow("native is no CPU") << QString::fromStdString(hostTarget().triple) << "native";
  }
  void badTargetsAreErrors() {
    QFETCH(QString, triple);
    QFETCH(QString, cpu);
    Compiler compiler({triple.toStdString(), cpu.toStdString(), ""});
    const auto built = compiler.build(returning(1));
    QVERIFY(!built.ok());
    QVERIFY(!built.error().text().empty());
  }

  void symbolTakenInTheModuleIsAnError() {
    const auto object = compiled(fromText("declare void @exp()\ndefine i32 @kernel(ptr %a, ptr %b, ptr %c) { "
                                          "call void @exp()\n ret i32 0 }"),
                                 "exp", {}, m_compiler);
    QVERIFY(!object.ok());
  }

  void multiplyAndAddAreFusedOnlyInFastMath() {
    if (hostTarget().features.find("+fma,") == std::string::npos) QSKIP("this CPU has no fused multiply-add");
    const EmitFn emit = loopOf("double", "%p = fmul double %x, %y\n%r = fadd double %p, %x");
    for (int level = 0; level < 4; ++level)
      for (const bool fast : {false, true}) {
        auto built = m_compiler.build(emit);
        QVERIFY(built.ok());
        const auto text =
            m_compiler.assembly(std::move(*built), "nw_fma", {.optLevel = level, .fastMath = fast});
        QVERIFY(text.ok());
        const bool fused = text->find("vfmadd") != std::string::npos;
        QVERIFY(!fused || fast);
        if (level >= 2) QCOMPARE(fused, fast);
      }
  }

  void viewsShowTheCode() {
    auto built = m_compiler.build(samples()[0].emit);
    const auto ir = m_compiler.optimisedIr(std::move(*built), {});
    QVERIFY(ir.ok());
    QVERIFY(ir->find("define") != std::string::npos);
    QVERIFY(ir->find("fadd <") != std::string::npos);
    built = m_compiler.build(samples()[0].emit);
    const auto assembly = m_compiler.assembly(std::move(*built), "nw_view", {});
    QVERIFY(assembly.ok());
    QVERIFY(assembly->find("nw_view:") != std::string::npos);
  }

  void recordsEachPass_data() { levels(); }
  void recordsEachPass() {
    QFETCH(int, level);
    auto built = m_compiler.build(samples()[1].emit, ValueNames::Keep);
    const std::string before = codegen::moduleText(*built->module.module);
    const auto records = m_compiler.recordPasses(std::move(*built), {.optLevel = level});
    QVERIFY(records.ok());
    if (level == 0) {
      QVERIFY(records->empty());
      return;
    }
    QVERIFY(records->size() >= 4);
    bool anyChange = false, sawInstCombine = false;
    for (size_t k = 0; k < records->size(); ++k) {
      const PassRecord& one = (*records)[k];
      QVERIFY(!one.name.empty());
      QVERIFY2(one.name.find("Manager") == std::string::npos, one.name.c_str());
      QVERIFY(one.ns >= 0);
      QVERIFY(one.irBefore.find("define") != std::string::npos);
      QCOMPARE(one.changed, one.irBefore != one.irAfter);
      if (k > 0) QCOMPARE(one.irBefore, (*records)[k - 1].irAfter);
      anyChange |= one.changed;
      sawInstCombine |= one.name == "instcombine";
    }
    QVERIFY(anyChange);
    QVERIFY(sawInstCombine);
    // What the passes end with is what is shown as the optimised IR.
    built = m_compiler.build(samples()[1].emit, ValueNames::Keep);
    QCOMPARE(m_compiler.optimisedIr(std::move(*built), {.optLevel = level}).value(), records->back().irAfter);
  }

  void objectsHoldNoAddresses_data() { levels(); }
  void objectsHoldNoAddresses() {
    QFETCH(int, level);
    // checkObject() accepts only references relative to the instruction, and no data that could be written
    // to.
    for (const Sample& one : samples()) {
      const auto object = compiled(one.emit, "nw_place", {.optLevel = level}, m_compiler);
      QVERIFY(object.ok());
      QVERIFY(checkObject("nw_place", object->object).ok());
    }
    // A table of addresses cannot be written position independently: refused, not stored.
    const auto table =
        compiled(fromText("@t = constant [2 x ptr] [ptr @f, ptr @g]\ndeclare i32 @f()\ndeclare i32 @g()\n"
                          "define i32 @kernel(ptr %a, ptr %b, ptr %c) {\n %i = load i64, ptr %c\n"
                          " %p = getelementptr [2 x ptr], ptr @t, i64 0, i64 %i\n %f = load ptr, ptr %p\n %r "
                          "= call i32 %f()\n ret i32 %r }"),
                 "nw_table", {.optLevel = level}, m_compiler);
    QVERIFY(!table.ok());
  }

private:
  static void levels() {
    QTest::addColumn<int>("level");
    for (int level = 0; level < 4; ++level) QTest::addRow("level %d", level) << level;
  }

  Compiler m_compiler{hostTarget()};
};

QTEST_APPLESS_MAIN(TestCompiler)
#include "tst_compiler.moc"
