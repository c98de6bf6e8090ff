#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "app/scene/registry.h"
#include "app/ui/edit.h"
#include "app/ui/panels.h"
#include "app/ui/widgets.h"

namespace satdof {

namespace {

struct FormatEntry {
  CaptureFormat format;
  const char* name;
  const char* help;
};
constexpr std::array kFormats = {
    FormatEntry{CaptureFormat::png8, "PNG, 8 bit", "As displayed; contains the settings"},
    FormatEntry{CaptureFormat::png16, "PNG, 16 bit",
                "As displayed, with 16 bits per channel; contains the settings"},
    FormatEntry{CaptureFormat::jpeg, "JPEG",
                "As displayed, with the losses of the quality; contains the settings"},
    FormatEntry{CaptureFormat::exr16, "OpenEXR, 16 bit",
                "Linear light, depth, circle of confusion, near coverage; contains the settings"},
    FormatEntry{CaptureFormat::exr32, "OpenEXR, 32 bit", "The same with 32 bits per channel"},
    FormatEntry{CaptureFormat::hdr, "Radiance HDR", "Linear light, before exposure; contains the settings"},
    FormatEntry{CaptureFormat::pfm, "PFM", "Linear light, before exposure, 32-bit floats"},
};

bool showsPhoto(const SceneSettings& scene) {
  return sceneRow(scene.kind).imageSize != nullptr && !scene.image.file.none();
}

}  // namespace

void drawCapturePanel(Session& session) {
  auto& capture = session.preferences.capture;
  const auto& chosen = *std::find_if(kFormats.begin(), kFormats.end(),
                                     [&](const auto& entry) { return entry.format == capture.format; });
  rowLabel("Format");
  if (beginList("##format", chosen.name)) {
    for (const auto& entry : kFormats) {
      if (ImGui::Selectable(entry.name, entry.format == capture.format)) capture.format = entry.format;
      tooltip(entry.help);
    }
    ImGui::EndCombo();
  }
  tooltip(chosen.help);
  if (capture.format == CaptureFormat::jpeg) {
    rowLabel("Quality");
    ImGui::SliderInt("##quality", &capture.quality, 1, 100);
    capture.quality = std::clamp(capture.quality, 1, 100);
    tooltip("Of the JPEG, 1 to 100: larger files have fewer losses");
  }
  const bool photo = showsPhoto(session.settings.scene);
  rowLabel(photo ? "Full size" : "Use window size");
  ImGui::Checkbox("##windowSize", &capture.windowSize);
  tooltip(photo ? "Every pixel of the image file. Off: as large as the size below allows"
                : "Off: rendered again at the size below");
  ImGui::BeginDisabled(capture.windowSize);
  rowLabel("Size");
  ImGui::InputInt2("##size", &capture.size.x);
  capture.size = {std::clamp(capture.size.x, 1, 16384), std::clamp(capture.size.y, 1, 16384)};
  ImGui::EndDisabled();
  tooltip("Width and height in pixels");
  const bool noUi = !capture.windowSize ||
                    (capture.format != CaptureFormat::png8 && capture.format != CaptureFormat::png16 &&
                     capture.format != CaptureFormat::jpeg);
  ImGui::BeginDisabled(noUi);
  rowLabel("Include panels");
  ImGui::Checkbox("##withUi", &capture.withUi);
  ImGui::EndDisabled();
  tooltip("Only for PNG and JPEG at the window size");
  if (button("Save image", "Numbered files; never overwrites. Key F12", -1.0f)) session.captureNow = true;

  rowLabel("Sequence");
  ImGui::SliderInt("##frames", &capture.sequenceFrames, 2, 3600, "%d frames", ImGuiSliderFlags_Logarithmic);
  capture.sequenceFrames = std::max(capture.sequenceFrames, 1);
  tooltip("Number of images");
  rowLabel("Frame rate");
  ImGui::SliderFloat("##rate", &capture.framesPerSecond, 1, 240, "%.0f fps", ImGuiSliderFlags_Logarithmic);
  capture.framesPerSecond = std::clamp(capture.framesPerSecond, 1.0f, 1000.0f);
  tooltip("Images per second of animation");
  rowLabel("Video");
  ImGui::Checkbox("##video", &capture.video);
  tooltip(session.videoMissing.empty() ? "By ffmpeg: satdof-0001.mp4. Off: numbered images"
                                       : (session.videoMissing + ": numbered images are written").c_str());
  if (!session.sequence) {
    if (button("Record", "A frame for each image, at its best. Key Ctrl F12", -1.0f))
      toggleRecording(session);
  } else {
    char text[48];
    std::snprintf(text, sizeof text, "%d of %d", session.sequence->written, session.sequence->frames);
    ImGui::ProgressBar(
        static_cast<float>(session.sequence->written) / static_cast<float>(session.sequence->frames), {-1, 0},
        text);
    if (button("Stop recording", "Keep what is recorded so far. Key Ctrl F12", -1.0f))
      toggleRecording(session);
  }
}

}  // namespace satdof
