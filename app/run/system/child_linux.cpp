#include "app/run/system/child_linux.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

namespace satdof {

namespace {

// Starts a program in the process group, or in a new one if `group` is 0. Returns 0 or an error number of the system.
int start(const std::vector<std::string>& command, const std::vector<Child::Redirection>& redirections, pid_t group,
          pid_t& process) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0);
  for (const Child::Redirection& one : redirections)
    posix_spawn_file_actions_adddup2(&actions, one.descriptor, one.inChild);
  posix_spawnattr_t attributes{};
  posix_spawnattr_init(&attributes);
  sigset_t none, ending;
  sigemptyset(&none);
  sigemptyset(&ending);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&ending, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &ending);
  posix_spawnattr_setpgroup(&attributes, group);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int error = ::posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

void reap(pid_t process, int* status) {
  while (::waitpid(process, status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Child::Child(const std::vector<std::string>& command, const std::vector<Redirection>& redirections, IfKilled ifKilled) {
  if (ifKilled == IfKilled::ends) {
    // Not PR_SET_PDEATHSIG: it acts when the thread ends that started the child, and not on programs that the child
    // starts.
    std::array<int, 2> ends{-1, -1};
    const bool piped = ::pipe2(ends.data(), O_CLOEXEC) == 0;
    const Descriptor input(ends[0]);
    guarded_ = Descriptor(ends[1]);
    if (!piped || start({"/bin/sh", "-c", "read end; kill -9 0"}, {{ends[0], STDIN_FILENO}}, 0, guard_) != 0)
      guard_ = 0;
  }
  const int error = start(command, redirections, guard_, process_);
  if (error == 0) return;
  process_ = 0;
  endGroup();
  throw std::runtime_error(command[0] + " does not start: " + std::strerror(error));
}

Child::~Child() {
  if (status_) return;
  endGroup();
  reap(process_, nullptr);
}

std::optional<int> Child::status() {
  if (status_) return status_;
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
    return std::nullopt;
  endGroup();
  int status = 0;
  reap(process_, &status);
  status_ = status;
  return status_;
}

// Kills the group. Call before the leader is reaped: afterwards its number may name another group.
void Child::endGroup() {
  const pid_t leader = guard_ > 0 ? guard_ : process_;
  if (leader > 0) ::kill(-leader, SIGKILL);
  if (guard_ > 0) reap(guard_, nullptr);
}

}  // namespace satdof
