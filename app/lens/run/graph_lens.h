#pragma once
#include <array>
#include <functional>
#include <optional>

#include "app/lens/graph.h"
#include "app/lens/lens.h"

namespace satdof {

using LensPlanner = std::function<LensGraph(const LensFacts&)>;

// A lens whose frames are graphs. The classes derived from it run them on a device.
class GraphLens : public Lens {
 public:
  void resize(glm::ivec2 size) override;
  void prepareBlended() override;

 protected:
  // `separates`: blurs blended surfaces in layers of their own, over the image without them. `sprites`: none, or how its near field
  // is drawn.
  GraphLens(LensPlanner plan, bool separates, std::optional<NearField> sprites)
      : plan_(std::move(plan)), separates_(separates), sprites_(sprites) {}
  // The plan of a row with one.
  GraphLens(const Technique& technique, const LensRow& row);

  struct Frame {
    LensGraph graph;
    std::array<const gl::Texture*, kLensInputs> textures{};  // null: the graph does not read it
    bool blended = false;                                    // the blended surfaces are layers of their own
  };
  // Plans a frame and draws what its graph reads of the scene again.
  Frame frameOf(const LensInputs& inputs, const gl::Texture& output);
  // Frees what has the old size.
  virtual void reset(glm::ivec2 size) = 0;
  // Allocates what the steps of a graph need. Called with commonGraph() of the new size after reset().
  virtual void allocate(const LensGraph& graph) = 0;
  // The graph of a common frame of this size, and of a frame with all steps that the lens has.
  LensGraph commonGraph(glm::ivec2 size) const;
  LensGraph fullGraph() const;
  glm::ivec2 size() const { return size_; }
  // Whether the frames that come have blended surfaces.
  bool blended() const { return blended_; }
  bool separates() const { return separates_; }
  // GL_RGBA16F for half4.
  static GLenum formatOf(GraphImage::Texels texels);

 private:
  LensGraph graphOf(const LensFacts& facts, LensImage image) const;

  LensPlanner plan_;
  bool separates_, blended_ = false;
  glm::ivec2 size_{0};
  std::optional<NearField> sprites_;
  FilePath apertureFile_;
  gl::Texture aperture_;  // of apertureFile_
};

}  // namespace satdof
