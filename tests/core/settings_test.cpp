#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <type_traits>

#include "app/core/fields.h"
#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "app/io/formats/png.h"
#include "app/run/command_line/command_line.h"
#include "app/scene/scene.h"
#include "tests/core/random_settings.h"
#include "tests/support/parsed.h"
#include "tests/support/reason.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

using test::parsed;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string complaint(const std::vector<std::string>& arguments) {
  return test::reasonOf<UsageError>([&] { parsed(arguments); });
}

std::string complaintAbout(const std::string& json) {
  Settings settings = randomSettings();
  const Settings before = settings;
  std::string reason = test::reasonOf<UsageError>([&] { applySettingsJson(settings, json, "preset.json"); });
  if (reason != "accepted") {
    EXPECT_EQ(settings, before) << "a refused file must change nothing: " << json;
  }
  return reason;
}

TEST(SettingsJson, EveryFieldReadsBackExactly) {
  for (int i = 0; i < 200; ++i) {
    const Settings written = randomSettings();
    Settings read = randomSettings();
    applySettingsJson(read, settingsToJson(written), "preset.json");
    ASSERT_EQ(read, written) << settingsToJson(written);
  }
}

TEST(SettingsJson, ListsEveryFieldAndIsNestedByPath) {
  Settings settings;
  settings.size = {1280, 720};
  settings.lens.fNumber = 1.4f;
  const std::string json = settingsToJson(settings);
  describe(settings, [&](const Field& field, const auto&) {
    const std::string path = field.path();
    EXPECT_THAT(json, HasSubstr(path.substr(path.rfind('.') + 1) + "\": "));
  });
  EXPECT_THAT(json, HasSubstr("\"size\": \"1280x720\""));
  EXPECT_THAT(json, HasSubstr("\"fNumber\": 1.4,"));
}

TEST(Between, EndsAreExactAndValuesFollowTheScaleOfTheField) {
  const std::pair<Interpolation, float> halfways[] = {{Interpolation::step, 2.0f},
                                                      {Interpolation::linear, 5.0f},
                                                      {Interpolation::logarithmic, 4.0f},
                                                      {Interpolation::diopters, 3.2f}};
  for (const auto& [how, halfway] : halfways) {
    EXPECT_EQ(between(how, 2.0f, 8.0f, 0.0f), 2.0f);
    EXPECT_FLOAT_EQ(between(how, 2.0f, 8.0f, 0.5f), halfway);
    EXPECT_EQ(between(how, 2.0f, 8.0f, 1.0f), 8.0f);
  }
  EXPECT_FLOAT_EQ(between(Interpolation::angle, 170.0f, -170.0f, 0.25f), 175.0f) << "the shorter way";
  EXPECT_EQ(between(Interpolation::logarithmic, 0.0f, 8.0f, 0.5f), 4.0f) << "0 has no logarithm: linear";
}

TEST(ClampToRanges, PutsEveryNumberIntoItsRange) {
  for (const double extreme : {-1e30, 1e30}) {
    Settings settings;
    describe(settings, [&]<class V>(const Field&, V& value) {
      if constexpr (std::is_same_v<V, float>) value = static_cast<float>(extreme);
      if constexpr (std::is_same_v<V, int>)
        value = extreme < 0 ? std::numeric_limits<int>::min() : std::numeric_limits<int>::max();
    });
    clampToRanges(settings);
    describe(settings, [&]<class V>(const Field& field, V& value) {
      if constexpr (std::is_same_v<V, float> || std::is_same_v<V, int>) {
        const double limit = extreme < 0 ? field.min : field.max;
        EXPECT_EQ(value, static_cast<V>(limit)) << field.path();
      }
    });
  }
}

TEST(Look, EveryFieldOfItIsCopiedAndNoOther) {
  for (int i = 0; i < 100; ++i) {
    const Settings before = randomSettings();
    Settings from = randomSettings(), to = before;
    from.lens.apertureImage = {};
    EXPECT_THAT(applyLook(to, lookToJson(from), ""), testing::IsEmpty());
    EXPECT_TRUE(sameLook(to, from));
    const auto check = [](const Field& field, const auto& value, const auto& copied, const auto& kept) {
      EXPECT_EQ(value, field.ofLook() ? copied : kept) << field.path();
    };
    describeAll(check, to, from, before);
  }
}

TEST(Look, HoldsNoFile) {
  Settings settings;
  settings.filter.mask.text = "folder/mask.json";
  settings.lens.apertureImage.text = "folder/star.png";
  EXPECT_THAT(lookToJson(settings), Not(HasSubstr("mask.json")));
  EXPECT_THAT(lookToJson(settings), Not(HasSubstr("star.png")));
  Settings kept;
  EXPECT_THAT(applyLook(kept, R"({"filter": {"mask": "folder/mask.json"}})", ""), testing::ElementsAre("filter.mask"));
  EXPECT_TRUE(kept.filter.mask.none());
}

TEST(Look, DamagedValuesOfItAreRefusedAndOthersIgnored) {
  Settings settings;
  EXPECT_THROW(applyLook(settings, R"({"lens": {"fNumber": "x"}})", ""), UsageError);
  EXPECT_THROW(applyLook(settings, "[]", ""), UsageError);
  EXPECT_THAT(applyLook(settings, R"({"size": 3, "none": 1, "split": {"b": {"bokeh": {"enabled": true}}}})", ""),
              testing::UnorderedElementsAre("size", "none", "split.b.bokeh.enabled"));
  EXPECT_EQ(settings, Settings());
}

// Malicious files: each is refused quickly, with one short printable line.
TEST(SettingsJson, HostileStructureIsRefused) {
  std::string levels, many = "{";
  for (int i = 0; i < 25000; ++i) levels += "{\"a\":";
  for (int i = 0; i < 300000; ++i) many += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\": 1";
  many += "}";
  const std::string arrays = std::string(25000, '[') + std::string(25000, ']');
  for (const std::string& json :
       {levels, levels + "1" + std::string(25000, '}'), many, arrays, "{\"a\":" + arrays + "}"})
    EXPECT_THAT(complaintAbout(json), testing::StartsWith("cannot read settings \"preset.json\": "));
  EXPECT_THAT(complaintAbout(levels), HasSubstr("levels"));
  EXPECT_THAT(complaintAbout(many), HasSubstr("more than 2000 keys"));
  std::string items = "{\"lens\": [[]";
  for (int i = 0; i < 1000000; ++i) items += ",[]";
  EXPECT_THAT(complaintAbout(items + "]}"), HasSubstr("\"lens\""));
}

TEST(SettingsJson, NothingFollowsAZeroByte) {
  using namespace std::string_literals;
  for (const std::string& json : {"{\"lens\":{\"fNumber\":2}}\n\0garbage"s, "{\"lens\":{\"fNumber\":2}}\n\0"s})
    EXPECT_THAT(complaintAbout(json), HasSubstr("line 2: a zero byte"));
}

TEST(SettingsJson, KeysThatWouldBeIgnoredAreNamed) {
  EXPECT_THAT(complaintAbout(R"({"lens.fNumber": 2})"), HasSubstr("\"lens.fNumber\" contains a dot"));
  EXPECT_THAT(complaintAbout(R"({"lens": {"fNumber": 2, "fNumber": 3}})"), HasSubstr("\"fNumber\" stands twice"));
  EXPECT_THAT(complaintAbout("{\"a\x7f\": [{\"b.c\": 2}]}"), HasSubstr("a\\x7f 1: \"b.c\" contains a dot"));
  EXPECT_THAT(complaintAbout(R"({"lens": {"other": {}}})"), HasSubstr("unknown setting \"lens.other\""));
  EXPECT_THAT(complaintAbout(R"({"lens": {"fNumber": {}}})"), HasSubstr("\"lens.fNumber\" must be a number"));
  EXPECT_THAT(complaintAbout(R"({"": {"lens": []}})"), HasSubstr("a setting has an empty name"));
  EXPECT_THAT(complaintAbout(R"({"lens": {"": 2}})"), HasSubstr("a setting has an empty name"));
  EXPECT_EQ(complaintAbout(R"({"lens": {}})"), "accepted");
}

// The edit distance by its definition.
std::size_t edits(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const std::size_t replaced = edits(a.substr(1), b.substr(1)) + (a[0] != b[0]);
  return std::min({replaced, edits(a.substr(1), b) + 1, edits(a, b.substr(1)) + 1});
}

TEST(Nearest, HasTheSmallestEditDistance) {
  std::mt19937 random(3);
  const auto word = [&] {
    std::string text(random() % 7, ' ');
    for (char& c : text) c = "abc"[random() % 3];
    return text;
  };
  for (int i = 0; i < 200; ++i) {
    const std::string text = word();
    const std::vector<std::string> candidates{word(), word(), word()};
    const auto expected =
        std::ranges::min_element(candidates, {}, [&](const auto& candidate) { return edits(text, candidate); });
    ASSERT_EQ(nearest(text, candidates), *expected) << text;
  }
}

TEST(Nearest, ComparesTheFirst64Characters) {
  const std::string most(64, 'x');
  EXPECT_EQ(nearest(most + "yyyy", {most.substr(1) + "z", most, "yyyy"}), most);
}

TEST(SettingsJson, MessagesAreShortAndPrintable) {
  const std::string nasty = "\\u001b[31m" + std::string(100000, 'x');
  for (const std::string& json :
       {"{\"" + nasty + "\": 1}", "{\"size\": \"" + nasty + "\"}", "{\"split\": {\"enabled\": \"" + nasty + "\"}}"}) {
    const std::string message = complaintAbout(json);
    EXPECT_LT(message.size(), 1000u) << message.substr(0, 1000);
    EXPECT_TRUE(std::ranges::all_of(message, [](char c) { return c >= ' ' && c <= '~'; })) << message;
  }
}

TEST(SettingsJson, MissingKeysKeepTheirValues) {
  Settings settings = randomSettings();
  Settings expected = settings;
  expected.lens.focusDistanceM = 4.25f;
  expected.split.b.lens.kind = LensKind::gems;
  applySettingsJson(settings, R"({"lens": {"focusDistanceM": 4.25}, "split": {"b": {"lens": {"kind": "gems"}}}})", "f");
  EXPECT_EQ(settings, expected);
  applySettingsJson(settings, "{}", "f");
  EXPECT_EQ(settings, expected);
}

TEST(SettingsJson, RefusesBadValues) {
  const auto names = [](const char* value, const char* choices) {
    return AllOf(HasSubstr("cannot read settings \"preset.json\": "), HasSubstr(value), HasSubstr(choices),
                 Not(HasSubstr("\n")));
  };
  EXPECT_THAT(complaintAbout(R"({"lens": {"fNumber": 0}})"),
              names("not 0", "\"lens.fNumber\" must be a number from 0.1 to 128"));
  EXPECT_THAT(complaintAbout(R"({"lens": {"fNumber": "1.4"}})"),
              names("not \"1.4\"", "\"lens.fNumber\" must be a number"));
  EXPECT_THAT(complaintAbout(R"({"lens": {"fNumber": null}})"), names("null", "a number"));
  EXPECT_THAT(complaintAbout(R"({"lens": {"autofocus": 1}})"),
              names("not 1", "\"lens.autofocus\" must be true or false"));
  EXPECT_THAT(complaintAbout(R"({"scene": {"teapots": {"count": 2.5}}})"),
              names("2.5", "a whole number from 1 to 5000"));
  EXPECT_THAT(complaintAbout(R"({"scene": {"teapots": {"count": 99999999999}}})"),
              names("99999999999", "from 1 to 5000"));
  EXPECT_THAT(complaintAbout(R"({"technique": {"table": {"blockSize": 96}}})"), names("96", "a power of two"));
  EXPECT_THAT(complaintAbout(R"({"technique": {"table": {"scan": "cubb"}}})"), names("cubb", "hillis-steele, "));
  EXPECT_THAT(complaintAbout(R"({"size": [1280, 720]})"), names("[1280,720]", "WIDTHxHEIGHT"));
  EXPECT_THAT(complaintAbout(R"({"size": "0x720"})"), names("0x720", "from 1 to 16384"));
  EXPECT_THAT(complaintAbout(R"({"lens": {"focusDistance": 3}})"),
              names("\"lens.focusDistance\";", "\"lens.focusDistanceM\""));
  EXPECT_THAT(complaintAbout(R"({"lens": 3})"), names("unknown setting \"lens\"", "did you mean"));
  EXPECT_THAT(complaintAbout(R"({"focus": 3})"), names("\"focus\"", "did you mean \"lens.focusDistanceM\"?"));
  EXPECT_THAT(complaintAbout(R"({"lens": {"fNumber": NaN}})"), names("line 1: ", "not valid JSON"));
  EXPECT_THAT(complaintAbout(R"({"lens": {"fNumber": 1e999}})"), names("too large", "not valid JSON"));
  EXPECT_THAT(complaintAbout(R"({"lens": {"fNumber": 1.4)"), names("line 1: ", "not valid JSON"));
  EXPECT_THAT(complaintAbout("{\n\n  \"lens\": {\"fNumber\" 1.4}\n}\n"), names("line 3: ", "not valid JSON"));
  EXPECT_THAT(complaintAbout("\xff\xfe"), names("line 1: ", "not valid JSON"));
  EXPECT_THAT(complaintAbout(""), names("line 1: ", "not valid JSON"));
  EXPECT_THAT(complaintAbout("[]"), names("must be a JSON object", "settings"));
}

TEST(CommandLineTest, DefaultsWithoutOptions) {
  const CommandLine line = parsed({});
  EXPECT_EQ(line.settings(), Settings{});
  EXPECT_FALSE(line.headless || line.help || line.version || line.list || line.glDebug || line.withUi);
  EXPECT_EQ(line.frames, 0);
  EXPECT_TRUE(line.capture.empty() && line.sequence.empty() && line.stats.empty());
}

TEST(CommandLineTest, EveryFieldHasAnOptionThatReadsBackExactly) {
  for (int i = 0; i < 20; ++i) {
    const Settings wanted = randomSettings();
    std::vector<std::string> arguments;
    describe(wanted, [&]<class T>(const Field& field, const T& value) {
      if (field.flag == nullptr) return;
      std::ostringstream text;
      if constexpr (std::is_same_v<T, bool>)
        text << (value ? "--" : "--no-") << field.option().substr(2);
      else if constexpr (std::is_same_v<T, glm::ivec2>)
        text << field.option() << '=' << value.x << 'x' << value.y;
      else if constexpr (std::is_enum_v<T>)
        text << field.option() << '=' << name(value);
      else if constexpr (std::is_same_v<T, MaskName> || std::is_same_v<T, FilePath>)
        text << field.option() << '=' << value.text;
      else
        text << field.option() << '=' << std::setprecision(9) << value;
      arguments.push_back(text.str());
    });
    Settings base = wanted;
    base.lens = {};
    base.technique = {};
    EXPECT_EQ(parsed(arguments).settings(base), wanted);
  }
}

TEST(CommandLineTest, OwnOptions) {
  const CommandLine line =
      parsed({"--headless", "--gl-debug", "--list", "--frames", "60", "--fps=30", "--bit-depth", "16"});
  EXPECT_TRUE(line.headless && line.glDebug && line.list);
  EXPECT_EQ(line.frames, 60);
  EXPECT_EQ(line.framesPerSecond, 30.0f);
  EXPECT_EQ(line.bitDepth, 16);
  EXPECT_TRUE(parsed({"-h"}).help);
  EXPECT_TRUE(parsed({"--version"}).version);
  for (const char* option : {"--headless", "--focus X", "--no-lamps", "--split-scan NAME", "--size WIDTHxHEIGHT"})
    EXPECT_THAT(helpText(), HasSubstr(option));
}

TEST(CommandLineTest, NothingIsLeftOfThePreviousCommandLine) {
  EXPECT_EQ(parsed({"--headless", "--frames", "3", "--focus", "2"}).frames, 3);
  EXPECT_THAT(complaint({"--frames", "many"}), HasSubstr("many"));
  EXPECT_THAT(complaint({"--headless", "--unheard"}), HasSubstr("--unheard"));
  const CommandLine next = parsed({"--fps", "24"});
  EXPECT_FALSE(next.headless);
  EXPECT_EQ(next.frames, 0);
  EXPECT_EQ(next.framesPerSecond, 24.0f);
  EXPECT_EQ(next.settings(), Settings{});
}

TEST(CommandLineTest, BooleansAreFlagsOrValues) {
  EXPECT_TRUE(parsed({"--autofocus"}).settings().lens.autofocus);
  EXPECT_TRUE(parsed({"--autofocus=true"}).settings().lens.autofocus);
  EXPECT_FALSE(parsed({"--lamps=false"}).settings().scene.teapots.lamps);
  EXPECT_FALSE(parsed({"--no-lamps"}).settings().scene.teapots.lamps);
  EXPECT_THAT(complaint({"--lamps=maybe"}), AllOf(HasSubstr("--lamps maybe"), HasSubstr("true or false")));
  EXPECT_THAT(complaint({"--no-lamps=maybe"}), HasSubstr("--no-lamps"));
}

TEST(CommandLineTest, TheLastOfTwoWinsAndNegativeNumbersAreValues) {
  EXPECT_EQ(parsed({"--focus", "3", "--focus", "4"}).settings().lens.focusDistanceM, 4.0f);
  EXPECT_EQ(parsed({"--exposure", "-2.5"}).settings().present.exposureStops, -2.5f);
}

TEST(CommandLineTest, TheCameraThatIsTypedWinsOverTheFraming) {
  const Framing framing{.camera = {.yawDegrees = 8, .pitchDegrees = 7},
                        .focusDistanceM = 1.5f,
                        .focalLengthMm = 80.0f,
                        .sensorHeightMm = {},
                        .exposureStops = 2.0f};
  Settings exposed = parsed({"--scene", "model", "--exposure", "1"}).settings();
  applyFraming(exposed, framing);
  EXPECT_EQ(exposed.present.exposureStops, 1.0f);
  Settings typed = parsed({"--scene", "model", "--focus", "3", "--yaw", "40"}).settings();
  applyFraming(typed, framing);
  EXPECT_EQ(typed.lens.focusDistanceM, 3.0f);
  EXPECT_EQ(typed.camera.yawDegrees, 40.0f);
  EXPECT_EQ(typed.camera.pitchDegrees, 7.0f);
  EXPECT_EQ(typed.lens.focalLengthMm, 80.0f);
  applyFraming(typed, framing);
  EXPECT_EQ(typed.lens.focusDistanceM, 1.5f) << "framed again";

  Settings last;
  last.scene.typed.add("camera.yawDegrees");
  const auto paths = [&](const std::vector<std::string>& words) {
    return parsed(words).settings(last).scene.typed.paths;
  };
  EXPECT_THAT(paths({"--focus", "3"}), testing::ElementsAre("camera.yawDegrees", "lens.focusDistanceM"));
  EXPECT_THAT(paths({"--yaw", "3"}), testing::ElementsAre("camera.yawDegrees"));
  EXPECT_THAT(paths({"--frame"}), testing::IsEmpty());
  last.scene.frame = false;
  EXPECT_THAT(paths({"--focus", "3"}), testing::IsEmpty());
  Settings asked = parsed({"--scene", "model", "--focus", "3", "--frame"}).settings();
  applyFraming(asked, framing);
  EXPECT_EQ(asked.lens.focusDistanceM, 1.5f);
}

TEST(CommandLineTest, OptionsWinOverTheFileWinsOverTheBase) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write("precedence.json", R"({"lens": {"focusDistanceM": 2, "fNumber": 8}})");
  Settings base;
  base.lens = {.focusDistanceM = 1, .focalLengthMm = 35, .fNumber = 4};
  const Settings settings = parsed({"--focus", "3", "--settings", path}).settings(base);
  EXPECT_EQ(settings.lens.focusDistanceM, 3.0f);
  EXPECT_EQ(settings.lens.fNumber, 8.0f);
  EXPECT_EQ(settings.lens.focalLengthMm, 35.0f);
}

TEST(CommandLineTest, RefusesInOneLineThatNamesTheValueAndTheChoices) {
  const auto says = [](const char* value, const char* choices) {
    return AllOf(HasSubstr(value), HasSubstr(choices), Not(HasSubstr("\n")));
  };
  EXPECT_THAT(complaint({"--fokus", "3"}), says("--fokus", "did you mean --focus?"));
  EXPECT_THAT(complaint({"--sacn=cub"}), says("--sacn=cub", "did you mean --scan?"));
  EXPECT_THAT(complaint({"image.png"}), says("image.png", "--help"));
  EXPECT_THAT(complaint({"--device", "cudaa"}), says("--device cudaa", "auto, cuda, gl-compute, gl-fragment"));
  EXPECT_THAT(complaint({"--scan", ""}), says("--scan", "missing"));
  EXPECT_THAT(complaint({"--scan"}), says("--scan", "missing"));
  EXPECT_THAT(complaint({"--capture", "--headless"}), says("--capture", "missing"));
  for (const char* size : {"0x0", "100000x100000", "12x", "x12", "12", "12x12x12", "-1x5", " 1x1", "1.5x2", "axb",
                           "99999999999x1", "16385x1"})
    EXPECT_THAT(complaint({"--size", size}), says(size, "WIDTHxHEIGHT, each from 1 to 16384"));
  for (const char* number : {"nan", "inf", "-inf", "0", "-3", "1e99", "3m", "0x3"})
    EXPECT_THAT(complaint({"--focus", number}), says(number, "a number from 0.1 to 10000"));
  for (const char* number : {"0", "3.5", "5001", "nan"})
    EXPECT_THAT(complaint({"--teapots", number}), says(number, "a whole number from 1 to 5000"));
  EXPECT_THAT(complaint({"--block-size", "100"}), says("100", "a power of two from 32 to 1024"));
  EXPECT_THAT(complaint({"--frames", "0"}), says("--frames 0", "from 1 to 1e+06"));
  EXPECT_THAT(complaint({"--fps", "nan"}), says("--fps nan", "a number"));
  EXPECT_THAT(complaint({"--bit-depth", "12"}), says("--bit-depth 12", "8, 16 or 32"));
  EXPECT_THAT(complaint({"--settings", "/nowhere/preset.json"}), says("/nowhere/preset.json", "No such file"));
  EXPECT_THAT(complaint({"--settings", "/"}), says("/", "not an ordinary file"));
  EXPECT_THAT(complaint({"--capture", "/nowhere/a.png"}), says("/nowhere/a.png", "No such file or directory"));
  EXPECT_THAT(complaint({"--capture", "a.bmp"}), says("a.bmp", ".png, .jpg, .exr, .hdr, .pfm or .tif"));
  EXPECT_THAT(complaint({"--stats", "/"}), says("/", "not an ordinary file"));
  EXPECT_THAT(complaint({"--headless", "--with-ui"}), says("--with-ui", "window"));
}

TEST(CommandLineTest, TheFocalLengthComesBeforeALens) {
  const Settings settings = parsed({"--lens-preset", "tele-135", "--focal-length", "27"}).settings({});
  EXPECT_FLOAT_EQ(settings.lens.focalLengthMm, 27.0f);
  EXPECT_FLOAT_EQ(settings.lens.fNumber, 0.4f);
}

TEST(CommandLineTest, TheCameraOfAModelDoesNotReplaceALens) {
  Settings settings = parsed({"--scene", "model", "--lens-preset", "mirror-500"}).settings({});
  Framing framing;
  framing.focusDistanceM = 3.0f;
  framing.focalLengthMm = 35.0f;
  applyFraming(settings, framing);
  EXPECT_FLOAT_EQ(settings.lens.focalLengthMm, 35.0f);
  EXPECT_FLOAT_EQ(settings.lens.fNumber, 0.8f);
  EXPECT_FLOAT_EQ(settings.lens.focusDistanceM, 3.0f);
}

TEST(CommandLineTest, SettingsComeFromAnImagesText) {
  const Settings wanted = randomSettings();
  const unsigned char pixel[3] = {1, 2, 3};
  const std::string image = encodePng(pixel, {1, 1}, 8, {{kSettingsKeyword, settingsToJson(wanted)}});
  const test::TemporaryFolder folder;
  const std::string path = folder.write("with-settings.png", image);
  EXPECT_EQ(parsed({"--settings", path}).settings(randomSettings()), wanted);

  const std::string without = folder.write("without.png", encodePng(pixel, {1, 1}, 8, {{"Comment", "hello"}}));
  EXPECT_THAT(complaint({"--settings", without}), HasSubstr("without satdof settings"));
  const std::string cut = folder.write("cut.png", image.substr(0, 200));
  EXPECT_THAT(complaint({"--settings", cut}), HasSubstr("without satdof settings"));
}

}  // namespace
}  // namespace satdof
