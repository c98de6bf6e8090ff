#include "app/core/platform.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace satdof {
namespace {

TEST(PlaceShaderCache, TurnsTheShaderCacheOffWhereNothingIsFree) {
  constexpr const char *kFolder = "MESA_SHADER_CACHE_DIR", *kOff = "MESA_SHADER_CACHE_DISABLE";
  unsetenv(kOff);
  setenv(kFolder, "/proc/none/here", 1);
  placeShaderCache();
  ASSERT_NE(std::getenv(kOff), nullptr);
  EXPECT_STREQ(std::getenv(kOff), "true");
  unsetenv(kFolder);
  unsetenv(kOff);
}

TEST(PlaceShaderCache, LeavesARelativeFolderAlone) {
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before == nullptr ? "" : before;
  setenv("XDG_CACHE_HOME", "cache", 1);
  placeShaderCache();
  EXPECT_EQ(std::getenv("XDG_CACHE_HOME"), nullptr);
  if (before == nullptr) return;
  setenv("XDG_CACHE_HOME", kept.c_str(), 1);
  placeShaderCache();
  EXPECT_STREQ(std::getenv("XDG_CACHE_HOME"), kept.c_str());
}

}  // namespace
}  // namespace satdof
