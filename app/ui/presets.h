#pragma once
#include <span>
#include <string>

#include "app/core/settings.h"
#include "app/device/device.h"
#include "app/ui/session.h"

namespace satdof {

// A ready-made preset.
struct Preset {
  const char* name;
  const char* help;
  void (*set)(Settings& settings);  // changes default settings
  bool runsKernels = false;         // needs a device with DeviceOptions::kernels
  bool keepsLens = true;            // keeps the current lens model and device, unless set() changes them
};

std::span<const Preset> presets();

// A ready-made look, for any photograph.
struct ReadyLook {
  const char* name;
  const char* help;
  void (*set)(Settings& settings);  // changes default settings
};

std::span<const ReadyLook> readyLooks();
// Returns the settings with the look.
Settings withLook(Settings settings, const ReadyLook& look);
// Applies the look and says so.
void choose(Session& session, const ReadyLook& look);

// The functions below need a current context.

// Returns the settings of the preset. Size, display, quality, samples and animation come from `current`; with
// Preset::keepsLens also lens model and device. If the preset runs kernels and the device of `current` does not, the
// first available device that does is used.
Settings apply(const Preset& preset, const Settings& current);

// Returns why no available device runs the kernels of the preset, and the device that is used instead. Empty if nothing
// is missing.
std::string missingDevice(const Preset& preset, const Settings& current);

// Applies the preset and says so.
void choose(Session& session, const Preset& preset);

// Whether the settings differ from the chosen preset. A ready-made preset includes side B while B is shown; a preset of
// the user is only a look.
bool presetChanged(const Session& session);

}  // namespace satdof
