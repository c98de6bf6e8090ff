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

// What one technique's builds took: each stage's median by its own clock, and their sum.
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
  std::vector<float> samplesUs;  // of one build each, all its stages together
  std::string error;             // why it could not be measured, else empty
};

// Every device that can build uint32 tables here, CUDA with each of its scans.
std::vector<Technique> availableTechniques();

// Times the tables of one image by many techniques, one build at a time, beside the pass that bounds them
// all: it reads the same 8 bytes a pixel and writes the same 16. The copy comes first, then the techniques in
// order.
class TableBenchmark {
 public:
  // Keeps a copy of `image`, GL_RGBA16F: what a table holds does not change its time.
  explicit TableBenchmark(const gl::Texture& image,
                          std::vector<Technique> techniques = availableTechniques());

  // Makes a device or does one build. Waits for what was sent to OpenGL before: two builds behind, or all of
  // it where the technique does not run there. Throws std::runtime_error when the copy fails.
  void advance();
  // Stops for good. Rows that are measured stay.
  void cancel();
  bool finished() const { return cancelled_ || next_ > techniques_.size(); }

  int builds() const;
  int buildsDone() const;
  float progress() const { return static_cast<float>(buildsDone()) / static_cast<float>(builds()); }
  glm::ivec2 size() const { return image_.size(); }
  // timeUs is 0 until it is measured.
  const BenchmarkRow& copy() const { return copy_; }
  // Of the techniques that are through: fastest first, then those that failed.
  const std::vector<BenchmarkRow>& rows() const { return rows_; }

 private:
  bool onCopy() const { return next_ == 0; }
  void start();
  void build();
  void endTechnique(std::string error = {});

  std::vector<Technique> techniques_;
  gl::Texture image_;
  size_t next_ = 0;  // the copy, or techniques_[next_ - 1]
  int built_ = 0;    // by that
  bool cancelled_ = false;
  std::unique_ptr<TableBuilder> builder_;
  Timings timings_;
  gl::Throttle throttle_;
  BenchmarkRow copy_;
  std::vector<BenchmarkRow> rows_;
};

// The rows as lines of text: name, microseconds and ratio to the copy.
std::string benchmarkText(const TableBenchmark& benchmark);

}  // namespace satdof
