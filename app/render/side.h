#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/filter/stage.h"
#include "app/lens/lens.h"
#include "app/render/image_mean.h"
#include "app/render/lens_effects.h"
#include "app/views/footprint.h"
#include "app/views/table_cursor.h"
#include "app/views/views.h"

namespace satdof {

using gl::Target;

// Inputs of both sides in one frame.
struct SideInputs {
  const SceneFrame& scene;
  const Settings& settings;  // with the animation time of this frame
  SceneRedraw redraw;
  ViewPass& views;
  glm::vec2 cursor, centre;  // 0 to 1 from the bottom left
  int samplesPerFrame;
  bool alone;  // FrameRequest::alone
  ImageMean& mean;
  int contents;  // Scene::contents()
  ImagePart part;
  bool mayDefer;  // LensInputs::mayDefer
};

// One side of the split, A or B. Keeps the lens of the last technique that could be made, and the reason if
// the newest technique could not be made.
class Side {
 public:
  // Call before the textures of the last draw() are freed: lens and filter release what they share with CUDA, then allocate for
  // images of `size`.
  void resize(glm::ivec2 size);
  // Rebuilds what a change of technique (resolved) or size requires. On failure the last good lens stays. The
  // failed technique is retried when the technique, the size or the shaders change.
  // `blended`: the scene has blended surfaces.
  void choose(const Technique& wanted, glm::ivec2 size, bool blended);
  // Draws the view into `target`. Views that show finished images pass the filter.
  void draw(const SideInputs& inputs, const Target& target, Timings& timings);

  bool ready() const { return lens_ != nullptr; }
  const Technique& technique() const { return technique_; }
  const ViewRow& view() const { return viewOf(technique_.view); }
  // Whether equal inputs, but for the samples, give the image of the last draw() again.
  bool repeats() const;
  bool isReference() const { return runsLens() && lensOf(technique_.lens.kind).accumulates; }
  // Frees what the last draw() did not use.
  void freeUnused();
  // The result of the last draw().
  const LensResult& result() const { return result_; }
  // The image of the last draw() in main memory; empty if it is not there.
  std::span<const glm::vec4> pixels() const;
  // Completes `target`, if the last draw() has deferred that.
  void store(const Target& target);
  float progress() const { return runsLens() ? result_.progress : 1.0f; }
  // Why the newest technique or filter could not be made, or why the view is empty; else empty.
  std::string failure() const;
  std::string state() const;
  // The lines of the footprint view; else empty.
  std::string atCursor() const;
  // What the table holds at the cursor, for a view that reads it.
  std::optional<TableReading> tableReading() const;
  // Whether atCursor() or tableReading() is of another pixel or image than the last draw().
  bool cursorPending() const {
    return (footprint_ && footprint_->pending()) || (tableCursor_ && tableCursor_->pending());
  }

 private:
  struct Failure {
    Technique technique;
    int reloads;  // shaderReloads() then
    std::string reason;
  };
  bool runsLens() const { return view().source != ViewSource::scene && emptyReason(technique_).empty(); }
  // Whether the last draw by the lens had these shaders, contents and part of the scene.
  bool drewSameScene(const SideInputs& inputs) const;
  // Whether the lens alone draws the image.
  bool lensAlone() const;
  void make(const Technique& wanted);
  void allocate(Lens& lens) const;
  // Drops the lens if it cannot have the new size.
  void resizeLens();
  void drawView(const SideInputs& inputs, const Target& target, Timings& timings);
  void drawLens(const SideInputs& inputs, const Target& target, Timings& timings);
  void drawChannels(const SideInputs& inputs, const Target& target, Timings& timings);
  // With a shift: a channel, in focus nearer by so many diopters.
  void runLens(const SideInputs& inputs, std::optional<float> shift, bool mayDefer, const Target& target,
               Timings& timings);
  // The scene as a lens sees it that is no plain thin lens: app/lens/lens_space.h.
  struct Bent {
    SceneFrame scene;
    LensSpace space;
  };
  Bent bent(const SideInputs& inputs, float shift, Timings& timings);

  Target unfiltered_;  // the image before the filter; allocated by the first filter
  // Both exist once a frame needs them.
  std::unique_ptr<LensDepth> lensDepth_;
  std::unique_ptr<LensChannels> channels_;
  std::unique_ptr<Lens> lens_;  // like filter_ destroyed before the images that it may share with CUDA
  std::unique_ptr<FootprintView> footprint_;  // exists while its view is shown
  std::unique_ptr<TableCursor> tableCursor_;  // exists while a view reads the table
  FilterStage filter_;
  Technique technique_;
  std::optional<Failure> failed_;
  glm::ivec2 size_{0};
  bool blended_ = false;
  std::optional<Settings> drawn_;  // settings of the last draw by the lens
  int drawnReloads_ = 0;           // shaderReloads() then
  int drawnContents_ = 0;          // SideInputs::contents then
  ImagePart drawnPart_;
  LensResult result_;
};

}  // namespace satdof
