#version 450 core

#include "shaders/views/radius.glsl"
#include "shaders/lens/box_mean.glsl"

// Copies one element of a table, and its elements at the corners of the boxes of one pixel. WORDS converts an element
// to words. See app/views/table_cursor.cpp.
layout(local_size_x = 1) in;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 2) uniform TableSampler table;
uniform bool transposed;
layout(std140, binding = 1) uniform Cursor { ivec2 cursor, element, size; };

struct BoxWords {
  ivec2 from, to;
  uvec4 corners[4];  // A, B, C, D: lower left, lower right, upper left, upper right
};

layout(std430, binding = 0) writeonly buffer Words {
  uvec4 at;
  float radius, outerWeight;
  uint blurs, unused;
  BoxWords inner, outer;
} words;

uvec4 sumTo(int x, int y) { return uvec4(WORDS(cornerSum(table, transposed, x, y))); }

BoxWords boxAround(ivec2 reach) {
  BoxWords box;
  box.from = max(cursor - reach, ivec2(0));
  box.to = min(cursor + reach + 1, size);
  box.corners[0] = sumTo(box.from.x, box.from.y);
  box.corners[1] = sumTo(box.to.x, box.from.y);
  box.corners[2] = sumTo(box.from.x, box.to.y);
  box.corners[3] = sumTo(box.to.x, box.to.y);
  return box;
}

void main() {
  float radius = signedRadius(texelFetch(depth, cursor, 0).x);
  Boxes boxes = boxesOf(boxHalfWidth(radius), rule.lens.anamorphicRatio, size);
  words.at = sumTo(element.x + 1, element.y + 1);
  words.radius = radius;
  words.outerWeight = boxes.outerWeight;
  words.blurs = blurWeight(radius) > 0.0 ? 1u : 0u;
  words.unused = 0u;
  words.inner = boxAround(boxes.inner);
  words.outer = boxAround(boxes.outer);
}
