// Lookups and their reasons; wrong and foreign entries, as far as the cache alone decides.
#include "support.h"

#include "cache/inner_words.h"

#include "cache/actions.h"

using namespace nodewise;
using namespace nodewise::test;

class TestCacheLookup : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void changesWithinFusedNodesAreSaidInWords_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("now");
    QTest::addColumn<QString>("words");
    const auto graph = [](const char* name, const char* before, const char* now, const char* words) {
      QTest::newRow(name) << before << now << words;
    };
    const char* three = "v0:f8 = exp(i0); v1:f8 = mul(v0, i1); v2 = add(v1, k0); -> v2";
    graph("another op", three, "v0:f8 = log(i0); v1:f8 = mul(v0, i1); v2 = add(v1, k0); -> v2",
          "step 1 was exp, now log");
    graph("other arguments", three, "v0:f8 = exp(i0); v1:f8 = mul(i1, v0); v2 = add(v1, k0); -> v2",
          "step 2 (mul) takes (i1, v0), took (v0, i1)");
    graph("another dtype", three, "v0:f4 = exp(i0); v1:f8 = mul(v0, i1); v2 = add(v1, k0); -> v2",
          "step 1 (exp) gives v0:f4, gave v0:f8");
    graph("several", three, "v0:f8 = log(i0); v1:f8 = sub(v0, i1); v2 = add(v1, k0); -> v2",
          "2 of 3 steps differ: step 1 was exp, now log");
    graph("another output", three, "v0:f8 = exp(i0); v1:f8 = mul(v0, i1); v2 = add(v1, k0); -> v1",
          "gives v1, gave v2");
    graph("one added", three,
          "v0:f8 = exp(i0); v1:f8 = mul(v0, i1); v2:f8 = add(v1, k0); v3 = log1p(v2); -> v3",
          "now 4 steps, was 3: log1p added");
    graph("added and removed", three, "v0:f8 = tanh(i0); v1 = tanh(v0); -> v1",
          "now 2 steps, was 3: tanh ×2 added, add, exp and mul removed");
    graph("within a loop", "v0 = scalar_loop(i0, i1); { v0 = exp(i0); -> v0 } -> v0",
          "v0 = scalar_loop(i0, i1); { v0 = log(i0); -> v0 } -> v0", "step 2 was exp, now log");
    graph("after a loop", "v0:f8 = scalar_loop(i0, i1); { v0 = exp(i0); -> v0 } v1 = neg(v0); -> v1",
          "v0:f8 = scalar_loop(i0, i1); { v0 = exp(i0); -> v0 } v1 = abs(v0); -> v1",
          "step 3 was neg, now abs");
    graph("not such a text", "something", three, "");
    graph("cut", "v0:f8 = exp(i", three, "");
  }
  void changesWithinFusedNodesAreSaidInWords() {
    QFETCH(QString, before);
    QFETCH(QString, now);
    QFETCH(QString, words);
    QCOMPARE(QString::fromStdString(innerGraphWords(before.toStdString(), now.toStdString()).value_or("")),
             words);
  }

  void changedConstantsAreSaidByTheirNumbers() {
    const auto words = [](const char* a, const char* b) {
      return QString::fromStdString(constantWords(a, b).value_or("none"));
    };
    QCOMPARE(words("k0=float64 2 (0x4000)", "k0=float64 3 (0x4008)"), "constant 0 was 2, now 3");
    QCOMPARE(words("k0=float64 2 (0x4000)", "k0=float32 2 (0x40)"), "constant 0 was float64, now float32");
    QCOMPARE(words("k0=float64 nan (0x1)", "k0=float64 nan (0x2)"),
             "constant 0 was nan (0x1), now nan (0x2)");
    QCOMPARE(words("k0=int64 0x02", "k0=int64 0x02 k1=int64 0x03"), "now 2 constants, was 1");
    QCOMPARE(words("k0=int64 0x02 k1=int64 0x05", "k0=int64 0x04 k1=int64 0x06"),
             "2 constants differ: constant 0 was 0x02, now 0x04");
    QCOMPARE(words("2", "k0=int64 0x03"), "none");
  }

  void theReasonOfAFusedNodeSaysWhatChangedInside() {
    Store store = need(Store::open(inMemory()));
    const auto keyWith = [](const char* graph) {
      std::vector<KeyPart> parts = nodeParts(1);
      parts.push_back({"inner graph", graph});
      return makeKey(parts, environment());
    };
    QVERIFY(storeEntry(store, entryOf(keyWith("v0:f8 = exp(i0); v1 = neg(v0); -> v1"), 1)).ok());
    const LookupAnswer answer = lookupOne(store, keyWith("v0:f8 = log(i0); v1 = neg(v0); -> v1"));
    QVERIFY2(answer.reason.starts_with("inner graph: step 1 was exp, now log; nearest entry"),
             answer.reason.c_str());
    QCOMPARE(answer.newValue, std::string("v0:f8 = log(i0); v1 = neg(v0); -> v1")); // in full
  }

  void storedEntryIsHit() {
    Store store = need(Store::open(inMemory()));
    const NewEntry entry = entryOf(1);
    QCOMPARE(storeEntry(store, entry).text, std::string("stored"));
    const LookupAnswer answer = lookupOne(store, entry.key);
    QCOMPARE(answer.outcome, Outcome::Hit);
    QVERIFY(answer.reason.empty());
    QCOMPARE(answer.object->object, entry.object);
    QCOMPARE(answer.object->symbol, entry.symbol);
    QCOMPARE(answer.object->content, entry.content);
    QCOMPARE(answer.object->compileNs, entry.phases.compile());
  }

  void manyKeysGiveTheirAnswersInOrder() {
    Store store = need(Store::open(inMemory()));
    std::vector<NewEntry> entries;
    for (int k = 0; k < 300; k += 2) entries.push_back(entryOf(k));
    for (const StoreResult& result : storeEntries(store, entries)) QVERIFY2(result.ok(), result.text.c_str());
    std::vector<Key> keys;
    for (int k = 0; k < 300; ++k) keys.push_back(keyOf(k));
    keys.push_back(keyOf(0)); // a node twice
    std::vector<const Key*> pointers;
    for (const Key& key : keys) pointers.push_back(&key);
    const auto answers = need(lookupKeys(store, pointers, hostTarget()));
    for (size_t k = 0; k < 300; ++k) {
      QCOMPARE(answers[k].outcome, k % 2 == 0 ? Outcome::Hit : Outcome::Miss);
      if (k % 2 == 0) QCOMPARE(answers[k].object->object, entries[k / 2].object);
    }
    QCOMPARE(answers.back().object->object, entries[0].object);
  }

  void emptyCacheHasNothingComparable() {
    Store store = need(Store::open(inMemory()));
    const LookupAnswer answer = lookupOne(store, keyOf(1));
    QCOMPARE(answer.outcome, Outcome::Miss);
    QCOMPARE(answer.reason, std::string("nothing comparable is in the cache"));
    QVERIFY(!answer.nearest);
  }

  void oneChangedPartIsNamed_data() {
    QTest::addColumn<QString>("part");
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("stale");
    for (const auto& [part, value, stale] : {std::tuple{"op version", "2", true},
                                             {"scalar op versions", "exp 2", true},
                                             {"input 1", "int8 scalar", false},
                                             {"params", "{}", false},
                                             {"constants", "3.5", false},
                                             {"optimisation level", "3", true},
                                             {"fast math", "on", true},
                                             {"cpu", "haswell", true},
                                             {"features", "+sse2", true},
                                             {"LLVM version", "20.1.0", true},
                                             {"engine ABI", "2", true}}) {
      QTest::newRow(part) << part << value << stale;
    }
  }
  void oneChangedPartIsNamed() {
    QFETCH(QString, part);
    QFETCH(QString, value);
    QFETCH(bool, stale);
    Store store = need(Store::open(inMemory()));
    const auto withVersions = [](int number) {
      auto parts = nodeParts(number);
      parts.insert(parts.begin() + 2, {"scalar op versions", "exp 1"});
      return makeKey(parts, environment());
    };
    // Others around it, of the same and of another op, newer than it.
    const NewEntry wanted = entryOf(withVersions(77), 77);
    QVERIFY(storeEntry(store, wanted).ok());
    for (int k = 100; k < 150; ++k)
      QVERIFY(storeEntry(store, entryOf(makeKey(nodeParts(k, "int8"), environment()), k)).ok());
    QVERIFY(storeEntry(store, entryOf(makeKey(nodeParts(77, "float64", "Sum"), environment()), 200)).ok());
    Key changed = wanted.key;
    const auto place = std::ranges::find(changed.parts, part.toStdString(), &KeyPart::name);
    QVERIFY(place != changed.parts.end());
    const std::string before = place->value;
    place->value = value.toStdString();
    changed.hash = hashParts(changed.parts);
    const LookupAnswer answer = lookupOne(store, changed);
    QCOMPARE(answer.outcome, stale ? Outcome::Stale : Outcome::Miss);
    QCOMPARE(answer.changedPart, part.toStdString());
    QCOMPARE(answer.oldValue, before);
    QCOMPARE(answer.newValue, value.toStdString());
    QCOMPARE(answer.nearest.value(), wanted.key.hash);
    QVERIFY(
        answer.reason.starts_with(part.toStdString() + ": was " + before + ", now " + value.toStdString()));
    QVERIFY(!answer.object);
  }

  void fewestDifferencesWinThenTheNewest() {
    Store store = need(Store::open(inMemory()));
    auto two = nodeParts(1);
    two[2].value = two[3].value = "other";
    auto one = nodeParts(1);
    one[2].value = "other";
    auto oneNewer = nodeParts(1);
    oneNewer[3].value = "other";
    QVERIFY(storeEntry(store, entryOf(makeKey(one, environment()), 1)).ok());
    QVERIFY(storeEntry(store, entryOf(makeKey(oneNewer, environment()), 2)).ok());
    QVERIFY(storeEntry(store, entryOf(makeKey(two, environment()), 3)).ok());
    QCOMPARE(lookupOne(store, keyOf(1)).nearest.value(), makeKey(oneNewer, environment()).hash);
  }

  void manyDifferencesAreListed() {
    Store store = need(Store::open(inMemory()));
    auto other = nodeParts(9, "float32");
    QVERIFY(storeEntry(store, entryOf(makeKey(other, environment()), 1)).ok());
    const LookupAnswer answer = lookupOne(store, keyOf(1));
    QCOMPARE(answer.outcome, Outcome::Miss);
    QVERIFY2(answer.reason.starts_with(
                 "input 0: was float32 vector, now float64 vector (also input 1, output 0 and constants)"),
             answer.reason.c_str());
  }

  void invalidatedEntryIsStale() {
    Store store = need(Store::open(inMemory()));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    need(invalidate(store, Selection::all(), DryRun::No, "the op was changed"));
    const LookupAnswer answer = lookupOne(store, keyOf(1));
    QCOMPARE(answer.outcome, Outcome::Stale);
    QCOMPARE(answer.reason, std::string("the entry was invalidated: the op was changed"));
    QCOMPARE(answer.nearest.value(), keyOf(1).hash);
  }

  void entryForAnotherMachineIsRefused_data() {
    QTest::addColumn<QString>("triple");
    QTest::addColumn<QString>("features");
    QTest::addColumn<QString>("reason");
    QTest::newRow("a feature less")
        << "x86_64-pc-linux-gnu"
        << "+avx,+fma,+sse2"
        << "the entry is foreign: it needs avx2, which this machine does not have";
    QTest::newRow("no features")
        << "x86_64-pc-linux-gnu"
        << ""
        << "the entry is foreign: it needs avx, avx2, fma, sse2, which this machine does not have";
    QTest::newRow("another triple")
        << "aarch64-linux-gnu"
        << "+avx,+avx2,+fma,+sse2"
        << "the entry is foreign: it was made for x86_64-pc-linux-gnu, this machine is "
           "aarch64-linux-gnu";
  }
  void entryForAnotherMachineIsRefused() {
    QFETCH(QString, triple);
    QFETCH(QString, features);
    QFETCH(QString, reason);
    Store store = need(Store::open(inMemory()));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    const TargetSpec host{triple.toStdString(), "other", features.toStdString()};
    const LookupAnswer answer = lookupOne(store, keyOf(1), host);
    QCOMPARE(answer.outcome, Outcome::Miss);
    QCOMPARE(QString::fromStdString(answer.reason), reason);
    QVERIFY(!answer.object);
    QCOMPARE(lookupOne(store, keyOf(1)).outcome, Outcome::Hit); // it was not the entry's fault
  }

  void hostWithMoreFeaturesRunsTheEntry() {
    Store store = need(Store::open(inMemory()));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    TargetSpec host = hostTarget();
    host.features += ",+avx512f";
    host.cpu = "znver5";
    QCOMPARE(lookupOne(store, keyOf(1), host).outcome, Outcome::Hit);
  }

  // A row that was changed to claim other features, content or environment is damaged, not believed.
  void plantedColumnsAreNotBelieved_data() {
    QTest::addColumn<QString>("change");
    QTest::newRow("content of another entry")
        << "UPDATE entry SET content = (SELECT content FROM entry WHERE id = 2) WHERE id = 1";
    QTest::newRow("key of another entry")
        << "UPDATE entry SET key = NULL WHERE id = 2; UPDATE entry SET key = "
           "(SELECT hash FROM wanted) WHERE id = 2";
    QTest::newRow("environment") << "UPDATE environment SET features = '+sse2'";
    QTest::newRow("symbol") << "UPDATE object SET symbol = 'nw_other'";
    QTest::newRow("no object") << "DELETE FROM object";
    QTest::newRow("empty object") << "UPDATE object SET bytes = x'', size = 0";
    QTest::newRow("cost") << "UPDATE entry SET compile_ns = 1";
    QTest::newRow("no seal") << "UPDATE entry SET seal = NULL";
    QTest::newRow("no such state") << "UPDATE entry SET state = 'alive'";
  }
  void plantedColumnsAreNotBelieved() {
    QFETCH(QString, change);
    QTemporaryDir folder;
    Store store = need(Store::open(settingsFor(folder.filePath("cache.db"))));
    QVERIFY(storeEntry(store, entryOf(1)).ok());
    QVERIFY(storeEntry(store, entryOf(2)).ok());
    sql(store, "CREATE TEMP TABLE wanted AS SELECT key AS hash FROM entry WHERE id = 1");
    if (change.contains("wanted")) sql(store, "UPDATE entry SET key = x'00' WHERE id = 1");
    sql(store, change.toStdString());
    Store reader = need(Store::open(settingsFor(folder.filePath("cache.db"))));
    const LookupAnswer answer = lookupOne(reader, keyOf(1));
    QCOMPARE(answer.outcome, Outcome::Miss);
    QVERIFY2(answer.reason.starts_with("the entry was damaged and will be replaced: "),
             answer.reason.c_str());
    QVERIFY(!answer.object);
    QCOMPARE(lookupOne(reader, keyOf(1)).reason.substr(0, 25), std::string("the entry is quarantined:"));
    QVERIFY(storeEntry(reader, entryOf(1)).ok());
    QCOMPARE(lookupOne(reader, keyOf(1)).object->object, entryOf(1).object);
  }

  void contentIsFoundByItsHash() {
    Store store = need(Store::open(inMemory()));
    const NewEntry entry = entryOf(1);
    QVERIFY(!need(findContent(store, entry.content)));
    QVERIFY(storeEntry(store, entry).ok());
    QCOMPARE(need(findContent(store, entry.content))->object, entry.object);
    sql(store, "UPDATE object SET bytes = substr(bytes, 2)");
    QVERIFY(!need(findContent(store, entry.content)));
  }
};

QTEST_APPLESS_MAIN(TestCacheLookup)
#include "tst_cache_lookup.moc"
