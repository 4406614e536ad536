// Sessions on a cache of their own, and graphs for them whose nodes have different keys.
#pragma once

#include "graph_text.h"

#include "cache/store.h"
#include "session/session.h"

#include <QTemporaryDir>

namespace nodewise::testing {

/// y = c x, then tanh, as a fused node with a constant of its own.
inline std::string fused(double c) {
  return "{\"values\":[" + scalar("float64") + "," +
         "{\"type\":{\"kind\":\"scalar\",\"dtype\":\"float64\"},\"const\":{\"dtype\":\"float64\",\"shape\":[]"
         ",\"data\":[" +
         std::to_string(c) + "]}}," + scalar("float64") + "," + scalar("float64") +
         "],\"inputs\":[0],\"outputs\":[3],\"nodes\":[{\"op\":\"mul\",\"in\":[0,1],\"out\":[2]},{\"op\":"
         "\"tanh\",\"in\":[2],\"out\":[3]}]}";
}
inline std::string chain(const std::vector<double>& constants) {
  std::string values = value("float64", "[null]"), nodes;
  for (size_t k = 0; k < constants.size(); ++k) {
    values += "," + value("float64", "[null]");
    nodes += (k ? "," : "") +
             std::string("{\"op\":\"Elemwise\",\"params\":{\"scalar_op\":\"composite\",\"graph\":") +
             fused(constants[k]) + "},\"in\":[" + std::to_string(k) + "],\"out\":[" + std::to_string(k + 1) +
             "]}";
  }
  return "{\"values\":[" + values + "],\"inputs\":[0],\"outputs\":[" + std::to_string(constants.size()) +
         "],\"nodes\":[" + nodes + "]}";
}
inline std::string oneOp(const std::string& op, const std::string& dtype) {
  return "{\"values\":[" + value(dtype, "[null]") + "," + value(dtype, "[null]") +
         "],\"inputs\":[0],\"outputs\":[1],\"nodes\":[{\"op\":\"Elemwise\",\"params\":{\"scalar_op\":\"" +
         op + "\"},\"in\":[0],\"out\":[1]}]}";
}

/// A session in an engine of its own: nothing is linked or made already.
inline Result<std::unique_ptr<Session>> openFresh(const std::string& text, const SessionSettings& settings) {
  NW_TRY(GraphFile file, readText(text));
  return Session::open(std::move(file), settings, nullptr);
}

/// A cache of its own for each test function: call startAnew() in init().
struct SessionFixture {
  QTemporaryDir m_folder;
  SessionSettings m_settings;
  int m_number = 0;

  void startAnew() {
    m_settings = {};
    m_settings.threads = 1;
    m_settings.cache.file = m_folder.filePath(QString("cache%1.db").arg(m_number++)).toStdString();
  }
  CompileSummary compiled(const std::string& text) {
    auto session = openFresh(text, m_settings);
    if (!session) return {};
    auto summary = (*session)->compile({}, {}, {});
    return summary ? *summary : CompileSummary{};
  }
  Store store() {
    CacheOptions options;
    options.file = m_settings.cache.file;
    return std::move(*Store::open(*resolveCacheSettings(options)));
  }
};

} // namespace nodewise::testing
