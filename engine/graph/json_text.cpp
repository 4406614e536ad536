#include "graph/json_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace nodewise {

namespace {

using nlohmann::json;

/// The longest piece of a file that an error repeats.
constexpr size_t kLongestQuote = 160;

/// Pieces of a broken file may hold anything; an error shows ASCII.
std::string printable(std::string_view text) {
  std::string out(text.substr(0, kLongestQuote));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < 0x20 || c == 0x7F; }, '?');
  return text.size() > kLongestQuote ? out + "..." : out;
}

/// "line 3, column 7" of a byte; columns count characters.
std::string placeOf(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
  const auto column = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(lineStart), before.end(),
                                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return fmt::format("line {}, column {}", line, column + 1);
}

/// The parser's message without its number and place, which are said in our own way.
std::string bareMessage(std::string_view what) {
  if (what.starts_with('[')) what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
  if (what.starts_with("parse error")) what.remove_prefix(std::min(what.find(": ") + 2, what.size()));
  return printable(what);
}

/// Where the text, well-formed up to there, opens one more object or list than `depth`.
size_t offsetOfDepth(std::string_view text, size_t depth) {
  size_t open = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++open > depth) return i;
    } else if (c == '}' || c == ']') {
      --open;
    }
  }
  return text.size();
}

/// Builds the document from the parser's events; the library's own builder has no limit of depth.
class Builder : public nlohmann::json_sax<json> {
public:
  explicit Builder(std::string_view text) : m_text(text) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; } // not in JSON text
  bool start_object(size_t) override { return open(json::value_t::object); }
  bool start_array(size_t) override { return open(json::value_t::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    m_member = &m_open.back()->get_ref<json::object_t&>()[std::move(name)];
    return true;
  }
  bool parse_error(size_t position, const std::string&, const json::exception& e) override {
    fail(position > 0 ? position - 1 : 0,
         fmt::format("this is not well-formed JSON: {}", bareMessage(e.what())));
    return false;
  }

  Result<json> result(bool parsed) {
    if (!parsed) return m_error;
    return std::move(m_root);
  }

private:
  void fail(size_t offset, std::string what) {
    m_error = {.what = std::move(what), .where = placeOf(m_text, offset), .remedy = {}, .type = {}};
  }

  json* put(json&& value) {
    if (m_open.empty()) return &(m_root = std::move(value));
    if (m_open.back()->is_object()) return &(*m_member = std::move(value));
    auto& list = m_open.back()->get_ref<json::array_t&>();
    list.push_back(std::move(value));
    return &list.back();
  }
  bool add(json&& value) {
    put(std::move(value));
    return true;
  }
  bool open(json::value_t type) {
    if (m_open.size() == kDeepestJson) {
      fail(offsetOfDepth(m_text, kDeepestJson),
           fmt::format("expected at most {} nested levels", kDeepestJson));
      return false;
    }
    m_open.push_back(put(json(type)));
    return true;
  }
  bool close() {
    m_open.pop_back();
    return true;
  }

  std::string_view m_text;
  json m_root;
  std::vector<json*> m_open; ///< from the root to the innermost object or list that is not complete
  json* m_member = nullptr;  ///< of the innermost object: where its next value goes
  Error m_error;
};

} // namespace

Result<json> parseJson(std::string_view text) {
  // The parser takes a zero byte for the end of the text, and would not see what follows.
  if (const size_t zero = text.find('\0'); zero != std::string_view::npos)
    return Error{.what = "this is not well-formed JSON: it has a zero byte",
                 .where = placeOf(text, zero),
                 .remedy = {},
                 .type = {}};
  if (text.empty())
    return Error{.what = "the text is empty, expected JSON", .where = {}, .remedy = {}, .type = {}};
  try {
    Builder builder(text);
    const bool parsed = json::sax_parse(text, &builder);
    return builder.result(parsed);
  } catch (const std::exception& e) { // no memory
    return Error{.what = fmt::format("the JSON could not be held: {}", e.what()),
                 .where = {},
                 .remedy = {},
                 .type = {}};
  }
}

std::string describeJson(const json& value) {
  switch (value.type()) {
  case json::value_t::object:
    return value.empty() ? "an empty object" : "an object";
  case json::value_t::array:
    return value.empty() ? "an empty list" : fmt::format("a list of {}", value.size());
  case json::value_t::string:
    return fmt::format("the text \"{}\"", printable(value.get_ref<const std::string&>()));
  case json::value_t::binary:
  case json::value_t::discarded:
    return "no JSON";
  case json::value_t::null:
  case json::value_t::boolean:
  case json::value_t::number_integer:
  case json::value_t::number_unsigned:
  case json::value_t::number_float:
    break;
  }
  return value.dump();
}

} // namespace nodewise
