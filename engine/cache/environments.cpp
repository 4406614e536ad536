#include "cache/environments.h"

#include <algorithm>
#include <charconv>

namespace nodewise {

namespace {

constexpr size_t kParts = 8;

KeyEnvironment valuesOf(std::span<const KeyPart> parts) {
  KeyEnvironment values;
  if (parts.size() != kParts) return values;
  const auto number = [](const std::string& text) {
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  values.options = {number(parts[0].value), parts[1].value == "on", parts[2].value};
  values.target = {parts[3].value, parts[4].value, parts[5].value};
  values.toolchain = {parts[6].value, number(parts[7].value)};
  return values;
}

} // namespace

SplitParts splitParts(std::span<const KeyPart> parts) {
  static const std::vector<KeyPart> names = environmentParts({});
  if (parts.size() < kParts) return {parts, {}};
  const auto tail = parts.last(kParts);
  const bool same = std::ranges::equal(tail, names, {}, &KeyPart::name, &KeyPart::name);
  return same ? SplitParts{parts.first(parts.size() - kParts), tail} : SplitParts{parts, {}};
}

Result<std::shared_ptr<const StoredEnvironment>> loadEnvironment(Connection& connection,
                                                                 EnvironmentCache& cache, int64_t id) {
  const auto known = cache.find(id);
  if (known != cache.end()) return known->second;
  NW_TRY(Query query,
         connection.prepare("SELECT hash, opt_level, fast_math, vector_library, triple, cpu, features, "
                            "llvm_version, engine_abi FROM environment WHERE id = ?"));
  NW_TRY(const bool row, query.bind(id).step());
  std::shared_ptr<StoredEnvironment> environment;
  if (row) {
    const std::optional<Hash> hash = query.hash(0);
    std::vector<KeyPart> parts = environmentParts({});
    if (query.isNull(1)) parts.clear();
    for (size_t k = 0; k < parts.size(); ++k) parts[k].value = query.textOr(static_cast<int>(k) + 1);
    if (hash && *hash == hashParts(parts)) {
      environment = std::make_shared<StoredEnvironment>();
      environment->hash = *hash;
      environment->values = valuesOf(parts);
      environment->parts = std::move(parts);
    }
  }
  // A damaged row is looked at again: doctor may have mended it.
  if (environment) cache.emplace(id, environment);
  return std::shared_ptr<const StoredEnvironment>(std::move(environment));
}

Result<int64_t> environmentId(Connection& connection, std::span<const KeyPart> parts) {
  const Hash hash = hashParts(parts);
  NW_TRY(Query write,
         connection.prepare(
             "INSERT INTO environment (hash, opt_level, fast_math, vector_library, triple, cpu, features, "
             "llvm_version, engine_abi) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
             "ON CONFLICT (hash) DO UPDATE SET opt_level = excluded.opt_level, "
             "fast_math = excluded.fast_math, vector_library = excluded.vector_library, "
             "triple = excluded.triple, cpu = excluded.cpu, features = excluded.features, "
             "llvm_version = excluded.llvm_version, engine_abi = excluded.engine_abi RETURNING id"));
  write.bind(hash);
  for (size_t k = 0; k < parts.size() && k < kParts; ++k)
    write.bindOne(static_cast<int>(k) + 2, parts[k].value);
  NW_TRY(const bool row, write.step());
  const int64_t id = row ? write.integerOr(0) : 0;
  NW_CHECK(write.run());
  return id;
}

} // namespace nodewise
