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
  const BlurRule& rule;  // blur rule of the lens
  const Table& table;    // table of the lens; empty if the lens did not run or builds no table
};

// Source of the image of a view.
enum class ViewSource {
  scene,       // the scene's colour and depth; the lens does not run
  lens,        // the lens draws ViewRow::image
  difference,  // both lenses run, then A and B are subtracted
};

// The radii that the shader of a view shows.
enum class ViewRadius { none, thinLens, ofLens };

// A row of the table of views. A new view needs one row and a shader.
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
  const char* shader = nullptr;          // file in shaders/views/ that draws over the image; null: none
  bool blended = false;                  // blends with the image by the shader's alpha; else replaces it
  bool showsTable = false;               // the shader shows the table, and has variants for integers and floats
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

// Returns what the view of a resolved technique lacks, such as "needs the layered lens, not box"; empty if the view
// shows an image.
std::string missingFor(const Technique& technique);
// Returns the same after the name of the view.
std::string emptyReason(const Technique& technique);

// Draws the views that have a shader.
class ViewPass {
 public:
  // Compiles the shaders of all views.
  ViewPass();
  // Draws over `output`: linear light, of the size of the scene. Does nothing for a view without a shader, or for the
  // table view without a table.
  void draw(const ViewRow& row, const ViewInputs& inputs, const gl::Framebuffer& output);

 private:
  struct Programs {
    gl::Program program, floatProgram;  // floatProgram: for float tables
  };
  std::vector<Programs> programs_;  // by row of views()
  gl::ParameterBlock radius_{sizeof(RadiusRule)};
};

}  // namespace satdof
