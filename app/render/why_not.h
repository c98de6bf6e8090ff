#pragma once
#include <string>
#include <string_view>

#include "app/core/settings.h"
#include "app/device/device.h"
#include "app/filter/filter.h"
#include "app/scene/bodies/solver.h"

// Why a setting changes nothing with the others, or cannot have a value: one sentence for panels, keys and messages; empty if it
// does or can. `path` is Field::path(), such as "technique.lens.on" or "split.b.lens.on". Need a current context.
namespace satdof {

// Technique B for a path or scope that begins with "split.b.", else technique A.
const Technique& techniqueOf(const Settings& settings, std::string_view path);
// The device that computes with a variant: of the bodies, or of a technique.
const Device& deviceFor(const Settings& settings, std::string_view path);

// Why the field changes nothing.
std::string whyNot(const Settings& settings, std::string_view path);

// Why the field cannot have this value.
std::string whyNot(const Settings& settings, std::string_view path, View value);
std::string whyNot(const Settings& settings, std::string_view path, LensKind value);
std::string whyNot(const Settings& settings, std::string_view path, LensOn value);
std::string whyNot(const Settings& settings, std::string_view path, FilterForm value);
template <class E>
std::string whyNot(const Settings& settings, std::string_view path, E value) {
  if constexpr (KernelVariant<E>) {
    return missing(deviceFor(settings, path), optionOf(value));
  } else if constexpr (requires { availability(value); }) {
    const Availability& here = availability(value);
    return here.available ? std::string() : here.reason;
  } else {
    return {};
  }
}

// The technique that a window shows at rest.
Technique restingTechnique(const Settings& settings, const Technique& technique);

// Why a scene cannot be drawn by a lens.
std::string whyNot(SceneKind scene, LensKind lens);

}  // namespace satdof
