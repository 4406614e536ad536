// Keys: what is in them, that they stay what they are, and how two of them are compared.
#include "support.h"

#include <QFile>
#include <map>
#include <set>

using namespace nodewise;
using namespace nodewise::test;

namespace {

struct Change {
  const char* part;
  void (*apply)(std::vector<KeyPart>&, KeyEnvironment&);
  bool stale;
};

const Change kChanges[] = {
    {"op", [](auto& parts, auto&) { parts[0].value = "Sum"; }, false},
    {"op version", [](auto& parts, auto&) { parts[1].value = "2"; }, true},
    {"params", [](auto& parts, auto&) { parts[2].value = "{}"; }, false},
    {"input 0", [](auto& parts, auto&) { parts[3].value = "float32 vector"; }, false},
    {"constants", [](auto& parts, auto&) { parts[6].value = "2.5"; }, false},
    {"optimisation level", [](auto&, auto& environment) { environment.options.optLevel = 3; }, true},
    {"fast math", [](auto&, auto& environment) { environment.options.fastMath = true; }, true},
    {"vector library", [](auto&, auto& environment) { environment.options.vectorLibrary = "none"; }, true},
    {"triple", [](auto&, auto& environment) { environment.target.triple = "aarch64-linux-gnu"; }, true},
    {"cpu", [](auto&, auto& environment) { environment.target.cpu = "haswell"; }, true},
    {"features", [](auto&, auto& environment) { environment.target.features = "+sse2"; }, true},
    {"LLVM version", [](auto&, auto& environment) { environment.toolchain.llvmVersion = "19.1.8"; }, true},
    {"engine ABI", [](auto&, auto& environment) { environment.toolchain.engineAbi = 2; }, true},
};

/// Lines of golden_keys.txt: "NAME HASH"; '#' starts a comment.
std::map<std::string, std::string> goldenLines() {
  std::map<std::string, std::string> lines;
  QFile file(QStringLiteral(TEST_FOLDER "/golden_keys.txt"));
  if (!file.open(QIODevice::ReadOnly | QIODevice::Text)) return lines;
  for (const QByteArray& line : file.readAll().split('\n')) {
    const qsizetype space = line.lastIndexOf(' ');
    if (!line.startsWith('#') && space > 0)
      lines[line.left(space).toStdString()] = line.mid(space + 1).toStdString();
  }
  return lines;
}

/// What the golden file must say today.
std::map<std::string, std::string> presentLines() {
  std::map<std::string, std::string> lines;
  lines["key format"] = hashBytes(kKeyFormat).shortHex();
  lines["content format"] = hashBytes(kContentFormat).shortHex();
  lines["no parts"] = hashParts({}).hex();
  lines["base"] = keyOf(1).hash.hex();
  lines["content"] = contentKey("define i32 @kernel()", environment()).hex();
  for (const Change& change : kChanges) {
    std::vector<KeyPart> parts = nodeParts(1);
    KeyEnvironment changed = environment();
    change.apply(parts, changed);
    lines[std::string("changed ") + change.part] = makeKey(parts, changed).hash.hex();
  }
  return lines;
}

} // namespace

class TestCacheKey : public QObject {
  Q_OBJECT
private Q_SLOTS:
  // A wrong or foreign entry: an upgrade must not change what is hashed without saying so.
  void goldenKeysStayAsTheyAre() {
    const auto golden = goldenLines(), present = presentLines();
    if (golden != present) {
      for (const auto& [name, hash] : present) qWarning("%s %s", name.c_str(), hash.c_str());
    }
    QVERIFY2(golden.size() > 10, "golden_keys.txt is missing or empty");
    const bool sameFormat = golden.at("key format") == present.at("key format") &&
                            golden.at("content format") == present.at("content format");
    QVERIFY2(
        golden == present,
        sameFormat
            ? "keys changed although kKeyFormat did not: raise its number, then write golden_keys.txt anew"
            : "the key format changed: write golden_keys.txt anew with the lines above");
  }

  void hashIsBlake3() {
    // The test vector of the empty input in the BLAKE3 specification.
    QCOMPARE(hashBytes("").hex(),
             std::string("af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"));
  }

  void everyPartChangesTheKeyAndIsNamed_data() {
    QTest::addColumn<int>("index");
    for (size_t k = 0; k < std::size(kChanges); ++k) QTest::newRow(kChanges[k].part) << static_cast<int>(k);
  }
  void everyPartChangesTheKeyAndIsNamed() {
    QFETCH(int, index);
    const Change& change = kChanges[index];
    std::vector<KeyPart> parts = nodeParts(1);
    KeyEnvironment changed = environment();
    change.apply(parts, changed);
    const Key before = keyOf(1), after = makeKey(parts, changed);
    QVERIFY(before.hash != after.hash);
    const std::vector<PartDiff> diffs = diffParts(before.parts, after.parts);
    QCOMPARE(diffs.size(), size_t{1});
    QCOMPARE(diffs[0].name, std::string(change.part));
    QVERIFY(diffs[0].oldValue != diffs[0].newValue);
    QCOMPARE(isStalePart(diffs[0].name), change.stale);
  }

  void partsThatRunTogetherAreStillDifferent() {
    const std::vector<std::vector<KeyPart>> lists{
        {{"a", "bc"}}, {{"ab", "c"}}, {{"a", "b"}, {"c", ""}}, {{"", "abc"}}, {{"a", "bc"}, {"", ""}}, {}};
    std::set<std::string> bytes;
    std::set<Hash> hashes;
    for (const auto& parts : lists) {
      bytes.insert(canonicalBytes(parts));
      hashes.insert(hashParts(parts));
    }
    QCOMPARE(bytes.size(), lists.size());
    QCOMPARE(hashes.size(), lists.size());
  }

  void contentDependsOnIrAndEnvironment() {
    KeyEnvironment other = environment();
    other.options.optLevel = 0;
    const std::set<Hash> contents{contentKey("ir", environment()), contentKey("ir ", environment()),
                                  contentKey("ir", other)};
    QCOMPARE(contents.size(), size_t{3});
  }

  void partsThatComeAndGoAreDifferences() {
    const std::vector<KeyPart> before{{"a", "1"}, {"b", "2"}}, after{{"b", "2"}, {"c", "3"}};
    const auto diffs = diffParts(before, after);
    QCOMPARE(diffs.size(), size_t{2});
    QCOMPARE(diffs[0].name, std::string("c"));
    QVERIFY(diffs[0].oldValue.empty());
    QCOMPARE(diffs[1].name, std::string("a"));
    QVERIFY(diffs[1].newValue.empty());
  }

  void hexGoesBothWays() {
    const Hash hash = hashBytes("x");
    QCOMPARE(Hash::fromHex(hash.hex()).value(), hash);
    QCOMPARE(hash.shortHex(), hash.hex().substr(0, 10));
    QVERIFY(!Hash::fromHex("12"));
    QVERIFY(!Hash::fromHex(std::string(64, 'g')));
  }
};

QTEST_APPLESS_MAIN(TestCacheKey)
#include "tst_cache_key.moc"
