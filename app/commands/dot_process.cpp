#include "dot_process.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

extern char** environ;

namespace nodewise {

namespace {

/// Writes to and reads from the child at once, so that neither waits for the other for ever.
bool exchange(int toChild, int fromChild, const std::string& input, std::string& output,
              int deadlineSeconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(deadlineSeconds);
  size_t written = 0;
  bool reading = true;
  while (reading) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now())
            .count();
    if (left <= 0) return false;
    pollfd fds[2] = {{fromChild, POLLIN, 0}, {toChild, POLLOUT, 0}};
    const nfds_t count = toChild >= 0 ? 2 : 1;
    if (::poll(fds, count, static_cast<int>(left)) < 0 && errno != EINTR) return false;
    if (count == 2 && fds[1].revents) {
      const ssize_t n = ::write(toChild, input.data() + written, input.size() - written);
      if (n > 0) written += static_cast<size_t>(n);
      if (n < 0 && errno != EAGAIN) written = input.size();
      if (written == input.size()) {
        ::close(toChild);
        toChild = -1;
      }
    }
    if (fds[0].revents) {
      char buffer[65536];
      const ssize_t n = ::read(fromChild, buffer, sizeof buffer);
      if (n > 0) output.append(buffer, static_cast<size_t>(n));
      reading = n > 0 || (n < 0 && errno == EAGAIN);
    }
  }
  if (toChild >= 0) ::close(toChild);
  return true;
}

} // namespace

Result<std::string> drawWithDot(const std::string& dotText, int deadlineSeconds) {
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0)
    return Error{std::strerror(errno), "dot", {}, {}};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  std::string name = "dot", format = "-Tsvg";
  char* argv[] = {name.data(), format.data(), nullptr};
  pid_t child = 0;
  const int spawned = ::posix_spawnp(&child, "dot", &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  if (spawned != 0) {
    ::close(in[1]);
    ::close(out[0]);
    return Error{"Graphviz' dot was not found", {}, "apt-get install graphviz", {}};
  }
  ::signal(SIGPIPE, SIG_IGN);
  ::fcntl(in[1], F_SETFL, O_NONBLOCK);
  std::string svg;
  const bool ended = exchange(in[1], out[0], dotText, svg, deadlineSeconds);
  ::close(out[0]);
  if (!ended) ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!ended) return Error{fmt::format("dot took longer than {} s", deadlineSeconds), {}, {}, {}};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return Error{"dot failed", {}, {}, {}};
  // Only the drawing: what stands before <svg> has no place within HTML.
  const size_t begin = svg.find("<svg");
  return begin == std::string::npos ? std::string() : svg.substr(begin);
}

} // namespace nodewise
