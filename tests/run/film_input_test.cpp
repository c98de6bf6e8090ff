#include "app/run/film/film_input.h"

#include <gmock/gmock.h>

#include <array>
#include <iterator>
#include <thread>

#include "app/core/files/files.h"
#include "app/core/settings_json.h"
#include "app/core/system/loading.h"
#include "app/core/usage_error.h"
#include "app/run/system/tool.h"
#include "tests/support/environment.h"
#include "tests/support/files_fixture.h"
#include "tests/support/reason.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FilmInputTest : public FilesTest {
 protected:
  std::string named(const std::string& name) const { return (folder_ / name).string(); }
  std::vector<fs::path> files(const std::vector<std::string>& names) const {
    std::vector<fs::path> written;
    for (const std::string& name : names) written.push_back(file(name));
    return written;
  }
};

TEST_F(FilmInputTest, KnowsFilmsByTheirNames) {
  for (const char* const name : {"a.mp4", "a.MOV", "a.avi", "in/%04d.png", "%d"}) EXPECT_TRUE(isFilm(name));
  for (const char* const name : {"a.png", "a.gif", "", "in/%s.png"}) EXPECT_FALSE(isFilm(name));
  EXPECT_FALSE(isFilm(file("at 50%d.png").string())) << "a file with such a name";
}

TEST_F(FilmInputTest, ImagesWithAllNumbersAreFrames) {
  EXPECT_EQ(nameOfFrames(files({"b2.png", "b1.png", "b3.png"})), named("b%d.png"));
  EXPECT_EQ(nameOfFrames(files({"2024 c009x.png", "2024 c010x.png"})), named("2024 c%03dx.png"));
  EXPECT_EQ(nameOfFrames(files({"d1.png", "d3.png"})), std::nullopt);
  EXPECT_EQ(nameOfFrames(files({"e1.png", "e2.jpg"})), std::nullopt);
  EXPECT_EQ(nameOfFrames(files({"f.png", "g.png"})), std::nullopt);
  EXPECT_EQ(nameOfFrames({file("b1.png")}), std::nullopt) << "others have its name, too";
  EXPECT_EQ(nameOfFrames(std::vector<fs::path>()), std::nullopt);
}

TEST_F(FilmInputTest, FindsTheDepthByItsName) {
  file("film.mp4");
  EXPECT_EQ(depthOfFilmBeside(named("film.mp4")), "");
  EXPECT_EQ(depthOfFilmBeside(file("film-depth.mkv").parent_path() / "film.mp4"), named("film-depth.mkv"));
  files({"01.png", "02.png", "01_depth.png"});
  EXPECT_EQ(depthOfFilmBeside(named("%02d.png")), named("%02d_depth.png"));
  files({"1.png", "2.png"});
  EXPECT_EQ(depthOfFilmBeside(named("%d.png")), "");
  EXPECT_THROW(depthOfFilmBeside(named("none%d.png")), UsageError);
}

TEST_F(FilmInputTest, ACommandUsesTheDepthBesideItsFilm) {
  files({"01.png", "02.png", "01_depth.png"});
  const std::string film = named("%02d.png");
  CommandLine line;
  line.files = {{"--image", {film}}};
  line.options = {{"--image", film}};
  CommandLine withSettings = line;
  withSettings.settingsPath = "shot.json";
  for (const bool isSame : {true, false}) {
    Settings captured;
    captured.scene.image.file.text = isSame ? film : named("a.png");
    withSettings.settingsJson = settingsToJson(captured);
    useDepthOfFilmBeside(withSettings);
    EXPECT_EQ(withSettings.given("--depth"), !isSame);
  }
  for (int again = 0; again < 2; ++again) {
    useDepthOfFilmBeside(line);
    ASSERT_EQ(line.files.size(), 2u);
    EXPECT_EQ(line.files.back().second, std::vector<std::string>{named("%02d_depth.png")});
    EXPECT_EQ(line.options.back().second, line.files.back().second.front());
  }
}

TEST_F(FilmInputTest, OpensNumberedFiles) {
  files({"a4.png", "a5.png", "a7.png", "d1.png"});
  const InputFilm film = openFilm({{named("a%d.png")}, {named("d%d.png")}}, {});
  EXPECT_EQ(film.frames, 2);
  EXPECT_EQ(film.framesPerSecond, 0.0f);
  EXPECT_EQ(film.asked.file.text, named("a%d.png"));
  ImageSettings image;
  image.inverted = true;
  const ImageSettings first = film.frame(image, 0);
  EXPECT_EQ(first.file.text, named("a4.png"));
  EXPECT_EQ(first.depth.text, named("d1.png"));
  EXPECT_TRUE(first.inverted);
  EXPECT_THROW(film.frame(image, 1), UsageError) << "its depth has one frame";
  const InputFilm still = openFilm({{named("a%d.png")}, {named("d1.png")}}, {});
  EXPECT_EQ(still.frame(image, 1).depth.text, named("d1.png"));
  file("depth/1.png");
  file("depth/2.png");
  EXPECT_EQ(openFilm({{named("a%d.png")}, {named("depth")}}, {}).frame({}, 1).depth.text, named("depth/2.png"));
  const auto refusal = [](const std::string& file, const std::string& depth) {
    return test::reasonOf([&] { openFilm({{file}, {depth}}, {}); });
  };
  EXPECT_THAT(refusal(named("a4.png"), named("d%d.png")), HasSubstr("d%d.png"));
  EXPECT_THAT(refusal(named("none%d.png"), ""), HasSubstr("no file has such a name"));
  EXPECT_THAT(refusal(named("a%d.png"), named("none%d.png")), HasSubstr("no file has such a name"));
  EXPECT_THAT(refusal(named("none.mp4"), ""), HasSubstr("none.mp4"));
}

// A fake ffmpeg.
class DecodedFilmTest : public FilmInputTest {
 protected:
  void SetUp() override { file("film.mp4"); }
  // `decode`: commands of the shell; the frames go to $folder.
  void ffmpeg(const std::string& decode) const {
    writeProgram("bin/ffmpeg",
                 "#!/bin/sh\nfor each; do case $each in *%06d.png) folder=${each%/*};; esac; done\n" + decode);
  }
  std::size_t kept() const {
    std::error_code missing;
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_ / "cache/satdof/films", missing), {}));
  }

  const test::Environment cache_{"XDG_CACHE_HOME", folder_ / "cache"};
  const test::Environment path_{"PATH", test::inFrontOfPath(folder_ / "bin")};
  const RecentImage film_{{named("film.mp4")}, {}};
};

TEST_F(DecodedFilmTest, RunsThatDecodeItAtOnceShareItsFrames) {
  file("frame.png", png());
  ffmpeg("for i in 1 2 3; do cp '" + named("frame.png") + "' $folder/00000$i.png; sleep 0.0$i; done\n" +
         "echo '#tb 0: 1/25' > $folder/rate.txt");
  std::vector<std::jthread> runs;
  std::array<InputFilm, 6> films;
  for (InputFilm& film : films)
    runs.emplace_back([&] {
      film = openFilm(film_, {});
      for (int frame = 0; frame < film.frames; ++frame)
        EXPECT_EQ(readWholeFile(film.frame({}, frame).file.text, 1000), png());
    });
  runs.clear();
  for (const InputFilm& film : films) {
    EXPECT_EQ(film.frames, 3);
    EXPECT_EQ(film.framesPerSecond, 25.0f);
    EXPECT_EQ(film.file, films[0].file);
  }
  EXPECT_EQ(kept(), 1u) << "no work is left";
  ffmpeg("exit 1");
  EXPECT_EQ(openFilm(film_, {}).frames, 3) << "from the cache";
}

TEST_F(DecodedFilmTest, TheLookAtKeptFramesCanBeStopped) {
  file("frame.png", png());
  ffmpeg("for i in 1 2; do cp '" + named("frame.png") + "' $folder/00000$i.png; done");
  const std::string kept = openFilm(film_, {}).file.text;
  ffmpeg("exit 1");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(openFilm(film_, {.stop = stop.get_token()}), ToolStopped);
  EXPECT_EQ(openFilm(film_, {}).file.text, kept);
}

TEST_F(DecodedFilmTest, WarningsOfFfmpegAreReportedAtEachOpening) {
  file("frame.png", png());
  ffmpeg("echo frame=1; echo 'it ends early' >&2; cp '" + named("frame.png") + "' $folder/000001.png");
  for (int opening = 0; opening < 2; ++opening)
    EXPECT_THAT(openFilm(film_, {}).notes,
                testing::ElementsAre(testing::AllOf(HasSubstr("film.mp4: "), HasSubstr("it ends early"))));
}

TEST_F(DecodedFilmTest, AToneCurveForHdrIsNoted) {
  file("frame.png", png());
  ffmpeg("cp '" + named("frame.png") + "' $folder/000001.png");
  writeProgram("bin/ffprobe",
               "#!/bin/sh\nfor each; do [ \"$last\" = -o ] && echo color_transfer=arib-std-b67 > \"$each\"; "
               "last=$each; done; exit 0");
  for (int opening = 0; opening < 2; ++opening)
    EXPECT_THAT(openFilm(film_, {}).notes, testing::ElementsAre(HasSubstr("film.mp4: its tone curve for HDR")));
}

TEST_F(DecodedFilmTest, AFilmWithoutPicturesIsTold) {
  ffmpeg("exit 1");
  writeProgram("bin/ffprobe", "#!/bin/sh\nfor each; do [ \"$last\" = -o ] && : > \"$each\"; last=$each; done; exit 0");
  EXPECT_THAT(test::reasonOf([&] { openFilm(film_, {}); }), HasSubstr("film.mp4: it holds no moving picture"));
}

TEST_F(DecodedFilmTest, ADepthOfAnotherLengthOrRateIsNoted) {
  file("frame.png", png());
  const std::string depth = file("film-depth.mkv").string();
  ffmpeg(
      "rate=25; frames='1 2'; case $* in *film-depth*) rate=30; frames='1 2 3';; esac\n"
      "for i in $frames; do cp '" +
      named("frame.png") + "' $folder/00000$i.png; done; echo \"#tb 0: 1/$rate\" > $folder/rate.txt");
  const auto differs = testing::ElementsAre(HasSubstr("film-depth.mkv: it has 3 frames, the film 2"),
                                            HasSubstr("film-depth.mkv: it has 30 frames a second, the film 25"));
  EXPECT_THAT(openFilm({{named("film.mp4")}, {depth}}, {}).notes, differs);
  EXPECT_THAT(openFilm({{depth}, {depth}}, {}).notes, testing::IsEmpty());
  const InputFilm shorter = openFilm({{depth}, {named("film.mp4")}}, {});
  EXPECT_THAT(test::reasonOf([&] { shorter.frame({}, 2); }), HasSubstr("film.mp4: it has 2 frames"));
  CommandLine line;
  line.files = {{"--image", {named("film.mp4")}}, {"--depth", {depth}}};
  useFilms(line);
  EXPECT_THAT(line.notes, differs);
}

TEST_F(DecodedFilmTest, DamagedFramesAreDecodedAgain) {
  file("frame.png", png());
  const std::string copies = "for i in 1 2; do cp '" + named("frame.png") + "' $folder/00000$i.png; done";
  ffmpeg(copies);
  const fs::path second = openFilm(film_, {}).frame({}, 1).file.text;
  fs::permissions(second, fs::perms::owner_all);
  for (const std::size_t at : {std::size_t{0}, png().find("IDAT") + 6, png().size() - 1}) {
    std::string damaged = png();
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    writeWholeFile(second, damaged);
    EXPECT_EQ(readWholeFile(openFilm(film_, {}).frame({}, 1).file.text, 1000), png()) << at;
  }
}

TEST_F(DecodedFilmTest, FfmpegGetsTheFileWhateverTheNamesAre) {
  file("frame.png", png());
  const test::Environment cache("XDG_CACHE_HOME", folder_ / "50%");
  file("http:/a.mp4");
  ffmpeg("printf '%s\\n' \"$@\" > '" + named("words") + "'; cp '" + named("frame.png") +
         "' \"$(printf %s \"$folder\" | sed 's/%%/%/g')\"/000001.png");
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  EXPECT_EQ(openFilm({{"http:/a.mp4"}, {}}, {}).frames, 1);
  fs::current_path(before);
  EXPECT_THAT(readWholeFile(named("words"), 10000),
              testing::AllOf(HasSubstr("-protocol_whitelist\nfile,pipe\n-i\nfile:" + named("http:/a.mp4") + "\n"),
                             HasSubstr("/50%%/satdof/films")));
}

TEST_F(DecodedFilmTest, ACancelledDecodingEndsFfmpegAndLeavesNothing) {
  ffmpeg("echo $$ > '" + named("process") + "'; while :; do echo frame=1; sleep 0.05; done");
  const auto cancel = [&](long) {
    std::error_code missing;
    if (fs::file_size(named("process"), missing) > 0 && !missing) throw LoadCancelled();
  };
  EXPECT_THROW(openFilm(film_, {.onFrames = cancel}), LoadCancelled);
  EXPECT_EQ(kept(), 0u);
  const std::string process = readWholeFile(named("process"), 100);
  EXPECT_FALSE(fs::exists("/proc/" + process.substr(0, process.find('\n'))));
}
}  // namespace
}  // namespace satdof
