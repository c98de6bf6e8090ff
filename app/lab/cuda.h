#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/lab/experiment.h"

// Measurements on CUDA; empty in builds without CUDA.
namespace satdof::lab {

enum class Element { uint32, float32 };

// `rows` independent scans of `length` elements.
struct ScanCase {
  Element element = Element::uint32;
  std::uint32_t length = 0, rows = 1;
  bool inclusive = false;
};

// The stages of building a summed-area table in GPU Gems 3, 39.3.2.
enum class PipelineStage { interleave, transpose, scans, all };

// A variant of the scan of GPU Gems 3 without some of its optimisations.
struct Ablation {
  const char *name, *summary;
};

// Factories of measurements, one for each kind of work. Null without CUDA, where availability() gives the reason.
struct CudaMeasurements {
  using Made = std::unique_ptr<Measurement>;
  Made (*scan)(Scan, const ScanCase&) = nullptr;
  // The ablations of GPU Gems 3, figure 39-8.
  std::vector<Ablation> (*ablations)() = nullptr;
  // `ablation`: index in ablations().
  Made (*ablatedScan)(std::size_t ablation, const ScanCase&) = nullptr;
  // `percent`: of the elements that are kept.
  Made (*compact)(Compaction, std::uint32_t count, double percent) = nullptr;
  // 32-bit keys; `withValues`: with 32-bit values.
  Made (*sort)(Sort, std::uint32_t count, bool withValues) = nullptr;
  // uint32 table of a square image.
  Made (*table)(Scan, int side) = nullptr;
  // One-dimensional convolution of 32-bit integers.
  Made (*convolve)(Convolve, int count, int mask) = nullptr;
  // One or all stages of the table of three float32 planes of a square image.
  Made (*pipeline)(PipelineStage, int side) = nullptr;
  // "13.0 (driver), 13.0 (runtime)".
  std::string (*versions)() = nullptr;
};

const CudaMeasurements& cudaMeasurements();

}  // namespace satdof::lab
