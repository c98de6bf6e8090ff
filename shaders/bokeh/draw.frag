#version 450 core
#include "shaders/bokeh/scene.glsl"
#include "shaders/bokeh/sprite.glsl"
layout(std140, binding = 0) uniform Rule { SpriteRule rule; };
flat in vec4 place, light, shape;  // of PreparedSprite
layout(location = 0) out vec4 colour;

void main() {
  vec2 p = gl_FragCoord.xy;
  PreparedSprite sprite = PreparedSprite(place, light, shape);
  float part = spriteCoverage(rule, sprite, p);
  if (part <= 0.0) discard;
  float surface = rule.scattered != 0 ? 0.0 : signedRadius(rule.lens, depthAt(ivec2(p)));
  colour = vec4(light.rgb * (part * spritePassing(rule, textureSize(depth, 0), sprite, p, surface)), 0.0);
}
