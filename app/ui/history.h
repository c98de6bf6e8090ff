#pragma once
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/scene.h"
#include "app/ui/session.h"

namespace satdof {

// A step of the history that the next window can undo.
struct UndoStep {
  Settings settings{};
  std::shared_ptr<const Shot> shot{};
  double shotTimeS = 0;
  std::string action{};  // name of the edit from the previous step
  bool operator==(const UndoStep&) const = default;
};

// Undo and redo of settings, chosen preset, shot, playhead, and width and scale of the panels. An entry is one gesture.
// Not recorded: the size of the window, full screen, hidden panels, the animation time, the focus that the autofocus
// moves, and what the shot sets when the playhead moves.
class History {
 public:
  static constexpr double kMergeS = 0.6;  // changes of the same fields within this time are one gesture
  static constexpr std::size_t kMaxEntries = 500;
  static constexpr std::size_t kMaxSteps = 50;  // entries before the current one in steps()

  // `before`: steps() of the last window.
  explicit History(const Session& start, std::vector<UndoStep> before = {});
  // Returns the last entries up to the current one.
  std::vector<UndoStep> steps() const;

  // Call once a frame after all edits. `timeS`: of a clock. `held`: a mouse button or a key is down; changes until its
  // release are one gesture. Takes Session::action, which makes an entry of its own, and Session::gesture, the name of
  // a drag.
  void observe(Session& session, double timeS, bool held);

  // The functions below change the current entry without an undo step.

  // The window has set the shift of the camera.
  void amendShift(glm::vec2 shift) {
    entries_[at_].settings.camera.shiftX = shift.x;
    entries_[at_].settings.camera.shiftY = shift.y;
  }

  // applyFraming() has set the framing because the file of the scene was read: part of the edit that opened the file.
  void amendFraming(const Framing& framing);
  // Another frame of a film, with its place of the autofocus, is shown in place of the image `before`. Changes all
  // entries, so that no undo shows the frame `before` again.
  void amendFrame(const FilePath& before, const Settings& now);
  // The depth file of `deleted` was deleted; the photograph has the depth of `now`. No undo shows the deleted depth.
  void amendDepth(const ImageSettings& deleted, const ImageSettings& now);
  // The depth of `before` was corrected since a step(), and `now` shows it.
  void amendCorrection(const ImageSettings& before, const ImageSettings& now, long since);
  // The shot has set settings because the playhead moved.
  void amendShot(const Session& session);

  // The number of the current entry; later entries have larger ones.
  long step() const { return entries_[at_].step; }
  // The number of the newest entry that was ever made.
  long lastStep() const { return lastStep_; }
  // A stroke of the depth brush begins, which another undo takes back: drops what redo would bring back, and later
  // edits make other entries. Returns step().
  long beginStroke();

  // Goes to the previous or the next entry. Returns the name of the edit ("Aperture"); empty if there is no such entry.
  std::string undo(Session& session);
  std::string redo(Session& session);

 private:
  struct Entry {
    Settings settings;
    std::optional<ChosenPreset> preset;
    std::pair<float, float> panels;  // width, scale
    std::shared_ptr<const Shot> shot;
    std::shared_ptr<ShotFile> shotFile;
    double shotTimeS = 0;
    std::string action{};  // name of the edit from the previous entry
    long step = 0;
  };

  static Entry entryOf(const Session& session, std::string action);
  static std::pair<float, float> panelsOf(const Session& session);
  static std::vector<std::string> edited(const Entry& from, const Session& to);
  std::string moveTo(std::size_t entry, Session& session);
  // The next edit makes another entry.
  void endMerge() {
    gestureChanged_ = false;
    changedS_ = -std::numeric_limits<double>::infinity();
  }

  std::vector<Entry> entries_;
  std::size_t at_ = 0;
  long lastStep_ = 0;
  std::vector<std::string> fields_;                             // edited by the newest gesture
  double changedS_ = -std::numeric_limits<double>::infinity();  // time of the newest edit
  bool held_ = false;                                           // `held` of the previous observe()
  bool gestureChanged_ = false;                                 // the current gesture has an entry
};

// Whether two settings are equal in all fields that History records.
bool sameEdits(const Settings& from, const Settings& to);

// Returns the paths of the recorded fields in which two settings differ.
std::vector<std::string> editedFields(const Settings& from, const Settings& to);

}  // namespace satdof
