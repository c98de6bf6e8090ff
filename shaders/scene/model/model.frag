#version 450 core
#include "shaders/scene/camera.glsl"
#include "shaders/scene/model/light.glsl"
#include "shaders/scene/output.glsl"

// Macros: MASK, BLEND: the alpha mode. LAYER: draws a layer of blended surfaces. CAST: draws the shadow map of a light.
layout(std140, binding = 1) uniform Material {  // MaterialBlock in app/scene/model/gpu_model.cpp
  vec4 baseColour;
  vec4 emissive;    // w: 1 for unlit
  vec4 surface;     // metallic, roughness, normal scale, occlusion strength
  vec4 alpha;       // x: cutoff
  vec4 uvRows[10];  // two rows per texture, see uvOf(); w of the first row: 1 for the second set of coordinates
};
layout(binding = 0) uniform sampler2D baseColourTexture;
layout(binding = 1) uniform sampler2D metallicRoughnessTexture;
layout(binding = 2) uniform sampler2D normalTexture;
layout(binding = 4) uniform sampler2D occlusionTexture;
layout(binding = 5) uniform sampler2D emissiveTexture;

#ifdef MASK
uniform bool oneSample;  // per pixel: discards by alpha. Else alpha becomes coverage
#endif

#ifdef CAST
#include "shaders/scene/model/shadow.glsl"
uniform int alphaMode;  // 0 opaque, 1 mask, 2 blend
#endif

in vec3 worldPosition;
in vec3 worldNormal;
in vec4 worldTangent;
in vec4 coordinates;
in vec4 vertexColour;

// The coordinates of texture i: base colour, metallic-roughness, normal, occlusion, emissive.
vec2 uvOf(int i) {
  vec3 uv = vec3(uvRows[2 * i].w > 0.5 ? coordinates.zw : coordinates.xy, 1.0);
  return vec2(dot(uvRows[2 * i].xyz, uv), dot(uvRows[2 * i + 1].xyz, uv));
}

void main() {
  beginFragment();
  vec4 base = baseColour * vertexColour * texture(baseColourTexture, uvOf(0));
#ifdef CAST
  float covered = alphaMode == 0 ? 1.0 : alphaMode == 1 ? step(alpha.x, base.a) : base.a;
  colour = vec4(covered, covered * exp2(-6.0 * (worldPosition.y - low.y) / heightM), 0.0, 0.0);
  return;
#endif
#ifdef BLEND
  if (base.a < alpha.x) discard;
#endif
#ifdef MASK
  // Alpha to coverage: sharpens alpha to a ramp of one pixel around the cutoff. Mipmaps average the alpha of thin
  // leaves away, so alpha is raised with the level of detail.
  float level = textureQueryLod(baseColourTexture, uvOf(0)).y;
  float a = base.a * (1.0 + 0.25 * clamp(level, 0.0, 8.0));
  float change = fwidth(a), above = a - alpha.x;
  // A constant alpha equal to the cutoff, up to rounding, is opaque.
  base.a = max(change, abs(above)) < 1e-6 ? 1.0 : clamp(above / max(change, 1e-4) + 0.5, 0.0, 1.0);
  if (oneSample) {
    if (base.a < 0.5) discard;
    base.a = 1.0;
  }
#endif
  vec3 emitted = emissive.rgb * texture(emissiveTexture, uvOf(4)).rgb;
  if (emissive.w > 0.5) {
    colour = vec4(min(base.rgb + emitted, 60000.0), base.a);
  } else {
    vec3 n = normalize(worldNormal);
    vec3 t = worldTangent.xyz - n * dot(n, worldTangent.xyz);
    float length2 = dot(t, t);
    if (length2 > 1e-12) {
      t *= inversesqrt(length2);
      vec3 mapped = texture(normalTexture, uvOf(2)).xyz * 2.0 - 1.0;
      n = normalize(mapped.x * surface.z * t + mapped.y * surface.z * worldTangent.w * cross(n, t) +
                    max(mapped.z, 0.02) * n);
    }
    if (!gl_FrontFacing) n = -n;
    vec3 v = normalize(eye.xyz - worldPosition);
    vec2 metallicRoughness = texture(metallicRoughnessTexture, uvOf(1)).bg * surface.xy;
    float metallic = metallicRoughness.x, roughness = clamp(metallicRoughness.y, 0.03, 1.0);
    float occlusion = mix(1.0, texture(occlusionTexture, uvOf(3)).r, surface.w);
    vec3 diffuse = base.rgb * (1.0 - metallic), f0 = mix(vec3(0.04), base.rgb, metallic);
    float nv = max(dot(n, v), 1e-3);
    vec2 brdf = environmentBrdf(roughness, nv);
    vec3 specular = f0 * brdf.x + brdf.y;
    // Specular occlusion (Lagarde and de Rousiers 2014).
    float specularOcclusion = clamp(pow(nv + occlusion, exp2(-16.0 * roughness - 1.0)) - 1.0 + occlusion, 0.0, 1.0);
    vec3 diffuseLight = diffuse * (1.0 - specular) * irradianceOverPi(n) * occlusion;
    vec3 mirroredLight = specular * prefilteredLight(reflect(-v, n), roughness) * specularOcclusion;
    vec3 lamps = vec3(0.0);
    for (int i = 0; i < lampCount.x; ++i) {
      vec3 l;
      vec3 light = lampLight(i, worldPosition, l);
      lamps += reflectedLight(n, v, l, diffuse, f0, roughness, light);
    }
#ifdef BLEND
    // Alpha scales scattered and emitted light only: a clear pane still mirrors.
    float strength = max(max(specular.r, specular.g), specular.b);
    float covered = base.a + (1.0 - base.a) * strength;
    colour = vec4(min((diffuseLight + lamps + emitted) * base.a + mirroredLight, 60000.0), covered);
#else
    colour = vec4(min(diffuseLight + mirroredLight + lamps + emitted, 60000.0), base.a);
#endif
  }
#ifdef BLEND
  if (emissive.w > 0.5) colour.rgb *= colour.a;
#elif !defined(MASK)
  colour.a = 1.0;
#endif
#ifdef LAYER
  finishLayer();
#endif
}
