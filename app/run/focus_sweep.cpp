#include "app/run/focus_sweep.h"

#include <algorithm>

#include "app/core/fields.h"
#include "app/core/settings_json.h"
#include "app/core/usage_error.h"

namespace satdof {

float focusDistanceM(const FocusSweep& sweep, int frame, int frames) {
  const float t = static_cast<float>(frame) / static_cast<float>(std::max(frames - 1, 1));
  return between(fieldOf("lens.focusDistanceM").interpolation, sweep.fromM, sweep.toM, t);
}

FocusSweep parseFocusSweep(const std::string& where, const std::string& text) {
  constexpr std::string_view kKey = "focus=";
  const std::string refusal = where + " " + text + ": expected true, false or focus=A:B, in metres";
  const auto colon = text.find(':');
  if (!text.starts_with(kKey) || colon == text.npos) throw UsageError(refusal);
  const auto distanceM = [&](const std::string& part) {
    Settings settings;
    try {
      applyOption(settings, "--focus", part);
    } catch (const UsageError& error) {
      throw UsageError(refusal + "; " + error.what());
    }
    return settings.lens.focusDistanceM;
  };
  return {distanceM(text.substr(kKey.size(), colon - kKey.size())), distanceM(text.substr(colon + 1))};
}

}  // namespace satdof
