#pragma once
#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "app/lab/plot.h"

namespace satdof::lab {

// Writes SVG 1.1.
class SvgCanvas : public Canvas {
 public:
  explicit SvgCanvas(glm::ivec2 size);
  // Returns the complete document.
  std::string document() const;

  void rectangle(glm::vec2 from, glm::vec2 to, Colour colour) override;
  void lines(std::span<const glm::vec2> points, Colour colour, float width, bool dashed) override;
  void circle(glm::vec2 centre, float radius, Colour colour, float width) override;
  void text(glm::vec2 at, const std::string& text, float size, Anchor anchor, Colour colour) override;
  float textWidth(const std::string& text, float size) const override;

 private:
  std::string elements_;
  glm::ivec2 size_;
};

// Draws into an RGB image with antialiasing, with the font of the panels.
class RasterCanvas : public Canvas {
 public:
  // `scale`: pixels a unit of the plot. Throws std::runtime_error if the font cannot be read.
  RasterCanvas(glm::ivec2 size, float scale);
  ~RasterCanvas() override;
  RasterCanvas(const RasterCanvas&) = delete;
  RasterCanvas& operator=(const RasterCanvas&) = delete;
  // Returns sRGB, three bytes a pixel, bottom row first.
  std::vector<std::uint8_t> rgb() const;
  std::string png() const;

  void rectangle(glm::vec2 from, glm::vec2 to, Colour colour) override;
  void lines(std::span<const glm::vec2> points, Colour colour, float width, bool dashed) override;
  void circle(glm::vec2 centre, float radius, Colour colour, float width) override;
  void text(glm::vec2 at, const std::string& text, float size, Anchor anchor, Colour colour) override;
  float textWidth(const std::string& text, float size) const override;

 private:
  struct Font;
  void blend(int x, int y, Colour colour, float coverage);
  // Blends a shape inside [low, high]. distance(p): signed distance from its edge in pixels, negative inside.
  template <class Distance>
  void fill(glm::vec2 low, glm::vec2 high, Colour colour, const Distance& distance);

  std::unique_ptr<Font> font_;
  glm::ivec2 size_;
  float scale_;
  std::vector<std::uint8_t> pixels_;  // top row first
};

}  // namespace satdof::lab
