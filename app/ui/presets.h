#pragma once
#include <span>

#include "app/core/settings.h"

namespace satdof {

// A handful of settings worth seeing.
struct Preset {
  const char* name;
  const char* help;
  void (*set)(Settings& settings);  // starts from the defaults
};

std::span<const Preset> presets();

// The preset, with the size, the window's options, the device and the animation's time of `current`.
Settings apply(const Preset& preset, const Settings& current);

}  // namespace satdof
