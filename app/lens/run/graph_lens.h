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
  void resize(glm::ivec2) override { blended_ = false; }
  void prepareBlended() override { blended_ = true; }

 protected:
  // `separates`: blurs blended surfaces in layers of their own, over the image without them. `sprites`: none, or how its near field
  // is drawn.
  GraphLens(LensPlanner plan, bool separates, std::optional<NearField> sprites)
      : plan_(std::move(plan)), separates_(separates), sprites_(sprites) {}

  struct Frame {
    LensGraph graph;
    std::array<const gl::Texture*, kLensInputs> textures{};  // null: the graph does not read it
    bool blended = false;                                    // the blended surfaces are layers of their own
  };
  // Plans a frame and draws what its graph reads of the scene again.
  Frame frameOf(const LensInputs& inputs, const gl::Texture& output);
  // The graph of a common frame of this size, and of a frame with all steps that the lens has.
  LensGraph commonGraph(glm::ivec2 size) const;
  LensGraph fullGraph() const;
  // GL_RGBA16F for half4.
  static GLenum formatOf(GraphImage::Texels texels);

 private:
  LensGraph graphOf(const LensFacts& facts, LensImage image) const;

  LensPlanner plan_;
  bool separates_, blended_ = false;
  std::optional<NearField> sprites_;
  FilePath apertureFile_;
  gl::Texture aperture_;  // of apertureFile_
};

}  // namespace satdof
