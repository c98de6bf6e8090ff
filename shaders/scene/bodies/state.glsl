// BodyBuffers and BodyStep of app/scene/bodies/solver.h.
layout(std430, binding = 0) restrict buffer Positions { vec4 positions[]; };          // w: mass
layout(std430, binding = 1) restrict buffer Velocities { vec4 velocities[]; };        // w: 0
layout(std430, binding = 2) restrict buffer Accelerations { vec4 accelerations[]; };  // w: potential
layout(std140, binding = 4) uniform Step {
  int count, firstPartial;
  float softeningSquared;
  float kickBy, driftBy;  // simulated time
};
