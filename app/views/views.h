#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/gl/program.h"
#include "app/lens/lens.h"

namespace satdof {

// What a view's shader reads.
struct ViewInputs {
  const SceneFrame& scene;
  const LensSettings& lens;
  const BlurRule& rule;  // of the lens in use
  const Table& table;    // the lens's; none where there is no lens or it builds none
};

// Where a view's image comes from.
enum class ViewSource {
  scene,       // the scene's colour and depth: the lens does not run
  lens,        // the lens draws `image`
  difference,  // the lens runs, then A and B are compared
};

// The variants that a view's shader is compiled in.
enum class ViewVariants { one, thinLens, byRule, byFormat };

// A debug view. Adding one costs this row and a shader.
struct ViewRow {
  View view;
  ViewSource source = ViewSource::lens;
  LensImage image = LensImage::blurred;  // what the lens draws
  bool toneMapped = false;               // exposure and tone curve apply; else only sRGB encoding
  bool comparable = false;               // shows what the reference would show
  bool needsLayers = false;              // LensRow::layers
  bool needsBokeh = false;               // bokeh sprites are drawn
  bool outlinesFootprint = false;        // the kernel at the cursor is drawn on top
  const char* shader = nullptr;  // drawn over the image, in shaders/views/; null: the image is the view
  ViewVariants variants = ViewVariants::one;
  void (*setUniforms)(const gl::Program& program, const ViewInputs& inputs) = nullptr;
  std::unique_ptr<Lens> (*makeLens)(const Technique& technique) = nullptr;  // null: the technique's lens
};

std::span<const ViewRow> views();
const ViewRow& viewOf(View view);

// Why the view of a resolved technique is empty; empty text where it is not.
std::string emptyReason(const Technique& technique);

// Draws the views that have a shader.
class ViewPass {
 public:
  // Compiles every view's shaders.
  ViewPass();
  // Draws over `output` (linear light, the scene's size). Does nothing for views without a shader, nor for
  // the table view without a table.
  void draw(const ViewRow& row, const ViewInputs& inputs, const gl::Framebuffer& output) const;

 private:
  struct Programs {
    gl::Program thinLensOrInteger, linearOrFloat;
  };
  std::vector<Programs> programs_;  // by row
};

}  // namespace satdof
