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
  // The second layer; alpha is its part of the pixel. Empty if the lens does not read it.
  CpuLayer behind = {};
  // The blended surfaces behind and in front of the focus plane. Empty if there are none, or if they are part of the
  // image.
  CpuBlended back = {}, front = {};
  std::span<const float> aperture = {};  // ApertureImage::table(); empty if the aperture is no image
  bool hasBlended() const { return !back.colour.empty(); }
};

// Receives the stages of a frame. A stage lasts from cpu() until the result of cpu() is destroyed. cpu() may throw to
// abandon the frame.
class CpuTimings {
 public:
  virtual ~CpuTimings() = default;
  [[nodiscard]] virtual std::shared_ptr<void> cpu(const char* stage) = 0;
};

// A whole lens without bokeh sprites in main memory, on all cores.
class CpuBlur {
 public:
  virtual ~CpuBlur() = default;
  virtual void resize(glm::ivec2 size) = 0;
  // Writes linear light to `image`; alpha as Lens::draw() says.
  virtual void blur(const CpuFrame& frame, std::span<glm::vec4> image, CpuTimings& timings) = 0;
};

class CpuBokeh;  // app/lens/bokeh/cpu.h

// Two inputs of a graph: colour and depth of a layer.
struct CpuInput {
  std::vector<glm::vec4> colour;
  std::vector<glm::vec4> sums;      // of blended surfaces: BlendedLayer::depth
  std::vector<float> depth;         // nearM / z; of blended surfaces: meanDepth() of `sums`
  std::shared_ptr<CpuBokeh> bokeh;  // of the layer; null if the graph has no bokeh sprites
};

// Runs the graphs of one lens in main memory. The CpuBlur runs all passes; CpuBokeh runs the steps of bokeh sprites.
class CpuGraph {
 public:
  // `threads` includes the caller of draw().
  CpuGraph(std::unique_ptr<CpuBlur> blur, int threads) : blur_(std::move(blur)), threads_(threads) {}

  // Allocates for images of `size`. Frees the inputs, except colour and depth of the image.
  void resize(glm::ivec2 size);
  // Allocates the inputs that a graph uses.
  void prepare(const LensGraph& graph);
  // The input whose colour is kColour, kBehindColour, kBackColour or kFrontColour. Fill it before draw().
  CpuInput& input(ImageId colour) { return inputs_[static_cast<std::size_t>(colour) / 2]; }
  // Returns the image of a prepared graph, valid until the next call. Overwrites the inputs.
  std::span<const glm::vec4> draw(const LensGraph& graph, const SceneFacts& facts, const LensSettings& lens,
                                  glm::vec4 mean, CpuTimings& timings);
  std::span<const glm::vec4> image() const { return image_; }

 private:
  std::unique_ptr<CpuBlur> blur_;
  int threads_;
  glm::ivec2 size_{0};
  std::vector<glm::vec4> image_;
  std::array<CpuInput, kOutput / 2> inputs_;  // in the order of ImageId
};

}  // namespace satdof
