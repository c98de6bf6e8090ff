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

// The ray from a sprite at s through the aperture to pixel p passes the depth of radius R over this pixel.
SHADER_FUNCTION ivec2 rayAt(vec2 p, vec2 s, float spriteRadius, float r) {
  return ivec2(floor(s + (p - s) * (1.0f - r / spriteRadius)));
}

// The part of a sprite at s that is visible at pixel p, where the scene has the radius `surface`, if the near field is as
// sharp as the scene. The test point lies one pixel of radius behind the surface seen at p. The ray is hidden where the
// scene is nearer there, softly over one pixel.
SCENE_FUNCTION SHADER_FUNCTION float visiblePart(SCENE ThinLens lens, ivec2 size, vec2 p, float surface, vec2 s,
                                                 float spriteRadius) {
  float ray = surface + 1.0f;
  if (ray >= spriteRadius) return 1.0f;
  ivec2 passes = rayAt(p, s, spriteRadius, ray);
  float there = signedRadius(lens, DEPTH(clamp(passes, ivec2(0), size - 1)));
  return 1.0f - clamp(ray - there, 0.0f, 1.0f);
}

// The part that reaches p past all blurred surfaces. A surface hides the ray if it is found where the ray passes its depth,
// softly over one pixel of radius. Surfaces are looked for over the way from the sprite to `nearest`, the radius of the
// nearest surface of the scene; where one is found, its radius tells where else to look. Surfaces less than `margin`
// nearer than the sprite do not hide it: they may be its own.
SCENE_FUNCTION SHADER_FUNCTION float reachingPart(SCENE ThinLens lens, ivec2 size, vec2 p, vec2 s, float spriteRadius,
                                                  float nearest, float margin) {
  const int kPlaces = 7, kLooks = 3;
  float first = spriteRadius - margin, hidden = 0.0f;
  for (int i = 0; i < kPlaces && hidden < 1.0f; ++i) {
    float ray = mix(first, nearest, (float(i) + 0.5f) / float(kPlaces));
    for (int look = 0; look < kLooks; ++look) {
      float there = signedRadius(lens, DEPTH(clamp(rayAt(p, s, spriteRadius, ray), ivec2(0), size - 1)));
      if (there >= first) break;
      hidden = max(hidden, clamp(2.0f - abs(there - ray), 0.0f, 1.0f));
      ray = there;
    }
  }
  return 1.0f - hidden;
}

#undef SCENE_FUNCTION
#undef SCENE
#undef DEPTH
