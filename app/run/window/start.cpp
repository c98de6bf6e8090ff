#include "app/run/window/start.h"

#include <algorithm>
#include <string>

#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/device/device.h"
#include "app/io/codec.h"
#include "app/run/film/frame_files.h"
#include "app/run/film/video.h"
#include "app/run/remembered/remembered.h"
#include "app/run/window/files/recent_images.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"
#include "app/ui/keys.h"

namespace satdof {

namespace {

// Whether an option names the technique of side B.
bool choosesB(const CommandLine& line) {
  return std::ranges::any_of(line.options, [](const auto& option) {
    return option.first.starts_with("--split-") && option.first != "--split-position";
  });
}

// Whether the command line chooses the device or variant of lens or filter.
bool choosesVariants(const CommandLine& line) {
  return !line.settingsPath.empty() || line.given("--lens-on") || line.given("--split-lens-on") ||
         line.given("--filter-variant") || line.given("--filter-form");
}

void replaceMissingDevice(Session& session, const CommandLine& line) {
  auto& device = session.settings.technique.device;
  const bool named = !line.settingsPath.empty() || line.given("--device");
  if (named || availability(device).available) return;
  session.say(std::string(name(device)) + ": " + availability(device).reason);
  device = DeviceId::automatic;
}

// Says that the screen is smaller than --size.
void tellFit(Session& session, const CommandLine& line, glm::ivec2 wanted, glm::ivec2 size) {
  const auto text = [](glm::ivec2 of) { return std::to_string(of.x) + " x " + std::to_string(of.y); };
  if (line.given("--size") && (size.x < wanted.x || size.y < wanted.y))
    session.say("Size: " + text(size) + ". " + text(wanted) + " is larger than the screen");
}

// Restores the photo strip of the last window, if the photograph that is shown was part of it.
void restoreStrip(Session& session) try {
  if (session.preferences.strip.empty() || !showsPhoto(session.settings)) return;
  const FilePath shown = shownFile(session.settings);
  session.strip = readWithTimeout(
      shown.text, [shown, files = session.preferences.strip, recent = session.preferences.recentImages] {
        return lastStrip(files, shown, recent);
      });
} catch (const FileTimeout&) {  // reading the photograph reports it
}

}  // namespace

FramePlan framePlan(const CommandLine& line) {
  return {.frames = line.frames,
          .framesPerSecond = line.framesPerSecond,
          .shot = line.scripted() ? line.shot : std::nullopt,
          .capture = line.capture};
}

Session firstSession(const WindowState& before, const CommandLine& line) {
  Session session;
  session.settings = before.settings;
  CaptureSettings& capture = session.preferences.capture;
  if (!line.scripted())
    session.preferences = before.preferences;
  else
    capture.withUi = line.withUi;
  if (line.quality > 0) capture.quality = line.quality;
  if (line.keep) capture.keep = *line.keep;
  if (line.bitDepth == 16) {
    const auto all = captureChoices();
    capture.format =
        std::ranges::find(all, 16, [](const CodecChoice& each) { return each.choice->bits; })->choice->name;
  }
  session.timeline.shot = before.shot;
  if (!line.scripted() && line.framesPerSecond > 0 && (line.shot || isFrameName(line.settings().scene.image.file.text)))
    capture.framesPerSecond = line.framesPerSecond;
  session.videoMissing = videoMissing();
  if (!line.sequence.empty()) session.sequence = Sequence{.frames = std::max(line.frames, 1)};
  return session;
}

void replaceImpossible(Session& session) {
  const std::string replaced = replaceImpossible(session.settings);
  if (!replaced.empty()) session.say(replaced);
}

void replaceUnavailable(Session& session, const CommandLine& line) {
  replaceMissingDevice(session, line);
  if (!choosesVariants(line)) replaceImpossible(session);
}

void beginInteractive(Session& session, const WindowState& before, const CommandLine& line, glm::ivec2 size) {
  tellFit(session, line, before.settings.size, size);
  if (line.given("--split") && !choosesB(line)) makeSidesDiffer(session.settings);
  session.centreCamera = line.settingsPath.empty() && before.settings.camera == CameraSettings{};
  if (const auto folder = configFolder(); !folder.empty()) {
    session.presetFolder = folder / "presets";
    session.ownPresets = ownPresets(folder);
  }
  forgetMissingPreset(session);
  if (line.opened.empty() && line.files.empty() && line.settingsPath.empty()) restoreStrip(session);
  session.request({Command::openFiles, line.opened});
  if (!line.depthCommand.empty()) session.preferences.depthCommand = line.depthCommand;
}

void showFirstHint(Session& session, const WindowState& before) {
  if (before.panelsWereHidden && !session.settings.present.showUi) {
    showHint(session, "Panels are hidden: F2 shows them \u00b7 F1 keys");
  } else if (!before.preferences.hintSeen) {
    showHint(session, startHint(session.settings));
    session.restsAtFirst = true;
  }
  session.preferences.hintSeen = true;
}

void showHint(Session& session, const std::string& text) {
  session.notices.hint = text;
  session.notices.hintAgeS = 0.0f;
}

}  // namespace satdof
