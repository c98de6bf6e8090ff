// Arguments of the indirect draws of the teapots, and the draw lists
// (app/scene/teapots/crowd.h). The host defines DETAILS and MAX_TEAPOTS.
struct DrawElements {
  uint count, instances, firstIndex;
  int baseVertex;
  uint baseInstance;
};
layout(std430, binding = 0) buffer Draws {
  DrawElements draws[DETAILS];
  uint shadowVertices, shadows, firstShadowVertex, firstShadow;  // arguments of glDrawArraysIndirect
};
// The list of detail d starts at MAX_TEAPOTS * d.
layout(std430, binding = 1) buffer DrawLists { uint drawLists[]; };
