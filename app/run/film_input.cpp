#include "app/run/film_input.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/core/file_names.h"
#include "app/core/files.h"
#include "app/core/foreign_text.h"
#include "app/core/letters.h"
#include "app/core/usage_error.h"
#include "app/core/video_formats.h"
#include "app/run/cache.h"
#include "app/run/frame_files.h"
#include "app/run/progress.h"
#include "app/run/termination.h"
#include "app/run/tool.h"
#include "app/run/video.h"
#include "app/run/work_folder.h"
#include "app/scene/scene_files.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFrameFile = "%06d.png";
constexpr const char* kRateFile = "rate.txt";
constexpr const char* kSizesFile = "sizes.txt";  // bytes of each frame
constexpr long kMostVideoFrames = 999999;
constexpr std::uintmax_t kMostVideoBytes = std::uintmax_t{64} << 30,
                         kLeastFreeBytes = std::uintmax_t{1} << 30;

bool isVideoFile(const std::string& name) {
  const std::string extension = lowerCase(fs::path(name).extension().string());
  return extension != ".gif" && (isVideoName(extension) || extension == ".avi" || extension == ".m4v");
}

// Frames a second, after "#tb 0: 1001/30000" of ffmpeg's framecrc; 0: unknown.
float rateIn(const fs::path& folder) try {
  constexpr std::size_t kMostBytes = 1 << 16;
  constexpr std::string_view kKey = "#tb 0: ";
  const std::string text = readWholeFile(folder / kRateFile, kMostBytes);
  const auto at = text.find(kKey);
  if (at == text.npos) return 0.0f;
  int seconds = 0, frames = 0;
  const char* const end = text.data() + text.size();
  const auto [slash, wrong] = std::from_chars(text.data() + at + kKey.size(), end, seconds);
  if (wrong != std::errc{} || slash == end || seconds <= 0) return 0.0f;
  std::from_chars(slash + 1, end, frames);
  return static_cast<float>(frames) / static_cast<float>(seconds);
} catch (const std::runtime_error&) {
  return 0.0f;
}

// The bytes of each frame in a folder.
std::string sizesOf(const fs::path& folder) {
  std::string sizes;
  for (int frame = 1;; ++frame) {
    std::error_code missing;
    const auto bytes = fs::file_size(frameFile((folder / kFrameFile).string(), frame), missing);
    if (missing) return sizes;
    sizes.append(std::to_string(bytes)).append(1, '\n');
  }
}

// Whether all frames that were decoded are there, to their ends.
bool isWhole(const fs::path& folder) try {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  return readWholeFile(folder / kSizesFile, kMostBytes) == sizesOf(folder);
} catch (const std::runtime_error&) {
  return false;
}

// Watches ffmpeg write frames into a folder.
class FrameWatch {
 public:
  FrameWatch(std::string what, fs::path folder) : what_(std::move(what)), folder_(std::move(folder)) {}

  // Throws if the frames take too much room.
  void look() {
    std::error_code missing;
    for (;; ++frames_) {
      // The last one may be unfinished.
      if (!fs::exists(fileOf(frames_ + 2), missing)) break;
      bytes_ += fs::file_size(fileOf(frames_ + 1), missing);
    }
    progress_.show(what_ + ": frame", frames_, 0);
    const fs::space_info space = fs::space(folder_, missing);
    if (bytes_ > kMostVideoBytes || (!missing && space.available < kLeastFreeBytes))
      throw std::runtime_error(
          "stopped after " + std::to_string(frames_) +
          " frames: " + (bytes_ > kMostVideoBytes ? "they take more than 64 GiB" : "the disk is full") +
          "; --frames N decodes fewer");
  }

 private:
  fs::path fileOf(long frame) const {
    return frameFile((folder_ / kFrameFile).string(), static_cast<int>(frame));
  }

  std::string what_;
  fs::path folder_;
  long frames_ = 0;
  std::uintmax_t bytes_ = 0;
  Progress progress_;
};

// Decodes at most so many frames of a video into a folder.
void decode(const std::string& file, long frames, const fs::path& folder) {
  std::stop_source stop;
  const Termination termination([&] { stop.request_stop(); });
  FrameWatch watch("decoding " + printable(fs::path(file).filename().string()), folder);
  try {
    runTool({"ffmpeg",
             "-nostdin",
             "-hide_banner",
             "-loglevel",
             "error",
             "-progress",
             "pipe:1",
             "-i",
             (file.starts_with('-') ? "./" : "") + file,
             "-map",
             "0:v:0",
             "-frames:v",
             std::to_string(frames),
             (folder / kFrameFile).string(),
             "-map",
             "0:v:0",
             "-frames:v",
             "1",
             "-f",
             "framecrc",
             (folder / kRateFile).string()},
            {.stop = stop.get_token(), .told = [&](const std::string&) { watch.look(); }});
  } catch (const ToolStopped&) {
    std::error_code ignored;
    fs::remove_all(folder.parent_path(), ignored);
    endBy(termination.signal());
  }
}

// The folder in the cache that holds the frames of a video.
fs::path framesOfVideo(const std::string& option, const std::string& file, long frames) try {
  if (!videoMissing().empty()) throw std::runtime_error("a video is decoded by ffmpeg: " + videoMissing());
  readFileHead(file, 1);
  constexpr std::uintmax_t kMostKeptBytes = std::uintmax_t{32} << 30;
  const fs::path films = cacheFolder("films");
  std::error_code unknown;
  const std::string key = fileState(fs::canonical(file, unknown)) + ' ' + std::to_string(frames);
  fs::path folder = films / hashed(key);
  useCached(folder);
  if (isWhole(folder)) return folder;
  fs::remove_all(folder, unknown);
  pruneCache(films, kMostKeptBytes);
  const WorkFolder work(films);
  const fs::path written = work.path() / "frames";
  createFolders(written);
  decode(file, frames, written);
  if (!fs::exists(frameFile((written / kFrameFile).string(), 1), unknown))
    throw std::runtime_error("ffmpeg found no frame in it");
  writeWholeFile(written / kSizesFile, sizesOf(written));
  fs::rename(written, folder, unknown);
  if (!fs::exists(folder))
    throw std::runtime_error(failureText("create the folder", folder, unknown.message()));
  return folder;
} catch (const std::runtime_error& error) {
  throw std::runtime_error(option + " " + excerpt(file) + ": " + error.what());
}

// "folder/frame%04d.png" of a folder that holds frame0001.png and so on, and no other image.
std::string nameOfFrames(const std::string& option, const std::string& folder) {
  constexpr const char* kDigits = "0123456789";
  std::vector<fs::path> images;
  std::error_code failed;
  for (const fs::path& file : entriesOf(folder, failed))
    if (!file.filename().string().starts_with('.') && isSceneFile(file)) images.push_back(file);
  if (images.empty()) throw UsageError(option + " " + folder + ": the folder has no image");
  const std::string name = std::ranges::min(images).filename().string();
  const std::size_t last = fs::path(name).stem().string().find_last_of(kDigits);
  if (last != name.npos && name.find('%') == name.npos) {
    const std::size_t before = name.find_last_not_of(kDigits, last);
    const std::size_t from = before == name.npos ? 0 : before + 1;
    const std::string width = name[from] == '0' ? "0" + std::to_string(last + 1 - from) : "";
    std::string frames =
        (fs::path(folder) / (name.substr(0, from) + "%" + width + "d" + name.substr(last + 1))).string();
    if (isFrameName(frames) && frameFiles(option, frames).count == static_cast<int>(images.size()))
      return frames;
  }
  throw UsageError(option + " " + folder + ": its images are no numbered frames without a gap, such as " +
                   "frame0001.png; name those meant as " + folder + "/NAME%04d.png");
}

}  // namespace

void useFilms(CommandLine& line) {
  const bool writesFilm = !line.sequence.empty() || !line.video.empty();
  const long frames = line.frames > 0 ? line.frames : kMostVideoFrames;  // ranges of a film share them
  for (auto& [option, values] : line.files) {
    std::error_code unknown;
    if ((option != "--image" && option != "--depth") || values.size() != 1) continue;
    std::string& value = values.front();
    if (isVideoFile(value)) {
      const fs::path folder = framesOfVideo(option, value, frames);
      if (line.framesPerSecond <= 0) line.framesPerSecond = rateIn(folder);
      value = (folder / kFrameFile).string();
    } else if (line.headless && writesFilm && fs::is_directory(value, unknown)) {
      value = nameOfFrames(option, value);
    } else {
      continue;
    }
    for (auto& [name, text] : line.options)
      if (name == option) text = value;
  }
}

}  // namespace satdof
