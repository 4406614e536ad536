// Which vector functions code calls, by target. Compiled and read, not run: these are other CPUs.
#include "jit/compiler.h"
#include "jit/host.h"
#include "jit/math_symbols.h"
#include "kernel_text.h"

#include <QtTest>

#include <set>

using namespace nodewise;
using namespace nodewise::testing;

static const std::string kSse = "+64bit,+cmov,+cx8,+fxsr,+mmx,+sse,+sse2";
static const std::string kAvx2 = kSse + ",+avx,+avx2,+bmi,+bmi2,+fma,+popcnt,+sse3,+sse4.1,+sse4.2,+ssse3";
static const std::string kAvx512 = kAvx2 + ",+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512vl,+evex512";

class TestVectorisation : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    if (hostTarget().triple.find("x86_64") == std::string::npos) QSKIP("libmvec's names are those of x86-64");
  }

  void callsFormsOfTheTarget_data() {
    QTest::addColumn<QString>("cpu");
    QTest::addColumn<QString>("features");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("library");
    QTest::addColumn<QString>("calls");  // this form
    QTest::addColumn<QString>("others"); // letters of forms that must not be there
    const auto row = [](const char* name, const char* cpu, const std::string& features, const char* type,
                        const char* library, const char* calls, const char* others) {
      QTest::newRow(name) << cpu << QString::fromStdString(features) << type << library << calls << others;
    };
    row("SSE2", "x86-64", kSse, "double", "libmvec", "_ZGVbN2v_exp", "de");
    row("SSE2, float", "x86-64", kSse, "float", "libmvec", "_ZGVbN4v_expf", "de");
    row("AVX2", "haswell", kAvx2, "double", "libmvec", "_ZGVdN4v_exp", "e");
    row("AVX2, float", "haswell", kAvx2, "float", "libmvec", "_ZGVdN8v_expf", "e");
    row("AVX-512", "znver4", kAvx512, "double", "libmvec", "_ZGVeN8v_exp", "");
    row("AVX-512, float", "znver4", kAvx512, "float", "libmvec", "_ZGVeN16v_expf", "");
    row("CPU name with more than the features", "znver4", kAvx2, "double", "libmvec", "_ZGVdN4v_exp", "e");
    row("CPU name with much more than the features", "znver4", kSse, "double", "libmvec", "_ZGVbN2v_exp",
        "de");
    row("no vector library", "haswell", kAvx2, "double", "none", "exp", "bde");
  }
  void callsFormsOfTheTarget() {
    QFETCH(QString, cpu);
    QFETCH(QString, features);
    QFETCH(QString, type);
    QFETCH(QString, library);
    QFETCH(QString, calls);
    QFETCH(QString, others);
    const std::string t = type.toStdString(), suffix = t == "float" ? "f32" : "f64";
    Compiler compiler({hostTarget().triple, cpu.toStdString(), features.toStdString()});
    const std::string name = "@llvm.exp." + suffix;
    const EmitFn emit = loopOf(t, "%r = call " + t + " " + name + "(" + t + " %x)",
                               "declare " + t + " " + name + "(" + t + ")");
    for (int level : {2, 3}) {
      auto built = compiler.build(emit);
      QVERIFY2(built.ok(), built.ok() ? "" : built.error().text().c_str());
      const auto text = compiler.assembly(std::move(*built), "nw_v", {level, false, library.toStdString()});
      QVERIFY(text.ok());
      QVERIFY2(text->find("\t" + calls.toStdString() + "@PLT") != std::string::npos, text->c_str());
      for (const QChar letter : others)
        QVERIFY2(text->find("_ZGV" + std::string(1, letter.toLatin1())) == std::string::npos, text->c_str());
      if (!features.contains("avx")) QVERIFY(text->find("%ymm") == std::string::npos);
      if (!features.contains("avx512")) QVERIFY(text->find("%zmm") == std::string::npos);
    }
  }

  void emittersMayNameTheirOwnForms() {
    const std::string form = "\"vector-function-abi-variant\"=\"_ZGV_LLVM_N4v_mine(mine4)\"";
    const EmitFn emit = loopOf(
        "double", "%r = call double @mine(double %x) #0",
        "declare double @mine(double) nounwind memory(none)\ndeclare <4 x double> @mine4(<4 x double>)\n"
        "@llvm.compiler.used = appending global [1 x ptr] [ptr @mine4], section \"llvm.metadata\"\n"
        "attributes #0 = { nounwind memory(none) " +
            form + " }\n");
    Compiler compiler({hostTarget().triple, "haswell", kAvx2});
    for (int level : {2, 3}) {
      auto built = compiler.build(emit);
      QVERIFY2(built.ok(), built.ok() ? "" : built.error().text().c_str());
      const auto text = compiler.assembly(std::move(*built), "nw_v", {.optLevel = level});
      QVERIFY(text.ok());
      QVERIFY2(text->find("\tmine4@PLT") != std::string::npos, text->c_str());
    }
  }

  void everyFormHasAnAddress() {
    std::set<std::string_view> names;
    for (const RuntimeSymbol& symbol : mathSymbols()) {
      QVERIFY2(symbol.address != nullptr, std::string(symbol.name).c_str());
      QVERIFY2(names.insert(symbol.name).second, std::string(symbol.name).c_str());
    }
    QVERIFY(names.contains("exp"));
    QVERIFY(names.contains("sincosf"));
    QVERIFY(names.contains("memcpy"));
    QVERIFY(names.contains("__truncdfhf2"));
    QCOMPARE(vectorVariants().size(), size_t{26 * 6});
    for (const VectorVariant& form : vectorVariants()) {
      QVERIFY(names.contains(form.name));
      QVERIFY(names.contains(form.scalar));
      // "_ZGVdN4vv_pow": letter, lanes, arguments, name
      const std::string expected = std::string("_ZGV") + form.isa + "N" + std::to_string(form.lanes) +
                                   std::string(size_t(form.arguments), 'v') + "_" + std::string(form.scalar);
      QCOMPARE(std::string(form.name), expected);
      const int bytes = form.isa == 'b' ? 16 : form.isa == 'd' ? 32 : 64;
      const bool isFloat = form.scalar != "erf" && form.scalar.back() == 'f';
      QCOMPARE(form.lanes, bytes / (isFloat ? 4 : 8));
    }
  }
};

QTEST_APPLESS_MAIN(TestVectorisation)
#include "tst_vectorisation.moc"
