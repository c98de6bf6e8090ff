in vec3 direction;
layout(location = 0) out vec4 colour;
layout(location = 1) out float depth;
layout(binding = 3) uniform sampler2D behind;
#include "shaders/scene/sky_rays.glsl"

// Call last in main(). Writes depth 0 (infinity). Peeling leaves a
// pixel empty where `behind` has depth 0: nothing is behind the sky.
void finishSky() {
  if (peels != 0 && texelFetch(behind, ivec2(gl_FragCoord.xy), 0).r == 0.0) colour = vec4(0.0);
  depth = 0.0;
}
