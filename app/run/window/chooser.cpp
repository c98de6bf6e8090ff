#include "app/run/window/chooser.h"

#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "app/core/fields.h"
#include "app/core/file_names.h"
#include "app/io/codec.h"
#include "app/run/window/recorder.h"
#include "app/scene/registry.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

// The folder of what the scene shows or of the newest image.
fs::path startFolder(const Session& session) {
  fs::path file;
  const std::string group = std::string("scene.") + sceneRow(session.settings.scene.kind).name + ".";
  describe(session.settings, [&]<class T>(const Field& field, const T& value) {
    if constexpr (std::is_same_v<T, FilePath>)
      if (file.empty() && field.path().starts_with(group)) file = value.text;
  });
  if (file.empty() && !session.preferences.recentImages.empty())
    file = session.preferences.recentImages.front().file.text;
  std::error_code unknown;
  const fs::path folder = folderOf(file);
  return !file.empty() && fs::is_directory(folder, unknown) ? folder : fs::current_path(unknown);
}

void browse(Session& session) {
  std::vector<fs::path> recent;
  for (const RecentImage& image : session.preferences.recentImages) recent.emplace_back(image.file.text);
  session.browser.open(startFolder(session), recent);
}

}  // namespace

void Chooser::askForCapture(Session& session) {
  dialog_ = showFileDialog(DialogFor::saving, captureFile(session.preferences.capture));
  saves_ = dialog_ != nullptr;
  if (!saves_) session.say("Type name and folder in section Capture: no file dialog is installed");
}

// Later captures go to the same folder, with the same name and format, numbered.
void Chooser::take(Session& session, fs::path file) {
  CaptureSettings& capture = session.preferences.capture;
  if (file.extension().empty()) file += captureFile(capture).extension();
  const Codec& codec = writerOf(file);
  if (captureChoice(capture.format).codec != &codec) capture.format = codec.choices.front().name;
  capture.folder = folderOf(file).string();
  capture.name = file.stem().string();
  saveAs_ = std::move(file);
}

bool Chooser::answered() {
  if (dialog_ && !answer_) answer_ = dialog_->answer();
  return answer_.has_value();
}

void Chooser::serve(Session& session, Opening& opening) {
  if (std::exchange(session.openNow, false) && !dialog_ && !session.browser.shown()) {
    dialog_ = showFileDialog(DialogFor::opening, startFolder(session));
    if (!dialog_) browse(session);
  }
  if (std::exchange(session.saveAsNow, false) && !dialog_) askForCapture(session);
  if (answered()) {
    FileDialog::Answer answer = *std::exchange(answer_, std::nullopt);
    dialog_.reset();
    if (std::exchange(saves_, false)) {
      if (answer.failed) session.say("The file dialog failed: type name and folder in section Capture");
      if (!answer.files.empty()) take(session, std::move(answer.files.front()));
    } else if (answer.failed) {
      browse(session);
    } else {
      session.opened = std::move(answer.files);
    }
  }
  const std::vector<fs::path> files = std::exchange(session.opened, {});
  if (files.empty()) return;
  const std::string field = std::exchange(session.openFor, {});
  if (field.empty()) {
    opening.drop(session, files);
    return;
  }
  describe(session.settings, [&]<class T>(const Field& each, T& value) {
    if constexpr (std::is_same_v<T, FilePath>)
      if (each.path() == field) value.text = files.front().string();
  });
}

}  // namespace satdof
