#pragma once
#include "app/gl/program.h"
#include "app/lens/lens.h"

namespace satdof {

// The pictures that explain: circle of confusion, depth and table, in linear light to be shown without
// exposure and tone curve.
class ViewPass {
 public:
  ViewPass();
  // Draws `view` into `output` (the scene's size); `table` is that of the lens. Does nothing for the views
  // final and sharp, nor for a table that is not there.
  void draw(View view, const LensInputs& inputs, const SatView& table, const gl::Framebuffer& output) const;

 private:
  gl::Program thinLensCoc_, linearCoc_, depth_, integerTable_, floatTable_;
};

// Whether present() applies exposure and tone curve.
inline bool isToneMapped(View view) { return view == View::final || view == View::sharp; }

}  // namespace satdof
