#include "app/core/text/formatted.h"
#include "app/lab/canvases.h"

namespace satdof::lab {

namespace {

std::string number(float value) { return formatted("%.1f", static_cast<double>(value)); }

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ").append(name).append("=\"").append(value).append("\"");
}

std::string hex(Colour colour) { return formatted("#%02x%02x%02x", colour.r, colour.g, colour.b); }

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

}  // namespace

SvgCanvas::SvgCanvas(glm::ivec2 size) : size_(size) {}

std::string SvgCanvas::document() const {
  const std::string width = std::to_string(size_.x), height = std::to_string(size_.y);
  std::string head = "<svg xmlns=\"http://www.w3.org/2000/svg\"";
  head += attribute("width", width) + attribute("height", height);
  head += attribute("viewBox", "0 0 " + width + " " + height);
  return head + " font-family=\"DejaVu Sans, sans-serif\">\n" + elements_ + "</svg>\n";
}

void SvgCanvas::rectangle(glm::vec2 from, glm::vec2 to, Colour colour) {
  if (colour.a == 0) return;
  elements_ += "<rect" + attribute("x", number(from.x)) + attribute("y", number(from.y)) +
               attribute("width", number(to.x - from.x)) + attribute("height", number(to.y - from.y)) +
               attribute("fill", hex(colour)) + "/>\n";
}

void SvgCanvas::lines(std::span<const glm::vec2> points, Colour colour, float width, bool dashed) {
  std::string path;
  for (const glm::vec2 point : points) {
    if (!path.empty()) path += ' ';
    path += number(point.x).append(",").append(number(point.y));
  }
  elements_ += "<polyline" + attribute("points", path) + attribute("fill", "none") + attribute("stroke", hex(colour)) +
               attribute("stroke-width", number(width)) + (dashed ? attribute("stroke-dasharray", "6 4") : "") + "/>\n";
}

void SvgCanvas::circle(glm::vec2 centre, float radius, Colour colour, float width) {
  elements_ += "<circle" + attribute("cx", number(centre.x)) + attribute("cy", number(centre.y)) +
               attribute("r", number(radius));
  if (width > 0)
    elements_ +=
        attribute("fill", "none") + attribute("stroke", hex(colour)) + attribute("stroke-width", number(width));
  else
    elements_ += attribute("fill", hex(colour));
  elements_ += "/>\n";
}

void SvgCanvas::text(glm::vec2 at, const std::string& text, float size, Anchor anchor, Colour colour) {
  elements_ += "<text" + attribute("x", number(at.x)) + attribute("y", number(at.y)) +
               attribute("font-size", number(size)) + attribute("fill", hex(colour));
  if (anchor != Anchor::left) elements_ += attribute("text-anchor", anchor == Anchor::centre ? "middle" : "end");
  elements_.append(">").append(escaped(text)).append("</text>\n");
}

float SvgCanvas::textWidth(const std::string& text, float size) const {
  constexpr float kAdvance = 0.6f;  // mean advance of DejaVu Sans
  return kAdvance * size * static_cast<float>(text.size());
}

}  // namespace satdof::lab
