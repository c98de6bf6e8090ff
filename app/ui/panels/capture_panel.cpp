#include <imgui.h>

#include <algorithm>
#include <glm/common.hpp>
#include <string>

#include "app/core/files/video_formats.h"
#include "app/core/text/formatted.h"
#include "app/io/codec.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/widgets.h"
#include "app/ui/timeline/timeline.h"

namespace satdof {

namespace {

void drawFormat(CaptureSettings& capture) {
  const auto [codec, chosen] = captureChoice(capture.format);
  rowLabel("Format");
  drawList("##format", chosen->name, captureChoices(), [&, chosen = chosen](const CodecChoice& each) {
    if (listEntry(each.choice->name, each.choice->help, each.choice == chosen)) capture.format = each.choice->name;
  });
  tooltip(chosen->help);
  if (codec->lossy) {
    rowLabel("Quality");
    numberedSlider("##quality", capture.quality, 1, 100);
    capture.quality = std::clamp(capture.quality, 1, 100);
    tooltip(std::string("Of the ") + codec->name + ", 1 to 100: larger files have fewer losses");
  }
}

void drawKeep(CaptureSettings& capture) {
  rowLabel("Metadata");
  drawList("##keep", name(capture.keep), entries(KeepMetadata{}), [&](const auto& entry) {
    if (listEntry(entry.name, entry.summary, entry.value == capture.keep)) capture.keep = entry.value;
  });
  tooltip("What images keep of the EXIF data of the photograph");
}

void drawSize(Session& session) {
  auto& capture = session.preferences.capture;
  const bool photo = showsPhoto(session.settings);
  rowLabel(photo ? "Full size" : "Use window size");
  ImGui::Checkbox("##windowSize", &capture.windowSize);
  tooltip(photo ? "Every pixel of the image file. Off: as large as the size below allows"
                : "Off: rendered again at the size below");
  ImGui::BeginDisabled(capture.windowSize);
  rowLabel("Size");
  glm::ivec2 size = !capture.windowSize ? capture.size : photo ? session.shown.fileSize : session.settings.size;
  ImGui::InputInt2("##size", &size.x);
  if (!capture.windowSize) capture.size = glm::clamp(size, 1, 16384);
  ImGui::EndDisabled();
  tooltip("Width and height in pixels");
}

void drawFrameRate(Session& session) {
  auto& capture = session.preferences.capture;
  rowLabel("Frame rate");
  numberedSlider("##rate", capture.framesPerSecond, 1, 240, "%.0f fps", ImGuiSliderFlags_Logarithmic);
  capture.framesPerSecond = std::clamp(capture.framesPerSecond, 1.0f, 1000.0f);
  tooltip("Images per second of animation");
  rowLabel("Video");
  if (beginList("##video", capture.video ? capture.videoFormat.substr(1) : "numbered images")) {
    if (ImGui::Selectable("numbered images", !capture.video)) capture.video = false;
    for (const std::string_view extension : kVideoOutputs)
      if (ImGui::Selectable(extension.data() + 1, capture.video && capture.videoFormat == extension)) {
        capture.video = true;
        capture.videoFormat = extension;
      }
    endList();
  }
  tooltip(session.videoMissing.empty()
              ? "By ffmpeg: satdof-0001" + capture.videoFormat +
                    ". A GIF is for a few seconds; mov, mkv and webm keep a transparent background"
              : session.videoMissing + ": numbered images are written");
}

void drawShutter(Shutter& shutter) {
  rowLabel("Shutter");
  numberedSlider("##shutter", shutter.angleDegrees, 0, 360, shutter.opens() ? "%.0f\u00b0" : "off");
  shutter.angleDegrees = std::clamp(shutter.angleDegrees, 0.0f, 360.0f);
  tooltip(
      "Motion blur: the part of a frame's time, of 360\u00b0, that the shutter is open. Film cameras: "
      "180\u00b0");
  if (!shutter.opens()) return;
  rowLabel("Images");
  numberedSlider("##shutterSamples", shutter.samples, 1, 64, "%d a frame", ImGuiSliderFlags_Logarithmic);
  shutter.samples = std::clamp(shutter.samples, 1, Shutter::kMaxSamples);
  tooltip("A frame is the mean of these images: it takes as many times as long");
}

}  // namespace

void drawPause(Session& session, float width) {
  bool& paused = session.sequence->paused;
  if (button(paused ? "Go on" : "Pause", "The next frame waits. What is recorded stays", width)) paused = !paused;
}

void drawFilmSettings(Session& session) {
  CaptureSettings& capture = session.preferences.capture;
  drawFrameRate(session);
  drawShutter(capture.shutter);
  if (!capture.video || !session.videoMissing.empty()) drawFormat(capture);
  drawSize(session);
}

void drawCapturePanel(Session& session) {
  auto& capture = session.preferences.capture;
  const auto [codec, choice] = captureChoice(capture.format);
  drawFormat(capture);
  if (showsPhoto(session.settings)) drawKeep(capture);
  drawSize(session);
  const auto isDisplayed = [](const Codec& each) { return each.isWritten() && each.content == Content::displayed; };
  ImGui::BeginDisabled(!capture.windowSize || codec->contentOf(choice->bits) != Content::displayed);
  rowLabel("Include panels");
  ImGui::Checkbox("##withUi", &capture.withUi);
  ImGui::EndDisabled();
  tooltip("Only for " + codecNames(isDisplayed, "and") + " at the window size");
  const float half = shareOfLine(2);
  if (button("Save image", "Numbered files; never overwrites. Key F12", half)) session.request({Command::saveImage});
  ImGui::SameLine();
  if (button("Save as", "Choose name and folder, also of later images. Key Ctrl S", half))
    session.request({Command::saveImageAs});
  textRow("Name", captureName(session).c_str(), capture.name, "Of images and videos, before their number");
  textRow("Folder", "where satdof runs", capture.folder, "Of images, videos and exported photographs");

  rowLabel("Sequence");
  numberedSlider("##frames", capture.sequenceFrames, 2, 3600, "%d frames", ImGuiSliderFlags_Logarithmic);
  capture.sequenceFrames = std::max(capture.sequenceFrames, 1);
  tooltip("Number of images");
  drawFrameRate(session);
  if (!session.sequence) {
    if (button("Record", "A frame for each image, at its best. Key Ctrl F12", -1.0f)) toggleFilm(session);
  } else {
    const auto [frames, written] = std::pair(session.sequence->frames, session.sequence->written);
    ImGui::ProgressBar(static_cast<float>(written) / static_cast<float>(frames), {-1, 0},
                       formatted("%d of %d", written, frames).c_str());
    drawPause(session, half);
    ImGui::SameLine();
    if (button("Stop recording", "Keep what is recorded so far. Key Ctrl F12", half)) toggleFilm(session);
  }
}

}  // namespace satdof
