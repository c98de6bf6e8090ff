// A bokeh sprite in the image. GLSL programs define, before they include this file, the function
//   float depthAt(ivec2 pixel)  nearM / z
// C++ and CUDA pass a scene with this member.
#include "shaders/bokeh/aperture.glsl"
#ifdef __cplusplus
#define SCENE_FUNCTION template <class Scene>
#define SCENE const Scene& scene,
#define DEPTH scene.depthAt
#else
#define SCENE_FUNCTION
#define SCENE
#define DEPTH depthAt
#endif

// The part of a sprite at s that is visible at pixel p, where the scene has the radius `surface`. The ray from s through
// the aperture to p passes the depth of radius R over the pixel s + (p - s) (1 - R / R_s). The test point lies one pixel
// of radius behind the surface seen at p. The ray is hidden where the scene is nearer there, softly over one pixel.
// underNear: the near field is blended over the sprites, so they are not hidden behind it.
SCENE_FUNCTION SHADER_FUNCTION float visiblePart(SCENE ThinLens lens, ivec2 size, vec2 p, float surface, vec2 s,
                                                 float spriteRadius, bool underNear) {
  float ray = (underNear ? max(surface, 0.0f) : surface) + 1.0f;
  if (ray >= spriteRadius) return 1.0f;
  ivec2 passes = ivec2(floor(p + (s - p) * (ray / spriteRadius)));
  float there = signedRadius(lens, DEPTH(clamp(passes, ivec2(0), size - 1)));
  float hidden = clamp(ray - there, 0.0f, 1.0f);
  return underNear ? 1.0f - hidden * clamp(1.0f + there, 0.0f, 1.0f) : 1.0f - hidden;
}

#undef SCENE_FUNCTION
#undef SCENE
#undef DEPTH
