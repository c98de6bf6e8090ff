#include "app/ui/panels/style.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace satdof {
namespace {

// Relative luminance of an sRGB colour, 0 to 1: WCAG 2.1.
float luminance(const ImVec4& colour) {
  const auto linear = [](float value) {
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
  };
  return 0.2126f * linear(colour.x) + 0.7152f * linear(colour.y) + 0.0722f * linear(colour.z);
}

float contrast(const ImVec4& a, const ImVec4& b) {
  const float first = luminance(a) + 0.05f, second = luminance(b) + 0.05f;
  return std::max(first, second) / std::min(first, second);
}

class Style : public testing::Test {
 protected:
  void SetUp() override { ImGui::CreateContext(); }
  void TearDown() override { ImGui::DestroyContext(); }
};

TEST_F(Style, TextOnControlsIsReadable) {
  constexpr float kReadable = 4.5f;  // WCAG 2.1, level AA
  setStyle(1.0f);
  const ImVec4* const colours = ImGui::GetStyle().Colors;
  for (const ImGuiCol under :
       {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_SliderGrab,
        ImGuiCol_SliderGrabActive, ImGuiCol_Header, ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive, ImGuiCol_Button,
        ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive, ImGuiCol_PlotHistogram})
    EXPECT_GE(contrast(colours[ImGuiCol_Text], colours[under]), kReadable) << ImGui::GetStyleColorName(under);
  for (const ImGuiCol part : {ImGuiCol_SliderGrab, ImGuiCol_PlotHistogram})
    EXPECT_GE(contrast(colours[part], colours[ImGuiCol_FrameBg]), 1.5f)
        << "seen on its track: " << ImGui::GetStyleColorName(part);
}

TEST_F(Style, ListsAreOpaque) {
  setStyle(1.0f);
  EXPECT_EQ(ImGui::GetStyle().Colors[ImGuiCol_PopupBg].w, 1.0f);
}

TEST_F(Style, TitlesAreBoldAndAsidesSmall) {
  loadTypefaces(14.0f);
  ImGui::GetIO().Fonts->Build();
  const auto& fonts = ImGui::GetIO().Fonts->Fonts;
  ASSERT_EQ(fonts.Size, 3);
  EXPECT_GT(fonts[1]->GetCharAdvance('m'), fonts[0]->GetCharAdvance('m')) << "bold";
  EXPECT_LT(fonts[2]->GetCharAdvance('m'), fonts[0]->GetCharAdvance('m'));
}

}  // namespace
}  // namespace satdof
