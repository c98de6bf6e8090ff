#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/filter/stage.h"
#include "app/lens/lens.h"
#include "app/render/image_mean.h"
#include "app/render/lens_effects.h"
#include "app/render/resolve.h"
#include "app/views/footprint.h"
#include "app/views/table_cursor.h"
#include "app/views/views.h"

namespace satdof {

using gl::Target;

// What an image depends on besides the settings.
struct ImageKey {
  int contents = 0;       // Scene::contents()
  int shaderReloads = 0;  // gl::shaderReloads()
  ImagePart part;         // the part of the whole image that is drawn
  bool operator==(const ImageKey&) const = default;
};

// Inputs of one side in one frame. Points are 0 to 1 of the drawn image, from the bottom left.
struct SideInputs {
  const SceneFrame& scene;
  const ResolvedSettings& settings;  // with the animation time of this frame
  SceneRedraw redraw;
  ViewPass& views;
  glm::vec2 cursor, centre;
  int samplesPerFrame;
  bool standalone;  // FrameRequest::standalone
  ImageMean& mean;
  ImageKey key;
  bool mayDefer;  // LensInputs::mayDefer
};

// One side of the split, A or B. Keeps the lens of the last technique that could be made, and the reason if the newest
// technique could not be made.
class Side {
 public:
  // Resizes lens and filter for images of `size`. Call before the textures of the last draw() are freed: lens and
  // filter release the textures that they share with CUDA.
  void resize(glm::ivec2 size);
  // Rebuilds what a change of size or of the resolved technique requires. On failure the last good lens stays. A failed
  // technique is tried again when the technique, the size or the shaders change. `blended`: the scene has blended
  // surfaces.
  void choose(const Technique& wanted, glm::ivec2 size, bool blended);
  // Draws the view into `target`, through the filter if ViewRow::filtered.
  void draw(const SideInputs& inputs, const Target& target, Timings& timings);

  bool ready() const { return lens_ != nullptr; }
  const Technique& technique() const { return technique_; }
  const ViewRow& view() const { return viewOf(technique_.view); }
  // Whether draw() with equal inputs would give the last image again. False for the reference, which adds samples.
  bool repeats() const;
  bool isReference() const { return runsLens() && lensOf(technique_.lens.kind).accumulates; }
  // Frees what the last draw() did not use.
  void freeUnused();
  // Lens result of the last draw().
  const LensResult& result() const { return result_; }
  // The image of the last draw() in main memory; empty if it is in OpenGL only.
  std::span<const glm::vec4> pixels() const;
  // Writes the image of the last draw() to `target` if SideInputs::mayDefer left it in main memory.
  void store(const Target& target);
  float progress() const { return runsLens() ? result_.progress : 1.0f; }
  // Returns why the newest technique or filter could not be made, or why the view is empty; else an empty string.
  std::string failure() const;
  // Returns the devices of table and filter, and their states.
  std::string state() const;
  // Returns the lines of the footprint view; an empty string in other views.
  std::string atCursor() const;
  // Returns the table at the cursor; none if the view does not read the table.
  std::optional<TableReading> tableReading() const;
  // Whether atCursor() or tableReading() describes another pixel or image than the last draw().
  bool cursorPending() const {
    return (footprint_ && footprint_->pending()) || (tableCursor_ && tableCursor_->pending());
  }

 private:
  struct Failure {
    Technique technique;
    int shaderReloads;  // gl::shaderReloads() at the failure
    std::string reason;
  };
  bool runsLens() const { return view().source != ViewSource::scene && emptyReason(technique_).empty(); }
  // Whether the lens last drew the same contents and part of the scene with the same shaders.
  bool drewSameScene(const SideInputs& inputs) const { return drawn_ && drawnKey_ == inputs.key; }
  bool isFiltered() const { return view().filtered && filter_.active(); }
  // Whether the image is the output of the lens: no shader of a view, footprint or filter follows.
  bool showsLensOutput() const;
  void make(const Technique& wanted);
  void allocate(Lens& lens) const;
  // Drops the lens if memory does not suffice for the new size.
  void resizeLens();
  void drawView(const SideInputs& inputs, const Target& target, Timings& timings);
  void drawLens(const SideInputs& inputs, const Target& target, Timings& timings);
  // Draws with channels of different size or focus, vignetting or diffraction: LensChannels.
  void drawChannels(const SideInputs& inputs, const Target& target, Timings& timings);
  // `focusShift`: for one channel with axial colour, how much nearer it focuses, in diopters.
  void runLens(const SideInputs& inputs, std::optional<float> focusShift, bool mayDefer, const Target& target,
               Timings& timings);
  // The scene in lens space: app/lens/lens_space.h.
  struct LensSpaceScene {
    SceneFrame scene;
    LensSpace space;
  };
  LensSpaceScene toLensSpace(const SideInputs& inputs, float focusShift, Timings& timings);

  Target unfiltered_;                         // image before the filter; allocated by the first filter
  std::unique_ptr<LensDepth> lensDepth_;      // made by the first frame that needs it
  std::unique_ptr<LensChannels> channels_;    // made by the first frame that needs it
  std::unique_ptr<Lens> lens_;                // like filter_, destroyed before the images that it may share with CUDA
  std::unique_ptr<FootprintView> footprint_;  // exists while its view is shown
  std::unique_ptr<TableCursor> tableCursor_;  // exists while a view reads the table
  FilterStage filter_;
  Technique technique_;
  std::optional<Failure> failed_;
  glm::ivec2 size_{0};
  bool blended_ = false;
  std::optional<Settings> drawn_;  // settings of the image that the lens drew last
  ImageKey drawnKey_;              // key of that image
  LensResult result_;
};

}  // namespace satdof
