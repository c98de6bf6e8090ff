#pragma once
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "app/core/descriptor_posix.h"

namespace satdof {

// A program that runs beside this one, in a process group of its own. The group ends with the object. For files named
// NAME_posix.cpp.
class Child {
 public:
  struct Redirection {
    int descriptor;  // of this program
    int inChild;
  };
  enum class IfKilled { ends, goesOn };  // what the group does if this program is killed
  // `command`: the program, found by PATH, and its arguments. Other descriptors are not inherited, and no signal is
  // blocked. Throws std::runtime_error with the system's reason.
  Child(const std::vector<std::string>& command, const std::vector<Redirection>& redirections,
        IfKilled ifKilled = IfKilled::ends);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // The status of waitpid(); none while the program runs. Never waits. What the program leaves in its group ends with it.
  std::optional<int> status();

 private:
  void endGroup();

  pid_t process_ = 0;
  pid_t guard_ = 0;     // leads the group; ends it at the end of the pipe
  Descriptor guarded_;  // this end
  std::optional<int> status_;
};

}  // namespace satdof
