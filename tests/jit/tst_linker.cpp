// Linking: many at once, again, from several threads; equal names; what objects may call.
#include "jit/linker.h"

#include "jit/compiler.h"
#include "jit/host.h"
#include "jit/math_symbols.h"
#include "kernel_text.h"

#include <QtTest>

#include <pthread.h>

#include <functional>
#include <set>
#include <thread>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

int call(void* address) { return reinterpret_cast<PlainFn>(address)(nullptr, nullptr, nullptr); }

int32_t seven() { return 7; }

/// Runs on a thread with a small stack.
void onSmallStack(size_t bytes, const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_t thread{};
  const auto body = [](void* f) -> void* {
    (*static_cast<const std::function<void()>*>(f))();
    return nullptr;
  };
  std::function<void()> copy = work;
  QCOMPARE(pthread_create(&thread, &attributes, body, &copy), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

} // namespace

class TestLinker : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void linksManyInOneCall() {
    Linker linker(mathSymbols());
    const std::vector<CompiledObject> objects = numbered(300);
    const auto addresses = linker.link(refs(objects));
    QCOMPARE(addresses.size(), objects.size());
    for (size_t k = 0; k < objects.size(); ++k) {
      QVERIFY(addresses[k].ok());
      QCOMPARE(call(*addresses[k]), int(k));
    }
  }

  void reusesWhatIsLinked() {
    Linker linker(mathSymbols());
    const std::vector<CompiledObject> objects = numbered(3);
    QVERIFY(!linker.isLinked(objects[0].symbol));
    const auto first = linker.link(refs(objects));
    QVERIFY(linker.isLinked(objects[0].symbol));
    // Nothing but the name is needed now.
    const ObjectRef again{objects[1].symbol, {}};
    const auto second = linker.link({&again, 1});
    QVERIFY(second[0].ok());
    QCOMPARE(*second[0], *first[1]);
  }

  void oneSymbolTwiceInOneCallIsLinkedOnce() {
    Linker linker(mathSymbols());
    const std::vector<CompiledObject> objects = numbered(2);
    const std::vector<ObjectRef> wanted{refs(objects)[0], refs(objects)[1], refs(objects)[0]};
    const auto addresses = linker.link(wanted);
    QVERIFY(addresses[0].ok() && addresses[1].ok() && addresses[2].ok());
    QCOMPARE(*addresses[0], *addresses[2]);
    QVERIFY(*addresses[0] != *addresses[1]);
  }

  void linksNothing() {
    Linker linker({});
    QVERIFY(linker.link({}).empty());
  }

  // numba#10486: two compilers gave one name to two bodies, and loading both ran the wrong one.
  void numba10486_differentContentsNeverShareASymbol() {
    // Both emitters wrote "kernel"; the symbol given at compile time is all that is visible of an object.
    Compiler a(hostTarget()), b(hostTarget());
    const auto one = compiled(returning(1), "nw_content_1", {}, a),
               two = compiled(returning(2), "nw_content_2", {}, b);
    QVERIFY(one.ok() && two.ok());
    Linker linker(mathSymbols());
    const std::vector<ObjectRef> both{{one->symbol, one->object}, {two->symbol, two->object}};
    const auto addresses = linker.link(both);
    QVERIFY(addresses[0].ok() && addresses[1].ok());
    QCOMPARE(call(*addresses[0]), 1);
    QCOMPARE(call(*addresses[1]), 2);
    // An object under a name that is not its own is refused, so no content can be run as another.
    Linker fresh(mathSymbols());
    const ObjectRef swapped{one->symbol, two->object};
    const auto refused = fresh.link({&swapped, 1});
    QVERIFY(!refused[0].ok());
    QVERIFY(refused[0].error().text().find("nw_content_2") != std::string::npos);
  }

  void helpersInsideObjectsDoNotCollide() {
    // Each object has a local function of the same name.
    const auto text = [](int n) {
      return "define internal i32 @helper() noinline { ret i32 " + std::to_string(n) +
             " }\n"
             "define i32 @kernel(ptr %a, ptr %b, ptr %c) { %r = call i32 @helper()\n ret i32 %r }";
    };
    Compiler compiler(hostTarget());
    const auto one = compiled(fromText(text(1)), "nw_h1", {.optLevel = 0}, compiler),
               two = compiled(fromText(text(2)), "nw_h2", {.optLevel = 0}, compiler);
    QVERIFY(one.ok() && two.ok());
    Linker linker({});
    const std::vector<ObjectRef> both{{one->symbol, one->object}, {two->symbol, two->object}};
    const auto addresses = linker.link(both);
    QCOMPARE(call(*addresses[0]), 1);
    QCOMPARE(call(*addresses[1]), 2);
  }

  void callsOnlyWhatIsInTheTable() {
    Compiler compiler(hostTarget());
    const auto object = compiled(fromText("declare i32 @nodewise_seven()\ndefine i32 @kernel(ptr %a, ptr %b, "
                                          "ptr %c) { %r = call i32 @nodewise_seven()\n ret i32 %r }"),
                                 "nw_calls", {}, compiler);
    QVERIFY(object.ok());
    const ObjectRef wanted{object->symbol, object->object};
    const RuntimeSymbol table[] = {{"nodewise_seven", reinterpret_cast<void*>(&seven)}};
    Linker with(table);
    const auto found = with.link({&wanted, 1});
    QVERIFY(found[0].ok());
    QCOMPARE(call(*found[0]), 7);
    Linker without(mathSymbols());
    const auto missing = without.link({&wanted, 1});
    QVERIFY(!missing[0].ok());
    QVERIFY(missing[0].error().text().find("nodewise_seven") != std::string::npos);
  }

  void processFunctionsCannotBeReached() {
    Compiler compiler(hostTarget());
    const auto object = compiled(fromText("declare i32 @getpid()\ndefine i32 @kernel(ptr %a, ptr %b, ptr %c) "
                                          "{ %r = call i32 @getpid()\n ret i32 %r }"),
                                 "nw_pid", {}, compiler);
    QVERIFY(object.ok());
    Linker linker(mathSymbols());
    const ObjectRef wanted{object->symbol, object->object};
    QVERIFY(!linker.link({&wanted, 1})[0].ok());
  }

  void kernelsCannotReplaceLibraryFunctions() {
    Compiler compiler(hostTarget());
    const auto object = compiled(returning(1), "exp", {}, compiler);
    QVERIFY(object.ok());
    Linker linker(mathSymbols());
    const ObjectRef wanted{object->symbol, object->object};
    QVERIFY(!linker.link({&wanted, 1})[0].ok());
    const auto good = compiled(
        loopOf("double", "%r = call double @llvm.exp.f64(double %x)", "declare double @llvm.exp.f64(double)"),
        "nw_exp", {.optLevel = 0}, compiler);
    const ObjectRef next{good->symbol, good->object};
    QVERIFY(linker.link({&next, 1})[0].ok());
  }

  void bytesNeedNoAlignment() {
    const std::vector<CompiledObject> objects = numbered(1);
    std::vector<std::byte> shifted(1, std::byte{0});
    shifted.insert(shifted.end(), objects[0].object.begin(), objects[0].object.end());
    Linker linker({});
    const ObjectRef wanted{objects[0].symbol, std::span<const std::byte>(shifted).subspan(1)};
    const auto addresses = linker.link({&wanted, 1});
    QVERIFY(addresses[0].ok());
    QCOMPARE(call(*addresses[0]), 0);
  }

  void bytesMayGoAfterLinking() {
    Linker linker({});
    void* address = nullptr;
    {
      std::vector<CompiledObject> objects = numbered(1);
      const auto addresses = linker.link(refs(objects));
      address = *addresses[0];
      std::ranges::fill(objects[0].object, std::byte{0xcc});
    }
    QCOMPARE(call(address), 0);
  }

  void thousandsLinkOnASmallStack() {
    // One object under 5,000 names would be refused, so all are compiled: at level 0, small ones.
    const std::vector<CompiledObject> objects = numbered(5000);
    Linker linker({});
    bool right = false;
    onSmallStack(256 * 1024, [&] {
      const auto addresses = linker.link(refs(objects));
      right = std::ranges::all_of(addresses, [](const auto& a) { return a.ok(); }) &&
              call(*addresses.back()) == 4999;
    });
    QVERIFY(right);
  }

  void threadsLinkAtOnce() {
    Linker linker(mathSymbols());
    const std::vector<CompiledObject> objects = numbered(200);
    std::vector<std::vector<Result<void*>>> answers(6);
    {
      std::vector<std::jthread> threads;
      for (size_t t = 0; t < answers.size(); ++t)
        threads.emplace_back([&, t] {
          // Overlapping parts, in pieces.
          for (size_t from = t * 10; from < objects.size(); from += 25) {
            const size_t count = std::min<size_t>(25, objects.size() - from);
            const auto all = refs(objects);
            for (auto& one : linker.link(std::span(all).subspan(from, count))) answers[t].push_back(one);
          }
        });
    }
    for (size_t t = 0; t < answers.size(); ++t) {
      QCOMPARE(answers[t].size(), objects.size() - t * 10);
      for (size_t k = 0; k < answers[t].size(); ++k) {
        QVERIFY(answers[t][k].ok());
        QCOMPARE(call(*answers[t][k]), int(k + t * 10));
        QCOMPARE(*answers[t][k], *answers[0][k + t * 10]);
      }
    }
  }

  void codeIsNotWritable() {
    Linker linker({});
    const std::vector<CompiledObject> objects = numbered(1);
    const auto addresses = linker.link(refs(objects));
    // The mapping that holds the code says so.
    QFile maps("/proc/self/maps");
    QVERIFY(maps.open(QIODevice::ReadOnly));
    bool found = false;
    for (const QByteArray& line : maps.readAll().split('\n')) {
      const QList<QByteArray> fields = line.split(' ');
      const QList<QByteArray> range = fields[0].split('-');
      if (range.size() != 2 || fields.size() < 2) continue;
      const quint64 at = reinterpret_cast<quint64>(*addresses[0]);
      if (at < range[0].toULongLong(nullptr, 16) || at >= range[1].toULongLong(nullptr, 16)) continue;
      found = true;
      QVERIFY(fields[1].contains('x'));
      QVERIFY(!fields[1].contains('w'));
    }
    QVERIFY(found);
  }

private:
  /// Objects of which number k returns k.
  static std::vector<CompiledObject> numbered(int count) {
    Compiler compiler(hostTarget());
    std::vector<CompiledObject> objects;
    for (int k = 0; k < count; ++k)
      objects.push_back(
          compiled(returning(k), "nw_number_" + std::to_string(k), {.optLevel = 0}, compiler).value());
    return objects;
  }
  static std::vector<ObjectRef> refs(const std::vector<CompiledObject>& objects) {
    std::vector<ObjectRef> all;
    for (const CompiledObject& one : objects) all.push_back({one.symbol, one.object});
    return all;
  }
};

QTEST_APPLESS_MAIN(TestLinker)
#include "tst_linker.moc"
