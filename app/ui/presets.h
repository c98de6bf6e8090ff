#pragma once
#include <span>
#include <string>

#include "app/core/settings.h"
#include "app/device/device.h"
#include "app/ui/session.h"

namespace satdof {

// Ready-made settings.
struct Preset {
  const char* name;
  const char* help;
  void (*set)(Settings& settings);  // starts from the defaults
  bool runsKernels = false;         // on a device with DeviceOptions::kernels
  bool keepsLens = true;            // starts with the lens model and the device in use
};

std::span<const Preset> presets();

// A ready-made look, for any photograph.
struct ReadyLook {
  const char* name;
  const char* help;
  void (*set)(Settings& settings);  // starts from the defaults
};

std::span<const ReadyLook> readyLooks();
// The settings with the look.
Settings withLook(Settings settings, const ReadyLook& look);
void choose(Session& session, const ReadyLook& look);

// Everything below needs a current context.

// Returns the settings of the preset. The size, the window's options, the quality, the samples, the device, the animation
// and, if the preset keeps it, the lens model come from `current`. Changes the device if the preset
// runs kernels, the device of `current` does not, and one that does is available.
Settings apply(const Preset& preset, const Settings& current);

// Returns why no available device runs the preset's kernels, and which device runs instead. Empty
// if nothing is missing.
std::string missingDevice(const Preset& preset, const Settings& current);

// Applies the preset and says so.
void choose(Session& session, const Preset& preset);

// Whether the settings differ from the preset that was chosen last. Of a ready-made one, side B counts while it
// is shown; of an own one, the look alone.
bool presetChanged(const Session& session);

}  // namespace satdof
