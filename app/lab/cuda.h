#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/lab/experiment.h"

// Measurements on CUDA. Builds without CUDA have none.
namespace satdof::lab {

enum class Element { uint32, float32 };

// `rows` rows of `length` elements, each scanned on its own.
struct ScanCase {
  Element element = Element::uint32;
  std::uint32_t length = 0, rows = 1;
  bool inclusive = false;
};

// The stages of the tables of GPU Gems 3, 39.3.2.
enum class PipelineStage { interleave, transpose, scans, all };

// The scan of GPU Gems 3 without some of its optimisations.
struct Ablation {
  const char *name, *summary;
};

// One function for each kind of work. Null without CUDA: availability() then says so.
struct CudaMeasurements {
  using Made = std::unique_ptr<Measurement>;
  Made (*scan)(Scan, const ScanCase&) = nullptr;
  // GPU Gems 3, figure 39-8: the scans of ablations() by their index.
  std::vector<Ablation> (*ablations)() = nullptr;
  Made (*ablatedScan)(std::size_t ablation, const ScanCase&) = nullptr;
  // `percent` of the elements are kept.
  Made (*compact)(Compaction, std::uint32_t count, double percent) = nullptr;
  // `withValues`: 32-bit values follow their 32-bit keys.
  Made (*sort)(Sort, std::uint32_t count, bool withValues) = nullptr;
  // uint32 tables of a square image.
  Made (*table)(Scan, int side) = nullptr;
  // 32-bit integers in one dimension.
  Made (*convolve)(Convolve, int count, int mask) = nullptr;
  // Three float32 planes of a square image: one stage, or all of them.
  Made (*pipeline)(PipelineStage, int side) = nullptr;
  // "13.0 (driver), 13.0 (runtime)".
  std::string (*versions)() = nullptr;
};

const CudaMeasurements& cudaMeasurements();

}  // namespace satdof::lab
