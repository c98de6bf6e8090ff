#include "shaders/lens/layered/layers.glsl"

uniform ThinLens lens;
uniform int steps;

float signedRadius(float depth) { return signedRadius(lens, depth); }
