#include "app/run/frame_loop.h"

#include <gmock/gmock.h>
#include <fstream>
#include <vector>

#include "app/io/image_file.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::FloatEq;

Shot focusPull(float fromM, float toM, double lastS) {
  return {.tracks = {{.field = "lens.focusDistanceM",
                      .keys = {{.timeS = 0, .value = fromM, .easing = Easing::linear},
                               {.timeS = lastS, .value = toM, .easing = Easing::linear}}}},
          .camera = {}};
}

struct Draw {
  float timeS, focusDistanceM;
  bool autofocus;
};

// Counts what it is asked for. Its clock moves by `stepS` a draw, and each frame needs `focusDraws` more
// draws to focus and `refineDraws` more to refine.
class FakeHost {
 public:
  void step(FrameLoop& loop) {
    loop.begin(static_cast<double>(draws.size()) * stepS, busy == 0 || busy-- == 0);
    if (!loop.draws(changed)) {
      ++repaints;
      return;
    }
    loop.take(draw(loop.shown(), loop.timeS()));
    for (const FrameFile& file : loop.files())
      if (!write(file)) loop.stopSequence();
    loop.end();
  }
  FrameResult draw(const Settings& settings, float timeS) {
    draws.push_back({timeS, settings.lens.focusDistanceM, settings.lens.autofocus});
    FrameResult result;
    if (pick) result.focus = {.focusDistanceM = *pick, .endsAutofocus = true};
    pick.reset();
    result.focusPending = settings.lens.autofocus && focusDraws > 0;
    if (result.focusPending)
      --focusDraws;
    else if (refineDraws > 0)
      --refineDraws, result.progress = 0.5f;
    return result;
  }
  bool write(const FrameFile& file) {
    if (file.path.empty()) return ++appended > 0;
    const fs::path path = file.numbered ? numberedNames(file.path)() : file.path;
    written.push_back(path.filename().string());
    timesWritten.push_back(draws.back().timeS);
    if (path.has_parent_path()) std::ofstream(path) << 'x';
    return writes;
  }
  void run(FrameLoop& loop, int limit = 10000) {
    for (int i = 0; i < limit && !loop.done(); ++i) step(loop);
  }
  std::vector<float> times() const {
    std::vector<float> times;
    for (const Draw& draw : draws) times.push_back(draw.timeS);
    return times;
  }

  double stepS = 0.1;
  int focusDraws = 0, refineDraws = 0;
  std::optional<float> pick;
  bool writes = true;
  bool changed = true;
  int repaints = 0, appended = 0;
  int busy = 0;  // steps that no frame can be written
  std::vector<Draw> draws;
  std::vector<std::string> written;
  std::vector<float> timesWritten;
};

class FrameLoopTest : public testing::Test {
 protected:
  const test::TemporaryFolder temporary;
  const fs::path& folder = temporary.path();
  Settings settings;
  FakeHost host;
};

TEST_F(FrameLoopTest, DrawsEveryFrameOnceAtFixedTimes) {
  settings.scene.timeS = 2.0f;
  FrameLoop loop({.frames = 4, .framesPerSecond = 20}, settings);
  host.run(loop);
  EXPECT_TRUE(loop.done());
  EXPECT_EQ(loop.framesDone(), 4);
  EXPECT_THAT(host.times(), ElementsAre(2.0f, 2.0f + 1.0f / 20, 2.0f + 2.0f / 20, 2.0f + 3.0f / 20));
  EXPECT_EQ(settings.scene.timeS, 2.0f);
  EXPECT_TRUE(host.written.empty());
}

// Frames of a range have the times, focus distances and numbers of the whole run.
TEST_F(FrameLoopTest, ARangeDrawsTheFramesOfTheLongRun) {
  constexpr int kFrames = 31;
  settings.scene.timeS = 0.3f;
  const FramePlan plan{
      .frames = kFrames, .framesPerSecond = 29.97f, .shot = focusPull(0.7f, 9.0f, (kFrames - 1) / 29.97)};
  FrameLoop whole(plan, settings);
  host.run(whole);
  const std::vector<Draw> all = host.draws;
  ASSERT_EQ(all.size(), std::size_t{kFrames});
  for (const auto& [first, end] : {std::pair{0, 1}, {0, 7}, {1, 2}, {7, 30}, {30, 31}, {0, 31}}) {
    FramePlan part = plan;
    part.first = first;
    part.end = end;
    FakeHost other;
    FrameLoop loop(part, settings);
    loop.startSequence({.path = folder / "a.png", .firstNumber = first + 1, .frames = loop.frames()});
    other.run(loop);
    EXPECT_TRUE(loop.done());
    EXPECT_EQ(loop.frames(), end - first);
    EXPECT_EQ(loop.framesDone(), end - first);
    ASSERT_EQ(other.draws.size(), static_cast<std::size_t>(end - first));
    for (int i = first; i < end; ++i) {
      const Draw &expected = all[static_cast<std::size_t>(i)],
                 &drawn = other.draws[static_cast<std::size_t>(i - first)];
      EXPECT_EQ(drawn.timeS, expected.timeS) << i;
      EXPECT_EQ(drawn.focusDistanceM, expected.focusDistanceM) << i;
      char name[32];
      std::snprintf(name, sizeof name, "a-%04d.png", i + 1);
      EXPECT_EQ(other.written[static_cast<std::size_t>(i - first)], name);
    }
  }
}

TEST_F(FrameLoopTest, AVideoGetsEveryFrameOfASequence) {
  host.refineDraws = 3;
  FrameLoop loop({.frames = 5, .framesPerSecond = 24}, settings);
  loop.startSequence({.path = {}, .video = true, .frames = 5});
  host.run(loop);
  EXPECT_EQ(host.appended, 5);
  EXPECT_EQ(host.draws.size(), 8u);
  EXPECT_TRUE(host.written.empty());
}

TEST_F(FrameLoopTest, RealTimeFollowsTheClockAndSkipsLongGaps) {
  FrameLoop loop({}, settings);
  host.run(loop, 3);
  EXPECT_THAT(host.times(), ElementsAre(0.0f, FloatEq(0.1f), FloatEq(0.2f)));
  settings.scene.animate = false;
  host.run(loop, 2);
  EXPECT_FLOAT_EQ(loop.timeS(), 0.2f);
  settings.scene.animate = true;
  host.step(loop);
  EXPECT_FLOAT_EQ(loop.timeS(), 0.3f);
  host.stepS = 100;
  host.step(loop);
  EXPECT_FLOAT_EQ(loop.timeS(), 0.3f + static_cast<float>(FrameLoop::kLongestStepS));
  EXPECT_FALSE(loop.done());
}

TEST_F(FrameLoopTest, AnEndlessRunWrapsItsTimeAfterADay) {
  settings.scene.timeS = static_cast<float>(FrameLoop::kAnimationPeriodS) - 1.0f;
  FrameLoop loop({.framesPerSecond = 1}, settings);
  host.run(loop, 4);
  const float last = settings.scene.timeS;
  EXPECT_THAT(host.times(), ElementsAre(last, 0.0f, 1.0f, 2.0f));
}

TEST_F(FrameLoopTest, TheFirstFrameStartsWithoutElapsedTime) {
  FrameLoop loop({}, settings);
  host.step(loop);
  EXPECT_EQ(loop.elapsedS(), 0.0);
  host.step(loop);
  EXPECT_DOUBLE_EQ(loop.elapsedS(), 0.1);
}

TEST_F(FrameLoopTest, StatisticsLeaveOutTheWarmUp) {
  for (const auto& [frames, warmUp] : {std::pair{1, 0}, {2, 1}, {12, 6}, {50, FrameLoop::kMaxWarmUpFrames}}) {
    FrameLoop loop({.frames = frames, .framesPerSecond = 60}, settings);
    EXPECT_EQ(loop.warmUpFrames(), warmUp);
    host.run(loop);
    EXPECT_EQ(loop.stats().frames, frames - warmUp);
    EXPECT_EQ(loop.stats().frame.samplesUs.size(), static_cast<std::size_t>(frames - warmUp));
  }
}

TEST_F(FrameLoopTest, StatisticsRestartWithTheWorkload) {
  FrameLoop loop({}, settings);
  const auto counted = [&] { return loop.timings().stats().frame.counted; };
  host.run(loop, 5);
  EXPECT_EQ(counted(), 4u);
  settings.lens.fNumber = 4;
  host.step(loop);
  EXPECT_EQ(counted(), 5u);
  settings.technique.lens.kind = LensKind::gems;
  host.step(loop);
  EXPECT_EQ(counted(), 0u);
  EXPECT_EQ(loop.timings().stats().frame.samplesUs.size(), 6u);
}

TEST_F(FrameLoopTest, AnUnchangedImageIsRepaintedAndCountsAsNoFrame) {
  FrameLoop loop({}, settings);
  host.run(loop, 3);
  host.changed = false;
  host.run(loop, 5);
  EXPECT_EQ(host.draws.size(), 3u);
  EXPECT_EQ(host.repaints, 5);
  EXPECT_EQ(loop.framesDone(), 3);
  EXPECT_EQ(loop.timings().stats().frame.samplesUs.size(), 2u);
  host.changed = true;
  host.run(loop, 1);
  EXPECT_EQ(host.draws.size(), 4u);
  EXPECT_EQ(loop.timings().stats().frame.samplesUs.size(), 2u) << "the rest is no frame's time";
}

TEST_F(FrameLoopTest, ARunWithAnEndAndASequenceDrawEveryFrame) {
  host.changed = false;
  FrameLoop counted({.frames = 4, .framesPerSecond = 10}, settings);
  host.run(counted);
  EXPECT_EQ(host.draws.size(), 4u);
  FrameLoop endless({}, settings);
  endless.startSequence({.path = folder / "run.png", .frames = 3});
  host.run(endless, 3);
  EXPECT_EQ(host.draws.size(), 7u);
  EXPECT_EQ(host.repaints, 0);
}

TEST_F(FrameLoopTest, TheTimeCanBeSet) {
  FrameLoop loop({.framesPerSecond = 10}, settings);
  host.run(loop, 3);
  loop.setTime(50.0);
  host.run(loop, 2);
  EXPECT_THAT(host.times(), ElementsAre(0.0f, FloatEq(0.1f), FloatEq(0.2f), FloatEq(50.1f), FloatEq(50.2f)));
}

TEST_F(FrameLoopTest, SweepsTheFocusWithoutAutofocus) {
  settings.lens.autofocus = true;
  FrameLoop loop({.frames = 3, .framesPerSecond = 60, .shot = focusPull(1.0f, 4.0f, 2.0 / 60)}, settings);
  host.run(loop);
  ASSERT_EQ(host.draws.size(), 3u);
  EXPECT_EQ(host.draws[0].focusDistanceM, 1.0f);
  EXPECT_FLOAT_EQ(host.draws[1].focusDistanceM, 1.6f);
  EXPECT_EQ(host.draws[2].focusDistanceM, 4.0f);
  for (const Draw& draw : host.draws) EXPECT_FALSE(draw.autofocus);
}

TEST_F(FrameLoopTest, AppliesThePickedFocus) {
  settings.lens.autofocus = true;
  host.pick = 7.5f;
  FrameLoop loop({}, settings);
  host.run(loop, 2);
  EXPECT_TRUE(host.draws[0].autofocus);
  EXPECT_FALSE(host.draws[1].autofocus);
  EXPECT_EQ(host.draws[1].focusDistanceM, 7.5f);
}

TEST_F(FrameLoopTest, CapturesTheLastFrameOnceItHasSettled) {
  host.refineDraws = 8;
  FrameLoop loop({.frames = 3, .framesPerSecond = 10, .capture = "last.png"}, settings);
  host.run(loop);
  EXPECT_EQ(host.draws.size(), 9u) << "8 to refine, counted from the first, and the finished one";
  EXPECT_THAT(host.written, ElementsAre("last.png"));
  EXPECT_THAT(host.timesWritten, ElementsAre(0.2f));
  EXPECT_EQ(loop.stats().frames, 2) << "the last frames alone, without the draws of the capture";
  EXPECT_EQ(loop.framesDone(), 3);
}

TEST_F(FrameLoopTest, DoesNotWaitWithoutACapture) {
  host.refineDraws = 100;
  FrameLoop loop({.frames = 3, .framesPerSecond = 10}, settings);
  host.run(loop);
  EXPECT_EQ(host.draws.size(), 3u);
}

TEST_F(FrameLoopTest, FocusesBeforeItRefinesWithTheAutofocusHeld) {
  settings.lens.autofocus = true;
  host.focusDraws = 5;
  host.refineDraws = 3;
  FrameLoop loop({.frames = 2, .framesPerSecond = 10}, settings);
  host.step(loop);
  EXPECT_EQ(loop.framesDone(), 0);
  host.run(loop);
  std::vector<bool> autofocus;
  for (const Draw& draw : host.draws) autofocus.push_back(draw.autofocus);
  EXPECT_THAT(autofocus, ElementsAre(true, true, true, true, true, true, false, false, false, true));
  EXPECT_TRUE(settings.lens.autofocus);
  EXPECT_FLOAT_EQ(host.draws[8].timeS, 0.0f);
  EXPECT_FLOAT_EQ(host.draws[9].timeS, 0.1f);
}

TEST_F(FrameLoopTest, GivesUpOnAFocusThatNeverSettles) {
  settings.lens.autofocus = true;
  host.focusDraws = 1 << 20;
  FrameLoop loop({.frames = 1, .capture = "a.png"}, settings);
  host.run(loop);
  EXPECT_EQ(host.draws.size(), std::size_t{FrameLoop::kMaxFocusDraws} + 1);
  EXPECT_THAT(host.written, ElementsAre("a.png"));
}

TEST_F(FrameLoopTest, NumbersTheImagesOfASequence) {
  std::ofstream(folder / "run-0004.png") << 'x';
  FrameLoop loop({.frames = 3, .framesPerSecond = 10, .capture = folder / "last.png"}, settings);
  loop.startSequence({.path = folder / "run.png", .frames = 3});
  host.refineDraws = 4;
  host.run(loop);
  EXPECT_THAT(host.written, ElementsAre("run-0005.png", "run-0006.png", "run-0007.png", "last.png"));
  EXPECT_THAT(host.timesWritten, ElementsAre(0.0f, 0.1f, 0.2f, 0.2f));
  EXPECT_EQ(host.draws.size(), 7u) << "the first image takes 5 draws";
  EXPECT_FALSE(loop.sequence());
}

TEST_F(FrameLoopTest, ASequenceHasItsOwnTimeStepAndEndsInAnEndlessRun) {
  FrameLoop loop({}, settings);
  host.run(loop, 2);
  loop.startSequence({.path = folder / "run.png", .frames = 2, .framesPerSecond = 4});
  host.run(loop, 2);
  EXPECT_FALSE(loop.sequence());
  host.run(loop, 1);
  EXPECT_THAT(host.times(), ElementsAre(0.0f, FloatEq(0.1f), FloatEq(0.35f), FloatEq(0.6f), FloatEq(0.7f)));
  EXPECT_THAT(host.written, ElementsAre("run-0001.png", "run-0002.png"));
}

TEST_F(FrameLoopTest, AStoppedSequenceReleasesTheFrame) {
  host.refineDraws = 100;
  FrameLoop loop({}, settings);
  loop.startSequence({.path = folder / "run.png", .frames = 2, .framesPerSecond = 4});
  host.run(loop, 10);
  EXPECT_EQ(loop.framesDone(), 0);
  loop.stopSequence();
  host.run(loop, 2);
  EXPECT_EQ(loop.framesDone(), 2);
  EXPECT_TRUE(host.written.empty());
}

TEST_F(FrameLoopTest, AFailedWriteEndsTheSequence) {
  host.writes = false;
  FrameLoop loop({}, settings);
  loop.startSequence({.path = folder / "run.png", .frames = 5});
  host.run(loop, 5);
  EXPECT_FALSE(loop.sequence());
  EXPECT_THAT(host.written, ElementsAre("run-0001.png"));
}

TEST_F(FrameLoopTest, AHostThatIsNotReadyStopsFramesAndTime) {
  settings.scene.animate = true;
  FrameLoop loop({}, settings);
  host.step(loop);
  loop.startSequence({.path = {}, .video = true, .frames = 3, .framesPerSecond = 10});
  host.step(loop);
  host.busy = 5;
  const auto draws = host.draws.size();
  for (int i = 0; i < 5; ++i) host.step(loop);
  EXPECT_EQ(host.draws.size(), draws);
  EXPECT_EQ(host.repaints, 5);
  EXPECT_EQ(host.appended, 1);
  for (int i = 0; i < 2; ++i) host.step(loop);
  EXPECT_EQ(host.appended, 3);
  const auto times = host.times();
  EXPECT_NEAR(times.back() - times[times.size() - 2], 0.1f, 1e-6f);
}

}  // namespace
}  // namespace satdof
