#include "app/scene/image/aligned_cache.h"

#include <gtest/gtest.h>

#include <mutex>

#include "tests/support/environment.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

DepthMap depthWithEdge(int edge) {
  DepthMap map{{8, 5}, {}, 1.0f, {}, 0};
  for (int i = 0; i < 8 * 5; ++i) map.depth.push_back(i % 8 < edge ? 0.75f : 0.25f);
  return map;
}

TEST(AlignedCache, KeepsTheDepthOfALargePicture) {
  const test::TemporaryFolder cache;
  const test::Environment environment{"XDG_CACHE_HOME", cache.path().string()};
  ThreadPool threads(2);
  const Picture picture = {{2000, 2000}, std::vector<std::uint16_t>(std::size_t{4} * 2000 * 2000)};
  int calls = 0;
  const auto aligned = [&](int edge, const ImageSettings& settings = {}) {
    calls = 0;
    std::mutex mutex;
    return cachedAlignedTo(picture, depthWithEdge(edge), settings, threads, [&](float) {
      const std::lock_guard lock(mutex);
      ++calls;
    });
  };
  const DepthMap first = aligned(4);
  EXPECT_EQ(calls, 2000);
  const DepthMap again = aligned(4);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(again.size, first.size);
  EXPECT_TRUE(again.depth == first.depth);
  aligned(3);
  EXPECT_EQ(calls, 2000) << "another depth";
  ImageSettings frame;
  frame.file.text = frame.filmFrame.file.text = "0001.png";
  aligned(3, frame);
  EXPECT_EQ(calls, 2000) << "of a film";
}

}  // namespace
}  // namespace satdof
