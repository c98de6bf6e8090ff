#include "app/core/platform.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace satdof {
namespace {

TEST(SpareFullDisk, TurnsTheShaderCacheOffWhereNothingIsFree) {
  constexpr const char *kFolder = "MESA_SHADER_CACHE_DIR", *kOff = "MESA_SHADER_CACHE_DISABLE";
  unsetenv(kOff);
  setenv(kFolder, "/proc/none/here", 1);
  spareFullDisk();
  ASSERT_NE(std::getenv(kOff), nullptr);
  EXPECT_STREQ(std::getenv(kOff), "true");
  unsetenv(kFolder);
  unsetenv(kOff);
}

}  // namespace
}  // namespace satdof
