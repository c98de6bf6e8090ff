#include "app/run/video.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <stdexcept>

#include "tests/io/temporary_folder.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t openFiles() {
  return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
}

TEST(Video, AVideoThatDoesNotStartLeavesNoFileOpen) {
  const test::TemporaryFolder folder;
  const std::string path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  const auto before = openFiles();
  setenv("PATH", folder.path().c_str(), 1);  // without ffmpeg
  EXPECT_THROW(startVideo(folder.path() / "a.mp4", {{16, 16}, 24.0f}), std::runtime_error);
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(openFiles(), before);
}

}  // namespace
}  // namespace satdof
