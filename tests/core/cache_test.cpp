#include "app/core/files/cache.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "app/core/files/files.h"

#include "tests/support/environment.h"
#include "tests/support/files_fixture.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class CacheTest : public FilesTest {
 protected:
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

  const test::Environment cache_{"XDG_CACHE_HOME", folder_};
};

TEST_F(CacheTest, EvictsTheLeastRecentlyUsedFirst) {
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

TEST_F(CacheTest, EvictsEntriesOfTheFutureFirst) {
  entry("of a later year", -9000);
  entry("old", 70);
  pruneCache(kept(), 1000);
  EXPECT_THAT(names(), ElementsAre("old"));
}

TEST_F(CacheTest, KeepsEntriesInUse) {
  fs::create_directories(kept() / "film");
  const fs::path frame = entry("film/1.png", 90);
  used(kept() / "film", 90);
  entry("old", 80);
  entry("new", 0);
  const auto held = heldFile(entry("of another program", 90));
  EXPECT_EQ(cacheFolder("films"), kept());
  touchCached(frame);
  touchCached(folder_ / "satdof");
  touchCached(folder_ / "elsewhere/old");
  EXPECT_FALSE(pruneCache(kept(), 0));
  EXPECT_THAT(names(), ElementsAre("film", "of another program"));
}

TEST_F(CacheTest, LeavesFreeDiskSpace) {
  entry("old", 2);
  entry("new", 1);
  const std::uintmax_t free = fs::space(kept()).available;
  EXPECT_TRUE(pruneCache(kept(), 5000, free / 2));
  EXPECT_EQ(names().size(), 2u);
  EXPECT_FALSE(pruneCache(kept(), 5000, 2 * free));
  EXPECT_EQ(names().size(), 0u);
}

// Whether all four files of the folder exist and are not empty.
bool isWhole(const fs::path& folder) {
  std::error_code missing;
  for (const char* const name : {"1", "2", "3", "4"})
    if (fs::file_size(folder / name, missing) == 0 || missing) return false;
  return true;
}

class ClaimTest : public FilesTest {
 protected:
  fs::path written(const std::string& name, const std::string& text) const {
    fs::create_directories(folder_ / name);
    for (const char* const each : {"1", "2", "3", "4"}) file(name + "/" + each, text);
    return folder_ / name;
  }
  std::string kept() const { return readWholeFile(folder_ / "kept" / "4", 100); }
};

TEST_F(ClaimTest, TheFirstStaysAndADamagedOneGoes) {
  const fs::path kept = folder_ / "kept";
  claimFolder(written("a", "a"), kept, isWhole);
  claimFolder(written("b", "b"), kept, isWhole);
  EXPECT_EQ(ClaimTest::kept(), "a");
  fs::remove(kept / "2");
  claimFolder(written("c", "c"), kept, isWhole);
  EXPECT_EQ(ClaimTest::kept(), "c");
  EXPECT_TRUE(isWhole(kept));
  EXPECT_FALSE(fs::exists(folder_ / "c") || fs::exists(folder_ / "c-damaged"));
  EXPECT_THROW(claimFolder(folder_ / "none", folder_ / "other", isWhole), std::runtime_error);
}

TEST_F(ClaimTest, WhoHasClaimedReadsOnWhileOthersClaim) {
  constexpr int kRounds = 40, kWriters = 3, kLooks = 30;
  std::atomic<int> broken = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::string of = std::to_string(round);
    const fs::path kept = folder_ / ("kept" + of);
    std::vector<std::jthread> writers;
    writers.reserve(kWriters);
    for (int i = 0; i < kWriters; ++i)
      writers.emplace_back([&, mine = written(of + "-" + std::to_string(i), "x")] {
        claimFolder(mine, kept, isWhole);
        for (int look = 0; look < kLooks; ++look) broken += isWhole(kept) ? 0 : 1;
      });
  }
  EXPECT_EQ(broken, 0);
}

}  // namespace
}  // namespace satdof
