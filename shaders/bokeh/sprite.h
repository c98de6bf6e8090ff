#pragma once
#include "shaders/lens/aperture/aperture.h"
#include "shaders/lens/thin_lens.h"

namespace satdof {

// How bokeh sprites are added to an image.
struct alignas(16) SpriteRule {
  ThinLens lens;
  Aperture aperture;
  int scattered = 0;  // 1: the near field is scattered: NearField::scattered in app/lens/lens_image.h
  // 1: blended surfaces behind the focus plane dim the sprites behind them; so does alpha of the image, if the near
  // field is scattered.
  int blended = 0;
  int alone = 0;         // 1: draw the sprites on black
  float nearest = 0.0f;  // signed radius of the nearest surface
  float margin = 1.0f;   // see ownSurfaces() in shaders/bokeh/sprite_rule.glsl
  bool operator==(const SpriteRule&) const = default;
};

namespace glsl {
#include "shaders/bokeh/depth_tiles.glsl"
#include "shaders/bokeh/sprite.glsl"
}  // namespace glsl

}  // namespace satdof
