#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/io/formats/png.h"
#include "tests/support/temporary_folder.h"

namespace satdof {

// A fixture with a temporary folder.
class FilesTest : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& bytes = "x") const {
    return temporary_.write(name, bytes);
  }
  void writeProgram(const std::string& name, const std::string& bytes) const { temporary_.writeProgram(name, bytes); }
  static constexpr const char* kPfm = "Pf\n1 1\n-1\nabcd";  // a depth of one pixel
  static std::string png(const std::vector<ImageText>& texts = {}) {
    const std::vector<std::uint8_t> rgb{1, 2, 3};
    return encodePng(rgb.data(), {1, 1}, 8, texts);
  }

 private:
  test::TemporaryFolder temporary_;

 protected:
  const std::filesystem::path& folder_ = temporary_.path();
};

}  // namespace satdof
