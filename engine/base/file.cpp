#include "base/file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace nodewise {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

/// Before anything else is called that could change errno.
Error systemError(const std::string& doing, const std::string& path, const std::string& remedy) {
  return {.what = fmt::format("{}: {}", doing, std::strerror(errno)),
          .where = path,
          .remedy = remedy,
          .type = {}};
}

Error tooLarge(const std::string& path, int64_t maxBytes) {
  return {.what = fmt::format("the file is too large: expected at most {} bytes", maxBytes),
          .where = path,
          .remedy = {},
          .type = {}};
}

Result<void> writeAll(const std::string& path, std::string_view contents) {
  const std::string remedy = "check that the folder exists, can be written to, and has space left";
  File file(std::fopen(path.c_str(), "wbe"));
  if (!file) return systemError("cannot create the file", path, remedy);
  const bool written = std::fwrite(contents.data(), 1, contents.size(), file.get()) == contents.size();
  if (!written || std::fflush(file.get()) != 0) return systemError("cannot write the file", path, remedy);
  if (std::fclose(file.release()) != 0) return systemError("cannot write the file", path, remedy);
  return {};
}

} // namespace

Result<std::string> readFile(const std::string& path, int64_t maxBytes) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return Error{.what = "this is a folder, expected a file",
                 .where = path,
                 .remedy = "name a file in it",
                 .type = {}};
  const File file(std::fopen(path.c_str(), "rbe"));
  if (!file) return systemError("cannot open the file", path, "check its name and permissions");

  std::string contents;
  std::error_code noSize; // of a pipe
  const std::uintmax_t size = std::filesystem::file_size(path, noSize);
  if (!noSize) {
    if (size > static_cast<std::uintmax_t>(maxBytes)) return tooLarge(path, maxBytes);
    contents.reserve(size);
  }
  std::array<char, 1 << 16> chunk{};
  while (const size_t n = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    if (static_cast<int64_t>(contents.size() + n) > maxBytes) return tooLarge(path, maxBytes);
    contents.append(chunk.data(), n);
  }
  if (std::ferror(file.get()) != 0) return systemError("cannot read the file", path, {});
  return contents;
}

Result<void> writeFile(const std::string& path, std::string_view contents) {
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  Result<void> written = writeAll(temporary, contents);
  if (written.ok() && std::rename(temporary.c_str(), path.c_str()) != 0)
    written = systemError("cannot put the file in place", path, "check that the folder can be written to");
  if (!written.ok()) std::remove(temporary.c_str());
  return written;
}

} // namespace nodewise
