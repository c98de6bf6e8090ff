#include "shaders/lens/thin_lens.glsl"

uniform ThinLens lens;

float signedRadius(float depth) { return signedRadius(lens, depth); }
