#pragma once

// AVX2 for loops over pixels.
namespace satdof {

#if defined(__x86_64__)
#define SATDOF_AVX2 __attribute__((target("avx2")))
#endif
// Goes after the parameters of a lambda for vectorised(), and before every function that the lambda calls and that
// should be compiled for the same instructions.
#define SATDOF_INLINE __attribute__((always_inline))

#ifdef SATDOF_AVX2
template <class Task>
SATDOF_AVX2 void withAvx2(const Task& task) {
  task();
}
#endif

// Calls task(), a lambda with SATDOF_INLINE, compiled for AVX2 if the processor has it.
template <class Task>
void vectorised(const Task& task) {
#ifdef SATDOF_AVX2
  static const bool has = __builtin_cpu_supports("avx2");
  if (has) return withAvx2(task);
#endif
  task();
}

}  // namespace satdof
