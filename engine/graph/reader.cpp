#include "graph/reader.h"

#include "base/file.h"
#include "graph/json_fields.h"
#include "graph/json_text.h"
#include "graph/read_parts.h"

#include <limits>

#include <fmt/format.h>

namespace nodewise {

using nlohmann::json;

namespace {

/// A file of a million nodes has some 300 MB; in memory its JSON takes several times that.
constexpr int64_t kLargestFile = int64_t{1} << 30;
constexpr int64_t kVersion = 1;

Result<std::vector<Data>> readCaseData(const json& object, const JsonPath& path, const char* key,
                                       const Graph& graph, const std::vector<ValueId>& ids, Lengths lengths) {
  NW_TRY(const json* list, requireField(object, path, key));
  const JsonPath listPath = path / key;
  NW_CHECK(expectList(*list, listPath, "data"));
  if (list->size() != ids.size())
    return listPath.error(
        fmt::format("expected {}, one for each of the graph's {}, found {}", ids.size(), key, list->size()));
  std::vector<Data> all;
  all.reserve(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    NW_TRY(Data data, dataFromJson((*list)[i], listPath[i]));
    NW_CHECK(checkFits(graph.values[static_cast<size_t>(ids[i])].type, data, listPath[i], lengths));
    all.push_back(std::move(data));
  }
  return all;
}

Result<void> readRaises(const json& raises, const JsonPath& path, Case& c) {
  NW_CHECK(expectObject(raises, path, "what was raised"));
  NW_TRY(c.raisesType, requireText(raises, path, "type"));
  NW_TRY(c.raisesMessage, readText(raises, path, "message"));
  return {};
}

Result<std::optional<double>> readTolerance(const json& object, const JsonPath& path, const char* key) {
  const json* field = findField(object, key);
  if (field == nullptr) return std::optional<double>();
  if (!field->is_number() || field->get<double>() < 0)
    return unexpected(path / key, "a number from 0", *field);
  return std::optional(field->get<double>());
}

Result<void> readHead(const json& root, const JsonPath& path, GraphFile& file) {
  NW_TRY(const json* format, requireField(root, path, "format"));
  if (*format != "nodewise-graph") return unexpected(path / "format", "\"nodewise-graph\"", *format);
  NW_TRY(const json* version, requireField(root, path, "version"));
  NW_TRY(const int64_t number,
         readInteger(*version, path / "version", 1, std::numeric_limits<int64_t>::max(), "a version number"));
  if (number > kVersion) {
    const Error found = unexpected(path / "version", fmt::format("at most version {}", kVersion), *version);
    return Error{found.what, found.where,
                 "the file was written for a newer program: update this one, or export the graph again", ""};
  }
  NW_TRY(file.name, readText(root, path, "name"));
  NW_TRY(file.source, readText(root, path, "source"));
  const json* producer = findField(root, "producer");
  if (producer == nullptr) return {};
  const JsonPath producerPath = path / "producer";
  NW_CHECK(expectObject(*producer, producerPath, "a producer"));
  NW_TRY(file.producerName, readText(*producer, producerPath, "name"));
  NW_TRY(file.producerVersion, readText(*producer, producerPath, "version"));
  return {};
}

Result<GraphFile> fileFromJson(json& root) {
  const JsonPath path;
  NW_CHECK(expectObject(root, path, "a graph file"));
  GraphFile file;
  NW_CHECK(readHead(root, path, file));
  NW_TRY(json * graph, requireField(root, path, "graph"));
  NW_TRY(file.graph, graphFromJson(*graph, path / "graph"));
  const json* cases = findField(root, "cases");
  if (cases == nullptr) return file;
  const JsonPath casesPath = path / "cases";
  NW_CHECK(expectList(*cases, casesPath, "cases"));
  for (size_t i = 0; i < cases->size(); ++i) {
    NW_TRY(Case c, caseFromJson((*cases)[i], casesPath[i], file.graph));
    file.cases.push_back(std::move(c));
  }
  return file;
}

/// Runs `read`, which fails by values, except that memory may run out within a library.
template <class T, class Read> Result<T> guarded(Read read) {
  try {
    return read();
  } catch (const std::exception& e) {
    return Error{.what = fmt::format("the graph could not be held: {}", e.what()),
                 .where = {},
                 .remedy = {},
                 .type = {}};
  }
}

} // namespace

Result<Case> caseFromJson(const json& object, const JsonPath& path, const Graph& graph) {
  NW_CHECK(expectObject(object, path, "a case"));
  Case c;
  NW_TRY(c.inputs, readCaseData(object, path, "inputs", graph, graph.inputs, Lengths::AsDeclared));
  const json* raises = findField(object, "raises");
  const bool outputs = findField(object, "outputs") != nullptr;
  if (outputs == (raises != nullptr))
    return path.error(fmt::format("expected one of the keys \"outputs\" and \"raises\", found {}",
                                  outputs ? "both" : "neither"));
  if (outputs) {
    NW_TRY(c.outputs, readCaseData(object, path, "outputs", graph, graph.outputs, Lengths::Any));
  } else {
    NW_CHECK(readRaises(*raises, path / "raises", c));
  }
  NW_TRY(c.rtol, readTolerance(object, path, "rtol"));
  NW_TRY(c.atol, readTolerance(object, path, "atol"));
  NW_TRY(c.random, readFlag(object, path, "random"));
  return c;
}

Result<GraphFile> readGraphText(std::string_view text, const std::string& name) {
  auto file = guarded<GraphFile>([&]() -> Result<GraphFile> {
    NW_TRY(json root, parseJson(text));
    return fileFromJson(root);
  });
  if (!file.ok()) return name.empty() ? file.error() : within(name, file.error());
  file->path = name;
  return file;
}

Result<GraphFile> readGraphFile(const std::string& path) {
  NW_TRY(const std::string text, readFile(path, kLargestFile));
  return readGraphText(text, path);
}

Result<Data> readData(const json& object, const std::string& path) {
  return guarded<Data>([&] { return dataFromJson(object, JsonPath(path)); });
}

Result<Type> readType(const json& object, const std::string& path) {
  return guarded<Type>([&] { return typeFromJson(object, JsonPath(path)); });
}

} // namespace nodewise
