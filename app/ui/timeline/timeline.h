#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/ui/session.h"

// Plays, scrubs and edits the shot of the window. Needs no window.
namespace satdof {

// A row of the timeline.
struct TimelineRow {
  std::string label;
  // Paths of fields, or kCameraPath; the row moves the keys of all its tracks.
  std::vector<std::string> tracks;
  bool isGroup = false;  // the row can be opened into a row for each track
  bool inGroup = false;  // the row belongs to an open group
  bool operator==(const TimelineRow&) const = default;
};
std::vector<TimelineRow> timelineRows(const Shot& shot, bool cameraOpen);

// Returns the frames per second of the timeline. Keys lie on frames.
inline float frameRate(const Session& session) { return session.preferences.capture.framesPerSecond; }

// Replaces the shot of the session, and applies the changed tracks to the settings at the playhead. `action` names the
// undo step; while something is `dragged`, the step of the whole drag. Deselects keys that are gone. Returns whether
// the shot was replaced: refuses, and says so, a shot with more than kMaxShotKeys keys or another flaw.
bool changeShot(Session& session, Shot shot, const std::string& action, bool dragged = false);

// Sets the file of the shot, which saving replaces.
void nameShot(Timeline& timeline, ShotFile file);
// Returns the shot to keep while something else is shown.
LeftShot leftShot(const Session& session);
// Call when something else is shown: replaces the shot by `left`, at its playhead, unless both are equal.
void replaceShot(Session& session, const LeftShot& left);
// Opens the timeline with a shot at its start.
void openShot(Session& session, Shot shot, ShotFile file);

// Moves the playhead within the limits of a shot, and applies the shot at that time to the settings: no edit. Says
// which edits are lost because they have no key.
void scrub(Session& session, double timeS);

// Returns the end of the shot, or of the film that is refocused if that is later.
double lengthS(const Session& session);
// Returns the frame of that film at the playhead, from 0 on.
int inputFrame(const Session& session);

// Returns "frame 1 of 12, 24 fps" at the start.
std::string frameText(const Session& session);

// Returns the played range, by default the whole shot, in seconds; both ends are equal if there is nothing to play.
std::pair<double, double> playedRange(const Session& session);
void togglePlaying(Session& session);
// If edits are recorded: sets keys of the fields that have a track and differ from `before`.
void recordEdits(Session& session, const Settings& before);
// Call in every frame, after its edits. Advances the playhead by `stepS` seconds if the shot plays; moves it to the
// recorded frame while a film is rendered.
void advancePlayhead(Session& session, double stepS);

// Move the playhead: to the start or the end, to the previous or the next key, by frames.
void goToEnd(Session& session, bool last);
void goToKey(Session& session, bool next);
void stepFrames(Session& session, int frames);
// Sets the start or the end of the played range to the playhead.
void setRangeEnd(Session& session, bool last);

// The keys of a field: `animated`: it has a track; `here`: a key at the playhead; `changed`: that key has another value
// than the settings.
struct KeyState {
  bool animated = false, here = false, changed = false;
};
KeyState keyState(const Session& session, std::string_view field);
// Sets the key of a field at the playhead; removes a key that has this value already.
void toggleKey(Session& session, std::string_view field);
// Sets keys of camera and lens at the playhead.
void setKeys(Session& session);

// The vertical axis of the curve of a track, in pixels. Linear in what the track interpolates; the keys fill most of
// it.
struct ValueAxis {
  Interpolation how = Interpolation::linear;
  float low = 0, high = 1;    // range of the axis: negative diopters, logarithms or values
  float top = 0, bottom = 1;  // screen coordinates
  float y(float value) const;
  float value(float y) const;
};
ValueAxis valueAxis(const Track& track, float top, float bottom);

// Returns the possible value of a key of the field (by Field::path()) that is nearest to `value`.
float keyValueNear(std::string_view path, float value);

// The functions below edit or select keys.
void removeSelected(Session& session);
void copySelectedToPlayhead(Session& session);
// Selects the keys of the row that has the keyboard. If they are selected already, or no row has the keyboard, selects
// all keys.
void selectAll(Session& session);
// Moves the selected keys by seconds; says so if other keys are in the way.
void moveSelected(Session& session, double byS);
// Moves the selected keys by frames, and their values by hundredths of the range of their slider; choices by entries.
void stepSelected(Session& session, int frames, float hundredths);
// Scales the times of the keys `ids` of the shot `before`, and selects these keys. The last key, or the first one, goes
// to `toS`; the key at the other end stays.
void scaleTo(Session& session, const Shot& before, std::set<KeyId> ids, bool last, double toS);
// Scales the times of the selected keys such that the last one moves by frames; says so if keys would meet.
void scaleSelected(Session& session, int frames);
// Selects the key after the last selected key of the tracks, or their first key. `adds`: keeps the other keys selected.
void selectNextKey(Session& session, const std::vector<std::string>& tracks, bool adds);
// Also selects the key after the last selected key of the tracks, or the key before the first.
void extendSelection(Session& session, const std::vector<std::string>& tracks, bool forward);
// Sets the easing of the selected keys. A bezier starts with the curve that it replaces.
void easeSelected(Session& session, Easing easing);

// Starts to render the shot that the timeline shows, or its range; without a shot, to record a sequence. Stops a
// recording.
void toggleFilm(Session& session);
// Returns the number of frames of the film.
double filmFrames(const Session& session);
// Return the name of its files before their number, and a text about the files that the next film writes.
std::string filmName(const Session& session);
std::string filmFiles(const Session& session);

}  // namespace satdof
