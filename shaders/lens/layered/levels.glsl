// Reads a pyramid of cells, as a texture with mipmaps is read, but with weights of more than the eight bits of a texture unit.

// Bilinear between the cells of a level. `at`: in pixels of the image. Not textureSize(pyramid, level): llvmpipe takes one
// level for several pixels.
vec4 ofLevel(sampler2D pyramid, vec2 at, int level) {
  vec2 place = at / float(2 << level) - 0.5;
  ivec2 low = ivec2(floor(place)), last = (textureSize(pyramid, 0) >> level) - 1;
  vec2 f = place - vec2(low);
  ivec4 cell = ivec4(clamp(low, ivec2(0), last), clamp(low + 1, ivec2(0), last));
  vec4 below = mix(texelFetch(pyramid, cell.xy, level), texelFetch(pyramid, cell.zy, level), f.x);
  vec4 above = mix(texelFetch(pyramid, cell.xw, level), texelFetch(pyramid, cell.zw, level), f.x);
  return mix(below, above, f.y);
}

// Linear between levels.
vec4 atLevel(sampler2D pyramid, vec2 at, float level) {
  float clamped = clamp(level, 0.0, float(textureQueryLevels(pyramid) - 1));
  int fine = int(clamped);
  float between = clamped - float(fine);
  vec4 cells = ofLevel(pyramid, at, fine);
  return between > 0.0 ? mix(cells, ofLevel(pyramid, at, fine + 1), between) : cells;
}
