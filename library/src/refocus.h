#pragma once
#include <algorithm>
#include <vector>

#include "app/lens/graph.h"
#include "app/lens/lens_space.h"
#include "app/scene/image/depth_map.h"
#include "library/src/check.h"
#include "satdof/lens.h"

// Shared by refocus() and cuda::LensPlan.
namespace satdof::lens {

struct LensChoice;  // lens.cpp

// The settings of a refocused photograph, and the lens for it.
class Refocus {
 public:
  // Throws std::invalid_argument for an unknown option or a bad value.
  explicit Refocus(std::span<const Option> options);
  // Sets size and depth range of the photograph. Without the option "focus", focuses on the middle of the
  // image.
  void take(glm::ivec2 size, const DepthRange& depth);

  const Settings& settings() const { return settings_; }
  const SceneFacts& facts() const { return facts_; }
  const LensChoice& choice() const;
  // Focus shifts in diopters: one for the whole image, or with axial colour one each for red, green and blue.
  std::vector<float> shifts() const;
  // The input and the steps of the lens for one focus shift.
  LensSpace space(float shift) const { return lensSpace(settings_.lens, facts_, shift); }
  LensGraph graph(const LensSpace& space) const;

 private:
  Settings settings_;
  bool focused_ = false;
  SceneFacts facts_;
};

template <class T>
void requireSides(const cpu::Image<T>& image, const char* name) {
  constexpr int kMax = 16384;
  cpu::requireImage(image, name);
  cpu::require(std::max(image.width, image.height) <= kMax && std::int64_t{image.width} * image.height <= 1 << 28, name,
               " has ", image.width, " x ", image.height, " pixels: at most ", kMax, " a side and 2^28 in all");
}

// The largest value of an integer T; 0 for floats.
template <class T>
constexpr float kWhite = std::is_integral_v<T> ? static_cast<float>(std::numeric_limits<T>::max()) : 0.0f;

// Linear light of every sRGB value of T, as bits of half floats.
template <class T>
std::vector<std::uint16_t> halvesOf();

}  // namespace satdof::lens
