#include "app/ui/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gmock/gmock.h>

#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "app/device/device.h"
#include "app/lens/lens.h"
#include "app/ui/edit.h"
#include "app/ui/history.h"
#include "tests/support/gl_fixture.h"

namespace satdof {
namespace {

using testing::ElementsAre;

std::vector<Command> commandsOf(const Session& session) {
  std::vector<Command> commands;
  for (const CommandRequest& each : session.commands) commands.push_back(each.command);
  return commands;
}

TEST(Keys, TheFirstHintNamesOrbitWhereItTurnsTheImage) {
  Settings settings;
  EXPECT_NE(startHint(settings).find("orbit"), std::string::npos);
  settings.scene.kind = SceneKind::image;
  settings.scene.image.parallax = 0.0f;
  EXPECT_EQ(startHint(settings).find("orbit"), std::string::npos);
  settings.scene.image.parallax = 0.05f;
  EXPECT_NE(startHint(settings).find("orbit"), std::string::npos);
}

TEST(Keys, EveryBindingHasHelpOrFollowsOneWithHelp) {
  const auto bindings = keyBindings();
  ASSERT_FALSE(bindings.empty());
  EXPECT_NE(bindings.front().keys, nullptr);
  for (const auto& binding : bindings) {
    EXPECT_EQ(binding.keys == nullptr, binding.help == nullptr);
    if (binding.keys == nullptr) {
      EXPECT_TRUE(binding.key != 0 || *binding.typed != '\0') << "a binding without keys and without help";
    } else {
      EXPECT_GT(std::string_view(binding.keys).size(), 0u);
      EXPECT_GT(std::string_view(binding.help).size(), 0u) << binding.keys;
    }
    const bool hasKey = binding.key != 0 || *binding.typed != '\0';
    EXPECT_EQ(hasKey, binding.act != nullptr) << (binding.keys == nullptr ? "" : binding.keys);
  }
}

TEST(Keys, NoTwoBindingsShareAKey) {
  std::set<std::tuple<int, bool, bool>> keys;
  std::set<char> typed;
  for (const auto& binding : keyBindings()) {
    if (binding.key != 0) {
      EXPECT_TRUE(keys.emplace(binding.key, binding.control, binding.shift).second) << binding.key;
    }
    for (const char character : std::string_view(binding.typed))
      EXPECT_TRUE(typed.insert(character).second) << character;
  }
}

TEST(Keys, PressKeyNeedsTheControlKeyOfItsBinding) {
  Session session;
  pressKey(session, GLFW_KEY_Q, false, false);
  pressKey(session, GLFW_KEY_F12, true, false);
  EXPECT_THAT(commandsOf(session), ElementsAre());
  pressKey(session, GLFW_KEY_Q, true, false);
  pressKey(session, GLFW_KEY_F12, false, false);
  EXPECT_THAT(commandsOf(session), ElementsAre(Command::quit, Command::saveImage));
}

TEST(Keys, TextFieldsLeaveFunctionKeysAndQuitAlone) {
  for (const int key : {GLFW_KEY_F1, GLFW_KEY_F2, GLFW_KEY_F12}) EXPECT_FALSE(editsText(key, false));
  EXPECT_FALSE(editsText(GLFW_KEY_Q, true));
  EXPECT_TRUE(editsText(GLFW_KEY_Q, false));
  for (const int key : {GLFW_KEY_C, GLFW_KEY_V, GLFW_KEY_X, GLFW_KEY_Z}) EXPECT_TRUE(editsText(key, true));
  for (const int key : {GLFW_KEY_ESCAPE, GLFW_KEY_LEFT, GLFW_KEY_ENTER}) EXPECT_TRUE(editsText(key, false));
}

TEST(Keys, ControlKeysAskForUndoRedoAndTheClipboard) {
  Session session;
  pressKey(session, GLFW_KEY_Z, true, false);
  pressKey(session, GLFW_KEY_Z, true, true, true);
  EXPECT_THAT(commandsOf(session), ElementsAre(Command::undo, Command::redo));
  session = {};
  pressKey(session, GLFW_KEY_Z, false, false);
  pressKey(session, GLFW_KEY_Y, true, false);
  pressKey(session, GLFW_KEY_C, true, false);
  pressKey(session, GLFW_KEY_C, true, false, true);
  pressKey(session, GLFW_KEY_V, true, false);
  EXPECT_THAT(commandsOf(session), ElementsAre(Command::redo, Command::copyJson, Command::copyOptions, Command::paste));
}

TEST(Keys, ARepeatRunsOnlyRepeatingBindings) {
  Session session;
  pressKey(session, GLFW_KEY_F2, false, true);
  EXPECT_TRUE(session.settings.present.showUi);
  pressKey(session, GLFW_KEY_F2, false, false);
  EXPECT_FALSE(session.settings.present.showUi);

  typeCharacter(session, 's', true);
  EXPECT_FALSE(session.settings.split.enabled);
  typeCharacter(session, ']', true);
  EXPECT_GT(session.settings.lens.fNumber, LensSettings{}.fNumber);
}

TEST(Keys, AsksOnceWhetherLettersWereText) {
  Session session;
  History history(session);
  const auto type = [&](const char* text, double startS, double stepS) {
    for (; *text != 0; ++text, startS += stepS) {
      askWhetherText(session, static_cast<unsigned>(*text), startS);
      typeCharacter(session, static_cast<unsigned>(*text), false);
      history.observe(session, startS, false);
    }
  };
  type("pap", 0, 0.1);
  EXPECT_FALSE(session.input.askedWhetherText) << "two letters";
  type("][][", 1, 0.1);
  EXPECT_FALSE(session.input.askedWhetherText) << "no letters";
  type("pam", 10, 0.6);
  EXPECT_FALSE(session.input.askedWhetherText) << "slowly";
  session.input.ageS = 0.9;
  type("pam", 15, 0.2);
  EXPECT_FALSE(session.input.askedWhetherText) << "perhaps slowly: a frame took long";
  for (const char* const text : {"Pad", "dkp"}) {
    session = {};
    history = History(session);
    Settings before = session.settings;
    before.scene.timeS = session.settings.scene.timeS = 7.0f;
    const Shot shotBefore = session.shot();
    type(text, 20, 0.2);
    EXPECT_TRUE(session.input.askedWhetherText);
    EXPECT_NE(session.notices.hint.find("text"), std::string::npos);
    EXPECT_NE(session.settings, before);
    while (!history.undo(session).empty()) continue;
    EXPECT_EQ(session.settings, before) << text;
    EXPECT_EQ(session.shot(), shotBefore) << text;
  }
  session.notices.hint.clear();
  type("map", 20.6, 0.2);
  EXPECT_EQ(session.notices.hint, "") << "asked once";
}

TEST(Keys, HeldKeysActOnlyThroughTheirBinding) {
  Session session;
  session.input.frameS = 0.05f;
  pressKey(session, GLFW_KEY_LEFT, false, false);
  EXPECT_EQ(session.settings.camera, CameraSettings{});
  int held = 0;
  for (const auto& binding : keyBindings()) {
    if (binding.trigger != Trigger::hold) continue;
    ++held;
    if (binding.key == GLFW_KEY_LEFT) binding.act(session, -1);
  }
  EXPECT_EQ(held, 6) << "four arrows, the keys of B and of the image before depth of field";
  EXPECT_NEAR(session.settings.camera.yawDegrees, CameraSettings{}.yawDegrees - 3.0f, 1e-4f);
}

TEST(Keys, ALongFrameTurnsTheCameraByATenthOfASecond) {
  Session session;
  session.input.frameS = 5.0f;
  for (const auto& binding : keyBindings())
    if (binding.key == GLFW_KEY_UP) binding.act(session, -1);
  EXPECT_NEAR(session.settings.camera.pitchDegrees, CameraSettings{}.pitchDegrees + 6.0f, 1e-4f);
}

TEST(Keys, BracketsMoveTheApertureWithinItsRange) {
  Session session;
  session.settings.lens.fNumber = 2.0f;
  for (int i = 0; i < 3; ++i) typeCharacter(session, '[', false);
  EXPECT_EQ(session.settings.lens.fNumber, 1.4f);
  EXPECT_EQ(session.notices.text, "Aperture: f/1.4");
  for (int i = 0; i < 100; ++i) typeCharacter(session, ']', true);
  EXPECT_EQ(session.settings.lens.fNumber, 128.0f);
}

TEST(Keys, AnImageExplainsItsFixedViewpoint) {
  Session session;
  session.settings.scene.kind = SceneKind::image;
  session.shown.whyStill = "an image without parallax stands still";
  session.input.frameS = 0.05f;
  for (const int key : {GLFW_KEY_LEFT, GLFW_KEY_RIGHT, GLFW_KEY_UP, GLFW_KEY_DOWN}) {
    session.notices.text.clear();
    for (const auto& binding : keyBindings())
      if (binding.key == key) binding.act(session, -1);
    EXPECT_EQ(session.notices.text, "No orbit: an image without parallax stands still");
  }
  typeCharacter(session, '+', false);
  EXPECT_EQ(session.notices.text, "Zoom: 150 %");
  typeCharacter(session, '-', false);
  EXPECT_EQ(session.notices.text, "Zoom: fit");
  EXPECT_EQ(session.settings.camera, CameraSettings{}) << "nothing to undo";
  session.shown.whyStill.clear();  // with parallax
  for (const auto& binding : keyBindings())
    if (binding.key == GLFW_KEY_LEFT) binding.act(session, -1);
  EXPECT_NE(session.settings.camera, CameraSettings{});
}

TEST(Keys, PlusAndMinusZoom) {
  Session session;
  typeCharacter(session, '+', false);
  EXPECT_LT(session.settings.camera.distanceM, CameraSettings{}.distanceM);
  typeCharacter(session, '-', true);
  EXPECT_FLOAT_EQ(session.settings.camera.distanceM, CameraSettings{}.distanceM);
}

TEST(Keys, LettersToggle) {
  Session session;
  const bool animated = session.settings.scene.animate;
  typeCharacter(session, ' ', false);
  EXPECT_NE(session.settings.scene.animate, animated);
  EXPECT_EQ(session.notices.text, "Animation: paused");
  typeCharacter(session, ' ', false);
  EXPECT_EQ(session.notices.text, "Animation: running");
  typeCharacter(session, 'A', false);
  EXPECT_TRUE(session.settings.lens.autofocus);
  typeCharacter(session, 'a', false);
  EXPECT_FALSE(session.settings.lens.autofocus);
  session.settings.camera.yawDegrees = 99.0f;
  typeCharacter(session, 'r', false);
  EXPECT_EQ(session.settings.camera, CameraSettings{});
}

TEST(Keys, ASceneThatStandsStillIsNotAnimated) {
  Session session;
  EXPECT_TRUE(session.moves());
  session.shown.whyStill = "the model has no animation";
  EXPECT_FALSE(session.moves());
  EXPECT_FALSE(session.paused()) << "there is nothing to resume";
  const Settings before = session.settings;
  typeCharacter(session, ' ', false);
  EXPECT_EQ(session.settings, before);
  EXPECT_EQ(session.notices.text, "Animation: the model has no animation");
  session.shown.whyStill.clear();
  typeCharacter(session, ' ', false);
  EXPECT_TRUE(session.paused());
}

TEST(Keys, EscapeClosesHelpAndErrorsThenTheLaboratoryThenLeavesFullScreen) {
  Session session;
  session.lab.shown = true;
  session.settings.present.fullScreen = true;
  typeCharacter(session, '?', false);
  EXPECT_TRUE(session.showKeys);
  session.report("capture", "a message");
  pressKey(session, GLFW_KEY_ESCAPE, false, false);
  EXPECT_FALSE(session.showKeys);
  EXPECT_TRUE(session.notices.errors.empty());
  EXPECT_TRUE(session.lab.shown);
  pressKey(session, GLFW_KEY_ESCAPE, false, false);
  EXPECT_FALSE(session.lab.shown);
  EXPECT_TRUE(session.settings.present.fullScreen);
  pressKey(session, GLFW_KEY_ESCAPE, false, false);
  EXPECT_FALSE(session.settings.present.fullScreen);
}

TEST(Keys, AnErrorReplacesTheErrorOfItsSource) {
  Session session;
  session.report("capture", "full disk");
  session.report("shaders", "line 3");
  session.report("capture", "no folder");
  ASSERT_EQ(session.notices.errors.size(), 2u);
  EXPECT_EQ(session.notices.errors[1].text, "no folder");
  session.forget("shaders");
  ASSERT_EQ(session.notices.errors.size(), 1u);
  EXPECT_EQ(session.notices.errors[0].source, "capture");
}

TEST(Keys, OtherCharactersDoNothing) {
  Session session;
  const Settings before = session.settings;
  for (const unsigned character : {unsigned{'y'}, 0u, 0xe4u, 0x1F600u}) typeCharacter(session, character, false);
  EXPECT_EQ(session.settings, before);
  EXPECT_TRUE(session.notices.text.empty());
}

TEST(Keys, TheLoupeGoesFromOneToSixteenAndOff) {
  Session session;
  for (const int expected : {1, 2, 4, 8, 16, 0, 1}) {
    typeCharacter(session, 'm', false);
    EXPECT_EQ(session.loupe.magnification, expected);
  }
}

TEST(Keys, BookmarksStoreAndReturnToACamera) {
  Session session;
  session.settings.camera.yawDegrees = 77.0f;
  pressKey(session, GLFW_KEY_6, true, false, true);
  session.settings.camera = {};
  pressKey(session, GLFW_KEY_1, true, false);
  EXPECT_EQ(session.settings.camera, CameraSettings{}) << "an empty bookmark";
  EXPECT_NE(session.notices.text.find("empty"), std::string::npos);
  pressKey(session, GLFW_KEY_6, true, false);
  EXPECT_EQ(session.settings.camera.yawDegrees, 77.0f);
}

TEST(Keys, ControlXSwapsTheSides) {
  Session session;
  session.settings.split.b.lens.kind = LensKind::tent;
  pressKey(session, GLFW_KEY_X, true, false);
  EXPECT_EQ(session.settings.technique.lens.kind, LensKind::tent);
  EXPECT_EQ(session.settings.split.b.lens.kind, LensKind::automatic);
  EXPECT_EQ(session.action, "Swap A and B");
}

using KeysOnDevices = GlTest;

TEST_F(KeysOnDevices, AComparisonStartsWithTwoDifferentSides) {
  for (const EnumEntry<LensKind>& lens : entries(LensKind{})) {
    Session session;
    session.settings.technique.lens.kind = session.settings.split.b.lens.kind = lens.value;
    typeCharacter(session, 's', false);
    EXPECT_TRUE(session.settings.split.enabled);
    EXPECT_NE(resolve(session.settings.technique), resolve(session.settings.split.b)) << lens.name;
  }
  Session session;
  session.settings.split.b.lens.kind = LensKind::layered;
  typeCharacter(session, 's', false);
  EXPECT_NE(session.settings.split.b.lens.kind, LensKind::layered) << "auto is layered at rest";
  session = {};
  session.settings.split.b.lens.kind = LensKind::reference;
  typeCharacter(session, 's', false);
  EXPECT_EQ(session.settings.split.b.lens.kind, LensKind::reference) << "sides that differ stay";
}

TEST_F(KeysOnDevices, AComparisonStartsWithBothSidesInSight) {
  for (const float left : {0.0f, 0.3f, 0.5f})
    for (const float position : {0.0f, 0.3f, 0.5f, 0.6f, 1.0f}) {
      Session session;
      session.visible.left = left;
      session.settings.split.position = position;
      typeCharacter(session, 's', false);
      const float shown = session.settings.split.position;
      EXPECT_GT(shown, left + 0.04f) << left;
      EXPECT_LT(shown, 0.99f);
      if (position == SplitSettings{}.position) {
        EXPECT_EQ(shown, session.visible.centre().x) << "nobody has moved it";
      } else if (position > left + 0.05f && position < 0.95f) {
        EXPECT_EQ(shown, position);
      }
    }
}

TEST_F(KeysOnDevices, CommaAndFullStopWalkTheViewsThatCanBeShown) {
  for (const char key : {',', '.'}) {
    Session session;
    session.settings.technique.lens.kind = session.settings.split.b.lens.kind = LensKind::box;
    std::set<View> seen;
    for (int i = 0; i < 40; ++i) {
      typeCharacter(session, static_cast<unsigned>(key), true);
      const View view = session.settings.technique.view;
      EXPECT_EQ(whyNot(session.settings, "technique.view", view), "");
      seen.insert(view);
    }
    std::size_t showable = 0;
    for (const auto& view : entries(View{})) showable += whyNot(session.settings, "technique.view", view.value).empty();
    EXPECT_EQ(seen.size(), showable);
  }
}

TEST_F(KeysOnDevices, DigitsChooseViewsThatCanBeShown) {
  const auto views = entries(View{});
  for (const LensKind lens : {LensKind::box, LensKind::layered}) {
    Session session;
    session.settings.technique.lens.kind = session.settings.split.b.lens.kind = lens;
    for (unsigned digit = 1; digit <= 9; ++digit) {
      const auto& view = views[digit - 1];
      const std::string reason = whyNot(session.settings, "technique.view", view.value);
      const View before = session.settings.technique.view;
      typeCharacter(session, '0' + digit, false);
      EXPECT_EQ(session.settings.technique.view, reason.empty() ? view.value : before);
      EXPECT_EQ(session.notices.text, reason.empty() ? "View " + described(view.value)
                                                     : std::string("No view ") + shownName(view.value) + ": " + reason);
      EXPECT_EQ(session.notices.ageS, 0.0f);
    }
  }
}

TEST_F(KeysOnDevices, NoticesNameTheCircleOfConfusionInWords) {
  Session session;
  typeCharacter(session, '3', false);
  EXPECT_EQ(session.settings.technique.view, View::coc);
  EXPECT_EQ(session.notices.text, "View circle of confusion: near blue, far orange, in focus white");
  for (const auto& view : entries(View{})) EXPECT_EQ(described(view.value).find("coc"), std::string::npos) << view.name;
  for (const auto& binding : keyBindings())
    EXPECT_EQ(std::string_view(binding.help == nullptr ? "" : binding.help).find("coc"), std::string_view::npos);
}

TEST_F(KeysOnDevices, ViewsThatWouldBeEmptyHaveAReason) {
  Settings settings;
  settings.technique.lens.kind = settings.split.b.lens.kind = LensKind::box;
  const auto reason = [&](View view) { return whyNot(settings, "technique.view", view); };
  EXPECT_EQ(reason(View::final), "");
  EXPECT_NE(reason(View::near), "");
  EXPECT_NE(reason(View::fill), "");
  EXPECT_NE(reason(View::difference), "") << "A and B are equal";
  settings.split.b.lens.kind = LensKind::layered;
  EXPECT_EQ(reason(View::difference), "");
  settings.technique.lens.kind = LensKind::layered;
  EXPECT_EQ(reason(View::near), "");
  EXPECT_EQ(reason(View::fill), "");
}

TEST_F(KeysOnDevices, AViewThatTheBestImageHasIsOffered) {
  Settings settings;
  for (const View view : {View::near, View::fill, View::layers, View::weights, View::sprites})
    EXPECT_EQ(whyNot(settings, "technique.view", view), "") << name(view);
  settings.quality.adaptive = false;
  settings.technique.lens.kind = LensKind::box;
  EXPECT_NE(whyNot(settings, "technique.view", View::near), "");
}

TEST_F(KeysOnDevices, LettersCycleTheTechniqueAndNameTheChoice) {
  Session session;
  session.settings.technique.device = DeviceId::cpu;
  typeCharacter(session, 'b', false);
  EXPECT_EQ(session.settings.technique.device, DeviceId::cpuSequential);
  EXPECT_EQ(session.notices.text, "Device: cpu-sequential");
  for (int presses = 0; presses < 10 && session.settings.technique.device != DeviceId::automatic; ++presses)
    typeCharacter(session, 'b', false);
  EXPECT_EQ(session.notices.text, std::string("Device: auto (") + name(deviceOf(DeviceId::automatic).id) + ")");
  session.settings.technique.lens.kind = LensKind::box;
  typeCharacter(session, 'l', false);
  EXPECT_EQ(session.settings.technique.lens.kind, LensKind::tent);
  EXPECT_EQ(session.notices.text, "Lens: tent");
  for (int presses = 0; presses < 10 && session.settings.technique.lens.kind != LensKind::automatic; ++presses)
    typeCharacter(session, 'l', false);
  EXPECT_EQ(session.notices.text, std::string("Lens: auto (layered)")) << "what is drawn at rest";
  typeCharacter(session, 't', false);
  EXPECT_EQ(session.settings.technique.table.format, TableFormat::float32);
}

TEST_F(KeysOnDevices, TheScanKeyNeedsADeviceThatUsesScans) {
  Session session;
  session.settings.technique.device = DeviceId::cpu;
  typeCharacter(session, 'v', false);
  EXPECT_EQ(session.settings.technique.table.scan, TableSpec{}.scan);
  EXPECT_EQ(session.notices.text, "Scan: " + missing(deviceOf(DeviceId::cpu), &DeviceOptions::kernels));
}

TEST(Keys, PageKeysAndArrowsOfTheStripStepThroughPhotographs) {
  Session session;
  pressKey(session, GLFW_KEY_RIGHT, false, false);
  EXPECT_TRUE(session.commands.empty()) << "the arrows orbit the camera";
  pressKey(session, GLFW_KEY_PAGE_DOWN, false, false);
  pressKey(session, GLFW_KEY_PAGE_UP, false, false);
  session.strip.focused = true;
  pressKey(session, GLFW_KEY_RIGHT, false, true);
  pressKey(session, GLFW_KEY_LEFT, false, true);
  std::vector<int> steps;
  for (const CommandRequest& request : session.commands)
    if (request.command == Command::stepPhotos) steps.push_back(request.number);
  EXPECT_THAT(steps, ElementsAre(1, -1, 1, -1));
}

TEST(Keys, TheKeyOfTheBrushEndsItAndTakesTheSameOneUpAgain) {
  Session session;
  session.settings.scene.kind = SceneKind::image;
  const auto brush = [&] { return std::ranges::find(kBrushes, session.brush.kind, &BrushRow::kind)->name; };
  typeCharacter(session, 'w', false);
  EXPECT_STREQ(brush(), "off") << "no photograph";
  session.settings.scene.image.file.text = "photo.png";
  typeCharacter(session, 'w', false);
  EXPECT_STREQ(brush(), kBrushes[1].name);
  EXPECT_THAT(session.notices.text, testing::HasSubstr("W or Esc ends the brush"));
  typeCharacter(session, 'W', false);
  EXPECT_STREQ(brush(), kBrushes[2].name);
  typeCharacter(session, 'w', false);
  EXPECT_STREQ(brush(), "off");
  EXPECT_THAT(session.notices.text, testing::HasSubstr("off"));
  typeCharacter(session, 'w', false);
  EXPECT_STREQ(brush(), kBrushes[2].name);
  pressKey(session, GLFW_KEY_ESCAPE, false, false, false);
  EXPECT_STREQ(brush(), "off");
  for (std::size_t i = 0; i < kBrushes.size() - 1; ++i) typeCharacter(session, 'W', false);
  EXPECT_STREQ(brush(), kBrushes[1].name) << "from the third on round all brushes";
  typeCharacter(session, 'w', false);
  session.shown.lacksDepth = true;
  typeCharacter(session, 'w', false);
  EXPECT_STREQ(brush(), "pull nearer") << "an even depth has no other depth to take";
}

}  // namespace
}  // namespace satdof
