#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/lens/lens.h"

namespace satdof {

// Inputs of the shader of a view.
struct ViewInputs {
  const SceneFrame& scene;
  const LensSettings& lens;
  const BlurRule& rule;  // of the lens in use
  const Table& table;    // of the lens; empty if the lens did not run or builds no table
};

// Where a view's image comes from.
enum class ViewSource {
  scene,       // the scene's colour and depth: the lens does not run
  lens,        // the lens draws `image`
  difference,  // the lens runs, then A and B are compared
};

// The radii that the shader of a view shows.
enum class ViewRadius { none, thinLens, ofLens };

// A row of the table of views. A new view costs one row and a shader.
struct ViewRow {
  View view;
  ViewSource source = ViewSource::lens;
  LensImage image = LensImage::blurred;  // what the lens draws
  bool toneMapped = false;               // exposure and tone curve apply; else only sRGB encoding
  bool filtered = false;                 // the image filter applies
  bool comparable = false;               // can be compared with the reference
  bool needsLayers = false;              // needs a lens with LensRow::layers
  bool needsBokeh = false;               // needs bokeh sprites
  bool outlinesFootprint = false;        // the kernel at the cursor is drawn on top
  bool readsTable = false;               // the table is read at the cursor: TableReading
  const char* shader = nullptr;          // in shaders/views/, drawn over the image; null: only the image
  bool blended = false;                  // by the shader's alpha; else it replaces the image
  bool showsTable = false;               // and has a variant a table format
  ViewRadius radius = ViewRadius::none;
  void (*setUniforms)(const gl::Program& program, const ViewInputs& inputs) = nullptr;
  std::unique_ptr<Lens> (*makeLens)(const Technique& technique) = nullptr;  // null: the technique's lens
  const char *leftHalf = nullptr, *rightHalf = nullptr;  // labels, if the halves of the image show two things
  const char* title = nullptr;                           // in the window; null: the value of the option
};

std::span<const ViewRow> views();
const ViewRow& viewOf(View view);

// Returns the name of the view in the window.
const char* titleOf(View view);

// Returns what the view of a resolved technique lacks, or an empty string if the view shows an image.
std::string missingFor(const Technique& technique);
// The same, starting with the name of the view.
std::string emptyReason(const Technique& technique);

// Draws the views that have a shader.
class ViewPass {
 public:
  // Compiles the shaders of all views.
  ViewPass();
  // Draws over `output` (linear light, the size of the scene). Does nothing for a view without a shader, and
  // for the table view without a table.
  void draw(const ViewRow& row, const ViewInputs& inputs, const gl::Framebuffer& output);

 private:
  struct Programs {
    gl::Program program, ofFloats;
  };
  std::vector<Programs> programs_;  // by row
  gl::ParameterBlock radius_{sizeof(RadiusRule)};
};

}  // namespace satdof
