// The hidden near field: near surfaces of the second layer of depth, which the near surfaces of the first layer hide in
// part. Each pixel is scattered over its own disc, by the part that shows past the surfaces in front. A ray past the
// near field ends at the hidden near field or at the background: see hiddenShare() in
// shaders/lens/layered/compose.glsl.
#include "shaders/lens/layered/levels.glsl"

struct HiddenRule {
  ThinLens lens;
  SHADER_COMPARABLE(HiddenRule)
};
// Places of the images: first those that the pass reads, then those that it writes.
const int kHiddenSceneDepth = 0, kHiddenFillRadii = 1, kHiddenBehindColour = 2, kHiddenBehindDepth = 3;
const int kHiddenLight = 0, kHiddenDepth = 1, kHiddenSums = 2;

struct HiddenNear {
  vec4 light;   // premultiplied; alpha: the part of the pixel that is scattered
  float depth;  // nearM / z
  vec3 sums;    // the scattered part, that part times -R, the part of the pixel that shows the background
};

// The hidden near field at the pixel with centre `at` and radius r. `layer`, `layerDepth`: the second layer there. From
// the point a of the aperture, |a| <= 1, the surface behind, of radius R', appears (R' - r) a pixels beside the surface
// in front. So it shows where a disc of radius R' - r around the pixel contains other surfaces in front. The function
// assumes that these have the radius R'. Then the mean near radius in the disc gives the part that shows.
LEVELS_FUNCTION SHADER_FUNCTION HiddenNear hiddenNear(Levels fillRadii, ThinLens lens, vec2 at, float r, vec4 layer,
                                                      float layerDepth) {
  HiddenNear pixel;
  pixel.light = vec4(0.0f);
  pixel.depth = -lens.beta / lens.alpha;  // of the focus plane
  pixel.sums = vec3(0.0f, 0.0f, 1.0f - nearPart(r));
  float hidden = hiddenPart(r);
  if (hidden <= 0.0f) return pixel;
  float behind = signedRadius(lens, layerDepth), near = layer.w * nearPart(behind);
  float meanNear = atLevel(fillRadii, at, tentLevel(behind - r)).z;
  float visible = clamp((-r - meanNear) / max(min(behind, 0.0f) - r, 0.5f), 0.0f, 1.0f);
  float part = hidden * near * visible;
  if (part > 0.0f) {
    pixel.light = vec4(layer.x, layer.y, layer.z, 1.0f) * part;
    pixel.depth = layerDepth;
  }
  pixel.sums = vec3(part, -behind * part, mix(pixel.sums.z, (1.0f - near) * visible, hidden));
  return pixel;
}
