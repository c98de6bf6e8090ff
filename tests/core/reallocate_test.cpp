#include "app/core/system/reallocate.h"

#include <gtest/gtest.h>

namespace satdof {
namespace {

TEST(Reallocate, FreesMemoryOfASmallerVector) {
  std::vector<int> values(1000, 7);
  const int* const place = values.data();
  reallocate(values, 1000);
  EXPECT_EQ(values.data(), place);
  EXPECT_EQ(values.front(), 7);
  reallocate(values, 10);
  EXPECT_EQ(values, std::vector<int>(10));
  EXPECT_EQ(values.capacity(), 10U);
}
}  // namespace
}  // namespace satdof
