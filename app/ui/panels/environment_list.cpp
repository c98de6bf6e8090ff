#include "app/ui/panels/environment_list.h"

#include <imgui.h>

#include <filesystem>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/core/files/data_dir.h"
#include "app/core/files/files.h"
#include "app/scene/model/environment.h"
#include "app/ui/panels/widgets.h"

namespace satdof {

namespace {

constexpr int kAcross = 32, kDown = 16;  // quadrilaterals of the image of a sky

struct SkyEntry {
  std::string name, value, help;
  std::vector<ImU32> colours;  // of the corners, top row first
};

// Returns the colours of the corners of the quadrilaterals, exposed by the mean of the sky.
template <class Radiance>
std::vector<ImU32> skyColours(const Radiance& radiance) {
  std::vector<glm::vec3> light;
  float sum = 0.0f;
  for (int y = 0; y <= kDown; ++y)
    for (int x = 0; x <= kAcross; ++x) {
      light.push_back(radiance(glm::vec2(x, y) / glm::vec2(kAcross, kDown)));
      sum += std::min(glm::dot(light.back(), glm::vec3(1.0f / 3.0f)), 1.0f);
    }
  const float gain = 0.5f * static_cast<float>(light.size()) / std::max(sum, 1e-6f);
  std::vector<ImU32> colours;
  for (const glm::vec3& each : light) {
    const glm::vec3 shown = glm::pow(1.0f - glm::exp(-gain * each), glm::vec3(1.0f / 2.2f));
    colours.push_back(ImGui::ColorConvertFloat4ToU32({shown.r, shown.g, shown.b, 1.0f}));
  }
  return colours;
}

std::vector<SkyEntry> skyEntries() {
  std::vector<SkyEntry> all;
  for (const EnvironmentRow& row : environmentRows())
    all.push_back(
        {row.name, row.name, row.summary, skyColours([&](glm::vec2 uv) { return row.radiance(skyDirection(uv)); })});
  std::error_code unknown;
  for (const auto& file : std::filesystem::directory_iterator(dataDir() / "assets", unknown)) {
    if (!isEnvironmentFile(file.path())) continue;
    try {
      Notes notes;
      const SkyImage sky = decodeSky(readWholeFile(file.path(), FileLimits().bytes), {}, notes);
      all.push_back({file.path().stem().string(), file.path().string(), file.path().string(),
                     skyColours([&](glm::vec2 uv) { return sky.sample(uv); })});
    } catch (const std::runtime_error&) {  // the scene says why, once it is chosen
    }
  }
  return all;
}

void drawSkyImage(const SkyEntry& entry, ImVec2 from, ImVec2 size) {
  auto& draw = *ImGui::GetWindowDrawList();
  const auto at = [&](int x, int y) {
    return ImVec2(from.x + size.x * static_cast<float>(x) / kAcross, from.y + size.y * static_cast<float>(y) / kDown);
  };
  const auto colour = [&](int x, int y) { return entry.colours[static_cast<std::size_t>(y * (kAcross + 1) + x)]; };
  for (int y = 0; y < kDown; ++y)
    for (int x = 0; x < kAcross; ++x)
      draw.AddRectFilledMultiColor(at(x, y), at(x + 1, y + 1), colour(x, y), colour(x + 1, y), colour(x + 1, y + 1),
                                   colour(x, y + 1));
}

}  // namespace

void drawEnvironmentList(FilePath& environment) {
  static std::vector<SkyEntry> entries;  // once the list is opened
  rowLabel("Sky");
  const std::string path = environment.text;
  const bool open = beginList("##skies", path.empty() ? "choose..." : std::filesystem::path(path).stem().string());
  tooltip("Environments that come with satdof. An own one: its path, or drop the file on the window");
  if (!open) return;
  if (entries.empty()) entries = skyEntries();
  const float height = 2.0f * ImGui::GetFrameHeight();
  const ImVec2 image(2.0f * height, height), padding = ImGui::GetStyle().FramePadding;
  for (const SkyEntry& entry : entries) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 name(at.x + image.x + 2.0f * padding.x, at.y + 0.5f * (height - ImGui::GetFontSize()));
    if (ImGui::Selectable(("##" + entry.name).c_str(), entry.value == path, 0, {0.0f, height}))
      environment.text = entry.value;
    tooltip(entry.help);
    drawSkyImage(entry, at, image);
    ImGui::GetWindowDrawList()->AddText(name, ImGui::GetColorU32(ImGuiCol_Text), entry.name.c_str());
  }
  endList();
}

}  // namespace satdof
