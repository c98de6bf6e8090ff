#pragma once
#include <cuda_runtime.h>

// The few types and functions of GLSL that the shaders shared with CUDA need.
namespace satdof::cuda::glsl {

struct ivec2 {
  int x, y;
  ivec2() = default;
  __device__ ivec2(int both) : x(both), y(both) {}
  __device__ ivec2(int first, int second) : x(first), y(second) {}
};
__device__ inline ivec2 operator+(ivec2 a, ivec2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline ivec2 operator-(ivec2 a, ivec2 b) { return {a.x - b.x, a.y - b.y}; }

template <class T>
struct Vector4 {
  T x, y, z, w;
  Vector4() = default;
  __device__ explicit Vector4(T all) : x(all), y(all), z(all), w(all) {}
  __device__ Vector4(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
  template <class U>
  __device__ explicit Vector4(const Vector4<U>& v)
      : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)), w(static_cast<T>(v.w)) {}
};
using vec4 = Vector4<float>;
using uvec4 = Vector4<unsigned>;
template <class T>
__device__ Vector4<T> operator+(const Vector4<T>& a, const Vector4<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
template <class T>
__device__ Vector4<T> operator-(const Vector4<T>& a, const Vector4<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline vec4 operator*(const vec4& a, float b) { return {a.x * b, a.y * b, a.z * b, a.w * b}; }

__device__ inline int min(int a, int b) { return ::min(a, b); }
__device__ inline int max(int a, int b) { return ::max(a, b); }
__device__ inline float min(float a, float b) { return fminf(a, b); }
__device__ inline float max(float a, float b) { return fmaxf(a, b); }
__device__ inline ivec2 min(ivec2 a, ivec2 b) { return {::min(a.x, b.x), ::min(a.y, b.y)}; }
__device__ inline ivec2 max(ivec2 a, ivec2 b) { return {::max(a.x, b.x), ::max(a.y, b.y)}; }
__device__ inline float abs(float a) { return fabsf(a); }
__device__ inline float clamp(float a, float low, float high) { return fminf(fmaxf(a, low), high); }
__device__ inline float mix(float a, float b, float t) { return a * (1.0f - t) + b * t; }
__device__ inline vec4 mix(const vec4& a, const vec4& b, float t) { return a * (1.0f - t) + b * t; }

}  // namespace satdof::cuda::glsl
