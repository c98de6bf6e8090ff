#pragma once
#include <array>
#include <span>

// The variants of convolution by name: they differ in where the kernel reads mask and input. Also used in
// builds without CUDA.
namespace satdof {

enum class Convolve { naive, constant, tiled };

struct ConvolveInfo {
  Convolve value;
  const char* name;     // as in the benchmark and in --filter-variant cuda-NAME
  const char* summary;  // what it does
};

inline constexpr std::array kConvolves = {
    ConvolveInfo{Convolve::naive, "naive", "mask and input in global memory"},
    ConvolveInfo{Convolve::constant, "constant", "mask in constant memory, input in global memory"},
    ConvolveInfo{Convolve::tiled, "tiled", "mask in constant memory, tiles of the input in shared memory"},
};

inline std::span<const ConvolveInfo> entries(Convolve) { return kConvolves; }

}  // namespace satdof
