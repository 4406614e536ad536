#include "support.h"

#include "cache/store_state.h"

#include <QCoreApplication>
#include <random>

namespace nodewise::test {

TargetSpec hostTarget() { return {"x86_64-pc-linux-gnu", "znver4", "+avx,+avx2,+fma,+sse2"}; }

KeyEnvironment environment() { return {{2, false, "libmvec"}, hostTarget(), {"19.1.7", 1}}; }

std::vector<KeyPart> nodeParts(int number, const std::string& dtype, const std::string& op) {
  return {{"op", op},
          {"op version", "1"},
          {"params", R"({"scalar_op":"add"})"},
          {"input 0", dtype + " vector"},
          {"input 1", dtype + " vector"},
          {"output 0", dtype + " vector"},
          {"constants", std::to_string(number)}};
}

Key keyOf(int number) { return makeKey(nodeParts(number), environment()); }

NewEntry entryOf(const Key& key, int number, size_t objectBytes) {
  NewEntry entry;
  entry.key = key;
  entry.content = contentKey("ir of " + std::to_string(number), environment());
  entry.symbol = "nw_" + entry.content.hex();
  std::minstd_rand random(static_cast<unsigned>(number) + 1);
  entry.object.resize(std::max(objectBytes, entry.symbol.size()));
  for (std::byte& byte : entry.object) byte = static_cast<std::byte>(random());
  std::ranges::copy(std::as_bytes(std::span(entry.symbol)), entry.object.begin());
  entry.op = "Elemwise";
  entry.label = "add " + std::to_string(number);
  entry.dtype = "float64";
  entry.recipe = R"({"graph":)" + std::to_string(number) + "}";
  entry.ir = "define i32 @kernel() ; " + std::to_string(number);
  entry.phases = {1000, 200'000, 1'500'000, 2'500'000, 25'000, 40'000};
  return entry;
}

NewEntry entryOf(int number, size_t objectBytes) { return entryOf(keyOf(number), number, objectBytes); }

CacheSettings settingsFor(const QString& file) {
  CacheSettings settings;
  settings.file.set(file.toStdString(), Origin::CommandLine);
  return settings;
}

LookupAnswer lookupOne(Store& store, const Key& key, const TargetSpec& host) {
  return need(lookupKey(store, key, host));
}

void sql(Store& store, const std::string& text) {
  const auto done = store.state().connection->execute(text);
  if (!done.ok()) throw std::runtime_error(text + ": " + done.error().text());
}

int64_t sqlInteger(Store& store, const std::string& text) {
  return need(store.state().connection->queryInteger(text));
}

std::string sqlText(Store& store, const std::string& text) {
  Query query = need(store.state().connection->prepareOnce(text));
  return need(query.step()) ? query.textOr(0) : std::string();
}

QString helperProgram() { return QCoreApplication::applicationDirPath() + QStringLiteral("/cache_helper"); }

} // namespace nodewise::test
