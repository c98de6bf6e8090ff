#pragma once
// GLSL names for C++ and CUDA, mostly from GLM. A .glsl file shared with C++ and CUDA starts with #include
// "shaders/common/shared.glsl". In C++ and CUDA only the header beside the file includes it, in namespace
// satdof::glsl. Files that must give the same bits as OpenGL are compiled with -ffp-contract=off or
// --fmad=false.
#ifdef __CUDACC__  // GLM annotates defaulted functions
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20012
#endif
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#ifdef __CUDACC__
#pragma nv_diagnostic pop
#endif

#include <bit>
#include <cmath>
#include <cstdint>

// SHADER_FUNCTION goes before every shared function. Internal linkage in C++: each source file compiles its own copy
// with its own flags. SHADER_HOST_FUNCTION: the host code of CUDA sources calls the function, too.
// SHADER_FLOATS and SHADER_WORDS: a number, in C++ also a vector of numbers (app/device/cpu/vector4.h).
#if defined(__CUDACC__)
#define SATDOF_KERNEL 1
#define SHADER_FUNCTION __device__ inline
#define SHADER_HOST_FUNCTION __host__ __device__ inline
#define SHADER_FLOATS float
#define SHADER_WORDS uint
#elif defined(SATDOF_EMULATED_KERNELS)
#define SATDOF_KERNEL 1
#define SHADER_FUNCTION static inline
#define SHADER_HOST_FUNCTION SHADER_FUNCTION
#define SHADER_FLOATS float
#define SHADER_WORDS uint
#else
#define SATDOF_KERNEL 0
#if defined(SATDOF_VECTORISED)  // for loops in vectorised(): app/device/cpu/vectorised.h
#define SHADER_FUNCTION __attribute__((always_inline)) static inline
#else
#define SHADER_FUNCTION static inline
#endif
#define SHADER_HOST_FUNCTION SHADER_FUNCTION
#define SHADER_FLOATS auto
#define SHADER_WORDS auto
#endif
// In a struct that GLSL and C++ share: C++ compares its values.
#define SHADER_COMPARABLE(Struct) bool operator==(const Struct&) const = default;
#define precise  // see -ffp-contract=off above

namespace satdof::glsl {

using uint = std::uint32_t;
using glm::abs, glm::clamp, glm::floor, glm::max, glm::min, glm::mix, glm::sign, glm::smoothstep;
using glm::dot, glm::inversesqrt, glm::length;
using glm::ivec2, glm::ivec3, glm::ivec4, glm::uvec2, glm::vec2, glm::vec3;
#if SATDOF_KERNEL
// With GLM's vectors of four, kernels take more registers.
template <class T>
struct Vector4 {
  T x, y, z, w;
  Vector4() = default;
  __device__ explicit Vector4(T all) : x(all), y(all), z(all), w(all) {}
  __host__ __device__ Vector4(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
  __device__ Vector4(vec2 ab, T c, T d) : x(ab.x), y(ab.y), z(c), w(d) {}
  __device__ Vector4(vec3 abc, T d) : x(abc.x), y(abc.y), z(abc.z), w(d) {}
  template <class U>
  __device__ explicit Vector4(const Vector4<U>& v)
      : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)), w(static_cast<T>(v.w)) {}
};
template <class T>
__device__ Vector4<T> operator+(const Vector4<T>& a, const Vector4<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
template <class T>
__device__ Vector4<T> operator-(const Vector4<T>& a, const Vector4<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
using vec4 = Vector4<float>;
using uvec4 = Vector4<uint>;
SHADER_FUNCTION uvec4 operator*(const uvec4& a, uint b) { return {a.x * b, a.y * b, a.z * b, a.w * b}; }
SHADER_FUNCTION vec4 operator*(const vec4& a, float b) { return {a.x * b, a.y * b, a.z * b, a.w * b}; }
#else
using glm::uvec4, glm::vec4;
#endif

#if SATDOF_KERNEL
// These compile to one instruction each. The comparisons in GLM's templates take two.
SHADER_FUNCTION float abs(float a) { return fabsf(a); }
SHADER_FUNCTION int min(int a, int b) { return ::min(a, b); }
SHADER_FUNCTION int max(int a, int b) { return ::max(a, b); }
SHADER_FUNCTION float min(float a, float b) { return fminf(a, b); }
SHADER_FUNCTION float max(float a, float b) { return fmaxf(a, b); }
SHADER_FUNCTION float clamp(float a, float low, float high) { return fminf(fmaxf(a, low), high); }
SHADER_FUNCTION vec4 mix(const vec4& a, const vec4& b, float t) { return a * (1.0f - t) + b * t; }
SHADER_FUNCTION uint floatBitsToUint(float v) { return __float_as_uint(v); }
SHADER_FUNCTION float uintBitsToFloat(uint bits) { return __uint_as_float(bits); }
SHADER_FUNCTION float roundEven(float v) { return rintf(v); }
SHADER_FUNCTION float pow(float base, float exponent) { return powf(base, exponent); }
SHADER_FUNCTION float sqrt(float v) { return sqrtf(v); }
SHADER_FUNCTION float log2(float v) { return log2f(v); }
SHADER_FUNCTION float sin(float v) { return sinf(v); }
SHADER_FUNCTION float cos(float v) { return cosf(v); }
SHADER_FUNCTION float tan(float v) { return tanf(v); }
SHADER_FUNCTION float asin(float v) { return asinf(v); }
SHADER_FUNCTION float atan(float y, float x) { return atan2f(y, x); }
#else
SHADER_FUNCTION uint floatBitsToUint(float v) { return std::bit_cast<uint>(v); }
SHADER_FUNCTION float uintBitsToFloat(uint bits) { return std::bit_cast<float>(bits); }
SHADER_FUNCTION float roundEven(float v) { return std::nearbyint(v); }
SHADER_FUNCTION float pow(float base, float exponent) { return std::pow(base, exponent); }
SHADER_FUNCTION float sqrt(float v) { return std::sqrt(v); }
SHADER_FUNCTION float log2(float v) { return std::log2(v); }
SHADER_FUNCTION float sin(float v) { return std::sin(v); }
SHADER_FUNCTION float cos(float v) { return std::cos(v); }
SHADER_FUNCTION float tan(float v) { return std::tan(v); }
SHADER_FUNCTION float asin(float v) { return std::asin(v); }
SHADER_FUNCTION float atan(float y, float x) { return std::atan2(y, x); }
#endif

}  // namespace satdof::glsl
