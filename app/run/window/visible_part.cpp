#include "app/run/window/visible_part.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "app/io/damage.h"
#include "app/run/window/start.h"
#include "app/scene/image/depth_map.h"
#include "app/scene/image/image.h"
#include "app/scene/registry.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"
#include "app/ui/image/zoom.h"

namespace satdof {

namespace {

// Says what the image lacks. Returns whether it lacks something.
bool sayDefects(Session& session, bool exporting) {
  const bool hint = session.shown.lacksDepth && session.preferences.depthCommand.empty();
  if (hint)
    showHint(session,
             "This photograph has no depth: all of it is in focus. Drop its depth on the window, let a program "
             "estimate it (section Scene), or paint it: W");
  const Notes& notes = session.shown.notes;
  std::string defects = damageOf(notes);
  const auto note = [&](std::string_view says) {
    const auto found =
        std::ranges::find_if(notes, [&](const std::string& each) { return each.find(says) != each.npos; });
    return found == notes.end() ? std::string() : found->substr(found->find("its depth"));
  };
  if (defects.empty()) defects = note(kStretchedNote);
  if (const std::string guess = note(kGuessNote); defects.empty() && !guess.empty())
    defects = guess.substr(0, guess.find(':')) + ", a guess: \"Depth means\" below View changes it" +
              (guess.ends_with(kMillimetresNote) ? kMillimetresNote : "");
  if (defects.empty() || exporting) return hint;
  const bool noticeIsShown = session.notices.ageS < kNoticeS && !session.notices.text.empty();
  const bool isFilm = session.inputFrames > 0 && session.preferences.film;
  const FilePath shown = isFilm ? session.preferences.film->file : shownFile(session.settings);
  const std::string file = std::filesystem::path(shown.text).filename().string();
  const std::string opened = noticeIsShown ? session.notices.text : file;
  const bool namesFile = opened.ends_with(file) || opened.find(file + ",") != opened.npos;
  session.say(opened + (namesFile ? ": " : "\n" + file + ": ") + defects, kSavedNoticeS);
  return true;
}

}  // namespace

void CameraCentre::update(Session& session, History& history, bool follows) {
  const PresentSettings& present = session.settings.present;
  CameraSettings& camera = session.settings.camera;
  // A photograph always fits beside the panels.
  const bool isPhoto = sceneRow(session.settings.scene.kind).showsPhotographs();
  // A film of the scene has no panels unless they are recorded. The timeline shows the filmed part.
  const bool films =
      !isPhoto && (session.timeline.shown || session.filmsShot()) && !session.preferences.capture.recordsPanels();
  const glm::vec2 middle = films     ? glm::vec2(0.0f)
                           : isPhoto ? 0.5f * session.visible.from()
                                     : glm::vec2(0.5f * session.visible.left, 0.0f);
  follows = follows && (isPhoto || (present.showUi && glm::vec2(camera.shiftX, camera.shiftY) == middle_));
  if (std::exchange(session.centreCamera, false) || follows) {
    const CameraSettings before = camera;
    camera.shiftX = middle.x;
    camera.shiftY = middle.y;
    if (isPhoto && camera != before) keepPixels(session, before);
    history.amendShift(middle);
  }
  if (present.showUi && (!films || follows)) middle_ = middle;
}

void NewFileWatch::update(Session& session, bool isRead, bool exporting) {
  const auto files = std::pair(session.settings.scene.kind, shownFiles(session.settings));
  const bool isOther = std::exchange(files_, files) != files;
  const bool isFilm = session.inputFrames > 0;
  const FilePath film = isFilm && session.preferences.film ? session.preferences.film->file : FilePath();
  const bool isOtherFilm = std::exchange(film_, film) != film;
  if (isOther && !isFilm) session.focus.point.reset();
  if (isFilm ? isOtherFilm : isOther) told_ = false;
  if (isRead && !told_) told_ = sayDefects(session, exporting) || !isFilm;
  if (isOther && !isFilm) session.zoom = {};
}

}  // namespace satdof
