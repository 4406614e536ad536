// One input of the fuzzer: text goes through the reader; what it accepts is written and read again.
#include "graph/dot.h"
#include "graph/reader.h"
#include "graph/writer.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

[[noreturn]] void fail(const char* what, const std::string& detail) {
  std::fprintf(stderr, "%s: %s\n", what, detail.c_str());
  std::abort();
}

void check(std::string_view text) {
  const auto file = nodewise::readGraphText(text, "input");
  if (!file.ok()) {
    if (file.error().what.empty() || file.error().where.empty())
      fail("an error without what or where", file.error().text());
    return;
  }
  const nlohmann::json written = nodewise::toJson(*file);
  const auto again = nodewise::readGraphText(written.dump(), "written");
  if (!again.ok()) fail("what was written does not read", again.error().text());
  if (nodewise::toJson(*again) != written) fail("what was written reads differently", written.dump());
  if (nodewise::toDot(file->graph, {.clusters = true, .nodeAttributes = {}}).empty())
    fail("no DOT text", written.dump());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  check({reinterpret_cast<const char*>(data), size});
  return 0;
}
