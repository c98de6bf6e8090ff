#include "app/run/window/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <glm/common.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "app/core/fields.h"
#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/system/platform.h"
#include "app/core/system/resources.h"
#include "app/core/text/foreign_text.h"
#include "app/io/codec.h"
#include "app/io/depth_image.h"
#include "app/run/batch.h"
#include "app/run/dropped.h"
#include "app/run/film/frame_files.h"
#include "app/run/limits.h"
#include "app/run/remembered/remembered.h"
#include "app/run/remembered/undo_file.h"
#include "app/run/system/crash.h"
#include "app/run/system/termination.h"
#include "app/run/window/files/opening.h"
#include "app/run/window/files/recent_images.h"
#include "app/run/window/window_run.h"
#include "app/scene/image/depth_map.h"
#include "app/scene/registry.h"
#include "app/scene/scene.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"

namespace satdof {

namespace {

// A second reset of the driver within this time ends the run.
constexpr std::chrono::seconds kCalmAfterReset{10};
constexpr std::chrono::seconds kPatience{10};  // see Termination

// The photograph that is shown first if these files are opened; empty: none.
std::filesystem::path firstPhotograph(const std::vector<std::filesystem::path>& files) try {
  if (files.empty()) return {};
  return readWithTimeout(files[0], [files] {
    const auto photos = photosOf(files);
    if (!photos.empty()) return absolutePath(photos[0]);
    const Codec* const codec = codecByExtension(files[0]);
    const bool picture = codec != nullptr && codec->content == Content::displayed;
    return files.size() == 1 && picture && photoOfDepth(files[0]).empty() ? absolutePath(files[0])
                                                                          : std::filesystem::path();
  });
} catch (const FileTimeout&) {
  return {};
}

// Returns the last settings, changed by the command line. Another scene gets its remembered camera and lens; other
// files are framed.
Settings firstSettings(const CommandLine& commandLine, Settings last, const Preferences& preferences) {
  if (const auto first = firstPhotograph(commandLine.opened); !first.empty() && first != last.scene.image.file.text) {
    last.scene.image.file = last.scene.image.depth = {};  // the last photograph need not be read
    last.technique.view = Technique().view;
  }
  Settings asked = commandLine.settings(last);
  if (!commandLine.settingsPath.empty()) return asked;
  makePathsAbsolute(asked);
  if (asked.scene.kind != last.scene.kind) {
    last.scene.kind = asked.scene.kind;
    placeCamera(last, preferences);
  }
  const bool another = asked.scene.image.file != last.scene.image.file;
  if (another || gainsCorrection(asked.scene.image, last.scene.image)) {
    last.scene.image = withReading(
        last.scene.image, withRememberedReading(withAutomaticDepth(asked.scene.image), preferences.recentImages));
    if (another) last.technique.view = Technique().view;
  }
  if (shownFiles(asked) != shownFiles(last)) {
    last.scene.frame = true;
    last.scene.typed.paths.clear();
  }
  Settings first = commandLine.settings(last);
  if (isFrameName(commandLine.settings().scene.image.file.text)) first = atFrame(first, 0);
  const auto sameLight = sceneRow(first.scene.kind).sameLight;
  if (sameLight != nullptr && !sameLight(first.scene, last.scene) && !commandLine.given("--exposure"))
    exposeAgain(first.scene);
  return first;
}

// Whether the window shows other contents than the last window.
bool showsOtherContents(const CommandLine& commandLine, const Settings& last, const WindowState& state) {
  Settings asked = state.settings;
  if (!commandLine.film.file.none()) asked.scene.image.file.text = absolutePath(commandLine.film.file.text).string();
  const auto& film = state.preferences.film;
  return showsAnother(last, asked, film ? film->file : FilePath());
}

// Restores the scene and the files of the last window.
void restoreFiles(Settings& settings, const Settings& last) {
  settings.scene.kind = last.scene.kind;
  describe(settings, last, []<class T>(const Field&, T& value, const T& before) {
    if constexpr (std::is_same_v<T, FilePath>) value = before;
  });
}

// Whether the file system tells in time whether a file exists. A network folder may not answer.
bool answers(const std::filesystem::path& file) try {
  readWithTimeout(file, [file] { return isThere(file); });
  return true;
} catch (const FileTimeout&) {
  return false;
}

// The first file of the settings that does not answer; empty if there is none.
std::string silentFile(const Settings& settings) {
  std::string silent;
  forEachFile(settings, [&](const Field&, const FilePath& file) {
    if (silent.empty() && !file.none() && !answers(file.text)) silent = file.text;
  });
  return silent;
}

// Gives the window the aspect ratio of the image that the command line names, and at least the size of kMin, so
// that panels fit beside a small image.
void useAspectRatio(const CommandLine& commandLine, Settings& settings) {
  constexpr glm::vec2 kMax{1600.0f, 900.0f}, kMin{960.0f, 540.0f};
  makePathsAbsolute(settings);
  if (commandLine.files.empty()) return;
  try {
    useImageSize(commandLine, settings);
  } catch (const std::runtime_error&) {  // reading the scene reports it
  }
  if (commandLine.given("--size")) return;
  const auto size = glm::vec2(settings.size);
  const auto times = [&](glm::vec2 room) { return std::min(room.x / size.x, room.y / size.y); };
  const bool grows = !commandLine.scripted() && sceneRow(settings.scene.kind).showsPhotographs();
  const float scale = std::min(grows ? std::max(times(kMin), 1.0f) : 1.0f, times(kMax));
  settings.size = glm::max(glm::ivec2(glm::round(scale * size)), glm::ivec2(1));
}

// A message about the newest crash report that `known` does not name; empty if there is none. Then `known` names all
// reports.
std::string newCrash(std::string& known) {
  const auto folder = stateFolder();
  std::string all, newest;
  for (const auto& report : crashReports(folder)) {
    all += report.string() + " ";
    if (known.find(report.string()) == std::string::npos) newest = report.string();
  }
  known = all;
  if (newest.empty()) return {};
  return "satdof crashed; the report " + pathText(folder / newest) +
         " has no names and no paths: please attach it to an issue";
}

// Values last read from or written to the config folder.
struct Known {
  std::optional<Settings> settings;
  std::optional<Preferences> preferences;
  std::optional<Shot> shot;
};

// Saves in the config folder. Any thread may call save().
struct Saver {
  explicit Saver(std::filesystem::path in) : folder(std::move(in)), undo(folder) {}
  Saved save(WindowState now);

  const std::filesystem::path folder;  // empty: nothing is saved
  Settings before;                     // of the last window; their files replace files that were not found
  Known known;
  UndoFile undo;
  bool keptUndo = true;
  std::string lastFailure;
  std::mutex mutex;
};

Saved Saver::save(WindowState now) {
  if (folder.empty()) return {};
  const std::scoped_lock lock(mutex);
  try {
    if (entriesOf(folder).empty()) known = {};  // the folder has vanished
    if (now.lacksFile) restoreFiles(now.settings, before);
    now.preferences.typed = now.settings.scene.typed.paths;
    rememberSettings(folder, now.settings, known.settings);
    rememberPreferences(folder, now.preferences, known.preferences);
    std::string problem = rememberShot(folder, *now.shot, known.shot);
    const bool keepsUndo = undo.write(now.undo);
    if (std::exchange(keptUndo, keepsUndo) && !keepsUndo && problem.empty())
      problem = "the shot is too long to keep undo for the next start";
    known = {now.settings, now.preferences, *now.shot};
    if (!problem.empty()) std::fprintf(stderr, "satdof: %s\n", printable(problem).c_str());
    lastFailure.clear();
    return {problem, {}};
  } catch (const std::exception& error) {
    const std::string failure = std::string("cannot save the settings for the next start: ") + error.what();
    if (std::exchange(lastFailure, failure) != failure)
      std::fprintf(stderr, "satdof: %s\n", printable(failure).c_str());
    return {{}, failure};
  }
}

// Prints a problem and adds it to the errors that the window shows. Does nothing if it is empty.
void report(WindowState& state, const char* source, const std::string& problem) {
  if (problem.empty()) return;
  std::fprintf(stderr, "satdof: %s\n", printable(problem).c_str());
  state.errors.push_back({source, problem});
}

// The folder that remembers the state of windows; empty: nothing is remembered.
std::filesystem::path rememberingFolder(const CommandLine& commandLine, WindowState& state) {
  if (commandLine.fresh || commandLine.scripted()) return {};
  auto folder = configFolder();
  if (folder.empty()) {
    std::fputs("satdof: settings are not remembered: set HOME or XDG_CONFIG_HOME\n", stderr);
  } else if (!answers(folder / "settings.json")) {
    report(state, "settings", "settings are not remembered: the folder " + pathText(folder) + " does not answer");
    folder.clear();
  }
  return folder;
}

// Reads what the last window has left in the folder of `saver`. Returns its settings, or the defaults.
Settings restoreState(const CommandLine& commandLine, Saver& saver, WindowState& state) {
  const std::filesystem::path& folder = saver.folder;
  Known& known = saver.known;
  Remembered<Settings> last;
  if (!folder.empty()) {
    Remembered<Preferences> preferences = rememberedPreferences(folder);
    if (preferences.problem.empty()) known.preferences = preferences.value;
    state.preferences = std::move(preferences.value);
    report(state, "preferences", preferences.problem);
    report(state, "crash", newCrash(state.preferences.crashTold));
  }
  if (!folder.empty() && commandLine.settingsPath.empty()) {
    last = rememberedSettings(folder);
    if (last.problem.empty()) known.settings = last.value;
    last.value.scene.typed.paths = state.preferences.typed;
    report(state, "settings", last.problem);
  }
  if (const std::string silent = silentFile(last.value); !silent.empty()) {
    report(state, "settings",
           failureText("read", silent, "its folder does not answer; the window opens without files"));
    restoreFiles(last.value, {});
    placeCamera(last.value, state.preferences);
  }
  if (!folder.empty() && !commandLine.shot) {
    Remembered<Shot> shot = rememberedShot(folder);
    if (shot.problem.empty()) known.shot = shot.value;
    report(state, "shot", shot.problem);
    state.shot = std::make_shared<const Shot>(std::move(shot.value));
  }
  if (!folder.empty() && commandLine.settingsPath.empty()) state.undo = saver.undo.read();
  return last.value;
}

// Draws until the window is closed. Opens another window if the driver was reset, but not twice within kCalmAfterReset.
void drawWindows(WindowState& state, const CommandLine& commandLine, const Termination& termination,
                 const SaveState& save) {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> lost;
  for (;;) {
    try {
      return drawWindow(state, commandLine, termination, save);
    } catch (const ContextLost&) {
      const auto now = Clock::now();
      if (commandLine.scripted() || (lost && now - *lost < kCalmAfterReset)) throw;
      lost = now;
    }
    const char* const text = "the graphics driver was reset; the window was opened again with its settings";
    std::fprintf(stderr, "satdof: %s\n", text);
    std::erase_if(state.errors, [](const ErrorReport& error) { return error.source == "driver"; });
    state.errors.push_back({"driver", text});
  }
}

}  // namespace

void runWindow(const CommandLine& commandLine) {
  useOneHeap();
  ignoreBrokenPipes();
  const Termination termination(glfwPostEmptyEvent, kPatience);
  std::optional<FileTimeoutScope> impatient;  // no user waits for a scripted run
  if (!commandLine.scripted()) impatient.emplace();
  WindowState state;
  const auto saver = std::make_shared<Saver>(rememberingFolder(commandLine, state));
  saver->before = restoreState(commandLine, *saver, state);
  const Settings& last = saver->before;
  state.settings = firstSettings(commandLine, last, state.preferences);
  state.panelsWereHidden = !last.present.showUi;
  useAspectRatio(commandLine, state.settings);
  const bool restored = saver->folder.empty() || commandLine.settingsPath.empty();
  if (showsOtherContents(commandLine, restored ? last : rememberedSettings(saver->folder).value, state)) {
    state.shot = std::make_shared<const Shot>();
    state.settings.lens.trackedObject = commandLine.settings().lens.trackedObject;
  }
  const SaveState save = [saver](const WindowState& now) { return saver->save(now); };
  std::exception_ptr failure;  // rethrown after the settings are saved
  try {
    drawWindows(state, commandLine, termination, save);
  } catch (const std::exception&) {
    if (!state.position) throw;  // no window opened
    failure = std::current_exception();
  }
  saveInTime(save, state);
  if (failure) std::rethrow_exception(failure);
  if (termination.signal() != 0) endBy(termination.signal());
}

}  // namespace satdof
