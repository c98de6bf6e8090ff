#pragma once
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "app/core/files/descriptor_linux.h"

namespace satdof {

// Another program in a process group of its own. The destructor kills the group. Include only in files named
// NAME_linux.cpp.
class Child {
 public:
  struct Redirection {
    int descriptor;  // in this program
    int inChild;     // the same file's descriptor in the child
  };
  enum class IfKilled { ends, goesOn };  // whether the group ends if this program is killed
  // Starts `command`: the program, found by PATH, and its arguments. The child inherits only the redirected
  // descriptors and blocks no signal. Throws std::runtime_error with the system's reason.
  Child(const std::vector<std::string>& command, const std::vector<Redirection>& redirections,
        IfKilled ifKilled = IfKilled::ends);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // The status of waitpid(); nothing while the program runs. Never waits. When the program has ended, kills the rest of
  // its group.
  std::optional<int> status();

 private:
  void endGroup();

  pid_t process_ = 0;
  pid_t guard_ = 0;     // a shell that leads the group and kills it when the pipe closes; 0: none
  Descriptor guarded_;  // the write end of this pipe
  std::optional<int> status_;
};

}  // namespace satdof
