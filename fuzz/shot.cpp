// A shot, or the camera path of another program. An accepted shot can be written and read back, and gives
// valid settings.
#include "app/core/settings_json.h"
#include "app/core/shot/shot_json.h"
#include "app/core/usage_error.h"
#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    std::vector<std::string> notes, none;
    const Shot shot = shotFromJson(fuzz::textOf(data, size), "shot.json", notes);
    for (const std::string& note : notes) fuzz::requireReadable(note);
    fuzz::require(shotFromJson(shotToJson(shot), "written.json", none) == shot && none.empty(),
                  "a written shot reads back to the same shot");
    for (const double part : {-0.1, 0.0, 0.3, 0.5, 0.99, 1.0}) {
      const Settings settings = settingsAt(shot, {}, part * durationS(shot));
      Settings read;
      applySettingsJson(read, settingsToJson(settings), "frame.json");
      fuzz::require(read == settings, "the settings of a frame are within their ranges");
    }
  } catch (const UsageError& error) {
    fuzz::requireReadable(error.what());
  }
  return 0;
}
