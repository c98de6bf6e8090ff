#include "app/run/window/files/chooser.h"

#include <functional>
#include <system_error>
#include <utility>
#include <vector>

#include "app/core/fields.h"
#include "app/core/files/file_names.h"
#include "app/core/text/foreign_text.h"
#include "app/io/codec.h"
#include "app/run/inputs.h"
#include "app/run/window/recording/recorder.h"
#include "app/scene/registry.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

constexpr float kDialogNoteS = 8.0f;
constexpr const char* kDepthField = "scene.image.depth";

// The folder of the file that the scene shows, or else of the newest recent image; the current folder if that does not
// answer.
fs::path startFolder(const Session& session) {
  fs::path file;
  const std::string group = std::string("scene.") + sceneRow(session.settings.scene.kind).name + ".";
  forEachFile(session.settings, [&](const Field& field, const FilePath& of) {
    if (file.empty() && field.path().starts_with(group)) file = of.text;
  });
  if (session.inputFrames > 0) file = session.preferences.film->file.text;
  if (file.empty() && !session.preferences.recentImages.empty())
    file = session.preferences.recentImages.front().file.text;
  std::error_code unknown;
  const fs::path folder = folderOf(file);
  Inquiry<bool> exists;
  if (!file.empty()) exists.ask("", [folder] { return isFolder(folder); });
  return exists.take(Inquiry<bool>::kMoment).value_or(false) ? folder : fs::current_path(unknown);
}

fs::path typedSettingsFile(const Session& session) {
  const fs::path typed = session.fileName.data();
  return typed.empty() ? fs::path("settings.json") : typed;
}

fs::path startOf(const Session& session, DialogFor what) {
  return what == DialogFor::opening       ? startFolder(session)
         : what == DialogFor::savingImage ? captureFile(session.preferences.capture, captureName(session))
                                          : typedSettingsFile(session);
}

std::string notSaved(const std::string& why) { return "Not saved: " + why; }

std::string madeFrom(const fs::path& file) {
  return "this image is made from " + pathText(file.filename()) + "; choose another name";
}

// A function that tells whether what is shown, or a photograph of the strip, is made from a file.
std::function<bool(const fs::path& file)> readBy(const Session& session) {
  std::vector<fs::path> strip;
  for (const PhotoStrip::Photo& photo : session.strip.photos) {
    strip.push_back(photo.file);
    if (!photo.depth.empty()) strip.push_back(photo.depth);
    if (photo.left && !photo.left->scene.image.depth.none()) strip.emplace_back(photo.left->scene.image.depth.text);
  }
  return [settings = session.settings, film = session.preferences.film, strip](const fs::path& file) {
    return isRead(settings, film, strip, file);
  };
}

void browse(Session& session, DialogFor what, bool depths) {
  if (what != DialogFor::opening) {
    session.browser.save(startOf(session, what), [isRead = readBy(session)](const fs::path& file) {
      return isRead(file) ? notSaved(madeFrom(file)) : "";
    });
    return;
  }
  std::vector<fs::path> recent;
  for (const RecentImage& image : session.preferences.recentImages) recent.emplace_back(image.file.text);
  session.browser.open(startFolder(session), recent, depths);
}

}  // namespace

void Chooser::choose(Session& session, DialogFor what, const std::string& window, std::string field) {
  if (dialog_ ? what != asked_ : what == DialogFor::opening && session.browser.shown()) return;
  if (what == DialogFor::opening) field_ = std::move(field);
  answer_.reset();
  known_.leave();
  dialog_ = dialog_ ? nullptr : showFileDialog({what, startOf(session, what), window});
  asked_ = what;
  if (!dialog_) browse(session, what, field_ == kDepthField);
}

void Chooser::take(Session& session, fs::path file, bool inBrowser) {
  inBrowser_ = inBrowser;
  lacksExtension_ = file.extension().empty();
  if (lacksExtension_)
    file += asked_ == DialogFor::savingSettings
                ? ".json"
                : captureChoice(session.preferences.capture.format).codec->extensions.front();
  file_ = file;
  known_.ask("", [file, isRead = readBy(session)] { return Known{isThere(file), isRead(file)}; });
  saveIfKnown(session, Inquiry<Known>::kMoment);
  if (known_.waits()) session.say("Not saved yet: the folder of " + pathText(file) + " does not answer");
}

void Chooser::saveIfKnown(Session& session, std::chrono::milliseconds most) try {
  const auto known = known_.take(most);
  if (!known) return;
  // The dialog asked about the name without extension only.
  if (lacksExtension_ && known->exists)
    refuse(session, pathText(file_.filename()) + " exists; its whole name replaces it");
  else if (known->isRead)
    refuse(session, madeFrom(file_));
  else
    save(session, file_);
} catch (const std::runtime_error& error) {
  refuse(session, error.what());
}

void Chooser::refuse(Session& session, const std::string& why) const {
  session.say(notSaved(why), kSavedNoticeS);
  if (inBrowser_ && session.browser.saves()) session.browser.refuse(notSaved(why));
}

// Requests to save. Later captures take folder, format and, except for photographs, name of an image that is saved.
void Chooser::save(Session& session, const fs::path& file) const {
  CaptureSettings& capture = session.preferences.capture;
  if (asked_ == DialogFor::savingSettings) {
    session.fileName.fill(0);
    file.string().copy(session.fileName.data(), session.fileName.size() - 1);
    return session.request({Command::saveSettings, {file}});
  }
  const Codec& codec = writerOf(file);
  if (captureChoice(capture.format).codec != &codec) capture.format = codec.choices.front().name;
  capture.folder = folderOf(file).string();
  if (!showsPhoto(session.settings)) capture.name = file.stem().string();
  session.request({Command::saveImage, {file}});
}

bool Chooser::answered() {
  if (dialog_ && !answer_) answer_ = dialog_->answer();
  return answer_ || (dialog_ && dialog_->hasNote()) || known_.ended();
}

void Chooser::serve(Session& session) {
  session.browser.serve();
  answered();
  saveIfKnown(session, {});
  if (dialog_ && dialog_->hasNote()) session.say(dialog_->takeNote(), kDialogNoteS);
  if (answer_) {
    FileDialog::Answer answer = *std::exchange(answer_, std::nullopt);
    dialog_.reset();
    if (answer.failed)
      browse(session, asked_, field_ == kDepthField);
    else if (asked_ == DialogFor::opening)
      session.request({Command::openFiles, std::move(answer.files)});
    else if (!answer.files.empty())
      take(session, std::move(answer.files.front()), false);
  }
  auto file = session.browser.takeChosen();
  if (file && session.browser.saves())
    take(session, std::move(*file), true);
  else if (file)
    session.request({Command::openFiles, {*file}});
}

void Chooser::open(Session& session, Opening& opening, const std::vector<fs::path>& files) {
  if (files.empty()) return;
  const std::string field = std::exchange(field_, {});
  if (field.empty()) return opening.drop(session, files);
  fileAt(session.settings, field)->text = files.front().string();
}

}  // namespace satdof
