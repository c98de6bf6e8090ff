#include "app/run/film/video.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/core/files/files.h"
#include "app/run/system/pipes_linux.h"
#include "tests/support/environment.h"
#include "tests/support/process.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t openFiles() { return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()); }

TEST(Video, AVideoThatDoesNotStartLeavesNoFileOpen) {
  const test::TemporaryFolder folder;
  const auto before = openFiles();
  const test::Environment withoutFfmpeg("PATH", folder.path());
  EXPECT_THROW(startVideo(folder.path() / "a.mp4", {{16, 16}, 24.0f}), std::runtime_error);
  EXPECT_EQ(openFiles(), before);
}

TEST(StallTimer, TimeInWhichThisProgramWasStoppedCountsLittle) {
  const std::stop_token nobody;
  StallTimer stall(nobody, 0.08);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_NO_THROW(stall.wait({}));
  EXPECT_THROW(
      {
        for (;;) stall.wait({});
      },
      std::runtime_error);
}

TEST(StallTimer, APipeThatIsClosedKeepsNoProcessorBusy) {
  auto [end, endOfProgram] = makePipe();
  endOfProgram = Descriptor();
  const std::stop_token nobody;
  StallTimer stall(nobody, 0.4);
  int waits = 0;
  EXPECT_THROW(
      {
        for (;; ++waits) stall.wait({{end.get(), POLLIN, 0}});
      },
      std::runtime_error);
  EXPECT_LT(waits, 40);
}

constexpr VideoFormat kFormat{{16, 16}, 24.0f, 30.0}, kImpatient{{16, 16}, 24.0f, 1.0};
constexpr int kFrames = 40;

// A program named ffmpeg that comes before the real one in PATH, and a folder for its video.
class FakeEncoder : public testing::Test {
 protected:
  void SetUp() override {
    if (!videoMissing().empty()) GTEST_SKIP() << videoMissing();
  }

  // Writes a fake ffmpeg. `encodes`: shell commands for the encoder; `real` in them runs the real ffmpeg.
  void fake(const std::string& encodes) {
    folder_.writeProgram("bin/ffmpeg", "#!/bin/bash\nPATH=" + path_.before() +
                                           "\nreal() { ffmpeg \"$@\"; }\ncase \"$*\" in *pipe:0*) " + encodes +
                                           ";; *) real \"$@\";; esac\n");
  }

  // Encodes kFrames frames as the program does. Returns why that failed; empty if the video was written.
  std::string failure(const VideoFormat& format = kFormat) {
    writeWholeFile(video(), "old");
    try {
      const auto video = startVideo(this->video(), format);
      for (int i = 0; i < kFrames; ++i) {
        while (!video->ready(0.1)) {
        }
        video->append(std::vector<unsigned char>(16 * 16 * 3, static_cast<unsigned char>(5 * i)));
      }
      video->end();
      while (!video->finished(0.1)) {
      }
      return "";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(readWholeFile(this->video(), 100), "old") << error.what();
      return error.what();
    }
  }
  fs::path video() const { return folder_.path() / (stem_ + ".mkv"); }

  std::string stem_ = "a";
  const test::TemporaryFolder folder_;
  const test::Environment path_{"PATH", test::inFrontOfPath(folder_.path() / "bin")};
};

TEST_F(FakeEncoder, AVideoWithAllFramesReplacesTheOldOne) {
  fake("real \"$@\"");
  EXPECT_EQ(failure(), "");
  EXPECT_GT(fs::file_size(video()), 100u);
}

TEST_F(FakeEncoder, AVideoMayHaveANameOfFullLength) {
  stem_ = std::string(251, 'n');
  fake("real \"$@\"");
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 2) << "the video and bin";
}

TEST_F(FakeEncoder, AVideoThatLacksFramesReplacesNothing) {
  using testing::HasSubstr;
  fake("cat > /dev/null");
  EXPECT_THAT(failure(), HasSubstr("cannot read the film that it wrote"));
  fake("head -c $((16 * 16 * 3 * 25)) | real \"$@\"; cat > /dev/null");
  EXPECT_THAT(failure(), HasSubstr("wrote 25 of 40 frames"));
  // A full disk: every write beyond the first bytes fails, and the status is 0.
  fake("(trap '' XFSZ; ulimit -f 1; real \"$@\" 2> /dev/null); cat > /dev/null; exit 0");
  EXPECT_NE(failure(), "");
  fake("echo of all reasons >&2; exit 3");
  EXPECT_THAT(failure(), HasSubstr("failed: of all reasons"));
}

TEST_F(FakeEncoder, AnEncoderThatHangsFailsAndEndsWithItsChildren) {
  const fs::path pid = folder_.path() / "pid";
  const std::string hang = "sleep 1000 & echo $! > " + pid.string() + "; ";
  for (const char* const then : {"wait", "cat > /dev/null; wait", "trap '' TERM INT HUP; wait"}) {
    fake(hang + then);
    EXPECT_THAT(failure(kImpatient), testing::HasSubstr("made no progress for 1 s")) << then;
    for (int i = 0; i < 100 && test::isRunning(pid); ++i) usleep(20000);
    EXPECT_FALSE(test::isRunning(pid)) << then;
  }
}

TEST_F(FakeEncoder, EndingDoesNotWaitForAnEncoderThatHangs) {
  fake("sleep 1000");
  const auto start = std::chrono::steady_clock::now();
  {
    const auto video = startVideo(this->video(), {{1024, 1024}, 24.0f});
    for (int i = 0; i < 3 && video->ready(1.0); ++i)
      video->append(std::vector<unsigned char>(std::size_t{1024} * 1024 * 3));
    EXPECT_FALSE(video->ready(0.0));
    video->end();
    EXPECT_FALSE(video->finished(0.0));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_FALSE(fs::exists(video()));
}

}  // namespace
}  // namespace satdof
