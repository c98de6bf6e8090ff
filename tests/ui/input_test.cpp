#include "app/ui/input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <utility>

namespace satdof {
namespace {

using Kind = InputEvent::Kind;

InputEvent event(Kind kind, int code = 0) { return {.kind = kind, .code = code}; }
InputEvent move(float x) { return {.kind = Kind::move, .at = {x, 0.0f}}; }

// The number of events in each frame until the queue is empty.
std::vector<std::size_t> frames(InputQueue& queue) {
  std::vector<std::size_t> sizes;
  while (!queue.empty()) sizes.push_back(queue.take().size());
  return sizes;
}

TEST(InputQueue, AnEmptyQueueGivesNoEvents) {
  InputQueue queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(queue.take().empty());
}

TEST(InputQueue, AShortPressLastsAFrame) {
  for (const auto& [down, up] : {std::pair{Kind::key, Kind::keyUp}, {Kind::press, Kind::release}}) {
    InputQueue queue;
    const int code = down == Kind::key ? GLFW_KEY_ESCAPE : 0;
    for (int i = 0; i < 2; ++i) {
      queue.push(event(down, code));
      queue.push(event(up, code));
    }
    EXPECT_EQ(frames(queue), (std::vector<std::size_t>{1, 1, 1, 1}));
  }
}

TEST(InputQueue, HeldKeysAreDownForAtLeastOneFrame) {
  InputQueue queue;
  queue.push(event(Kind::key, GLFW_KEY_LEFT));
  queue.push(event(Kind::keyUp, GLFW_KEY_LEFT));
  EXPECT_FALSE(queue.held(GLFW_KEY_LEFT));
  queue.take();
  EXPECT_TRUE(queue.held(GLFW_KEY_LEFT));
  queue.take();
  EXPECT_FALSE(queue.held(GLFW_KEY_LEFT));
}

TEST(InputQueue, AKeyOfCtrlIsNotHeldAloneAfterCtrlIsUp) {
  InputQueue queue;
  queue.push({.kind = Kind::key, .code = GLFW_KEY_O, .control = true});
  queue.push(event(Kind::keyUp, GLFW_KEY_LEFT_CONTROL));
  while (!queue.empty()) queue.take();
  EXPECT_TRUE(queue.held(GLFW_KEY_O));
  EXPECT_FALSE(queue.heldAlone(GLFW_KEY_O));
  queue.push(event(Kind::keyUp, GLFW_KEY_O));
  queue.push(event(Kind::key, GLFW_KEY_O));
  while (!queue.empty()) queue.take();
  EXPECT_TRUE(queue.heldAlone(GLFW_KEY_O));
}

TEST(InputQueue, HoldsWithAButtonOrAKeyButNotWithAModifier) {
  InputQueue queue;
  const auto holdsAfter = [&](const InputEvent& next) {
    queue.push(next);
    queue.take();
    return queue.holding();
  };
  EXPECT_FALSE(queue.holding());
  EXPECT_FALSE(holdsAfter(event(Kind::key, GLFW_KEY_LEFT_SHIFT)));
  EXPECT_TRUE(holdsAfter(event(Kind::key, GLFW_KEY_LEFT)));
  EXPECT_FALSE(holdsAfter(event(Kind::keyUp, GLFW_KEY_LEFT)));
  EXPECT_TRUE(holdsAfter(event(Kind::press, 0)));
  EXPECT_TRUE(holdsAfter(move(3)));
  EXPECT_FALSE(holdsAfter(event(Kind::release, 0)));
}

TEST(InputQueue, ActsUnlessTheMouseMovesOrAModifierGoesDown) {
  const auto acts = [](const InputEvent& next) {
    InputQueue queue;
    queue.push(move(3));
    queue.push(next);
    return queue.acts();
  };
  EXPECT_FALSE(InputQueue().acts());
  EXPECT_FALSE(acts(event(Kind::key, GLFW_KEY_LEFT_SHIFT)));
  EXPECT_FALSE(acts(event(Kind::keyUp, GLFW_KEY_A)));
  EXPECT_FALSE(acts(event(Kind::release, 0)));
  EXPECT_FALSE(acts(move(4)));
  EXPECT_TRUE(acts(event(Kind::key, GLFW_KEY_ESCAPE)));
  EXPECT_TRUE(acts(event(Kind::character, 'a')));
  EXPECT_TRUE(acts(event(Kind::press, 0)));
  EXPECT_TRUE(acts(event(Kind::scroll, 0)));
}

TEST(InputQueue, KeysAndCharactersKeepTheirModifiersForAFrame) {
  InputQueue queue;
  const InputEvent a{.kind = Kind::key, .code = GLFW_KEY_A, .control = true};
  queue.push(event(Kind::key, GLFW_KEY_LEFT_CONTROL));
  EXPECT_EQ(queue.take().size(), 1);
  queue.push(a);
  queue.push({.kind = Kind::keyUp, .code = GLFW_KEY_LEFT_CONTROL, .control = true});
  queue.push(event(Kind::keyUp, GLFW_KEY_A));
  EXPECT_EQ(frames(queue), (std::vector<std::size_t>{1, 2})) << "Ctrl goes up before A";
  queue.push(event(Kind::key, GLFW_KEY_N));
  queue.push(event(Kind::character, 'n'));
  queue.push(event(Kind::keyUp, GLFW_KEY_N));
  queue.push(event(Kind::key, GLFW_KEY_LEFT_CONTROL));
  queue.push(a);
  EXPECT_EQ(frames(queue), (std::vector<std::size_t>{3, 2})) << "text before Ctrl";
  queue.push(event(Kind::key, GLFW_KEY_LEFT));
  queue.push(event(Kind::keyUp, GLFW_KEY_LEFT_SHIFT));
  EXPECT_EQ(frames(queue), (std::vector<std::size_t>{1, 1})) << "a selection by Shift and arrows";
}

TEST(InputQueue, TheNavigationGetsAKeyAFrame) {
  InputQueue queue;
  for (const int code : {GLFW_KEY_TAB, GLFW_KEY_ENTER, GLFW_KEY_RIGHT})
    for (const Kind kind : {Kind::key, Kind::keyUp}) queue.push(event(kind, code));
  EXPECT_EQ(frames(queue), (std::vector<std::size_t>{1, 1, 1, 1, 1, 1})) << "Enter is for the control that Tab goes to";
}

TEST(InputQueue, TypedTextTakesOneFrame) {
  InputQueue queue;
  for (const char key : {'A', 'B', 'A'}) {
    queue.push(event(Kind::key, key));
    queue.push(event(Kind::character, key));
    queue.push(event(Kind::keyUp, key));
  }
  EXPECT_EQ(frames(queue), std::vector<std::size_t>{9});
  queue.push(event(Kind::key, GLFW_KEY_BACKSPACE));
  queue.push(event(Kind::character, 'x'));
  EXPECT_EQ(frames(queue), (std::vector<std::size_t>{1, 1})) << "text before Backspace is another text";
}

TEST(InputQueue, AKeyWithControlLastsAFrame) {
  InputQueue queue;
  queue.push({.kind = Kind::key, .code = GLFW_KEY_Z, .control = true});
  queue.push({.kind = Kind::keyUp, .code = GLFW_KEY_Z, .control = true});
  EXPECT_EQ(frames(queue), (std::vector<std::size_t>{1, 1}));
}

TEST(InputQueue, AQuickDragIsSeenWithTheButtonDown) {
  InputQueue queue;
  for (const InputEvent& each : {move(1), event(Kind::press), move(2), move(3), event(Kind::release), move(4)})
    queue.push(each);
  EXPECT_EQ(frames(queue), (std::vector<std::size_t>{2, 2, 1, 1}));
}

TEST(InputQueue, AKeyWaitsForTheClickBeforeIt) {
  InputQueue queue;
  for (const InputEvent& each : {event(Kind::press), event(Kind::release), event(Kind::key, GLFW_KEY_ESCAPE)})
    queue.push(each);
  EXPECT_EQ(frames(queue), (std::vector<std::size_t>{1, 1, 1}));
  queue.push({.kind = Kind::key, .code = GLFW_KEY_LEFT_CONTROL, .control = true});
  queue.push(event(Kind::press));
  EXPECT_EQ(frames(queue), std::vector<std::size_t>{2}) << "a modifier and its click";
}

TEST(InputQueue, RandomEventsKeepTheirOrderAndEveryPressIsSeen) {
  std::mt19937 random(5);
  const std::array kinds = {Kind::key,     Kind::keyUp, Kind::character, Kind::press,
                            Kind::release, Kind::move,  Kind::leave,     Kind::scroll};
  InputQueue queue;
  constexpr int kEvents = 4097;
  for (int i = 0; i < kEvents; ++i) {
    InputEvent next = event(kinds[random() % kinds.size()], 256 + static_cast<int>(random() % 3));
    next.scancode = i;
    queue.push(next);
  }
  int seen = 0;
  while (!queue.empty()) {
    const auto taken = queue.take();
    ASSERT_FALSE(taken.empty());
    std::map<std::pair<bool, int>, Kind> changed;
    for (const InputEvent& each : taken) {
      EXPECT_EQ(each.scancode, seen++);
      const bool key = each.kind == Kind::key || each.kind == Kind::keyUp;
      if (!key && each.kind != Kind::press && each.kind != Kind::release) continue;
      const auto [at, first] = changed.emplace(std::pair{key, each.code}, each.kind);
      EXPECT_TRUE(first || at->second == each.kind) << "up and down in one frame";
    }
  }
  EXPECT_EQ(seen, kEvents);
}

}  // namespace
}  // namespace satdof
