#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb_truetype.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>
#include <iterator>
#include <stdexcept>

#include "app/core/files/data_dir.h"
#include "app/core/pixels.h"
#include "app/core/text/foreign_text.h"
#include "app/io/formats/png.h"
#include "app/lab/canvases.h"

namespace satdof::lab {

namespace {

constexpr float kDash = 6.0f, kGap = 4.0f;

float distanceToSegment(glm::vec2 p, glm::vec2 a, glm::vec2 b) {
  const glm::vec2 ab = b - a;
  const float length2 = glm::dot(ab, ab);
  const float t = length2 > 0 ? std::clamp(glm::dot(p - a, ab) / length2, 0.0f, 1.0f) : 0.0f;
  return glm::distance(p, a + t * ab);
}

}  // namespace

struct RasterCanvas::Font {
  Font() {
    const auto file = dataDir() / "fonts" / "DejaVuSans.ttf";
    std::ifstream in(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
    const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
    if (bytes.empty() || stbtt_InitFont(&info, data, stbtt_GetFontOffsetForIndex(data, 0)) == 0)
      throw std::runtime_error("cannot read the font " + pathText(file) + ": missing or damaged; write an SVG instead");
  }
  float width(const std::string& text, float sizePx) const {
    const float scale = stbtt_ScaleForMappingEmToPixels(&info, sizePx);
    float sum = 0;
    for (const char c : text) {
      int advance = 0, bearing = 0;
      stbtt_GetCodepointHMetrics(&info, static_cast<unsigned char>(c), &advance, &bearing);
      sum += scale * static_cast<float>(advance);
    }
    return sum;
  }
  std::string bytes;
  stbtt_fontinfo info{};
};

RasterCanvas::RasterCanvas(glm::ivec2 size, float scale)
    : font_(std::make_unique<Font>()), size_(glm::vec2(size) * scale), scale_(scale) {
  pixels_.assign(3 * pixelCount(size_), 255);
}

RasterCanvas::~RasterCanvas() = default;

std::vector<std::uint8_t> RasterCanvas::rgb() const {
  const auto stride = 3 * static_cast<std::ptrdiff_t>(size_.x);
  std::vector<std::uint8_t> bottomFirst;
  bottomFirst.reserve(pixels_.size());
  for (auto row = pixels_.end(); row != pixels_.begin(); row -= stride)
    bottomFirst.insert(bottomFirst.end(), row - stride, row);
  return bottomFirst;
}

std::string RasterCanvas::png() const { return encodePng(rgb().data(), size_, 8, {{"Software", "satdof"}}); }

void RasterCanvas::blend(int x, int y, Colour colour, float coverage) {
  if (x < 0 || y < 0 || x >= size_.x || y >= size_.y || coverage <= 0) return;
  const float alpha = std::min(coverage, 1.0f) * static_cast<float>(colour.a) / 255.0f;
  std::uint8_t* const pixel = &pixels_[3 * pixelIndex(size_, {x, y})];
  const std::uint8_t channels[] = {colour.r, colour.g, colour.b};
  for (int i = 0; i < 3; ++i)
    pixel[i] = static_cast<std::uint8_t>(
        std::lround(static_cast<float>(pixel[i]) * (1 - alpha) + static_cast<float>(channels[i]) * alpha));
}

template <class Distance>
void RasterCanvas::fill(glm::vec2 low, glm::vec2 high, Colour colour, const Distance& distance) {
  const glm::ivec2 first = glm::max(glm::ivec2(glm::floor(low)) - 1, glm::ivec2(0));
  const glm::ivec2 last = glm::min(glm::ivec2(glm::ceil(high)) + 1, size_ - 1);
  for (int y = first.y; y <= last.y; ++y)
    for (int x = first.x; x <= last.x; ++x)
      blend(x, y, colour,
            std::clamp(0.5f - distance(glm::vec2(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f)), 0.0f,
                       1.0f));
}

void RasterCanvas::rectangle(glm::vec2 from, glm::vec2 to, Colour colour) {
  from *= scale_;
  to *= scale_;
  fill(from, to, colour, [&](glm::vec2 p) {
    const glm::vec2 outside = glm::max(from - p, p - to);
    return std::max(outside.x, outside.y);
  });
}

void RasterCanvas::lines(std::span<const glm::vec2> points, Colour colour, float width, bool dashed) {
  const float half = 0.5f * width * scale_;
  const auto segment = [&](glm::vec2 a, glm::vec2 b) {
    fill(glm::min(a, b) - half, glm::max(a, b) + half, colour,
         [&](glm::vec2 p) { return distanceToSegment(p, a, b) - half; });
  };
  float travelled = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const glm::vec2 a = points[i - 1] * scale_, b = points[i] * scale_;
    if (!dashed) {
      segment(a, b);
      continue;
    }
    const float length = glm::distance(a, b), period = (kDash + kGap) * scale_;
    for (float at = 0; at < length;) {
      const float phase = std::fmod(travelled + at, period);
      const bool drawn = phase < kDash * scale_;
      const float end = std::min(length, at + std::max((drawn ? kDash * scale_ : period) - phase, 0.1f));
      if (drawn) segment(a + (b - a) * (at / length), a + (b - a) * (end / length));
      at = end;
    }
    travelled += length;
  }
}

void RasterCanvas::circle(glm::vec2 centre, float radius, Colour colour, float width) {
  centre *= scale_;
  radius *= scale_;
  const float half = 0.5f * width * scale_;
  fill(centre - radius - half, centre + radius + half, colour, [&](glm::vec2 p) {
    const float outside = glm::distance(p, centre) - radius;
    return width > 0 ? std::abs(outside) - half : outside;
  });
}

void RasterCanvas::text(glm::vec2 at, const std::string& text, float size, Anchor anchor, Colour colour) {
  at *= scale_;
  size *= scale_;
  const float width = font_->width(text, size);
  float x = at.x - (anchor == Anchor::left ? 0.0f : anchor == Anchor::centre ? 0.5f * width : width);
  const float scale = stbtt_ScaleForMappingEmToPixels(&font_->info, size);
  for (const char c : text) {
    const int code = static_cast<unsigned char>(c);
    int advance = 0, bearing = 0, columns = 0, rows = 0, left = 0, top = 0;
    stbtt_GetCodepointHMetrics(&font_->info, code, &advance, &bearing);
    unsigned char* const glyph = stbtt_GetCodepointBitmapSubpixel(&font_->info, scale, scale, x - std::floor(x), 0.0f,
                                                                  code, &columns, &rows, &left, &top);
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < columns; ++i)
        blend(static_cast<int>(std::floor(x)) + left + i, static_cast<int>(std::lround(at.y)) + top + j, colour,
              static_cast<float>(glyph[j * columns + i]) / 255.0f);
    stbtt_FreeBitmap(glyph, nullptr);
    x += scale * static_cast<float>(advance);
  }
}

float RasterCanvas::textWidth(const std::string& text, float size) const {
  return font_->width(text, size * scale_) / scale_;
}

}  // namespace satdof::lab
