#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/run/window/depth/depth_corrector.h"
#include "app/run/window/depth/depth_estimator.h"
#include "app/run/window/files/chooser.h"
#include "app/run/window/files/clipboard.h"
#include "app/run/window/files/opening.h"
#include "app/run/window/files/photo_strip.h"
#include "app/run/window/measurements.h"
#include "app/run/window/playback.h"
#include "app/run/window/recording/recorded_focus.h"
#include "app/run/window/recording/recorder.h"
#include "app/run/window/recording/slow_motion.h"
#include "app/run/window/window_image.h"
#include "app/ui/command.h"
#include "app/ui/history.h"
#include "app/ui/session.h"

namespace satdof {

// The parts of a window that commands act on.
struct CommandTargets {
  Session& session;
  History& history;
  Playback& playback;
  Opening& opening;
  Chooser& chooser;
  WindowClipboard& clipboard;
  StripController& strip;
  DepthEstimator& depth;
  DepthCorrector& corrector;
  WindowImage& image;
  Recorder& recorder;
  RecordedFocus& focus;
  Measurements& measurements;
  SlowMotion& slowMotion;
  std::function<std::string()> dialogParent;  // DialogRequest::window
  std::function<float()> captureTimeS;        // animation time of the image that is shown
  std::function<void()> quit;
};

// Takes the first request that is due: after an image was drawn (`drawn`), one that needs it; else another one.
std::optional<CommandRequest> takeDue(std::vector<CommandRequest>& requests, bool drawn);

// Carries out the requests of keys and panels that are due, in their order. Reports failures in the session.
void carryOut(const CommandTargets& targets, bool drawn);

}  // namespace satdof
