#include "app/ui/panels/widgets.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/ui/panels/field_widgets.h"
#include "app/ui/panels/fitted_text.h"

namespace satdof {
namespace {

class WidgetsInFrame : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {320.0f, 200.0f};
    ImGui::GetIO().Fonts->Build();
    ImGui::NewFrame();
  }
  void TearDown() override {
    ImGui::EndFrame();
    ImGui::DestroyContext();
  }
};

TEST(Widgets, ResetsTheFieldsOfASectionOnly) {
  Settings settings;
  settings.lens.fNumber = 8.0f;
  settings.lens.blades = 5;
  settings.technique.lens.kind = LensKind::tent;
  settings.technique.view = View::coc;
  settings.camera.yawDegrees = 99.0f;
  const char* const paths[] = {"lens.", "technique.lens.kind"};
  resetFields(settings, paths);
  EXPECT_EQ(settings.lens, LensSettings{});
  EXPECT_EQ(settings.technique.lens.kind, LensKind::automatic);
  EXPECT_EQ(settings.technique.view, View::coc);
  EXPECT_EQ(settings.camera.yawDegrees, 99.0f);
  const Settings before = settings;
  resetFields(settings, {});
  EXPECT_EQ(settings, before);
}

TEST_F(WidgetsInFrame, LinesBreakAtSpacesAndNotInNumbers) {
  const std::string text = "inverse metres, times 1.62074e-05";
  const auto widthOf = [](const char* line) { return ImGui::CalcTextSize(line).x; };
  EXPECT_EQ(brokenAtSpaces(text, widthOf("inverse metres, times 1.62")), "inverse metres, times\n1.62074e-05");
  EXPECT_EQ(brokenAtSpaces(text, widthOf("inverse metres,")), "inverse metres,\ntimes\n1.62074e-05");
  EXPECT_EQ(brokenAtSpaces(text, widthOf(text.c_str())), text);
  EXPECT_EQ(brokenAtSpaces("one\ntwo", widthOf("one")), "one\ntwo");
  EXPECT_EQ(brokenAtSpaces("1.62074e-05", 1.0f), "1.62074e-05");
  const std::string radius = "Blur at infinity: 18.9 px radius";
  EXPECT_EQ(brokenAtSpaces(radius, widthOf("Blur at infinity: 18.9")), "Blur at infinity:\n18.9 px radius");
  EXPECT_EQ(brokenAtSpaces("at 35 % of 4 layers", 1.0f), "at\n35 %\nof\n4\nlayers");
}

TEST(Widgets, TooltipsOfSideBNameNoKeys) {
  EXPECT_NE(notesOf(controlOf("view"), kTechniqueA).find("Keys 1 to 9"), std::string::npos);
  for (const Control& control : controls(ControlGroup::technique))
    EXPECT_EQ(notesOf(control, kTechniqueB).find("Key"), std::string::npos) << control.path;
  EXPECT_EQ(notesOf(controlOf("device"), kTechniqueB), "\nGPU Gems 3, 39.3.2 and 39.2.6");
}

TEST_F(WidgetsInFrame, TextIsCutToItsWidth) {
  const auto widthOf = [](const char* line) { return ImGui::CalcTextSize(line).x; };
  EXPECT_EQ(cut("Best image", widthOf("Best image")), "Best image");
  EXPECT_EQ(cut("Best image", widthOf("Best...")), "Best...");
  EXPECT_EQ(cut("a\u00e9\u00e9\u00e9\u00e9", widthOf("a...")), "a...") << "whole characters";
  EXPECT_EQ(cut("", 1.0f), "");
  EXPECT_EQ(cutBeginning("/home/a.png", widthOf("/home/a.png")), "/home/a.png");
  EXPECT_EQ(cutBeginning("/home/a.png", widthOf("...a.png")), "...a.png");
  EXPECT_EQ(cutBeginning("a\u00e9\u00e9\u00e9\u00e9", widthOf("...\u00e9")), "...\u00e9");
}

TEST(Widgets, TimesHaveAtMostFourCharactersAndAUnit) {
  for (const auto& [timeUs, expected] : {std::pair{0.0f, "0.0 us"},
                                         {12.34f, "12.3 us"},
                                         {999.4f, "999 us"},
                                         {999.6f, "1.00 ms"},
                                         {99960.0f, "100 ms"},
                                         {999400.0f, "999 ms"},
                                         {1.2345e6f, "1.23 s"},
                                         {62e6f, "62.0 s"}})
    EXPECT_EQ(timeText(timeUs), expected);
}

TEST_F(WidgetsInFrame, ANumberStandsBesideItsSlider) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({300, 100});
  ImGui::Begin("panel");
  float value = 2.5f;
  ImGui::SetNextItemWidth(-1.0f);
  numberedSlider("##number", value, 0.0f, 5.0f, "%.2f m");
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  // The knob is in the middle; the text is right of the slider.
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  float left = 320.0f, right = 0.0f;
  for (const ImDrawVert& vertex : ImGui::GetWindowDrawList()->VtxBuffer) {
    const bool isText = vertex.uv.x != white.x || vertex.uv.y != white.y;
    if (!isText || (vertex.col & IM_COL32_A_MASK) == 0 || vertex.pos.y < from.y || vertex.pos.y > to.y + 4) continue;
    left = std::min(left, vertex.pos.x);
    right = std::max(right, vertex.pos.x);
  }
  EXPECT_GT(left, to.x);
  EXPECT_LT(right, 300.0f);
  EXPECT_GT(right, left);
  ImGui::End();
}

}  // namespace
}  // namespace satdof
