#version 450 core
// Resolves SAMPLES samples per pixel: mean colour and nearest depth. In a pixel with a lamp, only samples about as
// bright as the lamp count for the depth: with the depth of a near edge, the light of a far lamp would blur into a wide
// disc.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2DMS colours;
layout(binding = 1) uniform sampler2DMS depths;
layout(binding = 0, rgba16f) writeonly uniform image2D colour;
layout(binding = 1, r32f) writeonly uniform image2D depth;

const float kLampLight = 4.0;  // brighter samples are lamps
const float kAlike = 0.125;    // of the brightest sample: brighter samples belong to the lamp

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, imageSize(colour)))) return;
  vec4 sum = vec4(0.0);
  float lights[SAMPLES], most = 0.0;
  for (int i = 0; i < SAMPLES; ++i) {
    vec4 light = texelFetch(colours, pixel, i);
    sum += light;
    lights[i] = max(max(light.r, light.g), light.b);
    most = max(most, lights[i]);
  }
  float least = most > kLampLight ? kAlike * most : 0.0, nearest = 0.0;
  for (int i = 0; i < SAMPLES; ++i)
    if (lights[i] >= least) nearest = max(nearest, texelFetch(depths, pixel, i).r);
  imageStore(colour, pixel, sum / float(SAMPLES));
  imageStore(depth, pixel, vec4(nearest));
}
