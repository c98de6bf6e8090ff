#include "app/ui/presets.h"

#include <array>

namespace satdof {

namespace {

constexpr std::array kPresets = {
    Preset{"Default", "a portrait lens on the nearest teapots", [](Settings&) {}},
    Preset{"Lamps", "focus close to the lens: every lamp becomes a disc of light",
           [](Settings& s) {
             s.lens.fNumber = 0.95f;
             s.lens.focusDistanceM = 0.9f;
             s.present.exposureStops = -0.5f;
           }},
    Preset{"Deep focus", "a small aperture: everything is sharp",
           [](Settings& s) {
             s.lens.fNumber = 22.0f;
             s.lens.focusDistanceM = 2.5f;
           }},
    Preset{"Crowd", "eight hundred teapots from above, as if they were toys",
           [](Settings& s) {
             s.scene.teapots.count = 800;
             s.camera.pitchDegrees = 28.0f;
             s.camera.distanceM = 4.0f;
             s.lens.focusDistanceM = 4.0f;
             s.lens.focalLengthMm = 135.0f;
           }},
    Preset{"GPU Gems 3", "the chapter as printed: linear blur factor, float table, Blelloch's scan (39.3.2)",
           [](Settings& s) {
             s.technique.lens.kind = LensKind::gems;
             s.technique.table.format = TableFormat::float32;
             s.technique.table.scan = Scan::blelloch;
           }},
    Preset{"Thin lens | GPU Gems 3", "A: circles of confusion of a thin lens. B: the chapter's linear factor",
           [](Settings& s) {
             s.split.enabled = true;
             s.split.b.lens.kind = LensKind::gems;
           }},
    Preset{"Exact | float32", "A: fixed point, exact. B: float32, noisy where the sums are large (top right)",
           [](Settings& s) {
             s.split.enabled = true;
             s.split.b.table.format = TableFormat::float32;
             s.lens.fNumber = 8.0f;
           }},
    Preset{"Signed radii | image", "A: circles of confusion, near blue and far orange. B: the image",
           [](Settings& s) {
             s.split.enabled = true;
             s.technique.view = View::coc;
           }},
};

}  // namespace

std::span<const Preset> presets() { return kPresets; }

Settings apply(const Preset& preset, const Settings& current) {
  Settings next;
  next.size = current.size;
  next.present = current.present;
  next.present.exposureStops = 0.0f;
  next.technique.device = next.split.b.device = current.technique.device;
  next.scene.timeS = current.scene.timeS;
  preset.set(next);
  return next;
}

}  // namespace satdof
