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

// What the next window can go back to.
struct UndoStep {
  Settings settings{};
  std::shared_ptr<const Shot> shot{};
  double shotTimeS = 0;
  std::string action{};  // that led here from the step before
  bool operator==(const UndoStep&) const = default;
};

// Undo and redo: the values that Settings had, the presets they came from, the shot with its playhead, and width and scale of
// the panels, one entry a gesture. Leaves out what is no edit: the size of the window, full screen, hidden panels, the animation
// time, the focus that the autofocus moves, and what the shot sets when the playhead moves.
class History {
 public:
  static constexpr double kMergeS = 0.6;  // changes of the same fields within this time are one gesture
  static constexpr size_t kMaxEntries = 500;

  static constexpr size_t kMostSteps = 50;

  // `before`: the steps() of the last window.
  explicit History(const Session& start, std::vector<UndoStep> before = {});
  // The last steps, up to now.
  std::vector<UndoStep> steps() const;

  // Call once a frame after all edits, with a clock. `held`: a mouse button or a key is down; changes until its
  // release are one gesture. Takes Session::action, an entry of its own, and Session::gesture, the name of a drag.
  void observe(Session& session, double timeS, bool held);

  // Records the shift of the camera where the window sets it: no edit.
  void amendShift(glm::vec2 shift) {
    entries_[at_].settings.camera.shiftX = shift.x;
    entries_[at_].settings.camera.shiftY = shift.y;
  }

  // Records what applyFraming() set when the file of the scene was read: part of the edit that opened the file.
  void amendFraming(const Framing& framing);

  // Records that another frame of a film is shown in the place of the image `before`, and where the autofocus tracks in it: no edit,
  // and no undo shows that frame again.
  void amendFrame(const FilePath& before, const Settings& now);

  // Records what the shot set because the playhead moved: no edit.
  void amendShot(const Session& session);

  // Changes settings, shot and preset to the previous or the next entry. Returns the action or what changed ("Aperture"), or an
  // empty string if there is no such entry.
  std::string undo(Session& session);
  std::string redo(Session& session);

 private:
  struct Entry {
    Settings settings;
    std::optional<ChosenPreset> preset;
    std::pair<float, float> panels;  // width and scale
    std::shared_ptr<const Shot> shot;
    std::shared_ptr<ShotFile> shotFile;
    double shotTimeS = 0;
    std::string action{};  // that led here from the entry before
  };

  static Entry entryOf(const Session& session, std::string action);
  static std::pair<float, float> panelsOf(const Session& session);
  static std::vector<std::string> edited(const Entry& from, const Session& to);
  std::string moveTo(size_t entry, Session& session);

  std::vector<Entry> entries_;
  size_t at_ = 0;
  std::vector<std::string> fields_;  // of the newest gesture
  double changedS_ = -std::numeric_limits<double>::infinity();
  bool held_ = false;            // in the previous observe()
  bool gestureChanged_ = false;  // the gesture held now has an entry
};

// Whether two settings are equal in all fields but those that History leaves out.
bool sameEdits(const Settings& from, const Settings& to);

// Returns the keys of the fields in which two settings differ, without the fields that History leaves out.
std::vector<std::string> editedFields(const Settings& from, const Settings& to);

}  // namespace satdof
