#include "shaders/lens/thin_lens.glsl"

uniform float alpha, beta;  // R = alpha d + beta
uniform vec2 sideScale;     // multipliers of R: near, far

float signedRadius(float d) { return scaledRadius(thinLensRadius(d, alpha, beta), sideScale.x, sideScale.y); }
