// Settings as JSON. Refused text changes nothing; accepted settings can be written and read back.
#include "app/core/settings_json.h"

#include "app/core/usage_error.h"
#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::textOf(data, size);
  static const Settings defaults;
  Settings settings;
  try {
    applySettingsJson(settings, text, "settings.json");
    const std::string written = settingsToJson(settings);
    Settings again;
    applySettingsJson(again, written, "written.json");
    fuzz::require(again == settings, "written settings read back to the same settings");
  } catch (const UsageError& error) {
    fuzz::requireReadable(error.what());
    fuzz::require(settings == defaults, "refused settings change nothing");
    if (size % 2 == 0) return 0;
    try {
      for (const auto& problem : applyReadableSettings(settings, text, "settings.json")) fuzz::requireReadable(problem);
    } catch (const UsageError&) {
      fuzz::require(settings == defaults, "text that is no JSON object changes nothing");
    }
  }
  return 0;
}
