#include "app/run/window/commands.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <utility>

#include "app/core/settings_json.h"
#include "app/gl/program.h"
#include "app/run/command_line/settings_text.h"
#include "app/run/window/files/saving.h"
#include "app/run/window/files/settings_edit.h"
#include "app/ui/edit.h"
#include "app/ui/presets.h"

namespace satdof {

namespace {

constexpr std::size_t index(Command command) { return static_cast<std::size_t>(command); }

std::string commandLineOf(const Settings& settings) { return "satdof " + optionsText(settings); }

void reloadShaders(Session& session) {
  std::string logs;
  for (const auto& log : gl::reloadAll()) logs += log + "\n";
  session.forget("shaders");
  if (logs.empty()) {
    session.say("Shaders reloaded");
  } else {
    session.report("shaders", logs);
    std::fprintf(stderr, "%s", logs.c_str());
  }
}

void choose(const CommandTargets& on, DialogFor what, const std::string& field = {}) {
  on.chooser.choose(on.session, what, on.dialogParent(), field);
}

void loadSettings(const CommandTargets& on, const std::filesystem::path& file) {
  on.opening.find(on.session, file, [file, own = isOwnPreset(on.session, file)](const Settings& asked) {
    return settingsEdit(file, asked, own);
  });
}

void saveImage(const CommandTargets& on, const std::vector<std::filesystem::path>& file) {
  const PhotoStrip& strip = on.session.strip;
  if (!on.opening.loading() && !on.image.result().loading) {
    if (!strip.lacksImage()) return on.recorder.saveImage(file, on.captureTimeS());
    return on.session.say("Not saved: " + strip.unread.filename().string() + " cannot be read");
  }
  const std::string name = on.session.reading.filename().string();
  on.session.say("Not saved: " + (name.empty() ? "a file of the scene" : name) + " is still being read");
}

void copy(const CommandTargets& on, std::string (*text)(const Settings&), const char* notice) {
  on.clipboard.copy(text(on.session.settings));
  on.session.say(notice);
}

// Reads the text on a thread: it may name files.
void paste(const CommandTargets& on, SessionEdit (*edit)(const std::string&, const Settings&)) {
  on.clipboard.read([&session = on.session, &opening = on.opening, edit](const std::string& text) {
    opening.find(session, "the clipboard", [edit, text](const Settings& asked) { return edit(text, asked); });
  });
}

// Undoes (`back`) or redoes the last edit or stroke of the depth brush.
void undoOrRedo(const CommandTargets& on, bool back) {
  if (on.corrector.undoOrRedo(on.session.settings, on.history, back)) return;
  // Opening sees no edit: undo shows other files without reading them in the background.
  on.opening.endEdits(on.session);
  const std::filesystem::path before = photographOf(on.session.settings);
  const std::string change = back ? on.history.undo(on.session) : on.history.redo(on.session);
  const std::filesystem::path shown = photographOf(on.session.settings);
  if (!shown.empty() && shown != before && !on.opening.loading()) on.session.strip.follow(shown);
  on.opening.beginEdits(on.session);
  const std::string done = back ? "Undo: " : "Redo: ", none = back ? "Nothing to undo" : "Nothing to redo";
  on.session.say(change.empty() ? none : done + change);
  on.playback.skipEdits(on.session);
}

// What a command does.
struct CommandRow {
  Command command;
  void (*act)(const CommandTargets& on, const CommandRequest& request);
  bool afterImage = false;  // needs the image of the frame
};

constexpr bool kAfterImage = true;

constexpr CommandRow kCommands[] = {
    {Command::quit, [](auto& on, auto&) { on.quit(); }},
    {Command::reloadShaders, [](auto& on, auto&) { reloadShaders(on.session); }},
    {Command::undo, [](auto& on, auto&) { undoOrRedo(on, true); }},
    {Command::redo, [](auto& on, auto&) { undoOrRedo(on, false); }},
    {Command::cancelLoading,
     [](auto& on, auto&) { on.opening.loading() ? on.opening.cancel(on.session) : on.image.cancelLoading(); }},
    {Command::open, [](auto& on, auto& request) { choose(on, DialogFor::opening, request.name); }},
    {Command::openFiles, [](auto& on, auto& request) { on.chooser.open(on.session, on.opening, request.files); }},
    {Command::loadSettings, [](auto& on, auto& request) { loadSettings(on, request.files[0]); }},
    {Command::saveSettings, [](auto& on, auto& request) { saveSettings(on.session, request.files[0]); }},
    {Command::saveSettingsAs, [](auto& on, auto&) { choose(on, DialogFor::savingSettings); }},
    {Command::deletePreset, [](auto& on, auto& request) { deletePreset(on.session, request.files[0]); }},
    {Command::useLens, [](auto& on, auto& request) { useLens(on.session, request.name); }},
    {Command::saveShot, [](auto& on, auto& request) { saveShot(on.session, request.files[0]); }},
    {Command::copyJson, [](auto& on, auto&) { copy(on, settingsToJson, "Settings copied as JSON"); }},
    {Command::copyOptions, [](auto& on, auto&) { copy(on, commandLineOf, "Settings copied as a command line"); }},
    {Command::copyLook, [](auto& on, auto&) { copy(on, lookToJson, "Look copied"); }},
    {Command::paste, [](auto& on, auto&) { paste(on, pastedSettings); }},
    {Command::pasteLook, [](auto& on, auto&) { paste(on, pastedLook); }},
    {Command::stepPhotos, [](auto& on, auto& request) { on.strip.step(on.session.strip, request.number); }},
    {Command::planExport, [](auto& on, auto&) { StripController::plan(on.session); }},
    {Command::exportPhotos, [](auto& on, auto&) { on.strip.exportAll(on.session); }},
    {Command::cancelExport,
     [](auto& on, auto&) {
       if (on.session.strip.exporting) on.depth.cancel();
       on.strip.cancel(on.session);
     }},
    {Command::estimateDepth, [](auto& on, auto&) { on.depth.estimate(on.session); }},
    {Command::cancelEstimate, [](auto& on, auto&) { on.depth.cancel(); }},
    {Command::resetDepth, [](auto& on, auto&) { on.corrector.reset(); }},
    {Command::saveImageAs, [](auto& on, auto&) { choose(on, DialogFor::savingImage); }},
    {Command::saveImage, [](auto& on, auto& request) { saveImage(on, request.files); }, kAfterImage},
    {Command::setFocusKeys, [](auto& on, auto&) { on.focus.setKeys(); }, kAfterImage},
    {Command::saveLab, [](auto& on, auto& request) { on.measurements.save(on.session, request.name); }, kAfterImage},
    {Command::saveSlowMotion, [](auto& on, auto& request) { on.slowMotion.save(on.session, request.name); },
     kAfterImage},
};
static_assert(std::ranges::all_of(kCommands,
                                  [](const CommandRow& row) { return &row == kCommands + index(row.command); }) &&
              std::size(kCommands) == 1 + index(Command::saveSlowMotion));

}  // namespace

std::optional<CommandRequest> takeDue(std::vector<CommandRequest>& requests, bool drawn) {
  const auto next = std::ranges::find_if(
      requests, [&](const CommandRequest& request) { return kCommands[index(request.command)].afterImage == drawn; });
  if (next == requests.end()) return std::nullopt;
  CommandRequest request = std::move(*next);
  requests.erase(next);
  return request;
}

void carryOut(const CommandTargets& targets, bool drawn) {
  // A command may request more.
  while (const auto request = takeDue(targets.session.commands, drawn))
    targets.session.attempt("settings", [&] { kCommands[index(request->command)].act(targets, *request); });
}

}  // namespace satdof
