// The signed radius of a lens in pixels.
#include "shaders/lens/radius_rule.glsl"
layout(std140, binding = 0) uniform Radius { RadiusRule rule; };

float signedRadius(float depth) { return radiusOf(rule, depth); }
