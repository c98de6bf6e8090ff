#include "app/ui/panels/style.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/core/files/data_dir.h"
#include "app/core/files/file_names.h"

namespace satdof {

namespace {

ImVec4 grey(float value, float alpha = 1.0f) { return {value, value, value, alpha}; }
ImVec4 amber(float value) { return {value, 0.70f * value, 0.32f * value, 1.0f}; }

}  // namespace

void setStyle(float scale) {
  ImGui::GetStyle() = ImGuiStyle();
  ImGui::StyleColorsDark();
  auto& style = ImGui::GetStyle();
  style.WindowRounding = 0.0f;
  style.FrameRounding = style.PopupRounding = style.GrabRounding = style.ScrollbarRounding = 3.0f;
  style.WindowBorderSize = 0.0f;
  style.PopupBorderSize = 1.0f;
  style.WindowPadding = {10, 8};
  style.FramePadding = {6, 3};
  style.ItemSpacing = {6, 4};
  style.ScrollbarSize = 10.0f;
  style.ScaleAllSizes(scale);
  const std::array<std::pair<ImGuiCol, ImVec4>, 21> colours = {{
      {ImGuiCol_WindowBg, grey(0.07f, 0.86f)},
      {ImGuiCol_PopupBg, grey(0.09f)},
      {ImGuiCol_Border, grey(0.35f, 0.6f)},
      {ImGuiCol_Text, grey(0.92f)},
      {ImGuiCol_TextDisabled, grey(0.62f)},
      {ImGuiCol_FrameBg, grey(0.22f, 0.8f)},
      {ImGuiCol_FrameBgHovered, grey(0.30f, 0.9f)},
      {ImGuiCol_FrameBgActive, grey(0.34f)},
      {ImGuiCol_Header, grey(0.20f, 0.9f)},
      {ImGuiCol_HeaderHovered, grey(0.28f)},
      {ImGuiCol_HeaderActive, grey(0.34f)},
      {ImGuiCol_Button, grey(0.26f, 0.9f)},
      {ImGuiCol_ButtonHovered, amber(0.45f)},
      {ImGuiCol_ButtonActive, amber(0.54f)},
      {ImGuiCol_SliderGrab, amber(0.45f)},
      {ImGuiCol_SliderGrabActive, amber(0.54f)},
      {ImGuiCol_CheckMark, amber(1.0f)},
      {ImGuiCol_PlotHistogram, amber(0.54f)},
      {ImGuiCol_ScrollbarBg, grey(0.0f, 0.0f)},
      {ImGuiCol_NavHighlight, amber(1.0f)},
      {ImGuiCol_TableRowBgAlt, grey(1.0f, 0.04f)},
  }};
  for (const auto& [slot, colour] : colours) style.Colors[slot] = colour;
}

void loadTypefaces(float sizePx) {
  constexpr float kHintScale = 0.86f;
  auto& fonts = *ImGui::GetIO().Fonts;
  fonts.Clear();
  for (const auto& [name, size] : {std::pair("DejaVuSans.ttf", sizePx),
                                   {"DejaVuSans-Bold.ttf", sizePx},
                                   {"DejaVuSans.ttf", std::round(kHintScale * sizePx)}}) {
    const auto file = dataDir() / "fonts" / name;
    if (isRegularFile(file)) {
      fonts.AddFontFromFileTTF(file.string().c_str(), size);
    } else {
      ImFontConfig config;
      config.SizePixels = size;
      fonts.AddFontDefault(&config);
    }
  }
}

void pushTypeface(Typeface typeface) {
  const auto& fonts = ImGui::GetIO().Fonts->Fonts;
  ImGui::PushFont(fonts[std::min(static_cast<int>(typeface), fonts.Size - 1)]);
}

void popTypeface() { ImGui::PopFont(); }

}  // namespace satdof
