#include "app/run/command_line/settings_text.h"

#include <gmock/gmock.h>

#include <random>

#include "app/core/fields.h"
#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "tests/support/reason.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SettingsText, SplitsWordsAsAShellDoes) {
  EXPECT_THAT(words("", ""), IsEmpty());
  EXPECT_THAT(words("", "  a  b\tc\n"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(words("", "a 'b c' \"d 'e\" f\"\"g ''"), ElementsAre("a", "b c", "d 'e", "fg", ""));
  EXPECT_THAT(words("", "a \\\n  b"), ElementsAre("a", "b"));
  EXPECT_THROW(words("", "a 'b"), UsageError);
}

TEST(SettingsText, TheDefaultsAreNoOptions) {
  EXPECT_EQ(optionsText({}), "");
  EXPECT_EQ(settingsFromText({}, "satdof"), Settings{});
}

// Every field with an option, one at a time and all at once, reads back.
TEST(SettingsText, OptionsReadBack) {
  std::mt19937 random(17);
  const test::TemporaryFolder folder;
  const std::string mask = folder.write("mask with spaces.json", R"({"width": 1, "height": 1, "weights": [1]})");
  const auto change = [&]<class V>(const Field& field, V& value) {
    if constexpr (std::is_same_v<V, bool>) {
      value = !value;
    } else if constexpr (std::is_enum_v<V>) {
      value = entries(value)[random() % entries(value).size()].value;
    } else if constexpr (std::is_same_v<V, glm::ivec2>) {
      value = {33, 1000};
    } else if constexpr (std::is_same_v<V, MaskName>) {
      value = {mask};
    } else if constexpr (std::is_same_v<V, FilePath>) {
      value = {R"(photographs of 2026/a'b"$c`\.jpg)"};
    } else if (!field.powerOfTwo) {
      const double t = static_cast<double>(random() % 1001) / 1000.0;
      value = static_cast<V>(std::clamp(field.min + t * (field.max - field.min), field.min, field.max));
    }
  };
  Settings all;
  describe(all, [&](const Field& field, auto& value) {
    if (field.flag == nullptr) return;
    Settings one;
    describe(one, [&](const Field& same, auto& its) {
      if (same.path() == field.path()) change(same, its);
    });
    EXPECT_EQ(settingsFromText({}, "satdof " + optionsText(one)), one) << optionsText(one);
    change(field, value);
  });
  EXPECT_EQ(settingsFromText({}, "./build/satdof " + optionsText(all)), all) << optionsText(all);
}

TEST(SettingsText, JsonChangesTheCurrentSettings) {
  Settings current;
  current.lens.blades = 6;
  const Settings found = settingsFromText(current, "\n {\"lens\": {\"fNumber\": 8}}");
  EXPECT_EQ(found.lens.blades, 6);
  EXPECT_EQ(found.lens.fNumber, 8.0f);
  EXPECT_EQ(settingsFromText({}, settingsToJson(found)), found);
}

// Neither the film nor the model is read, and nothing of the output is asked about.
TEST(SettingsText, OfACommandLineThatDrawsAreItsSettingsAlone) {
  const test::TemporaryFolder folder;
  const std::string film = folder.write("film.mp4", "no film"), model = folder.write("model.glb", "no model");
  const Settings found = settingsFromText({}, "satdof --headless --image " + film + " --depth d.png --fps 24 --shot " +
                                                  model + " --f-number 3 --video no-folder/o.mp4 --resume");
  EXPECT_EQ(found.scene.image.file.text, film);
  EXPECT_EQ(found.scene.image.depth.text, "d.png");
  EXPECT_EQ(found.lens.fNumber, 3.0f);
}

TEST(SettingsText, TakesTheDepthBesideAPhotograph) {
  const test::TemporaryFolder folder;
  const std::string photo = folder.write("a.png", ""), depth = folder.write("a_depth.png", "");
  EXPECT_EQ(settingsFromText({}, "satdof --image " + photo).scene.image.depth.text, depth);
}

TEST(SettingsText, RefusesOtherTexts) {
  for (const char* text : {"", " \n", "hello", "{", "--focus", "--focus far", "--no-such-option", "rm -rf x"})
    EXPECT_THROW(settingsFromText({}, text), UsageError) << text;
  EXPECT_THAT(test::reasonOf<UsageError>([] { settingsFromText({}, "{"); }),
              testing::StartsWith("cannot read settings: line 1"));
}

}  // namespace
}  // namespace satdof
