#version 450 core
// Draws the background, its radii, the image of the far table and the middle layers:
// shaders/lens/layered/background.glsl.
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/lens/layered/background.glsl"
layout(binding = kBackgroundSceneColour) uniform sampler2D colour;
layout(binding = kBackgroundSceneDepth) uniform sampler2D depth;
layout(binding = kBackgroundFillBehind) uniform sampler2D fillBehind;
layout(binding = kBackgroundFillRadii) uniform sampler2D fillRadii;
layout(binding = kBackgroundBehindColour) uniform sampler2D behindColour;
layout(binding = kBackgroundBehindDepth) uniform sampler2D behindDepth;
layout(binding = kBackgroundBackColour) uniform sampler2D backColour;
layout(binding = kBackgroundBackDepth) uniform sampler2D backDepth;
layout(binding = kBackgroundFarRadii) uniform sampler2D farRadii;
layout(binding = kBackgroundColour, rgba16f) writeonly uniform image2D background;
layout(binding = kBackgroundRadius, r32f) writeonly uniform image2D backgroundRadius;
layout(binding = kBackgroundFar, rgba32ui) writeonly uniform uimage2D farImage;
layout(binding = kBackgroundBackLeft, rgba16f) writeonly uniform image2D backLeft;  // Background::blended
layout(binding = kBackgroundMiddleLight, rgba16f) writeonly uniform image2D middleLight[kMiddleLayers];
layout(binding = kBackgroundMiddleDepth, r32f) writeonly uniform image2D middleDepth[kMiddleLayers];
layout(std140, binding = 0) uniform Rule { BackgroundRule rule; };

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = textureSize(colour, 0);
  if (p.x >= size.x || p.y >= size.y) return;
  PixelSurfaces surfaces = PixelSurfaces(
      texelFetch(colour, p, 0).rgb, signedRadius(rule.lens, texelFetch(depth, p, 0).r), vec4(0.0), 0.0, vec4(0.0), 0.0);
  if (rule.secondLayer != 0) {
    surfaces.second = texelFetch(behindColour, p, 0);
    surfaces.secondRadius = signedRadius(rule.lens, texelFetch(behindDepth, p, 0).r);
  }
  if (rule.anyBlended != 0) {
    surfaces.blended = texelFetch(backColour, p, 0);
    surfaces.blendedRadius = -layerRadius(rule.lens, texelFetch(backDepth, p, 0));
  }
  Background result = backgroundOf(fillBehind, fillRadii, farRadii, rule, p, surfaces);
  imageStore(background, p, vec4(result.colour, 1.0));
  imageStore(backgroundRadius, p, vec4(result.radius));
  imageStore(farImage, p, result.far);
  if (rule.anyBlended != 0) imageStore(backLeft, p, result.blended);
  if (rule.anyMiddle == 0) return;
  for (int i = 0; i < kMiddleLayers; ++i) {
    imageStore(middleLight[i], p, result.middle[i].light);
    imageStore(middleDepth[i], p, vec4(depthOfRadius(rule.lens, result.middle[i].radius)));
  }
}
