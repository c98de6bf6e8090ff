#include "app/io/formats/exr.h"

#include <array>
#include <cmath>
#include <utility>

#include "app/core/field_json.h"
#include "app/io/codecs/rows.h"
#include "app/io/codecs/samples.h"
#include "app/io/formats/exr_layers.h"

namespace satdof::formats {

namespace {

// Ignores alpha: the colours of OpenEXR are premultiplied.
Picture pictureOf(std::string_view bytes, const FileLimits& limits) {
  ExrColours colours = coloursInExr(bytes, limits);
  Picture picture{colours.size, std::vector<std::uint16_t>(4 * pixelCount(colours.size), half(1.0f)), false,
                  std::move(colours.notes)};
  std::size_t countOfNaN = 0;
  for (std::size_t i = 0; i < pixelCount(picture.size); ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const float light = colours.rgb[c][i];
      picture.rgba[4 * i + c] = half(light);
      countOfNaN += std::isnan(light) ? 1 : 0;
    }
  noteNaNs(picture.notes, countOfNaN);
  return picture;
}

std::string write(Pixels& pixels, const Metadata& metadata, const WriteOptions& options) {
  struct Row {
    const char* name;
    bool alwaysFloat = false;
  };
  constexpr std::array kRows = {Row{"R"}, Row{"G"}, Row{"B"}, Row{"A"}, Row{"Z", true}, Row{"coc.Y"}, Row{"near.Y"}};
  ExrImage image{.size = pixels.size, .channels = {}, .texts = metadata.texts};
  for (std::size_t i = 0; i < pixels.channels.size(); ++i)
    image.channels.push_back(
        {kRows[i].name, options.bits != 32 && !kRows[i].alwaysFloat, std::move(pixels.channels[i])});
  return encodeExr(image);
}

std::string layerOf(Layer layer, const LayerImage& image, const std::vector<ImageText>& texts) {
  ExrImage exr{.size = image.size, .channels = {}, .texts = texts};
  if (layer == Layer::colour) {
    for (std::size_t c = 0; c < 4; ++c) exr.channels.push_back({std::string(1, "RGBA"[c]), true, image.planes[c]});
  } else if (layer == Layer::depth) {
    exr.channels = {{"Z", false, metres(image.planes[0], image.nearM)}, {kInverseDepthChannel, false, image.planes[0]}};
    exr.texts.push_back({kNearKeyword, json::numberText(image.nearM)});
  } else {
    exr.channels = {{"coc.Y", false, image.planes[0]}};
  }
  return encodeExr(exr);
}

}  // namespace

Codec exr() {
  return {.name = "EXR",
          .extensions = {".exr"},
          .begins = isExr,
          .about = {"scanlines and tiles, of one part or several; layers, chroma, `chromaticities`, display "
                    "window, pixel aspect; depth in metres or relative",
                    "smaller chroma: interpolated", "deep pixels, `A`, other layers and views"},
          .picture = pictureOf,
          .size = exrSize,
          .depth = depthOfExr,
          .photograph = [](std::string_view bytes, const FileLimits& limits) -> Photograph {
            return {pictureOf(bytes, limits), depthInExr(bytes, limits)};
          },
          .isLight = true,
          .text = exrText,
          .choices = {{"OpenEXR, 16 bit",
                       "Linear light, depth, circle of confusion, near coverage; contains the settings", 16},
                      {"OpenEXR, 32 bit", "The same with 32 bits per channel", 32}},
          .content = Content::channels,
          .alpha = true,
          .write = write,
          .layer = layerOf};
}

}  // namespace satdof::formats
