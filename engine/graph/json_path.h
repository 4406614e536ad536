// Where in a JSON document a reader is.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace nodewise {

/// "$.graph.nodes[3].in": a root, then keys and indices. Each step points at the one before it, which has to
/// outlive it, and the text is only made for an error: a large file has millions of places and no errors.
class JsonPath {
public:
  explicit JsonPath(std::string_view root = "$") : m_key(root) {}

  JsonPath operator/(std::string_view key) const& { return {this, key, 0}; }
  JsonPath operator[](size_t index) const& { return {this, {}, index}; }
  JsonPath operator/(std::string_view key) const&& = delete;
  JsonPath operator[](size_t index) const&& = delete;

  std::string text() const;

  /// The error that something else was expected here.
  Error error(std::string what) const {
    return {.what = std::move(what), .where = text(), .remedy = {}, .type = {}};
  }

private:
  JsonPath(const JsonPath* parent, std::string_view key, size_t index)
      : m_parent(parent), m_key(key), m_index(index) {}

  const JsonPath* m_parent = nullptr;
  std::string_view m_key; ///< empty: a step by index
  size_t m_index = 0;
};

} // namespace nodewise
