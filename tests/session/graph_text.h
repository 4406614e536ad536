// Small graphs for tests: written as JSON, run through a session.
#pragma once

#include "graph/reader.h"
#include "session/engine.h"
#include "session/session.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cstring>
#include <initializer_list>

namespace nodewise::test {

/// An engine that all sessions of one test program share: code is linked once.
inline std::shared_ptr<Engine> sharedEngine() {
  static auto engine = std::make_shared<Engine>(1);
  return engine;
}

template <class T> constexpr DType dtypeOf() {
  if constexpr (std::is_same_v<T, bool>)
    return DType::Bool;
  else if constexpr (std::is_same_v<T, int8_t>)
    return DType::Int8;
  else if constexpr (std::is_same_v<T, int16_t>)
    return DType::Int16;
  else if constexpr (std::is_same_v<T, int32_t>)
    return DType::Int32;
  else if constexpr (std::is_same_v<T, int64_t>)
    return DType::Int64;
  else if constexpr (std::is_same_v<T, uint8_t>)
    return DType::UInt8;
  else if constexpr (std::is_same_v<T, uint16_t>)
    return DType::UInt16;
  else if constexpr (std::is_same_v<T, uint32_t>)
    return DType::UInt32;
  else if constexpr (std::is_same_v<T, uint64_t>)
    return DType::UInt64;
  else if constexpr (std::is_same_v<T, float>)
    return DType::Float32;
  else
    return DType::Float64;
}

template <class T> Data tensor(std::vector<int64_t> shape, const std::vector<T>& values) {
  Tensor t;
  t.dtype = dtypeOf<T>();
  t.shape = std::move(shape);
  t.bytes.resize(values.size() * sizeof(T));
  for (size_t k = 0; k < values.size(); ++k) {
    const T one = values[k];
    std::memcpy(t.bytes.data() + k * sizeof(T), &one, sizeof(T));
  }
  return Data{std::move(t)};
}
inline Data number(double x) { return tensor<double>({}, {x}); }

template <class T> std::vector<T> valuesOf(const Data& data) {
  const Tensor& t = *data.tensor();
  std::vector<T> out(static_cast<size_t>(elementCount(t.shape)));
  for (size_t k = 0; k < out.size(); ++k) {
    T one;
    std::memcpy(&one, t.bytes.data() + k * sizeof(T), sizeof(T));
    out[k] = one;
  }
  return out;
}

/// `text` is the Graph object of a file.
inline Result<std::unique_ptr<Session>> openText(const std::string& text, SessionSettings settings) {
  NW_TRY(GraphFile file,
         readGraphText(R"({"format":"nodewise-graph","version":1,"graph":)" + text + "}", "test"));
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

} // namespace nodewise::test
