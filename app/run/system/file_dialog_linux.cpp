#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/core/files/descriptor_linux.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/letters.h"
#include "app/io/codec.h"
#include "app/run/system/child_linux.h"
#include "app/run/system/file_dialog.h"
#include "app/run/system/pipes_linux.h"
#include "app/run/system/portal_dialog.h"
#include "app/scene/scene_files.h"

namespace satdof {

namespace {

using Words = std::vector<std::string>;

struct Choice {
  const char* title;
  const char* filter;
  std::vector<std::string> (*extensions)();
};

const Choice& choiceOf(DialogFor what) {
  static constexpr std::array kChoices = {
      Choice{"satdof: open", "Images, films, models, settings", openedExtensions},
      Choice{"satdof: save image as", "Images",
             [] { return extensionsOf([](const Codec& codec) { return codec.isWritten(); }); }},
      Choice{"satdof: save settings as", "Settings", [] { return std::vector<std::string>{".json"}; }}};
  return kChoices[static_cast<std::size_t>(what)];
}

// "*.[jJ][pP][gG]": patterns of dialogs are case-sensitive.
std::vector<std::string> patternsOf(const Choice& choice) {
  std::vector<std::string> patterns;
  for (const std::string& extension : choice.extensions()) {
    std::string& pattern = patterns.emplace_back("*");
    for (const char c : extension) pattern += upper(c) == c ? std::string(1, c) : std::string{'[', c, upper(c), ']'};
  }
  return patterns;
}

std::string joined(const std::vector<std::string>& patterns) {
  std::string text;
  for (const std::string& pattern : patterns) text += (text.empty() ? "" : " ") + pattern;
  return text;
}

void add(Words& command, const std::vector<std::string>& words) {
  command.insert(command.end(), words.begin(), words.end());
}

Words portalCommand(const DialogRequest& request, bool opens, const std::string& at) {
  const Choice& choice = choiceOf(request.what);
  Words command{"/proc/self/exe", kPortalDialog, opens ? "OpenFile" : "SaveFile", choice.title, at,
                request.window,   choice.filter};
  add(command, patternsOf(choice));
  return command;
}

Words zenityCommand(const DialogRequest& request, bool opens, const std::string& at) {
  const Choice& choice = choiceOf(request.what);
  Words command{"zenity",
                "--file-selection",
                std::string("--title=") + choice.title,
                "--filename=" + at,
                std::string("--file-filter=") + choice.filter + " | " + joined(patternsOf(choice)),
                "--file-filter=All files | *"};
  add(command, opens ? Words{"--multiple", "--separator=\n"} : Words{"--save", "--confirm-overwrite"});
  return command;
}

Words kdialogCommand(const DialogRequest& request, bool opens, const std::string& at) {
  const Choice& choice = choiceOf(request.what);
  Words command{"kdialog", "--title", choice.title};
  add(command, opens ? Words{"--multiple", "--separate-output", "--getopenfilename"} : Words{"--getsavefilename"});
  add(command, {at, joined(patternsOf(choice)) + "|" + choice.filter + "\n*|All files"});
  return command;
}

// A kind of dialog, in the order in which they are tried.
struct DialogProgram {
  const char* name;
  Words (*command)(const DialogRequest& request, bool opens, const std::string& at);
  bool (*built)();
};
constexpr std::array kPrograms = {DialogProgram{"The desktop's portal", portalCommand, hasPortalLibrary},
                                  DialogProgram{"zenity", zenityCommand, [] { return true; }},
                                  DialogProgram{"kdialog", kdialogCommand, [] { return true; }}};

class DialogOfDesktop final : public FileDialog {
 public:
  explicit DialogOfDesktop(DialogRequest request) : request_(std::move(request)) {}

  // Starts the next kind of dialog that is installed. Returns false if there is none.
  bool start() {
    const bool opens = request_.what == DialogFor::opening;
    const std::string at = opens ? (request_.start / "").string() : request_.start.string();
    child_.reset();
    output_.clear();
    while (next_ < kPrograms.size()) {
      const DialogProgram& row = kPrograms[next_++];
      if (!row.built()) continue;
      try {
        auto [pipe, pipeOfChild] = makePipe();
        pipe_ = std::move(pipe);
        child_ = std::make_unique<Child>(row.command(request_, opens, at),
                                         std::vector<Child::Redirection>{{pipeOfChild.get(), STDOUT_FILENO}});
        return true;
      } catch (const std::runtime_error&) {  // not installed
      }
    }
    return false;
  }

  std::optional<Answer> answer() override {
    constexpr std::size_t kMaxBytes = std::size_t{4} << 20;
    const auto status = child_->status();
    readOutput(kMaxBytes);
    const bool floods = output_.size() >= kMaxBytes;
    if (!status && !floods) return std::nullopt;
    const int code = floods ? -1 : WIFEXITED(*status) ? WEXITSTATUS(*status) : -1;
    if (code == kPortalChose || code == kPortalCancelled) {
      Answer answer;
      std::istringstream lines(output_);
      for (std::string line; code == kPortalChose && std::getline(lines, line);)
        if (!line.empty()) answer.files.emplace_back(line);
      return answer;
    }
    if (code != kPortalMissing) {
      const std::string why = output_.substr(0, output_.find('\n'));
      note_ = std::string(kPrograms[next_ - 1].name) + " " +
              (why.empty() || code != kPortalFailed ? "failed" : printable(why, 300));
    }
    if (start()) return std::nullopt;
    return Answer{{}, true};
  }

 private:
  void readOutput(std::size_t most) {
    std::array<char, 4096> part{};
    for (ssize_t count = 0; output_.size() < most && (count = ::read(pipe_.get(), part.data(), part.size())) > 0;)
      output_.append(part.data(), static_cast<std::size_t>(count));
  }

  const DialogRequest request_;
  std::size_t next_ = 0;  // row of kPrograms to try next
  Descriptor pipe_;
  std::unique_ptr<Child> child_;
  std::string output_;
};

}  // namespace

std::unique_ptr<FileDialog> showFileDialog(DialogRequest request) {
  auto dialog = std::make_unique<DialogOfDesktop>(std::move(request));
  return dialog->start() ? std::move(dialog) : nullptr;
}

}  // namespace satdof
