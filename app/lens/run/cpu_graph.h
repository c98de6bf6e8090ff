#pragma once
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "app/lens/graph.h"

// A lens in main memory, without OpenGL.
namespace satdof {

// The pixels of a depth layer in main memory: rows without padding, row 0 at the bottom.
struct CpuLayer {
  std::span<glm::vec4> colour;   // linear light; a blur may use it as scratch memory
  std::span<const float> depth;  // nearM / z
};

// A BlendedLayer in main memory.
struct CpuBlended {
  std::span<const glm::vec4> colour, depth;
};

// A frame in main memory.
struct CpuFrame : CpuLayer {
  SceneFacts facts;
  const LensSettings& lens;
  glm::vec4 mean{0.0f};  // of the colours, for float32-mean tables
  CpuLayer behind = {};  // the second layer, alpha: its part of the pixel; empty if the lens does not read it
  // The blended surfaces behind and in front of the focus plane; empty if there are none or the lens blurs them with the rest.
  CpuBlended back = {}, front = {};
  std::span<const float> aperture = {};  // ApertureImage::table(); empty: there is no image
  bool hasBlended() const { return !back.colour.empty(); }
};

// Told of the stages of a frame: each lasts from cpu() until its result is destroyed. cpu() may throw to abandon the frame.
class CpuTimings {
 public:
  virtual ~CpuTimings() = default;
  [[nodiscard]] virtual std::shared_ptr<void> cpu(const char* stage) = 0;
};

// A lens that computes in main memory, on all cores.
class CpuBlur {
 public:
  virtual ~CpuBlur() = default;
  virtual void resize(glm::ivec2 size) = 0;
  // Writes linear light to `image`; alpha as Lens::draw() says.
  virtual void blur(const CpuFrame& frame, std::span<glm::vec4> image, CpuTimings& timings) = 0;
};

class CpuBokeh;  // app/lens/bokeh/cpu.h

// A pair of inputs of a graph, colour and depth.
struct CpuInput {
  std::vector<glm::vec4> colour, sums;  // sums: BlendedLayer::depth
  std::vector<float> depth;             // of blended surfaces, their mean
  std::shared_ptr<CpuBokeh> bokeh;      // none without bokeh sprites
};

// Runs graphs of one lens: its blur, and bokeh sprites if the graph has them.
class CpuGraph {
 public:
  // `threads` includes the caller of draw().
  CpuGraph(std::unique_ptr<CpuBlur> blur, int threads) : blur_(std::move(blur)), threads_(threads) {}

  // Allocates for images of `size`. Keeps no input.
  void resize(glm::ivec2 size);
  // Allocates what a graph reads.
  void prepare(const LensGraph& graph);
  // The inputs from `colour` on: kColour, kBehindColour, kBackColour or kFrontColour. Fill them before draw().
  CpuInput& input(ImageId colour) { return inputs_[static_cast<size_t>(colour) / 2]; }
  // The image of a graph that was prepared, valid until the next call. Overwrites the inputs.
  std::span<const glm::vec4> draw(const LensGraph& graph, const SceneFacts& facts, const LensSettings& lens,
                                  glm::vec4 mean, CpuTimings& timings);
  std::span<const glm::vec4> image() const { return image_; }

 private:
  std::unique_ptr<CpuBlur> blur_;
  int threads_;
  glm::ivec2 size_{0};
  std::vector<glm::vec4> image_;
  std::array<CpuInput, kOutput / 2> inputs_;
};

}  // namespace satdof
