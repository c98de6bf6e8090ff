#pragma once
#include <algorithm>
#include <vector>

#include "app/lens/graph.h"
#include "app/lens/lens_space.h"
#include "app/scene/image/depth_map.h"
#include "library/src/check.h"
#include "satdof/lens.h"

// What refocus() shares with cuda::LensPlan.
namespace satdof::lens {

struct LensChoice;  // lens.cpp

// How a photograph is to be refocused.
class Refocus {
 public:
  // The options, without a photograph.
  explicit Refocus(std::span<const Option> options);
  // Takes the size of a photograph and its depth; the focus, too, unless the options have it.
  void take(glm::ivec2 size, const DepthRange& depth);

  const Settings& settings() const { return settings_; }
  const SceneFacts& facts() const { return facts_; }
  const LensChoice& choice() const;
  // How focus differs between the images to draw, in diopters: one, or red, green and blue.
  std::vector<float> shifts() const;
  // What the lens gets of an image, and its steps.
  LensSpace space(float shift) const { return lensSpace(settings_.lens, facts_, shift); }
  LensGraph graph(const LensSpace& space) const;

 private:
  Settings settings_;
  bool focused_ = false;
  SceneFacts facts_;
};

template <class T>
void requireSides(const cpu::Image<T>& image, const char* name) {
  constexpr int kMost = 16384;
  cpu::requireImage(image, name);
  cpu::require(
      std::max(image.width, image.height) <= kMost && std::int64_t{image.width} * image.height <= 1 << 28,
      name, " has ", image.width, " x ", image.height, " pixels: at most ", kMost, " a side and 2^28 in all");
}

template <class T>
constexpr float kLargest = std::is_integral_v<T> ? static_cast<float>(std::numeric_limits<T>::max()) : 0.0f;

// The light of each value of T, as half floats.
template <class T>
std::vector<std::uint16_t> halvesOf();

}  // namespace satdof::lens
