#pragma once
#include <glm/geometric.hpp>
#include <vector>

#include "app/core/shot/shot.h"
#include "tests/core/random_settings.h"

namespace satdof {

inline float uniform(float from, float to) { return std::uniform_real_distribution<float>(from, to)(generator); }

template <class K>
void randomEasing(K& key) {
  key.easing = entries(Easing{})[generator() % 4].value;
  if (key.easing != Easing::bezier) return;
  for (float& part : key.handles) part = uniform(0, 1);
}

// A shot with one to four keys for every field that takes keys.
inline Shot randomShot(bool placesCamera) {
  Shot shot;
  const Settings any;
  describe(any, [&]<class T>(const Field& field, const T&) {
    if constexpr (isKeyed<T>) {
      if (!field.takesKeys() || (field.path().starts_with("camera.") && !placesCamera)) return;
      Track track{.field = field.path(), .keys = {}};
      double timeS = 0;
      for (std::size_t i = 1 + generator() % 4; i > 0; --i) {
        timeS += std::uniform_real_distribution(0.1, 5.0)(generator);
        Key key{.timeS = timeS, .value = static_cast<float>(random<T>(field))};
        randomEasing(key);
        track.keys.push_back(key);
      }
      shot.tracks.push_back(track);
    }
  });
  return shot;
}

inline std::vector<CameraKey> randomCamera(std::size_t count) {
  std::vector<CameraKey> keys(count);
  double timeS = uniform(0, 1);
  for (CameraKey& key : keys) {
    key.timeS = timeS;
    timeS += uniform(0.5f, 3);
    key.lookAtM = {uniform(-1, 1), uniform(0, 1), uniform(-1, 1)};
    key.eyeM = key.lookAtM + glm::vec3(uniform(1, 9), uniform(0, 3), uniform(-9, 9));
    randomEasing(key);
  }
  return keys;
}

}  // namespace satdof
