#include "session/child_process.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nodewise {

namespace {

constexpr int kPollMs = 50; ///< how soon a request to stop is seen

Error systemError(std::string what, std::string where) {
  return {fmt::format("{}: {}", what, std::strerror(errno)), std::move(where), {}, "Environment"};
}

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  bool open() { return ::pipe2(ends.data(), O_CLOEXEC) == 0; }
  void closeWriter() {
    ::close(ends[1]);
    ends[1] = -1;
  }
};

/// False: nothing more will come.
bool readSome(int file, std::string& into) {
  char buffer[65536];
  const ssize_t n = ::read(file, buffer, sizeof buffer);
  if (n > 0) into.append(buffer, static_cast<size_t>(n));
  return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

} // namespace

Result<StepMark> StepMark::mapped(int handle, std::string file, bool owner) {
  struct stat status {};
  if (::fstat(handle, &status) != 0 || static_cast<size_t>(status.st_size) < sizeof(Shared))
    return Error{"is no mark of steps", file, {}, {}};
  void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, handle, 0);
  if (memory == MAP_FAILED) return systemError("cannot be mapped", file);
  return StepMark(std::move(file), static_cast<volatile Shared*>(memory), owner);
}

Result<StepMark> StepMark::create() {
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(problem);
  if (problem)
    return Error{"there is no folder for temporary files: " + problem.message(), "TMPDIR", "set it to one",
                 "Environment"};
  std::string name = (folder / "nodewise-step-XXXXXX").string();
  const int handle = ::mkostemp(name.data(), O_CLOEXEC);
  if (handle < 0) return systemError("cannot be made", name);
  if (::ftruncate(handle, sizeof(Shared)) != 0) {
    const Error error = systemError("cannot be made", name);
    ::close(handle);
    ::unlink(name.c_str());
    return error;
  }
  Result<StepMark> mark = mapped(handle, name, true);
  ::close(handle);
  return mark;
}

Result<StepMark> StepMark::open(const std::string& file) {
  const int handle = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (handle < 0) return systemError("cannot be opened", file);
  Result<StepMark> mark = mapped(handle, file, false);
  ::close(handle);
  return mark;
}

StepMark::StepMark(std::string file, volatile Shared* shared, bool owner)
    : m_file(std::move(file)), m_shared(shared), m_owner(owner) {}

StepMark::StepMark(StepMark&& other) noexcept
    : m_file(std::move(other.m_file)), m_shared(std::exchange(other.m_shared, nullptr)),
      m_owner(other.m_owner) {}

StepMark::~StepMark() {
  if (!m_shared) return;
  ::munmap(const_cast<Shared*>(m_shared), sizeof(Shared));
  if (m_owner) ::unlink(m_file.c_str());
}

void StepMark::set(int32_t node) {
  m_shared->beginNs = std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  m_shared->number = node + 1;
}

std::optional<int32_t> StepMark::node() const {
  const int32_t number = m_shared->number;
  if (number <= 0) return {};
  return number - 1;
}

std::chrono::nanoseconds StepMark::sinceBegin() const {
  if (!node()) return {};
  return std::chrono::steady_clock::now().time_since_epoch() - std::chrono::nanoseconds(m_shared->beginNs);
}

std::string signalText(int signal) {
  const char* name = ::sigabbrev_np(signal);
  const char* description = ::sigdescr_np(signal);
  if (!name) return fmt::format("signal {}", signal);
  return fmt::format("SIG{} ({})", name, description ? description : "");
}

Result<ChildEnd> runChild(const std::vector<std::string>& command, std::chrono::milliseconds timeout,
                          std::stop_token stop) {
  Pipe out, err;
  if (!out.open() || !err.open()) return systemError("no pipe to a child process", {});
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  std::vector<char*> arguments;
  // POSIX: the strings are not written to.
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failure = ::posix_spawn(&child, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    errno = failure;
    return systemError("cannot be started", command[0]);
  }
  out.closeWriter();
  err.closeWriter();

  ChildEnd end;
  const auto began = std::chrono::steady_clock::now();
  bool reading = true, readingErrors = true;
  while (reading || readingErrors) {
    end.timedOut = timeout.count() > 0 && std::chrono::steady_clock::now() - began > timeout;
    end.cancelled = stop.stop_requested();
    if (end.timedOut || end.cancelled) {
      ::kill(child, SIGKILL);
      break;
    }
    pollfd files[2] = {{reading ? out.ends[0] : -1, POLLIN, 0},
                       {readingErrors ? err.ends[0] : -1, POLLIN, 0}};
    if (::poll(files, 2, kPollMs) < 0 && errno != EINTR) break;
    if (files[0].revents) reading = readSome(out.ends[0], end.output);
    if (files[1].revents) readingErrors = readSome(err.ends[0], end.errors);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) end.exitCode = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

} // namespace nodewise
