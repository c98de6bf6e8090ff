#pragma once
#include "app/gl/program.h"
#include "app/lens/lens.h"

namespace satdof {

// The images that explain, in linear light.
class ViewPass {
 public:
  ViewPass();
  // Draws `view` into `output` (the scene's size); `table` is that of the lens. Does nothing for the views
  // that a lens draws, nor for a table that is not there; black for views that this lens does not have.
  void draw(View view, const LensInputs& inputs, const Table& table, const gl::Framebuffer& output) const;

 private:
  gl::Program thinLensCoc_, linearCoc_, depth_, integerTable_, floatTable_, peaking_;
};

// Whether present() applies exposure and tone curve.
inline bool isToneMapped(View view) {
  return view == View::final || view == View::sharp || view == View::peaking || view == View::fill ||
         view == View::sprites || view == View::footprint;
}

// Whether the layered lens draws it from its intermediates.
inline bool isOfLayers(View view) {
  return view == View::near || view == View::fill || view == View::layers || view == View::weights;
}

}  // namespace satdof
