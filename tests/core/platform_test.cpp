#include "app/core/system/platform.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/environment.h"

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
  const test::Environment relative("XDG_CACHE_HOME", "cache");
  placeShaderCache();
  EXPECT_EQ(std::getenv("XDG_CACHE_HOME"), nullptr);
  const test::Environment whole("XDG_CACHE_HOME", "/cache");
  placeShaderCache();
  EXPECT_STREQ(std::getenv("XDG_CACHE_HOME"), "/cache");
}

}  // namespace
}  // namespace satdof
