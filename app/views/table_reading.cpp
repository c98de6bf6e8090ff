#include "app/views/table_reading.h"

#include <bit>

#include "app/core/text/formatted.h"

namespace satdof {

namespace {

glm::vec4 floatsOf(const glm::uvec4& words) {
  return {std::bit_cast<float>(words.x), std::bit_cast<float>(words.y), std::bit_cast<float>(words.z),
          std::bit_cast<float>(words.w)};
}

glm::uvec4 wordsOf(const glm::vec4& floats) {
  return {std::bit_cast<std::uint32_t>(floats.x), std::bit_cast<std::uint32_t>(floats.y),
          std::bit_cast<std::uint32_t>(floats.z), std::bit_cast<std::uint32_t>(floats.w)};
}

// The sum over a box of its corners.
template <class Element>
Element boxSum(const Element& a, const Element& b, const Element& c, const Element& d) {
  return (d - c) - (b - a);
}

std::string cells(const glm::vec4& light) {
  std::string text;
  for (int i = 0; i < 4; ++i) text += formatted("\t%.5g", static_cast<double>(light[i]));
  return text;
}

// The element as stored: integers, or floats with all digits.
std::string cells(const TableReading& reading, const glm::uvec4& element) {
  std::string text;
  for (int i = 0; i < 4; ++i)
    text += reading.format == TableFormat::uint32 ? formatted("\t%u", element[i])
                                                  : formatted("\t%.9g", static_cast<double>(floatsOf(element)[i]));
  return text;
}

std::string sides(const TableBox& box) {
  const glm::ivec2 size = box.to - box.from;
  return std::to_string(size.x) + " x " + std::to_string(size.y);
}

// Names the element of a corner. A corner at the left or lower edge of the image has none: its sum is empty.
std::string elementAt(const glm::ivec2& corner) {
  if (corner.x == 0 || corner.y == 0) return "outside";
  return "T(" + std::to_string(corner.x - 1) + ", " + std::to_string(corner.y - 1) + ")";
}

}  // namespace

glm::uvec4 sumOver(const TableReading& reading, const TableBox& box) {
  const auto& [a, b, c, d] = box.corners;
  if (reading.format == TableFormat::uint32) return boxSum(a, b, c, d);
  return wordsOf(boxSum(floatsOf(a), floatsOf(b), floatsOf(c), floatsOf(d)));
}

glm::vec4 lightOf(const TableReading& reading, const glm::uvec4& element, int areaPx) {
  if (reading.format == TableFormat::uint32) return glm::vec4(element) / reading.scale;
  return floatsOf(element) + reading.mean * static_cast<float>(areaPx);
}

glm::vec4 meanOf(const TableReading& reading) {
  const auto part = [&](const TableBox& box, float weight) {
    return weight * lightOf(reading, sumOver(reading, box), box.areaPx());
  };
  const float t = reading.outerWeight;
  const float area =
      (1.0f - t) * static_cast<float>(reading.inner.areaPx()) + t * static_cast<float>(reading.outer.areaPx());
  return (part(reading.inner, 1.0f - t) + part(reading.outer, t)) / area;
}

std::string textOf(const TableReading& reading) {
  const bool integers = reading.format == TableFormat::uint32;
  const glm::ivec2 end = reading.pixel + 1;
  std::string text = elementAt(end) + "\tR\tG\tB\tA";
  text += std::string(integers ? "\nfixed point" : "\nas stored") + cells(reading, reading.element);
  text += "\nlinear light" + cells(lightOf(reading, reading.element, end.x * end.y));
  if (integers)
    text += formatted("\nmodulo 2^32, light modulo %.6g", 4294967296.0 / static_cast<double>(reading.scale));
  text += formatted("\ncircle of confusion %.2f px", 2.0 * static_cast<double>(reading.radiusPx));
  if (!reading.blurs) return text + ": no box";
  const TableBox& box = reading.box();
  text += ", box " + sides(box);
  constexpr struct {
    const char* name;
    TableBox::Corner corner;
  } kCorners[] = {{"+D ", TableBox::d}, {"-B ", TableBox::b}, {"-C ", TableBox::c}, {"+A ", TableBox::a}};
  for (const auto& [name, corner] : kCorners)
    text += std::string("\n") + name + elementAt(box.at(corner)) + cells(reading, box.corners[corner]);
  const glm::uvec4 sum = sumOver(reading, box);
  const glm::vec4 light = lightOf(reading, sum, box.areaPx());
  text += "\nS = D - B - C + A" + cells(reading, sum);
  text += "\nS in linear light" + cells(light);
  text += "\nmean of " + std::to_string(box.areaPx()) + " px" + cells(light / static_cast<float>(box.areaPx()));
  if (!reading.isMean) return text;
  const bool shows = reading.outerWeight > 0.5f;
  const float other = shows ? 1.0f - reading.outerWeight : reading.outerWeight;
  return text + formatted("\nshown: %.0f%% of ", 100.0 * static_cast<double>(other)) +
         sides(shows ? reading.inner : reading.outer) + cells(meanOf(reading));
}

TableMarks marksOf(const std::optional<TableReading>& reading, bool marksOrigin, glm::ivec2 cornerPx, glm::ivec2 size) {
  const auto placed = [&](const glm::ivec2& point) { return glm::vec2(point - cornerPx) / glm::vec2(size); };
  TableMarks marks{.origin = placed({0, 0}), .marksOrigin = marksOrigin};
  if (!reading) return marks;
  marks.pixel = {placed(reading->pixel), placed(reading->pixel + 1)};
  if (reading->blurs) marks.box = {placed(reading->box().from), placed(reading->box().to)};
  return marks;
}

}  // namespace satdof
