#pragma once
#include <cmath>
#include <random>
#include <string>
#include <type_traits>

#include "app/core/fields.h"

namespace satdof {

inline std::mt19937 generator(39);

template <class V>
V random(const Field& field) {
  const auto uniform = [&] { return std::uniform_real_distribution(field.min, field.max)(generator); };
  const auto oneOf = [](const auto& all) { return all[generator() % all.size()]; };
  if constexpr (std::is_same_v<V, bool>)
    return generator() % 2 == 0;
  else if constexpr (std::is_same_v<V, float>)
    return static_cast<float>(uniform());
  else if constexpr (std::is_same_v<V, int>)
    return field.powerOfTwo ? 1 << std::ilogb(uniform()) : static_cast<int>(uniform());
  else if constexpr (std::is_same_v<V, glm::ivec2>)
    return {random<int>(field), random<int>(field)};
  else if constexpr (std::is_same_v<V, MaskName>)
    return {oneOf(filterMasks()).name};
  else if constexpr (std::is_same_v<V, FilePath>)
    return {"folder/a file " + std::to_string(generator()) + ".png"};
  else
    return oneOf(entries(V{})).value;
}

inline Settings randomSettings() {
  Settings settings;
  describe(settings, []<class V>(const Field& field, V& value) { value = random<V>(field); });
  return settings;
}

}  // namespace satdof
