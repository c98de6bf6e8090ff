#version 450 core
// Breadth-first traversal of the hierarchy of app/scene/teapots/hierarchy.h: tests a level,
// then compacts the visible nodes stably (Horn 2005; Billeter et al. 2009). One workgroup
// runs all levels, so one dispatch is enough. A thread tests the children of one node.
layout(local_size_x = THREADS) in;
#include "shaders/scene/teapots/draws.glsl"
#include "shaders/scene/teapots/sphere.glsl"

layout(std430, binding = 2) readonly buffer Spheres { vec4 spheres[]; };  // of all levels
layout(std140, binding = 2) uniform View {  // CullView in app/scene/teapots/culling.h
  vec4 planes[5];
  vec4 axis;
  vec4 fartherM[2];
  uvec4 levels[MAX_LEVELS];  // first sphere, number of spheres
  uint levelCount, reversed;
};

const uint kFanOut = 4u;
shared uint frontiers[2][FRONTIER];
shared uvec4 sums[THREADS];

bool mayShow(vec4 sphere) {
  for (int i = 0; i < 5; ++i)
    if (planeDistance(planes[i], sphere) < -sphere.w) return false;
  return true;
}

// fartherM ascends, so the number of entries that are passed is the detail.
uint detailOf(vec4 sphere) {
  vec4 distanceM = vec4(planeDistance(axis, sphere));
  uvec4 passed = uvec4(greaterThanEqual(distanceM, fartherM[0])) + uvec4(greaterThanEqual(distanceM, fartherM[1]));
  return passed.x + passed.y + passed.z + passed.w;
}

// A uvec4 holds eight counters of 16 bits, one for each detail. Levels above the teapots use counter 0.
uvec4 one(uint i) { return uvec4(equal(uvec4(i / 2u), uvec4(0u, 1u, 2u, 3u))) << (16u * (i % 2u)); }
uint counter(uvec4 counters, uint i) {
  uvec4 pair = counters * uvec4(equal(uvec4(i / 2u), uvec4(0u, 1u, 2u, 3u)));
  return ((pair.x | pair.y | pair.z | pair.w) >> (16u * (i % 2u))) & 0xffffu;
}

// Exclusive prefix sum over the workgroup by recursive doubling (Hillis and Steele 1986), in log2(THREADS) steps.
uvec4 scan(uvec4 mine, out uvec4 total) {
  uint thread = gl_LocalInvocationIndex;
  sums[thread] = mine;
  barrier();
  for (uint apart = 1u; apart < THREADS; apart *= 2u) {
    uvec4 before = thread >= apart ? sums[thread - apart] : uvec4(0u);
    barrier();
    sums[thread] += before;
    barrier();
  }
  uvec4 inclusive = sums[thread];
  total = sums[THREADS - 1u];
  barrier();
  return inclusive - mine;
}

void main() {
  uint thread = gl_LocalInvocationIndex;
  if (thread < ROOTS) frontiers[0][thread] = (thread ^ (reversed * 0x55555555u)) & (ROOTS - 1u);
  memoryBarrierShared();
  barrier();
  uint parents = ROOTS;
  uvec4 counts = uvec4(0u);
  for (uint level = levelCount; level-- > 0u;) {
    uint from = (levelCount - 1u - level) % 2u;
    uvec2 range = levels[level].xy;
    counts = uvec4(0u);
    for (uint first = 0u; first < parents; first += THREADS) {
      uvec4 mine = uvec4(0u);
      uint details[kFanOut];  // DETAILS: culled
      uint begin = first + thread < parents ? kFanOut * frontiers[from][first + thread] : range.y;
      for (uint c = 0u; c < kFanOut; ++c) {
        uint node = begin + (c ^ reversed);
        details[c] = uint(DETAILS);
        if (node >= range.y) continue;
        vec4 sphere = spheres[range.x + node];
        if (!mayShow(sphere)) continue;
        details[c] = level > 0u ? 0u : detailOf(sphere);
        mine += one(details[c]);
      }
      uvec4 total;
      uvec4 place = counts + scan(mine, total);
      for (uint c = 0u; c < kFanOut; ++c) {
        if (details[c] == uint(DETAILS)) continue;
        uint node = begin + (c ^ reversed);
        uint at = counter(place, details[c]);
        if (level > 0u)
          frontiers[1u - from][at] = node;
        else
          drawLists[MAX_TEAPOTS * details[c] + at] = node;
        place += one(details[c]);
      }
      counts += total;
    }
    parents = counter(counts, 0u);
    memoryBarrierShared();
    barrier();
  }
  if (thread != 0u) return;
  uint instances = 0u;
  for (uint detail = 0u; detail < uint(DETAILS); ++detail) {
    draws[detail].baseInstance = instances;
    draws[detail].instances = counter(counts, detail);
    instances += counter(counts, detail);
  }
  shadows = instances;
}
