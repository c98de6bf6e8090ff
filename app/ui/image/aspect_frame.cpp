#include "app/ui/image/aspect_frame.h"

#include <imgui.h>

#include <algorithm>
#include <glm/common.hpp>

#include "app/core/text/formatted.h"
#include "app/scene/registry.h"
#include "app/ui/image/zoom.h"
#include "app/ui/panels/widgets.h"

namespace satdof {

namespace {

constexpr float kActionSafe = 0.93f, kTextSafe = 0.9f;

float ratioOf(AspectFrame frame) {
  return frame == AspectFrame::wide ? 16.0f / 9.0f : frame == AspectFrame::scope ? 2.39f : 1.0f;
}

}  // namespace

CapturedArea capturedArea(const Session& session) {
  const Settings& settings = session.settings;
  const CaptureSettings& capture = session.preferences.capture;
  const bool photo = session.shown.fileSize.x > 0 && sceneRow(settings.scene.kind).showsPhotographs();
  const glm::vec2 window(settings.size), file(session.shown.fileSize);
  const glm::vec2 scaled(
      photo ? file * std::min(static_cast<float>(capture.size.x) / file.x, static_cast<float>(capture.size.y) / file.y)
            : glm::vec2(capture.size));
  const glm::vec2 image = !capture.windowSize ? scaled : photo ? file : window;
  // Captures of another aspect ratio keep the vertical field of view, and the camera's target at the same part of the
  // width.
  const float wider = photo ? 1.0f : image.x / image.y * window.y / window.x,
              left = (0.5f + settings.camera.shiftX) * (1.0f - wider);
  return {{left, 0.0f}, {left + wider, 1.0f}, image};
}

std::optional<AspectFrameArea> aspectFrame(const Session& session) {
  const AspectFrame frame = session.settings.present.frame;
  if (frame == AspectFrame::none && !framesFilm(session)) return std::nullopt;
  const CapturedArea area = capturedArea(session);
  const glm::vec2& image = area.pixels;
  const float ratio = frame == AspectFrame::none ? image.x / image.y : ratioOf(frame);
  const glm::vec2 pixels(std::min(image.x, image.y * ratio), std::min(image.y, image.x / ratio));
  const glm::vec2 half = 0.5f * pixels / image;
  const auto inWindow = [&](glm::vec2 part) { return pointOf(session, glm::mix(area.from, area.to, part)); };
  return AspectFrameArea{inWindow(0.5f - half), inWindow(0.5f + half), glm::ivec2(glm::round(pixels)),
                         glm::ivec2(glm::round(image))};
}

void drawAspectFrame(const Session& session) {
  const auto frame = aspectFrame(session);
  if (!frame) return;
  constexpr ImU32 kOutside = IM_COL32(0, 0, 0, 130), kSafe = IM_COL32(255, 255, 255, 110);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const auto at = [&](glm::vec2 point) { return ImVec2(point.x * screen.x, (1.0f - point.y) * screen.y); };
  const ImVec2 low = at({frame->from.x, frame->to.y}), high = at({frame->to.x, frame->from.y});
  auto& draw = *ImGui::GetBackgroundDrawList();
  draw.AddRectFilled({0, 0}, {screen.x, low.y}, kOutside);
  draw.AddRectFilled({0, high.y}, screen, kOutside);
  draw.AddRectFilled({0, low.y}, {low.x, high.y}, kOutside);
  draw.AddRectFilled({high.x, low.y}, {screen.x, high.y}, kOutside);
  draw.AddRect(low, high, IM_COL32_WHITE);
  const bool film = session.settings.present.frame == AspectFrame::none;
  for (const float part : {kActionSafe, kTextSafe}) {
    if (film) break;
    const ImVec2 in(0.5f * (1.0f - part) * (high.x - low.x), 0.5f * (1.0f - part) * (high.y - low.y));
    draw.AddRect({low.x + in.x, low.y + in.y}, {high.x - in.x, high.y - in.y}, kSafe);
  }
  const std::string text = film ? formatted("Film: %d x %d", frame->image.x, frame->image.y)
                                : formatted("%s: %d x %d of %d x %d", name(session.settings.present.frame),
                                            frame->pixels.x, frame->pixels.y, frame->image.x, frame->image.y);
  const float line = ImGui::GetTextLineHeight(), margin = 0.4f * line;
  const glm::vec2 corner(std::max(low.x, session.visible.left * screen.x) + margin,
                         std::min(high.y, (1.0f - session.visible.bottom) * screen.y) - line - margin);
  drawShadowedText(draw, corner, text);
}

}  // namespace satdof
