#pragma once
#include <satdof/cpu.h>

#include <initializer_list>
#include <string_view>
#include <variant>
#include <vector>

// Depth of field for an image with its depth, on all cores, without OpenGL.
namespace satdof::lens {

// An option of the program satdof by name, without dashes, or by the path of its setting: {"f-number", 1.4}
// or {"lens.fNumber", 1.4}. The value of a switch is a bool, of a choice a name: {"bokeh", false},
// {"depth-means", "disparity"}. optionNames() lists all options; `satdof --help` explains them.
struct Option {
  std::string_view name;
  std::variant<bool, double, std::string_view> value;
};

// The names of all options of refocus(): settings of the lens, and the meaning of depth values.
std::vector<std::string_view> optionNames();

// Renders the image with the depth of field of a lens. The lens is focused at the option "focus", in metres;
// by default at the depth of the middle of the image. Technique: "layered", or "box" (option "lens");
// docs/optics.md has the mathematics and sources.
//
// image: three channels of float, std::uint8_t or std::uint16_t, row 0 at the top. Floats: linear light from 0
// to 65504, sRGB primaries. Integers: sRGB; the option "restore-highlights" restores their highlights. `out`
// has the size of the image and may be the image.
//
// depth: one channel of float, std::uint8_t or std::uint16_t, of any size. The option "depth-means" sets the
// meaning. By default, floats are metres unless they fill the range from 0 to 1; integers are relative depth,
// larger is nearer, unless 16-bit values look like millimetres. Invalid values, such as NaN, are filled from
// neighbours.
//
// Floats, rounded to half floats, are the bits that satdof captures with --layers 1; integers differ from its
// 8-bit captures by at most 1. Each call allocates about 200 bytes per pixel and starts its own threads.
//
// Throws std::invalid_argument for an unknown option, a value out of range, a float of the image that is not
// finite, a depth without any valid value, more than 16384 pixels a side, or more than 2^28 pixels.
template <class T, class D>
void refocus(cpu::Image<const T> image, cpu::Image<const D> depth, std::span<const Option> options, cpu::Image<T> out);
template <class T, class D>
void refocus(cpu::Image<const T> image, cpu::Image<const D> depth, std::initializer_list<Option> options,
             cpu::Image<T> out) {
  refocus(image, depth, std::span(options.begin(), options.size()), out);
}

// The unit and some distances of a depth image, in metres.
struct DepthRange {
  float unitM;     // depth = unitM / distance: 0 is infinitely far, 1 is nearest
  float nearestM;  // distance of the nearest pixel; at least unitM
  float middleM;   // distance of the middle of the image
};

// Writes the depth that refocus() uses for this image to `out`, one channel in the size of the image: the
// input of cuda::LensPlan. Throws as refocus().
template <class T, class D>
DepthRange prepareDepth(cpu::Image<const T> image, cpu::Image<const D> depth, std::span<const Option> options,
                        cpu::Image<float> out);

}  // namespace satdof::lens
