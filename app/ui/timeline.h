#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/ui/session.h"

// The shot of the window: played, scrubbed and edited. Needs no window.
namespace satdof {

// A row of the timeline.
struct TimelineRow {
  std::string label;
  std::vector<std::string> tracks;  // fields, or kCameraPath; several: the row moves them together
  bool isGroup = false;             // that can be opened
  bool inGroup = false;
  bool operator==(const TimelineRow&) const = default;
};
std::vector<TimelineRow> timelineRows(const Shot& shot, bool cameraOpen);

// Frames per second of the timeline: its keys lie on frames.
inline float frameRate(const Session& session) { return session.preferences.capture.framesPerSecond; }

// Puts the shot in place of the one of the session, and what it changed in the settings at the playhead. `action` names the
// undo: a step of its own or, while something is `dragged`, of the whole drag. Refuses, and says so, more than
// kMostShotKeys keys: returns whether it is in place. Selected keys that are gone are no longer selected.
bool changeShot(Session& session, Shot shot, const std::string& action, bool dragged = false);

// Names the file of the shot, which saving replaces.
void nameShot(Timeline& timeline, ShotFile file);
LeftShot leftShot(const Session& session);
// Something else is shown, with its shot. Another shot stands at its playhead.
void replaceShot(Session& session, const LeftShot& left);
// Opens the timeline with a shot at its start.
void openShot(Session& session, Shot shot, ShotFile file);

// Moves the playhead, within the limits of a shot, and sets what the shot says of that time: no edit. Says what was edited
// without a key, and so is not kept.
void scrub(Session& session, double timeS);

// The end of the shot, and of the film that is refocused.
double lengthS(const Session& session);
// The frame of that film at the playhead, from 0 on.
int inputFrame(const Session& session);

// "frame 1 of 12, 24 fps" at the start.
std::string frameText(const Session& session);

// What is played: the range, else the whole shot. Empty: at one time.
std::pair<double, double> playedRange(const Session& session);
void togglePlaying(Session& session);
// If edits are recorded: sets keys of what differs from `before`, of fields that have a track.
void recordEdits(Session& session, const Settings& before);
// Call in every frame, after its edits. Moves the playhead by `stepS` seconds of the clock if it plays, or to the frame that
// is recorded.
void followShot(Session& session, double stepS);

// The keys of the table: moves to the start or the end, to the key before or after, by frames.
void goToEnd(Session& session, bool last);
void goToKey(Session& session, bool next);
void stepFrames(Session& session, int frames);
// What is played begins or ends at the playhead.
void setRangeEnd(Session& session, bool last);

// Whether a field has a track, a key at the playhead, and there the value that the settings have.
struct KeyState {
  bool animated = false, here = false, changed = false;
};
KeyState keyState(const Session& session, std::string_view field);
// Sets the key of a field at the playhead, or removes it if it is there with this value.
void toggleKey(Session& session, std::string_view field);
// Sets keys of camera and lens at the playhead.
void setKeys(Session& session);

// The vertical axis of the curve of a track: its keys fill most of it, evenly as values go from key to key. In pixels.
struct ValueAxis {
  Interpolation how = Interpolation::linear;
  float low = 0, high = 1;    // as the axis has them: negative diopters, logarithms or the values
  float top = 0, bottom = 1;  // of the screen
  float y(float value) const;
  float value(float y) const;
};
ValueAxis valueAxis(const Track& track, float top, float bottom);

// A value that a key of the field, by Field::path(), can have, nearest to another.
float keyValueNear(std::string_view path, float value);

// Edit the selected keys.
void removeSelected(Session& session);
void copySelectedToPlayhead(Session& session);
// The keys of the row where the keyboard is; all keys if they are selected, or elsewhere.
void selectAll(Session& session);
// Moves the selected keys by seconds, unless others stand there.
void moveSelected(Session& session, double byS);
// The same by frames, and their values by hundredths of their sliders' ranges; choices by entries.
void stepSelected(Session& session, int frames, float hundredths);
// Scales the times of selected keys: the last or the first one goes to a time, the one at the other end stays. Selects these keys.
void scaleTo(Session& session, const Shot& before, std::set<KeyId> ids, bool last, double toS);
// The last selected key goes by frames, unless keys would meet.
void scaleSelected(Session& session, int frames);
// Selects the key after the last selected one of the tracks, or their first key; alone, unless it `adds`.
void selectNextKey(Session& session, const std::vector<std::string>& tracks, bool adds);
// Adds the key after the last selected one of the tracks, or the one before the first.
void extendSelection(Session& session, const std::vector<std::string>& tracks, bool forward);
// A bezier begins as the way that it replaces.
void easeSelected(Session& session, Easing easing);

// Records all frames of the shot that the timeline shows, or of its range; without one, a sequence. Or stops.
void toggleFilm(Session& session);
// Frames of the film.
double filmFrames(const Session& session);
// The name of its files, before their number, and what the next film writes.
std::string filmName(const Session& session);
std::string filmFiles(const Session& session);

}  // namespace satdof
