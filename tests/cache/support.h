// What tests of the cache share: entries to store, keys, temporary directories, helper processes.
#pragma once

#include "cache/connection.h"
#include "cache/entries.h"
#include "cache/lookup.h"
#include "cache/store.h"

#include <QString>
#include <QTemporaryDir>
#include <QtTest>

namespace nodewise::test {

/// Fails the test (and leaves the function) with the error's text.
#define REQUIRE_OK(result)                                                                                   \
  do {                                                                                                       \
    const auto& requireOk = (result);                                                                        \
    QVERIFY2(requireOk.ok(), requireOk.ok() ? "" : requireOk.error().text().c_str());                        \
  } while (false)

/// A value that has to be there; a failure ends the test program's function by exception, which QtTest
/// reports.
template <class T> T need(Result<T> result) {
  if (!result.ok()) {
    qWarning("unexpected error: %s", result.error().text().c_str());
    throw std::runtime_error(result.error().text());
  }
  return std::move(result).value();
}

TargetSpec hostTarget();
KeyEnvironment environment();

/// Parts as ops make them: an Elemwise of two inputs. `number` makes it one of its kind.
std::vector<KeyPart> nodeParts(int number, const std::string& dtype = "float64",
                               const std::string& op = "Elemwise");
Key keyOf(int number);
/// `objectBytes` of pseudo-random code with the symbol in it.
NewEntry entryOf(const Key& key, int number, size_t objectBytes = 3000);
NewEntry entryOf(int number, size_t objectBytes = 3000);

CacheSettings settingsFor(const QString& file);
inline CacheSettings inMemory() { return settingsFor(QStringLiteral(":memory:")); }
LookupAnswer lookupOne(Store& store, const Key& key, const TargetSpec& host = hostTarget());
/// Runs SQL on a store's own connection.
void sql(Store& store, const std::string& text);
int64_t sqlInteger(Store& store, const std::string& text);
std::string sqlText(Store& store, const std::string& text);

/// Path of tests/cache/cache_helper, and arguments for it (see cache_helper.cpp).
QString helperProgram();

} // namespace nodewise::test
