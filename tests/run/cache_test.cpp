#include "app/run/cache.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <set>

#include "tests/run/files_test.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class CacheTest : public FilesTest {
 protected:
  void SetUp() override { setenv("XDG_CACHE_HOME", folder_.c_str(), 1); }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  // An entry, used so many hours ago.
  static fs::path used(const fs::path& entry, int hours) {
    fs::last_write_time(entry, fs::file_time_type::clock::now() - std::chrono::hours(hours));
    return entry;
  }
  fs::path entry(const std::string& name, int hours) const {
    fs::create_directories(kept());
    return used(file("satdof/films/" + name, std::string(1000, 'x')), hours);
  }
  fs::path kept() const { return folder_ / "satdof" / "films"; }
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& each : fs::directory_iterator(kept())) names.insert(each.path().filename().string());
    return names;
  }
};

TEST_F(CacheTest, WhatWasUsedLongestAgoGoesFirst) {
  entry("oldest", 90);
  entry("older", 80);
  entry("old", 70);
  fs::create_directories(kept() / "film");
  entry("film/1.png", 60);
  entry("film/2.png", 60);
  used(kept() / "film", 60);
  pruneCache(kept(), 5000);
  EXPECT_EQ(names().size(), 4u);
  pruneCache(kept(), 3999);
  EXPECT_THAT(names(), ElementsAre("film", "old"));
  pruneCache(kept(), 2000);
  EXPECT_THAT(names(), ElementsAre("film"));
}

TEST_F(CacheTest, WhatIsInUseStays) {
  fs::create_directories(kept() / "film");
  const fs::path frame = entry("film/1.png", 90);
  used(kept() / "film", 90);
  entry("old", 80);
  entry("new", 1);
  EXPECT_EQ(cacheFolder("films"), kept());
  useCached(frame);
  useCached(folder_ / "satdof");
  useCached(folder_ / "elsewhere/old");
  pruneCache(kept(), 0);
  EXPECT_THAT(names(), ElementsAre("film", "new"));
}

}  // namespace
}  // namespace satdof
