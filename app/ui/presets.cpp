#include "app/ui/presets.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/core/settings_json.h"
#include "app/lens/lens.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"
#include "app/ui/history.h"

namespace satdof {

namespace {

constexpr std::array kPresets = {
    Preset{.name = "Default",
           .help = "A portrait lens focused on the nearest teapots, with the default lens model",
           .set = [](Settings&) {},
           .keepsLens = false},
    Preset{"Lamps", "Focus close to the camera: every lamp becomes a disc of light",
           [](Settings& s) {
             s.lens.fNumber = 0.95f;
             s.lens.focusDistanceM = 0.9f;
             s.present.exposureStops = -0.5f;
           }},
    Preset{"Small aperture", "Teapots at f/22: everything is sharp",
           [](Settings& s) {
             s.lens.fNumber = 22.0f;
             s.lens.focusDistanceM = 2.5f;
           }},
    Preset{"Crowd", "Hundreds of teapots from above, like a miniature",
           [](Settings& s) {
             s.scene.teapots.count = 800;
             s.camera.yawDegrees = 0.0f;
             s.camera.pitchDegrees = 24.0f;
             s.camera.distanceM = 13.0f;
             s.camera.targetZM = -12.0f;
             s.camera.verticalFovDegrees = 30.0f;
             s.lens.focalLengthMm = 135.0f;
             s.lens.fNumber = 0.5f;
             s.lens.focusDistanceM = 13.0f;
           }},
    Preset{"Galaxies", "Two galaxies collide. Focus on the nearer arms: the rest becomes bokeh",
           [](Settings& s) {
             s.scene.kind = SceneKind::bodies;
             s.scene.bodies.startS = s.scene.timeS;
             s.camera.pitchDegrees = 16.0f;
             s.camera.distanceM = 1.9f;
             s.lens.focalLengthMm = 85.0f;
             s.lens.fNumber = 1.8f;
             s.lens.focusDistanceM = 1.8f;
           }},
    Preset{"GPU Gems 3",
           "Depth of field as in the chapter: linear blur factor (39.3.2), four table look-ups per box. A "
           "fractional width mixes two boxes: eight look-ups.\nThe table is float32, by the Blelloch scan "
           "(39.2.2) in the multipass pipeline: de-interleave the image to planes, scan rows, transpose, "
           "scan rows",
           [](Settings& s) {
             s.technique.lens.kind = LensKind::gems;
             s.technique.table.format = TableFormat::float32;
             s.technique.table.scan = Scan::blelloch;
           },
           true},
    Preset{"Thin lens | GPU Gems 3", "A: circle of confusion of a thin lens. B: linear blur factor of the chapter",
           [](Settings& s) {
             s.split.enabled = true;
             if (lensOf(s.technique.lens.kind).rule->linear) s.technique.lens.kind = LensKind::automatic;
             s.split.b.lens.kind = LensKind::gems;
           }},
    Preset{"Exact | float32",
           "Left: image by an exact uint32 table. Right: error of a float32 table, amplified; it grows with the "
           "sums, to the top right",
           [](Settings& s) {
             s.technique.view = View::tableError;
             s.technique.table.format = TableFormat::float32;
             s.lens.fNumber = 8.0f;
           }},
    Preset{"Circle of confusion | image", "A: circle of confusion, near blue and far orange. B: finished image",
           [](Settings& s) {
             s.split.enabled = true;
             s.technique.view = View::coc;
           }},
};

constexpr std::array kLooks = {
    ReadyLook{"Portrait", "f/2: the background is soft", [](Settings& s) { s.lens.fNumber = 2.0f; }},
    ReadyLook{"Wide open", "f/0.95, with highlights restored: a very shallow depth of field",
              [](Settings& s) {
                s.lens.fNumber = 0.95f;
                s.scene.image.highlights = 2.0f;
              }},
    ReadyLook{"Six blades", "f/1.4: highlights become hexagons",
              [](Settings& s) {
                s.lens.fNumber = 1.4f;
                s.lens.blades = 6;
                s.lens.highlightThreshold = 0.6f;
                s.scene.image.highlights = 3.0f;
              }},
    ReadyLook{"Anamorphic", "f/1.4: tall, narrow discs",
              [](Settings& s) {
                s.lens.fNumber = 1.4f;
                s.lens.anamorphicRatio = 0.5f;
                s.scene.image.highlights = 2.0f;
              }},
    ReadyLook{"Soft front", "f/1.4, with twice the blur in front of the focus",
              [](Settings& s) {
                s.lens.fNumber = 1.4f;
                s.lens.nearScale = 2.0f;
              }},
    ReadyLook{"Deep focus", "f/16: nearly everything is sharp", [](Settings& s) { s.lens.fNumber = 16.0f; }},
};

// Returns `current` if it suits the preset, else the first available device that suits it, else `current`.
DeviceId deviceFor(const Preset& preset, DeviceId current) {
  if (!preset.runsKernels) return current;
  const auto suits = [](const Device& device) { return device.uses.kernels && availability(device.id).available; };
  if (suits(deviceOf(current))) return current;
  const auto found = std::ranges::find_if(devices(), suits);
  return found == devices().end() ? current : found->id;
}

// Returns the lens model that the user has chosen: the current one, or the default if the current preset has chosen it.
LensKind lensOfUser(const Session& session) {
  const LensKind kind = session.settings.technique.lens.kind;
  const auto& used = session.preferences.preset;
  const auto chosen =
      std::ranges::find_if(kPresets, [&](const Preset& preset) { return used && used->name == preset.name; });
  const bool byPreset = chosen != kPresets.end() && apply(*chosen, {}).technique.lens.kind == kind;
  return byPreset ? LensKind::automatic : kind;
}

}  // namespace

std::span<const Preset> presets() { return kPresets; }

std::span<const ReadyLook> readyLooks() { return kLooks; }

Settings withLook(Settings settings, const ReadyLook& look) {
  Settings source;
  look.set(source);
  applyLook(settings, lookToJson(source), look.name);
  return settings;
}

void choose(Session& session, const ReadyLook& look) {
  session.settings = withLook(session.settings, look);
  session.action = std::string("Look: ") + look.name;
  session.say(session.action);
}

Settings apply(const Preset& preset, const Settings& current) {
  Settings next;
  next.size = current.size;
  next.present = current.present;
  next.present.exposureStops = 0.0f;
  if (preset.keepsLens) {
    next.technique.lens.kind = next.split.b.lens.kind = current.technique.lens.kind;
    next.technique.device = next.split.b.device = deviceFor(preset, current.technique.device);
  }
  next.scene.timeS = current.scene.timeS;
  next.scene.animate = current.scene.animate;
  next.scene.samples = current.scene.samples;
  next.quality = current.quality;
  preset.set(next);
  return next;
}

std::string missingDevice(const Preset& preset, const Settings& current) {
  if (!preset.runsKernels) return {};
  const DeviceId device = deviceOf(deviceFor(preset, current.technique.device)).id;
  if (deviceOf(device).uses.kernels) return {};
  std::string reasons;
  for (const Device& other : devices())
    if (other.uses.kernels)
      reasons += (reasons.empty() ? "" : "; ") + std::string(name(other.id)) + " is not available (" +
                 availability(other.id).reason + ")";
  return reasons + "; " + name(device) + " builds the table instead";
}

void choose(Session& session, const Preset& preset) {
  const std::string notice = missingDevice(preset, session.settings);
  const std::string photograph =
      showsPhoto(session.settings) ? std::filesystem::path(shownFile(session.settings).text).filename().string() : "";
  session.settings.technique.lens.kind = lensOfUser(session);
  session.settings = apply(preset, session.settings);
  if (session.settings.split.enabled) placeSplit(session);
  session.preferences.preset = {preset.name, session.settings};
  session.centreCamera = true;
  session.action = std::string("Preset: ") + preset.name;
  const std::string done =
      session.action + (photograph.empty() ? "" : ", in place of " + photograph + "; Ctrl Z shows it again");
  session.say(notice.empty() ? done : notice);
}

bool presetChanged(const Session& session) {
  if (!session.preferences.preset) return false;
  Settings chosen = session.preferences.preset->settings;
  if (!isReadyMade(session.preferences.preset->name)) return !sameLook(chosen, session.settings);
  chosen.camera.shiftX = session.settings.camera.shiftX;  // follows the width of the panels
  chosen.camera.shiftY = session.settings.camera.shiftY;
  chosen.scene.animate = session.settings.scene.animate;
  if (!showsB(chosen) && !showsB(session.settings)) chosen.split = session.settings.split;
  return !sameEdits(chosen, session.settings);
}

}  // namespace satdof
