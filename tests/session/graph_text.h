// Small graphs for tests: written as JSON, run through a session.
#pragma once

#include "graph/reader.h"
#include "session/engine.h"
#include "session/session.h"
#include "tensors.h"

#include <QTemporaryDir>
#include <QtTest>

#include <stdexcept>

namespace nodewise::testing {

/// An engine that all sessions of one test program share: code is linked once.
inline std::shared_ptr<Engine> sharedEngine() {
  static auto engine = std::make_shared<Engine>(1);
  return engine;
}

inline Data number(double x) { return scalarOf(x); }

/// The value; an error ends the test program, and says why.
template <class T> T need(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error().text());
  return std::move(result).value();
}

/// `text` is the Graph object of a file.
inline Result<GraphFile> readText(const std::string& text) {
  return readGraphText(R"({"format":"nodewise-graph","version":1,"graph":)" + text + "}", "test");
}
inline Result<std::unique_ptr<Session>> openText(const std::string& text, SessionSettings settings) {
  NW_TRY(GraphFile file, readText(text));
  return Session::open(std::move(file), std::move(settings), sharedEngine());
}
inline SessionSettings withoutCache() {
  SessionSettings settings;
  settings.useCache = false;
  return settings;
}

/// Opens, compiles and runs once.
inline Result<std::vector<Data>> runText(const std::string& text, const std::vector<Data>& inputs) {
  NW_TRY(auto session, openText(text, withoutCache()));
  NW_TRY(RunResult result, session->run(inputs, 1, false, {}));
  return std::move(result.outputs);
}

/// A value of the graph: {"type":{...}}
inline std::string value(const std::string& dtype, const std::string& shape) {
  return R"({"type":{"kind":"tensor","dtype":")" + dtype + R"(","shape":)" + shape + "}}";
}
inline std::string scalar(const std::string& dtype) {
  return R"({"type":{"kind":"scalar","dtype":")" + dtype + R"("}})";
}

/// An Elemwise of one output; `in` is a JSON list of value ids.
inline std::string elemwise(const std::string& scalarOp, const std::string& in, int out,
                            const std::string& name = {}, const std::string& scope = {}) {
  const auto field = [](const char* key, const std::string& text) {
    return text.empty() ? std::string() : std::string(",\"") + key + "\":\"" + text + "\"";
  };
  return R"({"op":"Elemwise","in":)" + in + R"(,"out":[)" + std::to_string(out) +
         R"(],"params":{"scalar_op":")" + scalarOp + "\"}" + field("name", name) + field("scope", scope) +
         "}";
}

} // namespace nodewise::testing
