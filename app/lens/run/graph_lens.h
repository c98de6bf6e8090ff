#pragma once
#include <array>
#include <functional>
#include <optional>

#include "app/lens/graph.h"
#include "app/lens/lens.h"

namespace satdof {

using LensPlanner = std::function<LensGraph(const LensFacts&)>;

// A lens whose frames are graphs. Derived classes run the graphs on a device.
class GraphLens : public Lens {
 public:
  void resize(glm::ivec2 size) override;
  void prepareBlended() override;

 protected:
  // `separates`: the lens can draw blended surfaces as layers of their own. `sprites`: how the near field is drawn, if
  // the lens draws bokeh sprites.
  GraphLens(LensPlanner plan, bool separates, std::optional<NearField> sprites)
      : plan_(std::move(plan)), separates_(separates), sprites_(sprites) {}
  // Takes plan, separates and sprites from a row of the registry whose plan is not null.
  GraphLens(const Technique& technique, const LensRow& row);

  struct Frame {
    LensGraph graph;
    std::array<const gl::Texture*, kLensInputs> textures{};  // by ImageId; null: the graph does not use it
    bool blended = false;                                    // LensFacts::blended
  };
  // Plans a frame. Draws the second layer and the layers of blended surfaces if the graph uses them.
  Frame frameOf(const LensInputs& inputs, const gl::Texture& output);
  // Frees everything of the old size.
  virtual void reset(glm::ivec2 size) = 0;
  // Allocates everything that the steps of a graph need. Called with commonGraph() of the new size after reset().
  virtual void allocate(const LensGraph& graph) = 0;
  // The graph of a frame of this size with the default settings.
  LensGraph commonGraph(glm::ivec2 size) const;
  // A small graph with all steps that the lens may take.
  LensGraph fullGraph() const;
  glm::ivec2 size() const { return size_; }
  // Whether prepareBlended() was called since resize().
  bool blended() const { return blended_; }
  bool separates() const { return separates_; }
  // The OpenGL format of the texels.
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
