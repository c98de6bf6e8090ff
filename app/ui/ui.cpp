#include "app/ui/ui.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "app/core/data_dir.h"
#include "app/device/device.h"
#include "app/gl/gl.h"
#include "app/ui/benchmark_panel.h"
#include "app/ui/keys.h"
#include "app/ui/lab_panel.h"
#include "app/ui/panels.h"
#include "app/ui/timings_panel.h"
#include "app/ui/widgets.h"

namespace satdof {

namespace {

constexpr float kColumnWidth = 340.0f;
constexpr float kLargestColumnFraction = 0.5f;
constexpr float kFontSize = 14.0f;
constexpr float kOverlayAlpha = 0.96f;
constexpr float kProgressHeight = 4.0f;
constexpr ImU32 kAccent = IM_COL32(240, 178, 82, 255);
constexpr ImU32 kShadow = IM_COL32(0, 0, 0, 150);

constexpr ImGuiWindowFlags kFixedWindow = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                          ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

// The scales of the window and its monitor.
struct Scales {
  float pixelsPerPoint = 1.0f;  // framebuffer pixels per screen coordinate
  float content = 1.0f;         // framebuffer pixels per pixel of a display without scaling
  bool operator==(const Scales&) const = default;
};

Scales scalesOf(GLFWwindow* window) {
  int width = 0, height = 0, pixels = 0, unused = 0;
  glfwGetWindowSize(window, &width, &height);
  glfwGetFramebufferSize(window, &pixels, &unused);
  Scales scales;
  if (width > 0 && pixels > 0) scales.pixelsPerPoint = static_cast<float>(pixels) / static_cast<float>(width);
  glfwGetWindowContentScale(window, &scales.content, nullptr);
  return scales;
}

ImVec4 grey(float value, float alpha = 1.0f) { return {value, value, value, alpha}; }
ImVec4 amber(float value, float alpha = 1.0f) { return {value, 0.70f * value, 0.32f * value, alpha}; }

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
  const std::array<std::pair<ImGuiCol, ImVec4>, 20> colours = {{
      {ImGuiCol_WindowBg, grey(0.07f, 0.86f)},
      {ImGuiCol_PopupBg, grey(0.09f, 0.97f)},
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
      {ImGuiCol_ButtonHovered, amber(0.55f)},
      {ImGuiCol_ButtonActive, amber(0.75f)},
      {ImGuiCol_SliderGrab, amber(0.62f)},
      {ImGuiCol_SliderGrabActive, amber(0.75f)},
      {ImGuiCol_CheckMark, amber(1.0f)},
      {ImGuiCol_PlotHistogram, amber(0.85f)},
      {ImGuiCol_ScrollbarBg, grey(0.0f, 0.0f)},
      {ImGuiCol_TableRowBgAlt, grey(1.0f, 0.04f)},
  }};
  for (const auto& [slot, colour] : colours) style.Colors[slot] = colour;
}

ImU32 faded(ImU32 colour, float alpha) {
  const auto old = static_cast<float>((colour >> IM_COL32_A_SHIFT) & 0xff);
  return (colour & ~IM_COL32_A_MASK) | (static_cast<ImU32>(old * alpha) << IM_COL32_A_SHIFT);
}

std::string summary(const Technique& technique) {
  const Device& device = deviceOf(technique.device);
  std::string text = name(device.id);
  if (device.uses.scan) text += std::string(" ") + name(technique.table.scan);
  return text + ", " + name(technique.table.format) + ", " + name(technique.lens.kind) +
         (technique.view == View::final ? "" : std::string(", ") + name(technique.view));
}

void drawShadowedText(ImDrawList& draw, ImVec2 at, const std::string& text) {
  draw.AddText({at.x + 1, at.y + 1}, IM_COL32_BLACK, text.c_str());
  draw.AddText(at, IM_COL32_WHITE, text.c_str());
}

void drawSplitLine(const Session& session, bool onSplit, float scale) {
  const Settings& settings = session.settings;
  auto& draw = *ImGui::GetBackgroundDrawList();
  const auto size = ImGui::GetIO().DisplaySize;
  const float x = session.shownSplit() * size.x;
  const ImU32 colour = onSplit ? kAccent : IM_COL32_WHITE;
  draw.AddLine({x, 0}, {x, size.y}, kShadow, 3.0f * scale);
  draw.AddLine({x, 0}, {x, size.y}, colour, 1.0f * scale);
  draw.AddCircleFilled({x, size.y / 2}, 7.0f * scale, colour);
  const float y = size.y - 2.0f * ImGui::GetFontSize();
  const auto a = "A: " + summary(settings.technique);
  drawShadowedText(draw, {x - 10.0f * scale - ImGui::CalcTextSize(a.c_str()).x, y}, a);
  drawShadowedText(draw, {x + 10.0f * scale, y}, "B: " + summary(settings.split.b));
}

// Draws the progress of an image refined over several frames, at its lower edge, right of the column.
void drawProgress(float progress, float left, float scale) {
  if (progress >= 1.0f) return;
  auto& draw = *ImGui::GetBackgroundDrawList();
  const auto size = ImGui::GetIO().DisplaySize;
  const float top = size.y - kProgressHeight * scale;
  draw.AddRectFilled({left, top}, size, kShadow);
  draw.AddRectFilled({left, top}, {left + progress * (size.x - left), size.y}, kAccent);
}

void drawFocusMarker(const Session& session, float scale) {
  if (session.focusMarkerAgeS >= kFocusMarkerS) return;
  auto& draw = *ImGui::GetForegroundDrawList();
  const auto size = ImGui::GetIO().DisplaySize;
  const ImVec2 at(session.focusMarker.x * size.x, (1.0f - session.focusMarker.y) * size.y);
  const float left = 1.0f - session.focusMarkerAgeS / kFocusMarkerS;
  const float radius = (10.0f + 10.0f * left) * scale;
  draw.AddCircle(at, radius, faded(kShadow, left), 0, 4.0f * scale);
  draw.AddCircle(at, radius, faded(kAccent, left), 0, 2.0f * scale);
}

void drawNotice(const Session& session) {
  if (session.noticeAgeS >= kNoticeS) return;
  const auto size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x - ImGui::GetFontSize(), size.y - ImGui::GetFontSize()}, 0, {1.0f, 1.0f});
  ImGui::SetNextWindowBgAlpha(kOverlayAlpha);
  ImGui::Begin("notice", nullptr,
               kFixedWindow | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::TextUnformatted(session.notice.c_str());
  ImGui::End();
}

void drawError(Session& session) {
  if (session.errors.empty()) return;
  const auto size = ImGui::GetIO().DisplaySize;
  const float margin = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({size.x - margin, margin}, 0, {1.0f, 0.0f});
  ImGui::SetNextWindowSize({std::min(36.0f * margin, size.x - 2 * margin), 0.0f});
  ImGui::SetNextWindowBgAlpha(kOverlayAlpha);
  ImGui::Begin("error", nullptr, kFixedWindow | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PushTextWrapPos(0.0f);
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(1.0f, 0.55f, 0.45f, 1.0f));
  for (const auto& error : session.errors) ImGui::TextUnformatted(error.text.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  if (ImGui::Button("Close")) session.errors.clear();
  ImGui::End();
}

void drawKeys(Session& session) {
  if (!session.showKeys) return;
  const auto size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, 0, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({0, 0}, size);
  ImGui::SetNextWindowBgAlpha(kOverlayAlpha);
  ImGui::Begin("keys", nullptr, kFixedWindow | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {ImGui::GetFontSize(), 0.1f * ImGui::GetFontSize()});
  if (ImGui::BeginTable("bindings", 2, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg)) {
    for (const auto& binding : keyBindings()) {
      if (binding.keys == nullptr) continue;
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kAccent), "%s", binding.keys);
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(binding.help);
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
  ImGui::End();
}

bool section(const char* title, bool open) {
  return ImGui::CollapsingHeader(title, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

}  // namespace

struct Ui::Parts {
  GLFWwindow* window = nullptr;
  Scales scales{0.0f, 0.0f};
  TimingsPanel timings;

  // Screen coordinates per pixel of a display without scaling.
  float scale() const { return scales.content / scales.pixelsPerPoint; }

  void followScales() {
    const auto now = scalesOf(window);
    if (now == scales) return;
    scales = now;
    setStyle(scale());
    auto& fonts = *ImGui::GetIO().Fonts;
    fonts.Clear();
    const float sizePx = std::round(kFontSize * scales.content);
    const auto file = dataDir() / "fonts" / "DejaVuSans.ttf";
    if (std::filesystem::is_regular_file(file)) {
      fonts.AddFontFromFileTTF(file.c_str(), sizePx);
    } else {
      ImFontConfig config;
      config.SizePixels = sizePx;
      fonts.AddFontDefault(&config);
    }
    ImGui::GetIO().FontGlobalScale = 1.0f / scales.pixelsPerPoint;
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }

  void feed(const InputEvent& event) {
    using Kind = InputEvent::Kind;
    auto& io = ImGui::GetIO();
    switch (event.kind) {
      case Kind::key:
      case Kind::keyUp:
        feedKey(event);
        break;
      case Kind::character:
        // Fields for numbers drop a comma: 1,5 would become 15.
        io.AddInputCharacter(event.code == ',' ? '.' : static_cast<unsigned>(event.code));
        break;
      case Kind::press:
      case Kind::release:
        if (event.code < static_cast<int>(std::size(io.MouseDown))) feedButton(event);
        break;
      case Kind::move:
        moveMouse({event.at.x, event.at.y});
        break;
      case Kind::leave:
        moveMouse({-FLT_MAX, -FLT_MAX});
        break;
      case Kind::scroll:
        if (!event.control) ImGui_ImplGlfw_ScrollCallback(window, 0.0, static_cast<double>(event.at.y));
        break;
    }
  }

#if IMGUI_VERSION_NUM >= 18700
  void feedKey(const InputEvent& event) const {
    const int action = event.kind == InputEvent::Kind::keyUp ? GLFW_RELEASE : GLFW_PRESS;
    ImGui_ImplGlfw_KeyCallback(window, event.code, event.scancode, action, 0);
    if (action != GLFW_PRESS) return;  // the backend asks for the modifiers of now, not of the press
#if IMGUI_VERSION_NUM >= 18900
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, event.control);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, event.shift);
#else
    ImGui::GetIO().AddKeyEvent(ImGuiKey_ModCtrl, event.control);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_ModShift, event.shift);
#endif
  }
  void feedButton(const InputEvent& event) {
    ImGui::GetIO().AddMouseButtonEvent(event.code, event.kind == InputEvent::Kind::press);
  }
  void moveMouse(ImVec2 at) {
    if (at.x != -FLT_MAX) ImGui_ImplGlfw_CursorEnterCallback(window, GLFW_TRUE);
    ImGui::GetIO().AddMousePosEvent(at.x, at.y);
  }
  void overridePolledMouse() {}
#else
  void feedKey(const InputEvent& event) const {
    auto& io = ImGui::GetIO();
    const bool down = event.kind != InputEvent::Kind::keyUp;
    if (event.code >= 0 && event.code < static_cast<int>(std::size(io.KeysDown)))
      io.KeysDown[event.code] = down;
    const auto modifier = [&](bool& state, bool pressed, int left, int right) {
      state = event.code == left || event.code == right ? down : pressed;
    };
    modifier(io.KeyCtrl, event.control, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
    modifier(io.KeyShift, event.shift, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
  }
  void feedButton(const InputEvent& event) {
    buttons[static_cast<size_t>(event.code)] = event.kind == InputEvent::Kind::press;
    ImGui::GetIO().KeyCtrl = event.control;
    ImGui::GetIO().KeyShift = event.shift;
  }
  void moveMouse(ImVec2 at) { mouse = at; }
  void overridePolledMouse() {
    ImGui::GetIO().MousePos = mouse;
    std::ranges::copy(buttons, ImGui::GetIO().MouseDown);
  }
  ImVec2 mouse{-FLT_MAX, -FLT_MAX};
  std::array<bool, 5> buttons{};
#endif

  float columnWidth() const {
    return std::min(kColumnWidth * scale(), kLargestColumnFraction * ImGui::GetIO().DisplaySize.x);
  }

  void drawColumn(Session& session, const Readings& readings) {
    const auto size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({columnWidth(), size.y});
    ImGui::Begin("column", nullptr, kFixedWindow | ImGuiWindowFlags_NoBringToFrontOnFocus);
    const float frameUs = readings.stats.frame.latestUs();
    ImGui::Text("%.1f ms", static_cast<double>(frameUs) * 1e-3);
    ImGui::SameLine();
    ImGui::TextDisabled("%d x %d", session.settings.size.x, session.settings.size.y);
    const char* help = "Key help: F1";
    ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(help).x);
    ImGui::TextDisabled("%s", help);
    drawTop(session);
    if (!readings.state.empty()) hint(readings.state);
    if (!readings.message.empty()) {
      ImGui::PushTextWrapPos(0.0f);
      ImGui::TextColored({1.0f, 0.55f, 0.45f, 1.0f}, "%s", readings.message.c_str());
      ImGui::PopTextWrapPos();
    }
    if (section("Lens", true)) drawLensPanel(session);
    if (section("Blur and bokeh", false)) drawBlurPanel(session, readings.progress);
    if (section("Filter", false)) drawFilterPanel(session);
    if (section("Summed-area table", true)) drawTablePanel(session);
    if (section("Split", false)) drawSplitPanel(session, readings.progress, readings.comparison);
    if (section("Scene", false)) drawScenePanel(session, readings.scene);
    if (section("Capture", false)) drawCapturePanel(session);
    if (section("Timings", true)) timings.draw(readings.stats);
    if (section("Benchmark", false)) drawBenchmarkPanel(session, readings.benchmark);
    if (ImGui::Button("Laboratory (F3)", {-1, 0})) session.lab.shown = !session.lab.shown;
    tooltip("Times by size on processor, OpenGL and CUDA, with the published figures");
    ImGui::End();
  }
};

Ui::Ui(GLFWwindow* window) : parts_(std::make_unique<Parts>()) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window, false);
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().ConfigInputTrickleEventQueue = false;  // InputQueue does the same for every version
#endif
  ImGui_ImplOpenGL3_Init("#version 450 core");
  parts_->window = window;
  parts_->followScales();
}

Ui::~Ui() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void Ui::begin(const std::vector<InputEvent>& events) {
  parts_->followScales();
  for (const auto& event : events) parts_->feed(event);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  parts_->overridePolledMouse();
  ImGui::NewFrame();
}

bool Ui::ownsMouse() const { return ImGui::GetIO().WantCaptureMouse; }
bool Ui::ownsKeyboard() const {
  // A text field that has closed still wants text in the next frame, but is no longer active.
  return (ImGui::GetIO().WantTextInput && ImGui::IsAnyItemActive()) ||
         ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

void Ui::edit(Session& session, const Readings& readings) {
  const bool panels = session.settings.present.showUi;
  const float width = panels ? parts_->columnWidth() : 0.0f;
  session.visibleLeft = width / std::max(ImGui::GetIO().DisplaySize.x, 1.0f);
  if (session.settings.split.enabled) drawSplitLine(session, readings.onSplit, parts_->scale());
  if (readings.onSplit && !ownsMouse()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (panels) {
    parts_->drawColumn(session, readings);
    drawLabPanel(session, readings.lab, parts_->columnWidth());
    drawProgress(readings.progress, width, parts_->scale());
    drawFocusMarker(session, parts_->scale());
  }
  drawNotice(session);
  drawError(session);
  drawKeys(session);
  ImGui::Render();
}

void Ui::paint(unsigned framebuffer) const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace satdof
