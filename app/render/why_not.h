#pragma once
#include <string>
#include <string_view>

#include "app/core/settings.h"
#include "app/device/device.h"
#include "app/filter/filter.h"
#include "app/scene/bodies/solver.h"

// Reasons why a setting has no effect with the other settings, or cannot have a value. Each function returns one
// sentence for panels, keys and messages; an empty string if there is no reason. `path`: Field::path(), such as
// "technique.lens.on" or "split.b.lens.on". All need a current context.
namespace satdof {

// Returns technique B for a path that begins with "split.b.", else technique A.
const Technique& techniqueOf(const Settings& settings, std::string_view path);
// Returns the device whose variant the field chooses: the device of the bodies' solver, or of the technique.
const Device& deviceFor(const Settings& settings, std::string_view path);

// Why the field has no effect.
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

// Why a scene cannot be drawn by a lens.
std::string whyNot(SceneKind scene, LensKind lens);

}  // namespace satdof
