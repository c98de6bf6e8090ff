#include "app/run/window/exchange.h"

#include <cstdlib>

#include "tests/run/files_test.h"

namespace satdof {
namespace {

class ExchangeTest : public FilesTest {
 protected:
  void SetUp() override {
    if (const char* before = std::getenv("XDG_CONFIG_HOME")) before_ = before;
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
  }
  void TearDown() override {
    if (before_.empty())
      unsetenv("XDG_CONFIG_HOME");
    else
      setenv("XDG_CONFIG_HOME", before_.c_str(), 1);
  }

  Session session_;

 private:
  std::string before_;
};

TEST_F(ExchangeTest, APresetIsSavedAndDeletedByItsName) {
  const auto preset = folder_ / "satdof/presets/Two.json";
  session_.saveFile = preset;
  exchangeFiles(session_);
  EXPECT_EQ(session_.notice, "Preset saved: Two");
  ASSERT_TRUE(session_.preferences.preset);
  EXPECT_EQ(session_.preferences.preset->name, "Two");
  session_.deleteFile = preset;
  exchangeFiles(session_);
  EXPECT_EQ(session_.notice, "Preset deleted: Two");
  EXPECT_FALSE(session_.preferences.preset);
}

TEST_F(ExchangeTest, ASettingsFileIsSavedByItsPath) {
  session_.saveFile = folder_ / "Two.json";
  exchangeFiles(session_);
  EXPECT_EQ(session_.notice, "Settings saved to " + (folder_ / "Two.json").string());
  EXPECT_FALSE(session_.preferences.preset);
}

}  // namespace
}  // namespace satdof
