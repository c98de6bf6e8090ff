// What cull.comp and place.comp hand to the draws of the teapots. DETAILS and MAX_TEAPOTS are macros.
struct DrawElements {
  uint count, instances, firstIndex;
  int baseVertex;
  uint baseInstance;
};
layout(std430, binding = 0) buffer Draws {
  DrawElements draws[DETAILS];
  uint shadowVertices, shadows, firstShadowVertex, firstShadow;  // of glDrawArraysIndirect
};
// Teapots of detail d, from place MAX_TEAPOTS d on.
layout(std430, binding = 1) buffer DrawLists { uint drawLists[]; };
