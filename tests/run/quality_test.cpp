#include "app/run/quality.h"

#include <gtest/gtest.h>

#include <random>

#include "app/run/window/shown_quality.h"

namespace satdof {
namespace {

// A machine whose images take these times at full resolution.
struct Machine {
  float quickS, bestS;
  QualitySettings settings{};
  QualityState state{};
  double nowS = 100.0;

  Quality frame(bool moving, bool mayConverge = true, bool waiting = false) {
    const Quality& chosen = state.chosen;
    const float drawnS = chosen.shown == Shown::quick ? quickS * chosen.scale * chosen.scale : bestS;
    nowS += static_cast<double>(drawnS);
    state = advance(state, settings,
                    {.nowS = nowS, .moving = moving, .waiting = waiting, .mayConverge = mayConverge, .drawnS = drawnS});
    return state.chosen;
  }
  Quality framesFor(double durationS, bool moving, bool mayConverge = true) {
    const double endS = nowS + durationS;
    while (nowS < endS) frame(moving, mayConverge);
    return state.chosen;
  }
};

constexpr Quality kQuick{Shown::quick, 1.0f}, kBest{Shown::best, 1.0f}, kReference{Shown::reference, 1.0f};

TEST(Quality, ASceneThatNeedsTheBestLensLowersTheResolutionAlone) {
  QualityState fast, best;
  for (int frame = 0; frame < 20; ++frame) {
    const QualityInputs inputs{.nowS = 0.1 * frame, .moving = true, .drawnS = 1.0f};
    fast = advance(fast, {}, inputs);
    QualityInputs onlyBest = inputs;
    onlyBest.onlyBestLens = true;
    best = advance(best, {}, onlyBest);
  }
  EXPECT_GT(fast.chosen.step, 0);
  EXPECT_EQ(best.chosen.step, 0);
  EXPECT_LT(best.chosen.scale, 0.5f);
}

TEST(Quality, ASceneThatLoadsIsQuick) {
  QualityInputs inputs{.nowS = 1.0, .loading = true};
  QualityState state = advance({}, {}, inputs);
  EXPECT_EQ(state.chosen, (Quality{Shown::quick, 1.0f, kQuickSteps - 1}));
  inputs.nowS = 10.0;
  EXPECT_EQ(advance(state, {}, inputs).chosen, state.chosen) << "however long";
  EXPECT_TRUE(willChange(state, {}, inputs));
  inputs.loading = false;
  EXPECT_EQ(advance(state, {}, inputs).chosen, kBest) << "at once";
}

TEST(Quality, ASlowMachineIsQuickInMotionBestAtRestAndConvergesWhenIdle) {
  Machine machine{.quickS = 0.03f, .bestS = 0.4f};
  EXPECT_EQ(machine.framesFor(1.0, true), kQuick);
  EXPECT_EQ(machine.framesFor(1.0, false), kBest);
  EXPECT_EQ(machine.framesFor(2.0, false), kReference);
  EXPECT_EQ(machine.frame(true), kQuick) << "at the first motion";
}

TEST(Quality, TheReferenceFadesOverTheBestImageHoweverSlow) {
  Machine machine{.quickS = 0.4f, .bestS = 3.0f};
  EXPECT_EQ(machine.frame(false).shown, Shown::quick) << "the first image";
  EXPECT_EQ(machine.frame(false), kBest);
  EXPECT_EQ(machine.frame(false), kReference);
  machine.frame(true);
  machine.nowS += 5.0;  // a frame that took long
  EXPECT_EQ(machine.frame(false), kBest);
  Machine fixed{.quickS = 3.0f, .bestS = 3.0f, .settings = {.adaptive = false}};
  EXPECT_EQ(fixed.frame(true).shown, Shown::quick);
  EXPECT_EQ(fixed.frame(false), kQuick);
  EXPECT_EQ(fixed.frame(false), kReference) << "over the settings as they are";
}

TEST(Quality, AFastMachineShowsTheBestInMotionToo) {
  Machine machine{.quickS = 0.002f, .bestS = 0.006f};
  machine.framesFor(0.5, false);
  EXPECT_EQ(machine.framesFor(1.0, true), kBest);
  EXPECT_EQ(machine.framesFor(3.0, false), kReference);
}

// A machine whose quick images take these times at full resolution, by quality step.
struct Ladder {
  std::array<float, kQuickSteps> quickS;
  QualitySettings settings{};
  QualityState state{};
  double nowS = 100.0;

  float drawnS() const {
    const Quality& chosen = state.chosen;
    return quickS[static_cast<std::size_t>(chosen.step)] * chosen.scale * chosen.scale;
  }
  Quality framesFor(double durationS) {
    for (const double endS = nowS + durationS; nowS < endS;) {
      nowS += static_cast<double>(drawnS());
      state = advance(state, settings, {.nowS = nowS, .moving = true, .drawnS = drawnS()});
    }
    return state.chosen;
  }
};

TEST(Quality, AQuickImageHasTheLargestResolutionThatMeetsTheGoal) {
  for (const float quickS : {0.01f, 0.04f, 0.05f, 0.1f, 0.2f, 0.3f}) {
    Ladder ladder{{quickS, 0.01f}};
    const Quality quick = ladder.framesFor(30 * static_cast<double>(quickS));
    EXPECT_EQ(quick.shown, Shown::quick);
    EXPECT_EQ(quick.step, 0) << "the best lens: " << quickS;
    EXPECT_LE(ladder.drawnS(), kGoalS) << quickS;
    for (const float scale : kScales)
      if (scale > quick.scale) {
        EXPECT_GT(quickS * scale * scale, kGoalS) << quickS;
      }
  }
}

TEST(Quality, AQuickImageHasTheFastestLensIfTheBestMissesTheGoalAtEveryResolution) {
  const auto quickOf = [](std::array<float, kQuickSteps> quickS, bool lower = true) {
    return Ladder{quickS, {.lowerResolution = lower}}.framesFor(50.0);
  };
  EXPECT_EQ(quickOf({0.5f, 0.04f}), (Quality{Shown::quick, 1.0f, 1}));
  EXPECT_EQ(quickOf({0.5f, 0.1f}), (Quality{Shown::quick, 0.6f, 1}));
  EXPECT_EQ(quickOf({5.0f, 4.0f, 3.0f}), (Quality{Shown::quick, kScales.back(), 2})) << "if none meets the goal";
  EXPECT_EQ(quickOf({0.04f, 0.02f}, false), (Quality{Shown::quick, 1.0f, 0}));
  EXPECT_EQ(quickOf({0.08f, 0.02f}, false), (Quality{Shown::quick, 1.0f, 1})) << "at full resolution";
  EXPECT_EQ(quickOf({0.5f, 0.4f, 0.1f}), (Quality{Shown::quick, 0.6f, 2})) << "without slow sprites";
}

TEST(Quality, AStepThatMissedTheGoalIsTriedAgainOnlyOnAFasterMachine) {
  Ladder ladder{{0.5f, 0.03f}};
  ladder.framesFor(2.0);
  ladder.quickS = {0.03f, 0.02f};
  EXPECT_EQ(ladder.framesFor(1.0).step, 1) << "no trial while the gain is uncertain";
  ladder.quickS = {0.02f, 0.005f};
  EXPECT_EQ(ladder.framesFor(1.0).step, 0);
}

TEST(Quality, TheResolutionRisesOnAFasterMachineAndDoesNotFlicker) {
  Ladder ladder{{0.1f, 0.02f}};
  const float slow = ladder.framesFor(1.0).scale;
  ladder.quickS[0] = 0.05f;
  EXPECT_GT(ladder.framesFor(1.0).scale, slow);
  std::mt19937 random(3);
  for (const float quickS : {0.05f, 0.06f, 0.0741f, 0.1f, 0.13f}) {
    int changes = 0;
    float scale = 1.0f;
    ladder = {{quickS, 0.02f}};
    for (int i = 0; i < 1000; ++i) {
      ladder.quickS[0] = quickS * (0.9f + 0.2f * static_cast<float>(random() % 1000) / 1000.0f);
      changes += ladder.framesFor(1e-6).scale != scale;
      scale = ladder.state.chosen.scale;
    }
    EXPECT_LE(changes, 3) << quickS;
  }
}

TEST(Quality, SettingsThatDoNotAdaptKeepTheirLensAndTheirResolutionAtRest) {
  Machine machine{.quickS = 0.1f, .bestS = 1.0f, .settings = {.adaptive = false}};
  const Quality moving = machine.framesFor(1.0, true);
  EXPECT_EQ(moving, (Quality{Shown::quick, 0.6f, 0}));
  EXPECT_EQ(machine.framesFor(1.0, false), kQuick);
}

TEST(Quality, SwitchesTurnEachOff) {
  Machine fixed{.quickS = 0.03f, .bestS = 0.4f, .settings = {.adaptive = false, .converge = false}};
  EXPECT_EQ(fixed.framesFor(5.0, false), kQuick);
  Machine whole{.quickS = 0.2f, .bestS = 0.4f, .settings = {.lowerResolution = false}};
  EXPECT_EQ(whole.framesFor(5.0, true), (Quality{Shown::quick, 1.0f, kQuickSteps - 1}));
  Machine best{.quickS = 0.03f, .bestS = 0.4f, .settings = {.converge = false}};
  EXPECT_EQ(best.framesFor(9.0, false), kBest);
}

TEST(Quality, ImagesThatCannotConvergeKeepTheBestQuality) {
  Machine machine{.quickS = 0.03f, .bestS = 0.4f};
  EXPECT_EQ(machine.framesFor(9.0, false, false), kBest);
}

TEST(Quality, AnUnansweredFocusKeepsTheRendererThatIsAsked) {
  Machine machine{.quickS = 0.03f, .bestS = 0.4f};
  machine.framesFor(1.0, true);
  for (int i = 0; i < 33; ++i) EXPECT_EQ(machine.frame(false, true, true), kQuick);
  EXPECT_EQ(machine.frame(false), kBest);
}

TEST(Quality, ACrossFadeRisesWithTheProgress) {
  EXPECT_EQ(fadeOf(0.0f), 0.0f);
  EXPECT_EQ(fadeOf(kFadeFrom), 0.0f);
  EXPECT_EQ(fadeOf(1.0f), 1.0f);
  float last = 0.0f;
  for (int i = 0; i <= 1000; ++i) {
    const float fade = fadeOf(static_cast<float>(i) / 1000.0f);
    EXPECT_GE(fade, last);
    EXPECT_LT(fade - last, 0.01f) << "no jump";
    last = fade;
  }
}

TEST(Quality, AFrameHasAsManySamplesOfTheReferenceAsMeetTheGoal) {
  for (const float sampleS : {0.0001f, 0.003f, 0.02f, 1.0f}) {
    int samples = 1;
    for (int frame = 0; frame < 20; ++frame) {
      const int next = samplesFor(samples, static_cast<float>(samples) * sampleS);
      if (frame > 10) {
        EXPECT_EQ(next, samples) << sampleS;
      }
      samples = next;
    }
    EXPECT_TRUE(samples == 1 || static_cast<float>(samples) * sampleS <= kGoalS) << sampleS;
    EXPECT_EQ(samples == 8, sampleS * 8 <= kGoalS) << sampleS;
  }
}

TEST(Quality, TheReferenceStartsWithOneSampleAfterFastImages) {
  ShownQuality quality;
  const QualitySettings settings;
  double nowS = 100.0;
  while (nowS < 110.0 && quality.chosen().shown != Shown::reference) {
    quality.choose(false, false, false, settings, {.nowS = nowS += 0.1, .mayConverge = true});
    if (quality.chosen().shown != Shown::reference) quality.measured(0.001f);
  }
  ASSERT_EQ(quality.chosen().shown, Shown::reference);
  EXPECT_EQ(quality.samples(), 1);
  quality.measured(0.001f);
  EXPECT_EQ(quality.samples(), 2);
}

TEST(Quality, KnowsWhetherTimeAloneChangesTheImage) {
  Machine machine{.quickS = 0.03f, .bestS = 0.4f};
  machine.framesFor(1.0, true);
  const QualityInputs inputs{.nowS = machine.nowS, .mayConverge = true};
  EXPECT_TRUE(willChange(machine.state, machine.settings, inputs));
  machine.framesFor(5.0, false);
  EXPECT_FALSE(willChange(machine.state, machine.settings, inputs));
}

// Sums of times are rounded.
TEST(Quality, TheReferenceFollowsWheneverMotionEnds) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    QualityState state;
    state.movedS = std::uniform_real_distribution(0.1, 8.0)(random);
    state.chosen = kBest;
    EXPECT_TRUE(willChange(state, {}, {.nowS = *state.movedS + 0.3, .mayConverge = true})) << *state.movedS;
  }
}

TEST(ShownQuality, ARecordingKeepsTheResolution) {
  for (const bool adaptive : {false, true}) {
    ShownQuality shown;
    for (const bool recording : {false, true}) {
      for (double nowS = 0.0; nowS < 1.0; nowS += 0.1) {
        shown.choose(true, false, recording, {.adaptive = adaptive}, {.nowS = nowS});
        shown.measured(0.1f);
      }
      EXPECT_EQ(shown.chosen().scale == 1.0f, recording);
    }
    EXPECT_EQ(shown.chosen().shown, adaptive ? Shown::best : Shown::quick);
  }
}

TEST(ShownQuality, AQuickImageYieldsToInputUntilItsTimeIsKnown) {
  ShownQuality shown;
  int yields = 0;
  for (double nowS = 100.0; nowS < 101.0; nowS += 0.01) {
    shown.choose(true, false, false, {}, {.nowS = nowS});
    if (!shown.yields()) continue;
    shown.yielded(100.0f * kGoalS);
    ++yields;
  }
  EXPECT_EQ(yields, kQuickSteps);
  EXPECT_LT(shown.chosen().scale, 1.0f);
  EXPECT_FALSE(shown.yields());
}

TEST(ShownQuality, AQuickImageWhoseTimeIsUnknownIsNotAwaited) {
  using EndedBy = ShownQuality::EndedBy;
  ShownQuality shown;
  shown.choose(true, false, false, {}, {.nowS = 100.0});
  EXPECT_EQ(shown.endedBy(0.5f * kGoalS), EndedBy::nothing);
  EXPECT_EQ(shown.endedBy(2.0f * kGoalS), EndedBy::action);
  EXPECT_EQ(shown.endedBy(2.0f * kPatienceS), EndedBy::time);
  shown.measured(3.0f * kGoalS);
  shown.choose(false, false, false, {}, {.nowS = 100.1});
  EXPECT_LT(shown.chosen().scale, 1.0f);
  EXPECT_EQ(shown.endedBy(2.0f * kPatienceS), EndedBy::nothing);
}

TEST(Quality, TimesGrowWithTheAreaOfTheZoom) {
  QualityState state;
  state.quickS.fill(0.5f * kGoalS);
  state.bestS = 0.01f;
  state = advance(state, {}, {.nowS = 100.0, .moving = true, .zoom = 6.0f});
  EXPECT_FLOAT_EQ(*state.bestS, 0.36f);
  EXPECT_LT(state.chosen.scale, 1.0f);
  state = advance(state, {}, {.nowS = 100.0, .moving = true, .zoom = 1.0f});
  EXPECT_FLOAT_EQ(*state.bestS, 0.01f);
}

TEST(ShownQuality, ASlowBestImageYieldsToInput) {
  using EndedBy = ShownQuality::EndedBy;
  ShownQuality shown;
  double nowS = 100.0;
  const auto frame = [&](bool changed, float afterS) {
    nowS += static_cast<double>(afterS);
    shown.choose(changed, false, false, {}, {.nowS = nowS});
    return shown.chosen();
  };
  EXPECT_EQ(frame(true, 0.1f), kQuick);
  shown.measured(0.01f);
  EXPECT_EQ(frame(false, 1.0f), kBest);
  EXPECT_EQ(shown.endedBy(2.0f * kGoalS), EndedBy::action) << "its time is unknown";
  shown.yielded(1.0f);
  EXPECT_EQ(shown.chosen(), kQuick) << "the last image stays";
  EXPECT_EQ(frame(false, 1.0f), kQuick) << "as after a motion";
  EXPECT_EQ(frame(false, 1.0f), kBest);
  EXPECT_EQ(shown.endedBy(2.0f * kGoalS), EndedBy::nothing) << "constant input must not keep the best image away";
  EXPECT_EQ(shown.endedBy(2.0f * kPatienceS), EndedBy::input) << "nor may the image keep the window busy";
  shown.measured(2.0f);

  EXPECT_EQ(frame(true, 0.1f), kQuick);
  EXPECT_EQ(frame(false, 1.0f), kBest);
  EXPECT_EQ(shown.endedBy(2.0f * kGoalS), EndedBy::action) << "another image";
  for (int i = 0; i < 10; ++i) {
    shown.measured(0.01f);
    frame(true, 1.0f);
    frame(false, 1.0f);
  }
  EXPECT_EQ(shown.chosen(), kBest);
  EXPECT_FALSE(shown.yields()) << "a fast image is drawn";
}

TEST(Quality, AQuickImageIsFilteredAsTheFullOneLooks) {
  Settings settings;
  settings.size = {1001, 3};
  settings.filter = {.mask = {"sharpen"}, .radiusPx = 8};
  EXPECT_EQ(atScale(settings, 1.0f), settings);
  const Settings half = atScale(settings, 0.5f);
  EXPECT_EQ(half.size, glm::ivec2(501, 2));
  EXPECT_EQ(half.filter.radiusPx, 4);
  EXPECT_EQ(atScale(settings, 0.1f).size, glm::ivec2(100, 1));
}

}  // namespace
}  // namespace satdof
