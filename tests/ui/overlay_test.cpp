#include "app/ui/image/overlay.h"

#include <gmock/gmock.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/image/loupe.h"
#include "app/ui/image/messages.h"
#include "app/ui/image/table_overlay.h"
#include "app/ui/panels/lab_panel.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/widgets.h"
#include "tests/lab/fake_experiment.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;

struct Box {
  float left = 1e9f, top = 1e9f, right = -1e9f, bottom = -1e9f;
  bool any() const { return right > left; }
  void add(ImVec2 at) {
    left = std::min(left, at.x);
    right = std::max(right, at.x);
    top = std::min(top, at.y);
    bottom = std::max(bottom, at.y);
  }
};

// Dear ImGui without a window. OpenGL is needed to resolve the technique that labels name.
class OverlayTest : public GlTest {
 protected:
  inline static const ImVec2 kSize{800.0f, 600.0f};
  static constexpr float kPanels = 320.0f;

  void SetUp() override {
    GlTest::SetUp();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetStyle().WindowBorderSize = 0.0f;
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;  // only letters have a texture
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    session_.visible.left = kPanels / kSize.x;
  }
  void TearDown() override {
    ImGui::DestroyContext();
    GlTest::TearDown();
  }

  // What one frame of `draw` covers on the screen.
  Box frame(const std::function<void()>& draw, ImVec2 size = kSize) {
    ImGui::GetIO().DisplaySize = size;
    ImGui::NewFrame();
    draw();
    ImGui::Render();
    Box box;
    textRight_ = textBottom_ = 0.0f;
    triangles_.clear();
    const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    const ImDrawData* const data = ImGui::GetDrawData();
    for (int list = 0; list < data->CmdListsCount; ++list)
      for (const ImDrawCmd& command : data->CmdLists[list]->CmdBuffer) {
        const ImVec4& clip = command.ClipRect;
        for (unsigned first = 0; first < command.ElemCount; first += 3) {
          Box triangle;
          std::array<ImVec2, 3> corners;
          for (unsigned i = first; i < first + 3; ++i) {
            const auto index = data->CmdLists[list]->IdxBuffer[static_cast<int>(command.IdxOffset + i)];
            const ImDrawVert& vertex = data->CmdLists[list]->VtxBuffer[static_cast<int>(command.VtxOffset + index)];
            if (vertex.uv.x != white.x || vertex.uv.y != white.y) {
              textRight_ = std::max(textRight_, vertex.pos.x);
              textBottom_ = std::max(textBottom_, vertex.pos.y);
            }
            triangle.add(vertex.pos);
            corners[i - first] = vertex.pos;
          }
          triangles_.push_back(corners);
          if (triangle.right <= clip.x || triangle.left >= clip.z || triangle.bottom <= clip.y ||
              triangle.top >= clip.w)
            continue;
          for (const ImVec2 at : {ImVec2(triangle.left, triangle.top), {triangle.right, triangle.bottom}})
            box.add({std::clamp(at.x, clip.x, clip.z), std::clamp(at.y, clip.y, clip.w)});
        }
      }
    return box;
  }

  // Whether something of the last frame covers this point.
  bool covers(ImVec2 at) const {
    return std::ranges::any_of(triangles_, [&](const std::array<ImVec2, 3>& of) {
      const auto side = [&](std::size_t i) {
        const ImVec2 a = of[i], b = of[(i + 1) % 3];
        return (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
      };
      return (side(0) > 0 && side(1) > 0 && side(2) > 0) || (side(0) < 0 && side(1) < 0 && side(2) < 0);
    });
  }

  static void expectEqual(const Box& a, const Box& b) {
    EXPECT_NEAR(a.left, b.left, 1.0f);
    EXPECT_NEAR(a.right, b.right, 1.0f);
    EXPECT_NEAR(a.top, b.top, 1.0f);
    EXPECT_NEAR(a.bottom, b.bottom, 1.0f);
  }

  // Rests the mouse on the first of some buttons in a panel with this size and top-left corner. Returns the tooltip.
  const ImGuiWindow* restOnFirstButton(
      ImVec2 screen, ImVec2 panel, float top,
      const char* help = "A long text that would hide three of the buttons if it were below one",
      const std::string& unavailable = {}, float left = 0.0f) {
    ImGui::GetIO().DeltaTime = 0.3f;
    for (int step = 0; step < 5; ++step) {
      ImGui::GetIO().MousePos = {left + (step == 0 ? 10.0f : 20.0f), top + 18.0f};
      frame(
          [&] {
            ImGui::SetNextWindowPos({left, top});
            ImGui::SetNextWindowSize(panel);
            ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
            for (const char* name : {"a", "b", "c", "d"}) button(name, help, -1.0f, unavailable);
            ImGui::End();
          },
          screen);
    }
    return ImGui::FindWindowByName("##Tooltip_00");
  }

  Session session_;
  std::vector<std::array<ImVec2, 3>> triangles_;  // of the last frame()
  float textRight_ = 0.0f, textBottom_ = 0.0f;    // of the last frame(), without clipping
};

TEST_F(OverlayTest, MessagesHaveTheirSizeInTheFirstFrameAndLeaveThePanelsFree) {
  const std::string words = "View weights: weight of every layer in the composed image, red the far field";
  const auto draw = [&] {
    drawNotice(session_, 1.0f);
    drawHint(session_, 1.0f);
    drawErrors(session_, "", 1.0f);
  };
  for (const auto& show : {std::function([&] { session_.say(words); }), std::function([&] {
                             session_.notices.ageS = kNoticeS;
                             session_.notices.hint = words;
                             session_.notices.hintAgeS = 0.0f;
                           }),
                           std::function([&] {
                             session_.notices.hintAgeS = kHintS;
                             session_.report("capture", words + words);
                           })}) {
    show();
    const Box first = frame(draw);
    ASSERT_TRUE(first.any());
    EXPECT_GT(first.left, kPanels);
    EXPECT_LT(first.right, kSize.x);
    EXPECT_GT(first.bottom - first.top, 2.0f * ImGui::GetTextLineHeight()) << "in lines";
    frame(draw);
    expectEqual(frame(draw), first);
  }
}

TEST_F(OverlayTest, ANoticeCoversNeitherTheLoupeNorThePanels) {
  session_.loupe.magnification = 4;
  session_.say("View final: the image as it is displayed");
  for (const float width : {640.0f, 800.0f, 1280.0f}) {
    session_.visible.left = kPanels / width;
    const Box box = frame([&] { drawNotice(session_, 1.0f); }, {width, 600.0f});
    EXPECT_GT(box.left, kPanels) << width;
    const float loupeLeft = width - Loupe::kSidePx - Loupe::kMarginPx;
    const float loupeTop = 600.0f - Loupe::kSidePx - Loupe::kMarginPx;
    EXPECT_TRUE(box.right < loupeLeft || box.bottom < loupeTop) << width;
  }
}

TEST_F(OverlayTest, ANoticeWithoutRoomAboveTheLoupeBeginsInTheWindow) {
  ImGui::GetIO().FontGlobalScale = 2.5f;
  session_.loupe.magnification = 4;
  session_.settings.split.enabled = true;
  session_.visible.left = 0.6f;
  session_.say("View near: the near field alone, premultiplied by its coverage, as it is composed");
  const Box box = frame([&] { drawNotice(session_, 1.0f); }, {640.0f, 400.0f});
  EXPECT_GE(box.top, 0.0f);
  EXPECT_GE(box.left, 0.0f);
}

TEST_F(OverlayTest, AHintLeavesTheNoticeFree) {
  session_.notices.hint = "Click to focus, wheel to pull focus, drag to orbit, F1 keys";
  session_.notices.hintAgeS = 0.0f;
  session_.say("Saved satdof-20261124-101500.png: 1920x1080, 16 bits a channel, with its settings, in Pictures");
  session_.settings.split.enabled = true;
  for (const ImVec2 size : {ImVec2(640.0f, 400.0f), ImVec2(900.0f, 600.0f), ImVec2(1600.0f, 1000.0f)}) {
    session_.visible.left = kPanels / size.x;
    const Box hint = frame([&] { drawHint(session_, 1.0f); }, size);
    const Box notice = frame([&] { drawNotice(session_, 1.0f); }, size);
    EXPECT_TRUE(hint.right < notice.left || hint.bottom < notice.top) << size.x;
  }
}

TEST_F(OverlayTest, AMessageThatChangesHasItsSizeAtOnce) {
  const auto draw = [&] { drawNotice(session_, 1.0f); };
  session_.say("Loupe: off");
  const Box narrow = frame(draw);
  session_.say("Camera bookmark 1: stored");
  const Box wide = frame(draw);
  EXPECT_LT(wide.left, narrow.left - 50.0f);
  expectEqual(frame(draw), wide);
}

TEST_F(OverlayTest, ANoticeCoversTheOneBelow) {
  const std::string below = "View layers: weights of near (blue), in focus (green) and far (red)";
  session_.say(below);
  const Box covered = frame([&] { drawNotice(session_, 1.0f); });
  session_.say("Capture cancelled");
  expectEqual(frame([&] { drawNotice(session_, 1.0f, below); }), covered);
}

// The pixel stays in sight wherever it is; box, labels and lines stay right of the panels.
TEST_F(OverlayTest, TheBoxOfAPixelAndItsNumbersLeaveThePixelFree) {
  const std::string lines =
      "T(1, 2)\tR\tG\tB\tA\nfixed point\t1234567\t1234567\t1234567\t1234567\ncircle of confusion 4 "
      "px\nS\t1\t2\t3\t4";
  const float boxSides[] = {0.01f, 0.1f, 0.5f};
  for (const float side : boxSides)
    for (float y = 0.02f; y < 1.0f; y += 0.24f)
      for (float x = 0.42f; x < 1.0f; x += 0.14f) {
        SCOPED_TRACE(std::to_string(side) + " at " + std::to_string(x) + ", " + std::to_string(y));
        const glm::vec2 pixel(0.01f, 0.01f);
        const glm::vec2 from = glm::max(glm::vec2(x, y) - 0.5f * side, 0.0f);
        const TableMarks marks{.pixel = {{glm::vec2(x, y), glm::vec2(x, y) + pixel}},
                               .box = {{from, glm::min(glm::vec2(x, y) + 0.5f * side + pixel, 1.0f)}}};
        const ImVec2 at((x + 0.005f) * kSize.x, (0.995f - y) * kSize.y);
        ImGui::GetIO().MousePos = at;
        const Box drawn = frame([&] { drawAtCursor(session_, lines, marks, 1.0f); });
        EXPECT_FALSE(covers(at));
        EXPECT_TRUE(covers({x * kSize.x - 1.0f, at.y})) << "the outline of the pixel";
        EXPECT_TRUE(side > 0.05f || drawn.left >= kPanels - 3.0f) << drawn.left;
        EXPECT_LE(drawn.right, kSize.x + 3.0f);
        EXPECT_LE(drawn.bottom, kSize.y + 3.0f);
      }
}

TEST_F(OverlayTest, NumbersInColumnsEndAtOneEdge) {
  const auto right = [&](const std::string& text) {
    ImGui::GetIO().MousePos = {400, 300};
    frame([&] { drawAtCursor(session_, text, {}, 1.0f); });
    return textRight_;
  };
  EXPECT_EQ(right("a\t1\nb\t1234567"), right("a\t1234567\nb\t1"));
}

// If the panels hide the origin, the label says on which side it is.
TEST_F(OverlayTest, TheOriginOfATableIsMarkedInTheVisibleImage) {
  const auto draw = [&](bool marks) { return frame([&] { drawOrigin(session_, {.marksOrigin = marks}, 1.0f); }); };
  EXPECT_FALSE(draw(false).any());
  const Box hidden = draw(true);
  EXPECT_GE(hidden.left, kPanels - 1.0f);
  EXPECT_LE(hidden.left, kPanels + 10.0f);
  EXPECT_GT(hidden.bottom, kSize.y - 10.0f);
  const float longer = textRight_ - kPanels;
  session_.visible.left = 0.0f;
  EXPECT_LE(draw(true).left, 10.0f);
  EXPECT_LT(textRight_, longer);
}

TEST_F(OverlayTest, ALongErrorStaysOnTheScreen) {
  std::string log;
  for (int line = 0; line < 200; ++line) log += "0:12(3): error: this is a line of a log\n";
  session_.report("shaders", log);
  const auto draw = [&] { drawErrors(session_, "", 1.0f); };
  frame(draw);
  const Box box = frame(draw);
  EXPECT_GE(box.top, 0.0f);
  EXPECT_LE(box.bottom, kSize.y);
}

TEST_F(OverlayTest, ALongErrorLeavesItsButtonTheLoupeAndANoticeInSight) {
  std::string log;
  for (int line = 0; line < 200; ++line) log += "0:12(3): error: this is a line of a log\n";
  const auto draw = [&] { drawErrors(session_, "", 1.0f); };
  for (const ImVec2 size : {ImVec2(640, 400), kSize, ImVec2(1280, 720)}) {
    session_.visible.left = kPanels / size.x;
    session_.loupe.magnification = 4;
    session_.report("shaders", log);
    session_.say("Settings saved to settings.json");
    const Box notice = frame([&] { drawNotice(session_, 1.0f); }, size), errors = frame(draw, size);
    EXPECT_LT(errors.bottom, notice.top) << size.x;
    EXPECT_LT(errors.bottom, size.y - Loupe::kSidePx - Loupe::kMarginPx) << size.x;
    ImGui::GetIO().MousePos = {errors.left + 20.0f, errors.bottom - 15.0f};
    for (const bool down : {false, true, false}) {
      ImGui::GetIO().MouseDown[0] = down;
      frame(draw, size);
    }
    EXPECT_TRUE(session_.notices.errors.empty()) << "the button is there: " << size.x;
  }
}

TEST_F(OverlayTest, TheFrameOfTheLoupeIsBelowThePanels) {
  session_.loupe.magnification = 4;
  EXPECT_TRUE(frame([&] {
                drawLoupe(session_, 1.0f);
                EXPECT_EQ(ImGui::GetForegroundDrawList()->VtxBuffer.Size, 0);
              }).any());
}

TEST_F(OverlayTest, BoxesHideTheLabelsAndMarksOfTheImage) {
  session_.settings.split.enabled = session_.showKeys = true;
  session_.say("Compare: A left of the line, B right");
  session_.notices.hint = "F1 keys";
  session_.notices.hintAgeS = 0.0f;
  session_.markFocus({0.7f, 0.5f});
  session_.sequence = Sequence{.frames = 120, .written = 7};
  session_.report("capture", "no folder");
  frame([&] {
    drawSplit(session_, false, 1.0f, 1.0f);
    drawFocusMarkers(session_, 1.0f);
    drawHint(session_, 1.0f);
    drawNotice(session_, 1.0f);
    drawRecording(session_);
    drawErrors(session_, "", 1.0f);
    drawKeys(session_);
    EXPECT_EQ(ImGui::GetForegroundDrawList()->VtxBuffer.Size, 0) << "over the boxes";
  });
  for (const char* box : {"hint", "notice", "recording", "error", "keys"})
    EXPECT_EQ(ImGui::FindWindowByName(box)->DrawList->VtxBuffer[0].col >> IM_COL32_A_SHIFT, 255u) << box;
}

TEST_F(OverlayTest, WhileFlippedThereIsNoLine) {
  const auto draw = [&] { drawSplit(session_, false, 1.0f, 1.0f); };
  EXPECT_FALSE(frame(draw).any());
  session_.settings.split.enabled = true;
  const Box split = frame(draw);
  EXPECT_LT(split.top, 1.0f);
  for (const bool enabled : {true, false}) {
    session_.settings.split.enabled = enabled;
    session_.input.flipped = true;
    const Box label = frame(draw);
    ASSERT_TRUE(label.any());
    EXPECT_GT(label.top, 0.9f * kSize.y) << "a label alone";
    EXPECT_GT(label.left, kPanels);
    EXPECT_LT(label.left, kPanels + 20.0f);
    session_.input.flipped = false;
  }
}

TEST_F(OverlayTest, AViewOfTwoHalvesLabelsThem) {
  const auto draw = [&] { drawSplit(session_, false, 1.0f, 1.0f); };
  session_.settings.technique.view = View::tableError;
  for (const float visibleLeft : {0.0f, 0.3f, 0.48f}) {
    session_.visible.left = visibleLeft;
    const float middle = 0.5f * (1.0f + visibleLeft) * kSize.x;
    const Box box = frame(draw);
    ASSERT_TRUE(box.any());
    EXPECT_LT(box.top, 1.0f);
    EXPECT_GE(box.left, visibleLeft * kSize.x);
    EXPECT_LT(box.left, middle - 20.0f);
    EXPECT_GT(box.right, middle + 20.0f);
  }
  session_.settings.technique.view = View::coc;
  EXPECT_FALSE(frame(draw).any());
}

TEST_F(OverlayTest, ALabelNamesTheChoicesOfItsLens) {
  session_.input.flipped = true;
  Technique& b = session_.settings.split.b;
  b.device = DeviceId::cpu;
  for (const auto& [lens, text] :
       {std::pair{LensKind::box, "B: box, cpu, uint32"}, std::pair{LensKind::layered, "B: layered, cpu"},
        std::pair{LensKind::reference, "B: reference"}}) {
    b.lens.kind = lens;
    const Box label = frame([&] { drawSplit(session_, false, 1.0f, 1.0f); });
    EXPECT_NEAR(label.right - label.left, ImGui::CalcTextSize(text).x, 4.0f) << text;
  }
  b.view = View::coc;
  const Box label = frame([&] { drawSplit(session_, false, 1.0f, 1.0f); });
  EXPECT_NEAR(label.right - label.left, ImGui::CalcTextSize("B: reference, circle of confusion").x, 4.0f);
}

TEST_F(OverlayTest, ALabelNamesTheDrawnTechnique) {
  session_.input.flipped = true;
  Technique quick = session_.settings.split.b;
  quick.lens.kind = LensKind::reference;
  session_.drawnTechniques = {quick, quick};
  const Box label = frame([&] { drawSplit(session_, false, 1.0f, 1.0f); });
  EXPECT_NEAR(label.right - label.left, ImGui::CalcTextSize("B: reference").x, 4.0f);
}

TEST_F(OverlayTest, TheFirstPhotographThatIsBeingReadIsNotMissed) {
  EXPECT_FALSE(awaitsFirst(session_, true)) << "a scene without files";
  session_.settings.scene.kind = SceneKind::image;
  EXPECT_FALSE(awaitsFirst(session_, false));
  EXPECT_TRUE(awaitsFirst(session_, true));
  session_.settings.scene.image.file.text = "shown.jpg";
  EXPECT_FALSE(awaitsFirst(session_, true));
}

TEST_F(OverlayTest, TheMessageOfTheImageStaysClosedUntilAnotherComes) {
  const auto draw = [&](const char* message) { return frame([&] { drawErrors(session_, message, 1.0f); }).any(); };
  EXPECT_TRUE(draw("no depth"));
  session_.closeErrors();
  EXPECT_FALSE(draw("no depth"));
  EXPECT_TRUE(draw("no file"));
  session_.closeErrors();
  EXPECT_FALSE(draw(""));
  EXPECT_TRUE(draw("no file")) << "it came again";
}

TEST_F(OverlayTest, ErrorsAreBelowTheRecording) {
  session_.sequence = Sequence{.frames = 120, .written = 25};
  const Box recording = frame([&] { drawRecording(session_); });
  session_.report("capture", "no folder");
  EXPECT_GT(frame([&] { drawErrors(session_, "", 1.0f); }).top, recording.bottom);
}

TEST_F(OverlayTest, ANoticeIsAboveTheLabels) {
  session_.settings.split.enabled = true;
  session_.input.flipped = true;
  const Box label = frame([&] { drawSplit(session_, false, 1.0f, 1.0f); });
  session_.say("Compare: A left of the line, B right");
  EXPECT_LT(frame([&] { drawNotice(session_, 1.0f); }).bottom, label.top);
}

TEST_F(OverlayTest, LabelsBesideTheLineStayInTheImage) {
  session_.settings.split.enabled = true;
  for (const float position : {0.0f, 0.5f, 0.55f, 0.75f, 0.95f}) {
    session_.settings.split.position = position;
    const Box box = frame([&] { drawSplit(session_, false, 1.0f, 1.0f); });
    EXPECT_GE(box.left, kPanels - 8.0f) << position;  // the handle of the line
    EXPECT_LE(box.right, kSize.x) << position;
    EXPECT_LE(box.bottom, kSize.y) << position;
  }
}

TEST_F(OverlayTest, TheLineAndTheLabelsLeaveTheLoupeFree) {
  session_.settings.split.enabled = true;
  session_.settings.split.position = 0.95f;
  const auto draw = [&] { drawSplit(session_, false, 1.0f, 1.0f); };
  EXPECT_EQ(frame(draw).bottom, kSize.y);
  session_.loupe.magnification = 4;
  const Box box = frame(draw);
  EXPECT_GT(box.left, kSize.x - Loupe::kSidePx - Loupe::kMarginPx);
  EXPECT_LT(box.bottom, kSize.y - Loupe::kSidePx - Loupe::kMarginPx) << "above the loupe";
}

TEST_F(OverlayTest, ALabelThatWouldReachIntoTheLoupeIsAboveIt) {
  session_.settings.split.enabled = session_.input.flipped = true;  // the label alone
  const auto draw = [&] { drawSplit(session_, false, 1.0f, 1.0f); };
  for (const float width : {540.0f, 1280.0f}) {
    const ImVec2 size(width, 400.0f);
    session_.visible.left = kPanels / width;
    session_.loupe.magnification = 0;
    const Box alone = frame(draw, size);
    session_.loupe.magnification = 4;
    const Box beside = frame(draw, size);
    EXPECT_NEAR(beside.right - beside.left, alone.right - alone.left, 1.0f) << "whole, " << width;
    const bool reaches = alone.right > width - Loupe::kSidePx - Loupe::kMarginPx;
    EXPECT_EQ(reaches, width < 600.0f);
    if (!reaches) {
      EXPECT_EQ(beside.top, alone.top);
      continue;
    }
    EXPECT_LT(beside.bottom, size.y - Loupe::kSidePx - Loupe::kMarginPx - ImGui::GetFontSize()) << width;
    EXPECT_NEAR(beside.bottom - beside.top, alone.bottom - alone.top, 1.0f) << "whole, " << width;
    session_.say("Loupe: 4:1");
    EXPECT_LT(frame([&] { drawNotice(session_, 1.0f); }, size).bottom, beside.top) << width;
  }
}

TEST_F(OverlayTest, TheTitleOfTheLoupeFitsIt) {
  session_.loupe.magnification = 16;
  session_.loupe.colour = glm::vec3(1.0f);
  for (const float scale : {0.5f, 1.0f, 2.5f}) {
    ImGui::GetIO().FontGlobalScale = scale;
    frame([&] { drawLoupe(session_, 1.0f); });
    EXPECT_LE(textRight_, kSize.x - Loupe::kMarginPx + 1.0f) << scale;
  }
}

TEST_F(OverlayTest, ARecordingIsSeenButNotRecorded) {
  const auto draw = [&] { drawRecording(session_); };
  EXPECT_FALSE(frame(draw).any());
  session_.sequence = Sequence{.frames = 120, .written = 7};
  const Box box = frame(draw);
  EXPECT_GT(box.left, kPanels);
  EXPECT_LT(box.right, kSize.x);
  session_.preferences.capture.withUi = true;
  EXPECT_FALSE(frame(draw).any());
}

TEST_F(OverlayTest, TheListOfKeysFitsItsBox) {
  session_.showKeys = true;
  const auto draw = [&] { drawKeys(session_); };
  for (const ImVec2 size : {ImVec2(500, 400), ImVec2(640, 400), kSize, ImVec2(1920, 1080)}) {
    const Box first = frame(draw, size);
    EXPECT_GE(first.left, 0.0f);
    EXPECT_LE(first.right, size.x);
    EXPECT_LT(textRight_, first.right - ImGui::GetStyle().ScrollbarSize) << "beside the scroll bar";
    frame(draw, size);
    expectEqual(frame(draw, size), first);
    if (first.bottom < size.y) {
      EXPECT_LT(first.bottom - textBottom_, 2.0f * ImGui::GetTextLineHeight()) << "ends with its last line";
    }
  }
}

TEST_F(OverlayTest, TheListOfKeysIsBesideThePanelsWhereThereIsRoom) {
  session_.showKeys = true;
  for (const float width : {640.0f, 900.0f, 1280.0f, 1920.0f}) {
    session_.visible.left = kPanels / width;
    const Box box = frame([&] { drawKeys(session_); }, {width, 720.0f});
    EXPECT_EQ(box.left >= kPanels, width > 640.0f) << width;
    EXPECT_NEAR(box.left + box.right, width + (width > 640.0f ? kPanels : 0.0f), 2.0f) << width;
  }
}

TEST_F(OverlayTest, ATooltipCoversNoOtherControl) {
  for (const float width : {540.0f, 640.0f, 1280.0f}) {
    const ImGuiWindow* const shown = restOnFirstButton({width, 600.0f}, {300.0f, 400.0f}, 0.0f);
    ASSERT_TRUE(shown != nullptr && shown->Active) << width;
    EXPECT_GE(shown->Pos.x, 300.0f) << width;
    EXPECT_LE(shown->Pos.x + shown->Size.x, width) << width;
  }
}

TEST_F(OverlayTest, ATooltipAtTheLowerEdgeStaysOnTheScreen) {
  for (const ImVec2 size : {ImVec2(310, 300), ImVec2(640, 300), ImVec2(1280, 300)}) {
    const ImGuiWindow* const shown = restOnFirstButton(size, {300.0f, 100.0f}, 250.0f);
    ASSERT_TRUE(shown != nullptr && shown->Active) << size.x;
    EXPECT_GE(shown->Pos.y, 0.0f) << size.x;
    EXPECT_LE(shown->Pos.y + shown->Size.y, size.y) << size.x;
    EXPECT_TRUE(shown->Pos.x >= 300.0f || shown->Pos.y + shown->Size.y < 260.0f) << "beside or above";
  }
  const ImGuiWindow* const narrow = restOnFirstButton({310.0f, 60.0f}, {300.0f, 60.0f}, 0.0f);
  ASSERT_TRUE(narrow != nullptr && narrow->Active);
  EXPECT_EQ(narrow->Pos.y, 0.0f) << "its first line is seen";
}

TEST_F(OverlayTest, ATooltipShowsWhereTheKeyboardIs) {
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
#if IMGUI_VERSION_NUM < 18700
  ImGui::GetIO().KeyMap[ImGuiKey_Space] = 32;
#endif
  ImGui::GetIO().DeltaTime = 0.3f;
  const auto shows = [&](const char* at) {
    frame([&] {
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({300, 300});
      ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
      for (const char* const name : {"a", "b"}) {
        button(name, name, -1.0f);
        if (*name != *at) continue;
        ImGui::SetFocusID(ImGui::GetID(name), ImGui::GetCurrentWindow());
        ImGuiContext& context = *ImGui::GetCurrentContext();
        context.NavDisableHighlight = false;
        context.NavDisableMouseHover = true;
      }
      ImGui::End();
    });
    const ImGuiWindow* const tooltip = ImGui::FindWindowByName("##Tooltip_00");
    return tooltip != nullptr && tooltip->Active;
  };
  for (const char* const name : {"a", "b"}) {
    shows(name);
    EXPECT_FALSE(shows(name)) << "it rests first";
    EXPECT_FALSE(shows(name));
    EXPECT_TRUE(shows(name));
  }
}

TEST_F(OverlayTest, ATooltipAtTheRightEdgeStaysOnTheScreen) {
  for (const float width : {200.0f, 640.0f, 1280.0f}) {
    const float left = width - 100.0f;
    const ImGuiWindow* const shown =
        restOnFirstButton({width, 600.0f}, {100.0f, 400.0f}, 0.0f,
                          "A long text that would leave the screen if it began where its button does", {}, left);
    ASSERT_TRUE(shown != nullptr && shown->Active) << width;
    EXPECT_GE(shown->Pos.x, 0.0f) << width;
    EXPECT_LE(shown->Pos.x + shown->Size.x, width) << width;
    EXPECT_GT(shown->Pos.y, 20.0f) << "below the button, " << width;
  }
}

TEST_F(OverlayTest, ATooltipOfADisabledButtonIsOpaque) {
  const auto opacity = [&](const std::string& unavailable) {
    const ImGuiWindow* const shown = restOnFirstButton({640.0f, 600.0f}, {300.0f, 400.0f}, 0.0f, "help", unavailable);
    ImU32 alpha = 0;
    for (const ImDrawVert& vertex : shown->DrawList->VtxBuffer)
      alpha = std::max(alpha, (vertex.col & IM_COL32_A_MASK) >> IM_COL32_A_SHIFT);
    return alpha;
  };
  EXPECT_EQ(opacity(""), 255u);
  EXPECT_EQ(opacity("a reason"), 255u);
}

TEST_F(OverlayTest, ATooltipKeepsANumberAndItsUnitOnOneLine) {
  const std::string word(40, 'x');
  const auto linesOf = [&](const std::string& unit) {
    const std::string help = word + " 1.5 " + unit + " " + word;
    const ImGuiWindow* const shown = restOnFirstButton({1280.0f, 600.0f}, {300.0f, 400.0f}, 0.0f, help.c_str());
    return (shown->Size.y - 2.0f * ImGui::GetStyle().WindowPadding.y) / ImGui::GetTextLineHeight();
  };
  EXPECT_EQ(linesOf("of"), 2.0f) << "1.5 beside the first word, of beside the second";
  EXPECT_EQ(linesOf("mm"), 3.0f);
}

TEST_F(OverlayTest, AHintKeepsANumberAndItsUnitOnOneLine) {
  for (const auto& [text, lines] : {std::pair{"blur 1.5 of blur", 2.0f}, {"blur 1.5 mm blur", 3.0f}})
    frame([&, text = text, lines = lines] {
      ImGui::SetNextWindowSize({ImGui::CalcTextSize("blur 1.5").x + 2.0f * ImGui::GetStyle().WindowPadding.x, 300.0f});
      ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
      hint(text);
      EXPECT_EQ(ImGui::GetItemRectSize().y, lines * ImGui::GetTextLineHeight()) << text;
      ImGui::End();
    });
}

TEST_F(OverlayTest, AStateHasOneLineHoweverLong) {
  const std::string words = "Best image (layered), gl-fragment: 16 reduce passes; filter gl-fragment, 9x9 separable";
  for (const std::string& state : {std::string(), std::string("Reference"), words, words + " | " + words})
    for (const bool loads : {false, true})
      frame([&] {
        ImGui::SetNextWindowSize({300.0f, 300.0f});
        ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
        const float top = ImGui::GetCursorPosY(), right = ImGui::GetContentRegionMax().x;
        drawState(session_, state, loads ? std::optional(LoadStatus{0.4f, state}) : std::nullopt);
        EXPECT_EQ(ImGui::GetCursorPosY() - top, ImGui::GetTextLineHeight() + ImGui::GetStyle().ItemSpacing.y) << state;
        EXPECT_LE(ImGui::GetItemRectMax().x, ImGui::GetWindowPos().x + right) << state;
        ImGui::End();
      });
}

TEST_F(OverlayTest, TheLineOfAFileThatIsReadCancelsIt) {
  const auto draw = [&] {
    ImGui::SetNextWindowPos({0.0f, 0.0f});
    ImGui::SetNextWindowSize({300.0f, 300.0f});
    ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
    drawState(session_, "Best image", LoadStatus{0.4f, "decoding texture 3 of 12"});
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    ImGui::GetIO().MousePos = {0.5f * (from.x + to.x), 0.5f * (from.y + to.y)};
    ImGui::End();
  };
  for (const bool down : {false, false, true, false}) {
    EXPECT_TRUE(session_.commands.empty());
    ImGui::GetIO().MouseDown[0] = down;
    frame(draw);
  }
  ASSERT_EQ(session_.commands.size(), 1u);
  EXPECT_EQ(session_.commands[0].command, Command::cancelLoading);
}

TEST_F(OverlayTest, AnOwnPresetCannotHaveTheNameOfAReadyMadeOne) {
  const test::TemporaryFolder folder;
  session_.presetFolder = folder.path();
  const std::string listed = folder.path() / "Default.json", two = folder.path() / "Two.json";
  session_.ownPresets = {listed};
  // Clicks "Save preset" or, to its right, "Delete preset". Returns the requests that follow.
  const auto click = [&](const char* name, bool deletes) -> std::vector<CommandRequest> {
    std::snprintf(session_.presetName.data(), session_.presetName.size(), "%s", name);
    for (const bool down : {false, false, true, false}) {
      ImGui::GetIO().MouseDown[0] = down;
      frame([&] {
        ImGui::SetNextWindowPos({0.0f, 0.0f});
        ImGui::SetNextWindowSize({300.0f, 400.0f});
        ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
        drawSettingsPanel(session_);
        ImGui::GetIO().MousePos = {deletes ? ImGui::GetItemRectMin().x + 5.0f : 20.0f,
                                   ImGui::GetItemRectMin().y + 5.0f - ImGui::GetFrameHeightWithSpacing()};
        ImGui::End();
      });
    }
    return std::exchange(session_.commands, {});
  };
  const auto isRequest = [](Command command, const std::string& file) {
    return ElementsAre(
        AllOf(Field(&CommandRequest::command, command), Field(&CommandRequest::files, ElementsAre(file))));
  };
  for (const char* const name : {"Default", "default", "GPU gems 3"}) EXPECT_TRUE(click(name, false).empty()) << name;
  EXPECT_THAT(click("Two", false), isRequest(Command::saveSettings, two));
  EXPECT_TRUE(click("Default", true).empty()) << "asks first";
  EXPECT_THAT(click("Default", true), isRequest(Command::deletePreset, listed)) << "a file of this name can be deleted";
  for (int press = 0; press < 2; ++press) EXPECT_TRUE(click("Two", true).empty()) << "there is none";
  folder.write("Two.json", "{}");  // by another window
  EXPECT_TRUE(click("Two", false).empty()) << "asks first";
  EXPECT_THAT(click("Two", false), isRequest(Command::saveSettings, two));
  EXPECT_TRUE(click("Two", true).empty()) << "asks first";
  EXPECT_THAT(click("Two", true), isRequest(Command::deletePreset, two));
}

TEST_F(OverlayTest, AListCutsItsTextBeforeTheArrowAndShowsTheEnding) {
  const auto rightOfText = [&](const std::string& shown, const std::string& ending) {
    frame([&] {
      ImGui::SetNextWindowPos({0.0f, 0.0f});
      ImGui::SetNextWindowSize({200.0f, 300.0f});
      ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
      ImGui::SetNextItemWidth(-1.0f);
      EXPECT_FALSE(beginList("##list", shown, ending));
      ImGui::End();
    });
    return textRight_;
  };
  const std::string name = "Circle of confusion | image";
  const float arrow = 200.0f - ImGui::GetStyle().WindowPadding.x - ImGui::GetFrameHeight();
  EXPECT_LE(rightOfText(name, ""), arrow);
  EXPECT_LE(rightOfText(name, ", changed"), arrow);
  EXPECT_NEAR(rightOfText(name, ", changed"), arrow, 3.0f * ImGui::GetFontSize()) << "with its ending";
}

TEST_F(OverlayTest, AWarningIsShownUntilItIsMended) {
  const auto draw = [&] { drawErrors(session_, "cannot read the mask wrong.json: line 1: not valid JSON", 1.0f); };
  const Box box = frame(draw);
  ASSERT_TRUE(box.any());
  EXPECT_GT(box.left, kPanels);
  session_.notices.errors.clear();
  EXPECT_TRUE(frame(draw).any());
  EXPECT_FALSE(frame([&] { drawErrors(session_, "", 1.0f); }).any());
}

// A click on a point of a measured curve chooses its technique if the curve measures tables.
TEST_F(OverlayTest, AClickOnATableUsesItsTechnique) {
  for (const bool tables : {true, false}) {
    lab::test::FakeClock clock;
    const lab::Experiment experiment{.id = "work",
                                     .title = "Work",
                                     .axis = "pixels",
                                     .tables = tables,
                                     .xs = {64},
                                     .series = {lab::test::linear(clock, "cpu-sequential", 1, 0)}};
    lab::Laboratory lab({experiment}, {}, clock.clock());
    lab.start(0);
    while (lab.running()) lab.advance(1e9);
    session_ = {};
    session_.lab.shown = true;
    ImGuiIO& io = ImGui::GetIO();
    constexpr float kStep = 9.0f;  // less than the distance at which a point shows its values
    for (float y = 0.3f * kSize.y; y < kSize.y && session_.action.empty(); y += kStep)  // below the buttons
      for (float x = kPanels; x < kSize.x && session_.action.empty(); x += kStep) {
        io.MousePos = {x, y};
        for (const bool down : {false, true}) {
          io.MouseDown[0] = down;
          frame([&] { drawLabPanel(session_, &lab, {}, kPanels); });
        }
      }
    io.MouseDown[0] = false;
    EXPECT_EQ(session_.action, tables ? "Table: cpu-sequential" : "");
    EXPECT_EQ(session_.settings.technique.device, tables ? DeviceId::cpuSequential : DeviceId::automatic);
  }
}

TEST_F(OverlayTest, ControlsStartAtOneXWhateverTheirLabel) {
  for (const float width : {200.0f, 320.0f})
    frame([&] {
      ImGui::SetNextWindowSize({width, 300.0f});
      ImGui::Begin("panel");
      float controlX = 0.0f;
      for (const char* const label : {"View", "Highlight threshold", "Settings of a long name"}) {
        rowLabel(label);
        EXPECT_LT(ImGui::GetItemRectMax().x, ImGui::GetWindowPos().x + ImGui::GetCursorPosX()) << label;
        if (controlX == 0.0f) controlX = ImGui::GetCursorPosX();
        EXPECT_EQ(ImGui::GetCursorPosX(), controlX) << label;
        ImGui::Button("control");
      }
      ImGui::End();
    });
}

TEST_F(OverlayTest, ControlsOfANarrowPanelAreBelowTheirLabelsAndFillIt) {
  frame([&] {
    ImGui::SetNextWindowSize({120.0f, 300.0f});
    ImGui::Begin("panel");
    const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
    for (const char* const label : {"View", "Highlight threshold"}) {
      rowLabel(label);
      EXPECT_EQ(ImGui::GetCursorPosX(), left) << label;
      EXPECT_GT(ImGui::GetCursorScreenPos().y, ImGui::GetItemRectMax().y) << label;
      EXPECT_LE(ImGui::GetItemRectSize().x, room) << label;
      EXPECT_NEAR(ImGui::CalcItemWidth(), room, 1.0f) << label;
      ImGui::Button("control");
    }
    ImGui::End();
  });
}

}  // namespace
}  // namespace satdof
