#pragma once
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/core/shot/shot_edit.h"
#include "app/ui/photographs/strip.h"

// What the session holds of the timeline, of recordings and of focus pulls.
namespace satdof {

// A sequence that is being recorded, one image per frame: numbered images or a video.
struct Sequence {
  int frames = 0;
  int written = 0;
  bool video = false;
  bool paused = false;   // no further frame is drawn
  bool ofShot = false;   // records the frames of the shot
  long firstOfShot = 0;  // number of the first recorded frame of the shot
};

// The shot of the window, and how it is shown, played and edited (app/ui/timeline/timeline.h).
struct Timeline {
  bool shown = false;
  std::shared_ptr<const Shot> shot = std::make_shared<const Shot>();
  std::shared_ptr<ShotFile> file = std::make_shared<ShotFile>();  // where `shot` was opened or saved
  double timeS = 0.0;                                             // playhead
  bool moved = false;                                             // the playhead has moved in this frame
  bool playing = false;
  bool loops = true;
  bool recordsEdits = false;                       // edits of settings with a track set keys
  std::optional<std::pair<double, double>> range;  // played range in seconds; none: the whole shot
  std::set<KeyId> selected;
  std::vector<std::string> keyboardAt;            // tracks of the row that has the keyboard in this frame
  bool curves = false;                            // shows the curves of the values
  bool cameraOpen = false;                        // each track of the camera has a row
  std::optional<std::pair<double, double>> view;  // seconds that the rows show; none: the whole shot
  std::optional<float> pullFromM;                 // start of a rack focus that waits for the click on its end
  bool pullClicked = false;                       // that click has come; its focus is not known yet
  std::optional<double> filmedFromS;              // playhead before the film was rendered
  std::array<char, 256> fileName{"shot.json"};    // name to save the shot as
  std::optional<CameraPathFormat> saveAs;         // save as a camera path of another program; none: as a shot
};

// A focus pull to a mark.
struct FocusPull {
  float fromM = 0, toM = 0, lastM = 0;  // focus at the start, at the end, and in the last frame
  double atS = 0;                       // seconds since the start
};

}  // namespace satdof
