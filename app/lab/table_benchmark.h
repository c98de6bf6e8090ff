#pragma once
#include <glm/vec2.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/device/device.h"
#include "app/gl/frame_stats.h"
#include "app/gl/objects.h"
#include "app/gl/throttle.h"

namespace satdof {

// The times of one technique: the median of each stage by its own clock, and the sum of the medians.
struct BenchmarkRow {
  struct StageMedian {
    std::string name;
    Clock clock;
    float medianUs;
  };

  Technique technique;
  std::string name;  // "cuda fused", "gl-compute"
  std::vector<StageMedian> stages;
  float timeUs = 0.0f;
  std::vector<float> samplesUs;  // one for each build: the sum of its stages
  std::string error;             // why the measurement failed; empty: it did not
};

// Returns every available device, with every scan if the device uses scans. All build uint32 tables.
std::vector<Technique> availableTechniques();

// Measures the table builds of many techniques for one image, one build at a time. The first measurement is a
// copy, the lower bound: it reads 8 bytes per pixel and writes 16, like a table build.
class TableBenchmark {
 public:
  // For images of `size` pixels, GL_RGBA16F, with one value: the time of a build does not depend on the values.
  explicit TableBenchmark(glm::ivec2 size, std::vector<Technique> techniques = availableTechniques());

  // Makes a table builder or runs one build. Waits for earlier builds: at most two are in flight on OpenGL,
  // none on other devices. Throws std::runtime_error if the copy fails.
  void advance();
  // Ends the benchmark. Keeps the measured rows.
  void cancel();
  bool finished() const { return cancelled_ || next_ > techniques_.size(); }

  int builds() const;
  int buildsDone() const;
  float progress() const { return static_cast<float>(buildsDone()) / static_cast<float>(builds()); }
  glm::ivec2 size() const { return image_.size(); }
  // timeUs is 0 before the measurement.
  const BenchmarkRow& copy() const { return copy_; }
  // The measured techniques, fastest first, then the failed ones.
  const std::vector<BenchmarkRow>& rows() const { return rows_; }

 private:
  bool onCopy() const { return next_ == 0; }
  void start();
  void build();
  void endTechnique(std::string error = {});

  std::vector<Technique> techniques_;
  gl::Texture image_;
  size_t next_ = 0;  // 0: the copy; else techniques_[next_ - 1]
  int built_ = 0;    // builds of the current technique
  bool cancelled_ = false;
  std::unique_ptr<TableBuilder> builder_;
  Timings timings_;
  gl::Throttle throttle_;
  BenchmarkRow copy_;
  std::vector<BenchmarkRow> rows_;
};

// Returns one line of text for each row: name, microseconds and ratio to the copy.
std::string benchmarkText(const TableBenchmark& benchmark);

}  // namespace satdof
