#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/core/descriptor_posix.h"
#include "app/run/child_posix.h"
#include "app/run/file_dialog.h"

namespace satdof {

namespace {

constexpr int kCancelled = 1;  // exit status of both programs

class DialogOfDesktop final : public FileDialog {
 public:
  // Throws std::runtime_error if the program does not start.
  DialogOfDesktop(const std::vector<std::string>& command, Descriptor said, const Descriptor& toSay)
      : said_(std::move(said)), child_(command, {{toSay.get(), STDOUT_FILENO}}) {}

  std::optional<Answer> answer() override {
    const auto status = child_.status();
    read();
    if (!status) return std::nullopt;
    Answer answer;
    const int code = WIFEXITED(*status) ? WEXITSTATUS(*status) : -1;
    answer.failed = code != 0 && code != kCancelled;
    std::istringstream lines(text_);
    for (std::string line; code == 0 && std::getline(lines, line);)
      if (!line.empty()) answer.files.emplace_back(line);
    return answer;
  }

 private:
  void read() {
    std::array<char, 4096> part{};
    for (ssize_t count = 0; (count = ::read(said_.get(), part.data(), part.size())) > 0;)
      text_.append(part.data(), static_cast<std::size_t>(count));
  }

  Descriptor said_;
  Child child_;
  std::string text_;
};

}  // namespace

std::unique_ptr<FileDialog> showFileDialog(DialogFor what, const std::filesystem::path& start) {
  const bool opens = what == DialogFor::opening;
  const std::string at = opens ? (start / "").string() : start.string();
  const std::string title = std::string("satdof: ") + (opens                            ? "open"
                                                       : what == DialogFor::savingImage ? "save image as"
                                                                                        : "save settings as");
  using Commands = std::array<std::vector<std::string>, 2>;
  const Commands commands = opens ? Commands{{{"zenity", "--file-selection", "--multiple", "--separator=\n",
                                               "--title=" + title, "--filename=" + at},
                                              {"kdialog", "--title", title, "--multiple", "--separate-output",
                                               "--getopenfilename", at}}}
                                  : Commands{{{"zenity", "--file-selection", "--save", "--confirm-overwrite",
                                               "--title=" + title, "--filename=" + at},
                                              {"kdialog", "--title", title, "--getsavefilename", at}}};
  for (const auto& command : commands) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return nullptr;
    Descriptor said(ends[0]), toSay(ends[1]);
    if (::fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) return nullptr;
    try {
      return std::make_unique<DialogOfDesktop>(command, std::move(said), toSay);
    } catch (const std::runtime_error&) {  // not installed
    }
  }
  return nullptr;
}

}  // namespace satdof
