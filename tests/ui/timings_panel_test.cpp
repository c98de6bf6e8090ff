#include "app/ui/panels/timings_panel.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

namespace satdof {
namespace {

// Matrices on linear RGB, by columns: normal vision, then two colour deficiencies of severity 1 (Machado et al. 2009).
constexpr std::array kVisions = {
    glm::mat3(1.0f),
    glm::mat3(0.152286f, 0.114503f, -0.003882f, 1.052583f, 0.786281f, -0.048116f, -0.204868f, 0.099216f, 1.051998f),
    glm::mat3(0.367322f, 0.280085f, -0.011820f, 0.860646f, 0.672501f, 0.042940f, -0.227968f, 0.047413f, 0.968881f)};

glm::vec3 linear(unsigned packed) {
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(packed);
  const auto decoded = [](float value) {
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
  };
  return {decoded(colour.x), decoded(colour.y), decoded(colour.z)};
}

// Linear sRGB to OKLab (Ottosson 2020).
glm::vec3 okLab(glm::vec3 rgb) {
  const glm::mat3 cones(0.4122214708f, 0.2119034982f, 0.0883024619f, 0.5363325363f, 0.6806995451f, 0.2817188376f,
                        0.0514459929f, 0.1073969566f, 0.6299787005f);
  const glm::mat3 lab(0.2104542553f, 1.9779984951f, 0.0259040371f, 0.7936177850f, -2.4285922050f, 0.7827717662f,
                      -0.0040720468f, 0.4505937099f, -0.8086757660f);
  const glm::vec3 response = cones * rgb;
  return lab * glm::vec3(std::cbrt(response.x), std::cbrt(response.y), std::cbrt(response.z));
}

// Distance of two packed colours in OKLab; 0.02 is just noticeable.
float distance(unsigned a, unsigned b, const glm::mat3& vision) {
  const auto seen = [&](unsigned colour) {
    return okLab(glm::clamp(vision * linear(colour), glm::vec3(0.0f), glm::vec3(1.0f)));
  };
  return glm::distance(seen(a), seen(b));
}

TEST(TimingsPanel, TheColoursOfStagesDiffer) {
  const auto colours = stageColours();
  ASSERT_GE(colours.size(), 20u) << "as many stages as one frame may have";
  for (std::size_t vision = 0; vision < kVisions.size(); ++vision)
    for (std::size_t a = 0; a < colours.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_GT(distance(colours[a], colours[b], kVisions[vision]), vision == 0 ? 0.11f : 0.07f)
            << a << ", " << b << ", vision " << vision;
      EXPECT_GT(distance(colours[a], colours[(a + 1) % colours.size()], kVisions[vision]), vision == 0 ? 0.22f : 0.17f)
          << a << " and the next, vision " << vision;
    }
}

TEST(TimingsPanel, ExplainsStagesOfBothSides) {
  for (const char* const stage : {"scene", "table", "A: lens", "B: lens", "collect highlights", "present"})
    EXPECT_NE(stageHelp(stage), "") << stage;
  EXPECT_EQ(stageHelp("A: lens"), stageHelp("lens"));
  EXPECT_EQ(stageHelp("frame"), "");
}

}  // namespace
}  // namespace satdof
