#pragma once
#include <satdof/cpu.h>

#include <initializer_list>
#include <string_view>
#include <variant>
#include <vector>

// Depth of field for an image with its depth, on all cores, without OpenGL.
namespace satdof::lens {

// An option of the program satdof, without its dashes, or the path of its setting: {"f-number", 1.4} or {"lens.fNumber", 1.4}. Switches
// take a bool, choices a name: {"bokeh", false}, {"depth-means", "disparity"}. optionNames() has all; `satdof --help` explains them.
struct Option {
  std::string_view name;
  std::variant<bool, double, std::string_view> value;
};

// The options of refocus(): of the lens, and of how the numbers of the depth are read.
std::vector<std::string_view> optionNames();

// Draws the image as a lens would that is focused at the option "focus" in metres, or at the middle of the image.
// image: three channels, row 0 at the top. float: linear light, sRGB primaries, from 0 to 65504. Integers: sRGB, whose highlights are
// restored as "restore-highlights" says. `out` has the size of the image and may be the image.
// depth: one channel, of any size. Floats are taken for metres unless they fill the range from 0 to 1; integers are relative depth, large
// where it is near, but for 16 bits that look like millimetres; "depth-means" decides. Numbers without meaning, such as NaN, are filled
// from around.
// Sources: docs/optics.md; the lens "layered" unless "lens" says "box". T, D: float, std::uint8_t or std::uint16_t.
// Floats round to the bits that satdof captures with --layers 1, integers may differ from its 8-bit captures by 1.
// Throws std::invalid_argument for an unknown option or a value out of its range, a float of the image that is not finite, a depth without
// any valid number, more than 16384 pixels a side or 2^28 in all. Each call allocates about 200 bytes a pixel
// and starts its own threads.
template <class T, class D>
void refocus(cpu::Image<const T> image, cpu::Image<const D> depth, std::span<const Option> options,
             cpu::Image<T> out);
template <class T, class D>
void refocus(cpu::Image<const T> image, cpu::Image<const D> depth, std::initializer_list<Option> options,
             cpu::Image<T> out) {
  refocus(image, depth, std::span(options.begin(), options.size()), out);
}

// Distances in a depth, in metres.
struct DepthRange {
  float unitM;     // the depth is unitM / distance: from 0, infinitely far, to 1
  float nearestM;  // of the nearest pixel; at least unitM
  float middleM;   // of the middle of the image
};

// Writes the depth that refocus() draws the image with to `out`, one channel of the size of the image: for cuda::LensPlan. Throws as
// refocus().
template <class T, class D>
DepthRange prepareDepth(cpu::Image<const T> image, cpu::Image<const D> depth, std::span<const Option> options,
                        cpu::Image<float> out);

}  // namespace satdof::lens
