#include "app/ui/ui.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "app/gl/gl.h"
#include "app/lens/depth_of_field.h"
#include "app/scene/registry.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"
#include "app/ui/image/aspect_frame.h"
#include "app/ui/image/focus_ring.h"
#include "app/ui/image/messages.h"
#include "app/ui/image/navigator.h"
#include "app/ui/image/overlay.h"
#include "app/ui/image/table_overlay.h"
#include "app/ui/keys.h"
#include "app/ui/panels/field_widgets.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/lab_panel.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/slow_motion_panel.h"
#include "app/ui/panels/style.h"
#include "app/ui/panels/timings_panel.h"
#include "app/ui/panels/widgets.h"
#include "app/ui/timeline/timeline.h"
#include "app/ui/timeline/timeline_panel.h"

namespace satdof {

namespace {

bool anyList() { return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel); }

constexpr float kMaxColumnFraction = 0.5f;
constexpr float kFontSize = 14.0f;
// Frames that Dear ImGui takes to go to the window that Ctrl Tab chooses, and to the item that an arrow chooses.
constexpr int kChoosingFrames = 4, kTabbingFrames = 2;
constexpr const char* kColumn = "Panels";

// Scales of the window and its monitor.
struct Scales {
  float pixelsPerPoint = 1.0f;  // framebuffer pixels per screen coordinate
  float content = 1.0f;         // framebuffer pixels per pixel of a display without scaling
  float user = 1.0f;            // Preferences::uiScale
  bool operator==(const Scales&) const = default;
};

Scales scalesOf(GLFWwindow* window, float user) {
  int width = 0, height = 0, pixels = 0, unused = 0;
  glfwGetWindowSize(window, &width, &height);
  glfwGetFramebufferSize(window, &pixels, &unused);
  Scales scales;
  if (width > 0 && pixels > 0) scales.pixelsPerPoint = static_cast<float>(pixels) / static_cast<float>(width);
  glfwGetWindowContentScale(window, &scales.content, nullptr);
  scales.user = user;
  return scales;
}

constexpr const char* kResetLabel = "Reset";

// Draws the button that resets a section.
void resetButton(Session& session, const char* title, std::span<const char* const> fields, bool small) {
  ImGui::PushID(title);
  if (small ? ImGui::SmallButton(kResetLabel) : ImGui::Button(kResetLabel, {-1, 0})) {
    resetFields(session.settings, fields);
    session.centreCamera |= session.settings.camera == CameraSettings{};
    session.action = std::string(title) + ": reset";
    session.say(session.action);
  }
  tooltip("Set this section to its defaults. A double click on a label resets one setting");
  ImGui::PopID();
}

// Draws the header of a section and remembers whether the section is open. `open`: at first. `fields`: settings that
// its button resets. Returns whether the section is open.
bool section(Session& session, const char* title, bool open, std::span<const char* const> fields = {}) {
  auto& sections = session.preferences.openSections;
  bool& remembered = sections.try_emplace(title, open).first->second;
  const ImVec2 padding = ImGui::GetStyle().FramePadding, start = ImGui::GetCursorPos();
  const float right = ImGui::GetContentRegionMax().x, resetX = right - buttonWidth(kResetLabel),
              titleX = start.x + ImGui::GetTreeNodeToLabelSpacing() + padding.x;
  const bool resets = remembered && !fields.empty();
  pushTypeface(Typeface::title);
  const float titleWidth = ImGui::CalcTextSize(title).x;
  popTypeface();
  const bool beside = titleWidth <= resetX - padding.x - titleX;  // the button beside the title
  // The button comes before the header below it: Dear ImGui gives the click to the first of two items that overlap.
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.ChannelsSplit(2);
  if (resets && beside) {
    draw.ChannelsSetCurrent(1);
    ImGui::SetCursorPosX(resetX);
    ImGui::AlignTextToFramePadding();
    resetButton(session, title, fields, true);
    ImGui::SetCursorPos(start);
    draw.ChannelsSetCurrent(0);
  }
  ImGui::SetNextItemOpen(remembered, ImGuiCond_Once);
  pushTypeface(Typeface::title);
  const std::string shown = cut(title, right - titleX);
  remembered = ImGui::CollapsingHeader((shown + "###" + title).c_str());
  popTypeface();
  draw.ChannelsMerge();
  if (shown != title) tooltip(title);
  if (resets && remembered && !beside) resetButton(session, title, fields, false);
  return remembered;
}

constexpr const char* kLensFields[] = {"lens.", "technique.lens.kind", "technique.bokeh.enabled"};
constexpr const char* kCameraFields[] = {"camera.", "present.exposureStops", "present.vsync"};
constexpr const char* kFilterFields[] = {"filter."};
constexpr const char* kCompareFields[] = {"split."};
constexpr const char* kQualityFields[] = {"quality.", "scene.samples"};
constexpr const char* kTableFields[] = {"technique.device", "technique.table.", "technique.lens.on",
                                        "technique.bokeh.compaction", "technique.bokeh.sort"};

// Returns the animation and the settings of all scenes without photographs, whose settings are reset one by one.
std::vector<const char*> sceneFields() {
  static const std::vector<std::string> groups = [] {
    std::vector<std::string> found{"scene.animate"};
    for (const SceneRow& row : sceneRows())
      if (!row.showsPhotographs()) found.push_back(std::string("scene.") + row.name + ".");
    return found;
  }();
  std::vector<const char*> fields(groups.size());
  std::ranges::transform(groups, fields.begin(), [](const std::string& group) { return group.c_str(); });
  return fields;
}

// Makes a text field that pastes set `asked` and get no text: the owner of the clipboard may not answer at once.
void askForClipboard(bool& asked) {
  static bool* wanted = nullptr;  // the user data is the window, which the function that copies needs
  wanted = &asked;
#if IMGUI_VERSION_NUM >= 19110
  ImGui::GetPlatformIO().Platform_GetClipboardTextFn = [](ImGuiContext*) {
#else
  ImGui::GetIO().GetClipboardTextFn = [](void*) {
#endif
    *wanted = true;
    return "";
  };
}

}  // namespace

struct Ui::Impl {
  GLFWwindow* window = nullptr;
  Scales scales{0.0f, 0.0f, 0.0f};
  TimingsPanel timings;
  float preferredWidth = 320.0f;
  // At the start of the frame: navigation was active, a list was open.
  bool navigated = false, listed = false;
  int choosing = 0;  // frames left of kChoosingFrames
  // Tab enters the panels in steps, one a frame: the window gets the focus, an arrow goes down so that Dear ImGui shows
  // the item, the arrow goes up.
  enum class Entering { no, focuses, shows, ends } entering = Entering::no;
  bool entersTimeline = false;   // the timeline is entered; else the column
  ImGuiID tabbedAt = 0;          // item where Tab was pressed
  int tabbing = 0;               // frames left of kTabbingFrames
  bool stripShown = false;       // in the previous frame
  std::vector<InputEvent> late;  // releases that feedAll() defers to the next frame
  bool pastes = false;           // a text field waits for the text of the clipboard

  // Screen coordinates per pixel of a display without scaling.
  float scale() const { return scales.user * scales.content / scales.pixelsPerPoint; }

  void followScales(float user) {
    const auto now = scalesOf(window, user);
    if (now == scales || (scales.user > 0.0f && ImGui::IsAnyItemActive())) return;
    scales = now;
    setStyle(scale());
    loadTypefaces(std::round(kFontSize * scales.user * scales.content));
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
        if (event.code == GLFW_KEY_TAB && !io.WantTextInput)
          feedTab(event);
        else if (event.kind == Kind::keyUp || event.code == GLFW_KEY_ESCAPE || !satdof::navigates(event.code) ||
                 (takesNavigation(event) && !takesArrow(event)))
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

  // Feeds the events of a frame. A key that presses a control stays down until the next frame.
  void feedAll(const std::vector<InputEvent>& events) {
    using Kind = InputEvent::Kind;
    for (const auto& event : std::exchange(late, {})) feed(event);
    for (auto event = events.begin(); event != events.end(); ++event) {
      const bool pressed = event->kind == Kind::keyUp && satdof::navigates(event->code) &&
                           std::any_of(events.begin(), event, [&](const InputEvent& earlier) {
                             return earlier.kind == Kind::key && earlier.code == event->code;
                           });
      pressed ? late.push_back(*event) : feed(*event);
    }
  }

  void navigateByKeys(bool on) const {
    ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
    flags = on ? flags | ImGuiConfigFlags_NavEnableKeyboard : flags & ~ImGuiConfigFlags_NavEnableKeyboard;
  }

  // Whether a text field or a list takes arrows, Home, End and page keys.
  static bool takesKeys() {
    const ImGuiIO& io = ImGui::GetIO();
    return io.WantTextInput || (io.ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) == 0 || anyList();
  }
  // Whether Dear ImGui takes a navigation key.
  static bool takesNavigation(const InputEvent& event) {
    return takesKeys() || (ImGui::GetIO().NavVisible && satdof::navigates(event.code, event.control));
  }
  // Whether the item that has the keyboard takes the key, by arrowsOfItem() or pagesOfWindow().
  static bool takesArrow(const InputEvent& event) {
    constexpr std::pair<int, Arrows> kArrows[] = {{GLFW_KEY_LEFT, {.right = -1}},   {GLFW_KEY_RIGHT, {.right = 1}},
                                                  {GLFW_KEY_UP, {.up = 1}},         {GLFW_KEY_DOWN, {.up = -1}},
                                                  {GLFW_KEY_PAGE_UP, {.page = -1}}, {GLFW_KEY_PAGE_DOWN, {.page = 1}},
                                                  {GLFW_KEY_HOME, {.end = -1}},     {GLFW_KEY_END, {.end = 1}}};
    const auto found = std::ranges::find(kArrows, event.code, &std::pair<int, Arrows>::first);
    if (found == std::end(kArrows) || event.control || takesKeys()) return false;
    Arrows arrow = found->second;
    arrow.shift = event.shift;
    return pressArrow(arrow);
  }

  // Feeds Tab as an arrow, which goes to the next control: the Tab of Dear ImGui stops only at text fields. The first
  // Tab enters the panels.
  void feedTab(const InputEvent& event) {
    const bool down = event.kind == InputEvent::Kind::key;
    if (event.control || !down) feedKey(event);  // Ctrl Tab goes to the next window
    if (event.control) choosing = kChoosingFrames;
    if (event.control || entering != Entering::no ||
        (ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) == 0)
      return;
    if (down && !ImGui::GetIO().NavVisible && choosing == 0) {
      enter(false);
    } else {
      if (down) tabbedAt = GImGui->NavId;
      if (down) tabbing = kTabbingFrames;
      for (const int arrow : {GLFW_KEY_UP, GLFW_KEY_DOWN})
        if (!down || (arrow == GLFW_KEY_UP) == event.shift) feedKey({.kind = event.kind, .code = arrow});
    }
  }

  void enter(bool timeline) {
    entering = Entering::focuses;
    entersTimeline = timeline;
  }

  // If Tab found no further control: goes from the column to the timeline, and from another window to the column.
  void leaveEnd(bool timelineShown) {
    if (tabbing == 0 || --tabbing > 0 || GImGui->NavId != tabbedAt || GImGui->NavWindow == nullptr || anyList()) return;
    const bool inColumn = std::string_view(GImGui->NavWindow->RootWindow->Name) == kColumn;
    if (!inColumn || timelineShown) enter(inColumn);
  }

  // Call before the column or the timeline begins. Gives it the focus if it is to be entered.
  void focusNext(bool timeline) {
    if (entering != Entering::focuses || timeline != entersTimeline) return;
    ImGui::SetNextWindowFocus();
    entering = ImGui::GetIO().NavVisible ? Entering::no : Entering::shows;
  }

  // Call in every frame. Presses and releases an arrow after the window has got the focus.
  void enterPanels() {
    if (entering == Entering::shows || entering == Entering::ends)
      feedKey({.kind = entering == Entering::shows ? InputEvent::Kind::key : InputEvent::Kind::keyUp,
               .code = GLFW_KEY_DOWN});
    entering = entering == Entering::shows ? Entering::ends : entering == Entering::ends ? Entering::no : entering;
  }

#if IMGUI_VERSION_NUM >= 18700
  void feedKey(const InputEvent& event) const {
    const int action = event.kind == InputEvent::Kind::keyUp ? GLFW_RELEASE : GLFW_PRESS;
    ImGui_ImplGlfw_KeyCallback(window, event.code, event.scancode, action, 0);
    if (action != GLFW_PRESS) return;  // the backend reads the current modifiers, not the event's
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, event.control);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, event.shift);
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
    if (event.code >= 0 && event.code < static_cast<int>(std::size(io.KeysDown))) io.KeysDown[event.code] = down;
    const auto modifier = [&](bool& state, bool pressed, int left, int right) {
      state = event.code == left || event.code == right ? down : pressed;
    };
    modifier(io.KeyCtrl, event.control, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
    modifier(io.KeyShift, event.shift, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
  }
  void feedButton(const InputEvent& event) {
    buttons[static_cast<std::size_t>(event.code)] = event.kind == InputEvent::Kind::press;
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
    return std::min(preferredWidth * scale(), kMaxColumnFraction * ImGui::GetIO().DisplaySize.x);
  }

  void drawColumn(Session& session, const Readings& readings) {
    focusNext(false);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSizeConstraints({columnWidth(), 0}, {columnWidth(), heightOfColumn(session)});
    ImGui::Begin(kColumn, nullptr,
                 kFixedWindow | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_AlwaysAutoResize);
    const float frameUs = readings.stats.frame.latestUs();
    if (frameUs > 0.0f) {
      ImGui::TextUnformatted(timeText(frameUs).c_str());
      ImGui::SameLine();
    }
    const glm::ivec2 imageSize = session.settings.size;
    const std::string image =
        std::to_string(imageSize.x) + " x " + std::to_string(imageSize.y) + (session.paused() ? ", paused" : "");
    const auto widthOf = [](const char* text) { return ImGui::GetStyle().ItemSpacing.x + ImGui::CalcTextSize(text).x; };
    const float room = ImGui::GetContentRegionAvail().x, right = ImGui::GetContentRegionMax().x;
    const char* const help = ImGui::CalcTextSize(image.c_str()).x + widthOf("Keys: F1") <= room ? "Keys: F1" : "F1";
    ImGui::TextDisabled("%s", cut(image, room - widthOf(help)).c_str());
    ImGui::SameLine(right - ImGui::CalcTextSize(help).x);
    ImGui::TextDisabled("%s", help);
    tooltip("Key F1 lists all keys");
    drawTop(session);
    drawState(session, readings.state, readings.loading);
    const Settings before = session.settings;
    const bool strip = session.strip.shown();
    if (strip && !stripShown) ImGui::SetScrollY(0.0f);
    stripShown = strip;
    if (strip && section(session, "Photographs", true)) drawStripPanel(session);
    if (showsPhoto(session.settings) && section(session, "Looks", false)) drawLooksPanel(session);
    const bool lens = section(session, "Lens", true, kLensFields);
    ImGui::SetItemDefaultFocus();  // the first Tab goes on from here
    if (ImGui::IsWindowAppearing()) ImGui::SetScrollY(0.0f);
    if (lens) drawLensPanel(session);
    if (section(session, "Camera and display", false, kCameraFields)) drawCameraPanel(session);
    linkFieldOfView(before, session.settings);
    if (section(session, "Scene", false, sceneFields())) drawScenePanel(session, readings.frame.shown);
    if (section(session, "Filter", false, kFilterFields)) drawFilterPanel(session);
    if (section(session, "Compare", false, kCompareFields)) drawSplitPanel(session, readings.frame.comparison);
    if (section(session, "Capture", false)) drawCapturePanel(session);
    if (section(session, "Settings and presets", false)) drawSettingsPanel(session);
    if (section(session, "Quality", false, kQualityFields)) drawQualityPanel(session);
    if (section(session, "Table (advanced)", false, kTableFields)) drawTablePanel(session);
    if (section(session, "Timings", false)) timings.draw(readings.stats);
    if (ImGui::Button("Timeline (F6)", {-1, 0})) session.timeline.shown = !session.timeline.shown;
    tooltip("Keys for settings and camera: a shot that is played and rendered as a film");
    if (ImGui::Button("Laboratory (F3)", {-1, 0})) session.lab.shown = !session.lab.shown;
    tooltip("Times by size on processor, OpenGL and CUDA, with the published figures");
    if (ImGui::Button("Slow motion (F4)", {-1, 0})) session.slow.shown = !session.slow.shown;
    tooltip("CUDA kernels on the processor, access by access");
    ImGui::End();
  }
};

Ui::Ui(GLFWwindow* window) : impl_(std::make_unique<Impl>()) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window, false);
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().ConfigInputTrickleEventQueue = false;  // InputQueue does the same for every version
#endif
  ImGui_ImplOpenGL3_Init("#version 450 core");
  impl_->window = window;
  askForClipboard(impl_->pastes);
  impl_->followScales(1.0f);
}

Ui::~Ui() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void Ui::begin(const std::vector<InputEvent>& events, float scale) {
  impl_->followScales(scale);
  impl_->navigated = ImGui::GetIO().NavVisible;
  impl_->listed = anyList();
  impl_->enterPanels();
  if (!ImGui::GetIO().KeyCtrl) impl_->choosing = std::max(impl_->choosing - 1, 0);
  beginArrows();
  impl_->feedAll(events);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  impl_->overridePolledMouse();
  ImGui::NewFrame();
}

bool Ui::ownsMouse() const { return ImGui::GetIO().WantCaptureMouse; }
bool Ui::navigates() const { return impl_->navigated || ImGui::GetIO().NavVisible; }
bool Ui::ownsKeyboard() const {
  // A text field that was closed still wants text for a frame, but is not active. A key of this frame may have closed a
  // list.
  return (ImGui::GetIO().WantTextInput && ImGui::IsAnyItemActive()) || impl_->listed || anyList();
}

void Ui::edit(Session& session, const Readings& readings) {
  session.thumbnails.begin();
  updateEnteredPaths(readings.loading.has_value());
  session.strip.focused = session.wantsHistogram = false;
  session.timeline.keyboardAt.clear();
  // Wait for the end of a drag: the panels would move under the mouse.
  if (!ImGui::IsAnyItemActive()) impl_->preferredWidth = session.preferences.panelWidth;
  const bool panels = session.settings.present.showUi;
  const float width = panels ? impl_->columnWidth() : 0.0f;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  session.visible.left = width / std::max(screen.x, 1.0f);
  session.visible.bottom = 1.0f - heightOfImage(session) / std::max(screen.y, 1.0f);
  const bool covered = readings.loading ? drawReading(session, *readings.loading, impl_->scale()) : drawUnread(session);
  drawSplit(session, readings.onSplit, impl_->scale(), impl_->scales.pixelsPerPoint);
  if (readings.onSplit && !session.input.flipped && !ownsMouse()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (panels) {
    if (session.timeline.shown) showKeyStates([&](const std::string& path) { return keyState(session, path); });
    impl_->leaveEnd(session.timeline.shown);
    impl_->drawColumn(session, readings);
    showKeyStates(nullptr);
    if (const std::string path = takeKeyed(); !path.empty()) toggleKey(session, path);
    impl_->focusNext(true);
    drawTimelinePanel(session);
    drawFocusRing(session);
    drawLabPanel(session, readings.lab, readings.costs, impl_->columnWidth());
    drawSlowMotionPanel(session, readings.show, readings.lessons, impl_->columnWidth());
    impl_->navigateByKeys(!session.slow.shown);  // there, arrows step
    drawProgress(readings.loading ? readings.loading->part : readings.frame.progress, width, impl_->scale());
    drawAspectFrame(session);
    if (!covered) drawFocusMarkers(session, impl_->scale());
  }
  if (!covered) drawLoupe(session, impl_->scales.pixelsPerPoint);
  if (readings.frame.marks) drawOrigin(session, *readings.frame.marks, impl_->scale());
  if (!ownsMouse()) drawAtCursor(session, readings.frame.atCursor, readings.frame.marks, impl_->scale());
  drawHint(session, impl_->scales.pixelsPerPoint);
  drawNotice(session, impl_->scales.pixelsPerPoint);
  drawRecording(session);
  drawNavigator(session);
  drawErrors(session, awaitsFirst(session, readings.loading.has_value()) ? "" : readings.frame.message,
             impl_->scales.pixelsPerPoint);
  drawKeys(session);
  drawFileBrowser(session);
  ImGui::Render();
}

bool Ui::editCapture(const Session& session, const std::string& text, float progress) {
  const bool cancelled = drawCapture(session, text, progress);
  ImGui::Render();
  return cancelled;
}

void Ui::editNotice(const Session& session, const std::string& covered) {
  drawNotice(session, impl_->scales.pixelsPerPoint, covered);
  ImGui::Render();
}

bool Ui::takePaste() { return std::exchange(impl_->pastes, false); }

void Ui::type(const std::string& text) {
  constexpr std::size_t kMaxBytes = 4096;  // more than a field holds
  ImGui::GetIO().AddInputCharactersUTF8(text.substr(0, kMaxBytes).c_str());
}

bool Ui::outgrown() const {
  int width = 0, height = 0;
  glfwGetWindowSize(impl_->window, &width, &height);
  const auto size = ImGui::GetIO().DisplaySize;
  return static_cast<float>(width) != size.x || static_cast<float>(height) != size.y;
}

void Ui::paint(unsigned framebuffer) const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glUseProgram(0);  // Dear ImGui restores the current program, but a deleted one is gone by then
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace satdof
