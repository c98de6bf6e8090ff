#include "app/run/film/shutter.h"

#include <utility>
#include <vector>

#include "app/core/field_json.h"
#include "app/core/fields.h"
#include "app/core/files/cache.h"
#include "app/core/shot/shot_json.h"
#include "app/core/text/count_text.h"
#include "app/lens/lens.h"

namespace satdof {

namespace {

std::vector<Moment> momentsOf(const Shutter& shutter, const Settings& settings, const FilmFrame& frame) {
  const double openS = static_cast<double>(shutter.angleDegrees) / 360 / static_cast<double>(frame.framesPerSecond);
  std::vector<Moment> moments;
  for (int i = 0; i < shutter.samples; ++i) {
    const double laterS = openS * (i + 0.5) / shutter.samples;
    Settings at = frame.shot != nullptr ? settingsAt(*frame.shot, settings, frame.shotTimeS + laterS) : settings;
    if (settings.lens.autofocus) at.lens.focusDistanceM = settings.lens.focusDistanceM;
    at.lens.autofocus = false;
    if (lensOf(at.technique.lens.kind).accumulates) {
      constexpr Field kSeed = fieldOf("lens.lensSeed");
      at.lens.lensSamples = (at.lens.lensSamples + shutter.samples - 1) / shutter.samples;
      at.lens.lensSeed = (at.lens.lensSeed + i) % (static_cast<int>(kSeed.max) + 1);
    }
    const double timeS = frame.timeS + (settings.scene.animate ? laterS : 0.0);
    moments.push_back({std::move(at), static_cast<float>(timeS)});
  }
  return moments;
}

}  // namespace

void openShutter(CaptureOptions& options, const Shutter& shutter, const Settings& settings, const FilmFrame& frame) {
  if (!shutter.opens()) return;
  options.texts = {{kShutterKeyword, json::numberText(static_cast<double>(shutter.angleDegrees)) + " degrees, " +
                                         countText(static_cast<std::size_t>(shutter.samples), "image") + ", " +
                                         json::numberText(static_cast<double>(frame.framesPerSecond)) +
                                         " frames a second" +
                                         (frame.shot == nullptr ? "" : ", shot " + hashed(shotToJson(*frame.shot)))}};
  options.moments = momentsOf(shutter, settings, frame);
}

}  // namespace satdof
