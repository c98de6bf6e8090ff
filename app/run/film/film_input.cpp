#include "app/run/film/film_input.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "app/core/files/cache.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/files/video_formats.h"
#include "app/core/system/thread_pool.h"
#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/formatted.h"
#include "app/core/text/number.h"
#include "app/core/usage_error.h"
#include "app/io/depth_image.h"
#include "app/io/formats/png.h"
#include "app/run/batch.h"
#include "app/run/film/frame_files.h"
#include "app/run/film/video.h"
#include "app/run/progress.h"
#include "app/run/system/termination.h"
#include "app/run/system/tool.h"
#include "app/run/work_folder.h"
#include "app/scene/image/image.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFrameFile = "%06d.png";
constexpr const char* kRateFile = "rate.txt";
constexpr const char* kSizesFile = "sizes.txt";    // bytes of each frame file, one a line
constexpr const char* kErrorFile = "error.txt";    // last error of ffmpeg; missing: none
constexpr const char* kStreamFile = "stream.txt";  // lines "key=value" of ffprobe; missing: unknown
constexpr const char* kDecoderVersion = "4";       // part of the keys of caches; increase it when frames change
constexpr long kMaxVideoFrames = 999999;
constexpr std::uintmax_t kMaxVideoBytes = std::uintmax_t{64} << 30;

// The text of kSizesFile: ends before the first frame that is missing or no whole PNG. Reads all frames. Throws
// ToolStopped.
std::string sizesOf(const fs::path& folder, const std::stop_token& stop) {
  const std::string name = (folder / kFrameFile).string();
  int frames = 0;
  while (isThere(frameFile(name, frames + 1))) ++frames;
  std::vector<std::size_t> sizes(static_cast<std::size_t>(frames));
  ThreadPool(hardwareThreads()).forEach(frames, [&](int frame) {
    if (stop.stop_requested()) return;
    const std::string bytes = readWholeFile(frameFile(name, frame + 1), FileLimits().bytes);
    if (isWholePng(bytes)) sizes[static_cast<std::size_t>(frame)] = bytes.size();
  });
  if (stop.stop_requested()) throw ToolStopped();
  std::string text;
  for (const std::size_t bytes : sizes) {
    if (bytes == 0) break;
    text.append(std::to_string(bytes)).append(1, '\n');
  }
  return text;
}

// Whether the folder holds every decoded frame as a whole PNG.
bool isWhole(const fs::path& folder, const std::stop_token& stop) try {
  constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
  return readWholeFile(folder / kSizesFile, kMaxBytes) == sizesOf(folder, stop);
} catch (const std::runtime_error&) {
  return false;
}

// Counts the frames that ffmpeg writes into a folder.
class FrameCounter {
 public:
  FrameCounter(fs::path folder, const std::function<void(long)>& onFrames)
      : folder_(std::move(folder)), onFrames_(onFrames) {}

  // Throws std::runtime_error if the frames take too much room.
  void update() {
    std::error_code missing;
    for (;; ++frames_) {
      // The last file may be unfinished.
      if (!isThere(fileOf(frames_ + 2))) break;
      bytes_ += fs::file_size(fileOf(frames_ + 1), missing);
    }
    onFrames_(frames_);
    const fs::space_info space = fs::space(folder_, missing);
    if (bytes_ > kMaxVideoBytes || (!missing && space.available < kMinFreeBytes))
      throw std::runtime_error("stopped after " + std::to_string(frames_) + " frames: " +
                               (bytes_ > kMaxVideoBytes ? "they take more than 64 GiB" : "the disk is full") +
                               "; --frames N decodes fewer");
  }

 private:
  fs::path fileOf(long frame) const { return frameFile((folder_ / kFrameFile).string(), static_cast<int>(frame)); }

  fs::path folder_;
  const std::function<void(long)>& onFrames_;
  long frames_ = 0;
  std::uintmax_t bytes_ = 0;
};

// The pattern of the frames for ffmpeg, where %% is a per cent sign.
std::string outputPattern(const fs::path& folder) {
  std::string name;
  for (const char c : folder.string()) name += c == '%' ? "%%" : std::string(1, c);
  return (fs::path(name) / kFrameFile).string();
}

std::string textIn(const fs::path& file) {
  constexpr std::size_t kMaxBytes = 1 << 16;
  return isRegularFile(file) ? readWholeFile(file, kMaxBytes) : std::string();
}

// The two numbers of "30000/1001"; 0 for one that is missing.
std::pair<int, int> fractionOf(std::string_view text) {
  const int above = takeNumber<int>(text).value_or(0);
  return {above, text.empty() ? 0 : leadingNumber<int>(text.substr(1)).value_or(0)};
}

// What ffprobe says about the video in a folder.
class StreamFacts {
 public:
  explicit StreamFacts(const fs::path& folder) : lines_("\n" + textIn(folder / kStreamFile)) {}

  // Empty if ffprobe does not know the key.
  std::string of(const std::string& key) const {
    const auto at = lines_.find("\n" + key + "=");
    if (at == lines_.npos) return "";
    const auto from = at + key.size() + 2;
    std::string value = lines_.substr(from, lines_.find_first_of("\r\n", from) - from);
    return value == "unknown" || value == "N/A" ? "" : value;
  }

  // The decoder that reads alpha in WebM; empty: the default.
  std::string decoder() const {
    if (of("TAG:alpha_mode") != "1") return "";
    const std::string codec = of("codec_name");
    return codec == "vp9" ? "libvpx-vp9" : codec == "vp8" ? "libvpx" : "";
  }

  // The filters of ffmpeg for whole frames of square pixels in sRGB. As in players, a film without tags is BT.709 if it
  // is larger than standard definition, and its tone curve is the display's, not the inverse of the camera's.
  std::string filters() const {
    constexpr int kHdWidth = 1280, kSdHeight = 576;
    const auto number = [&](const char* key) { return leadingNumber<int>(of(key)).value_or(0); };
    std::string filters = "setparams=color_primaries=bt709:color_trc=iec61966-2-1";
    if (of("color_space").empty() && (number("width") >= kHdWidth || number("height") > kSdHeight))
      filters += ":colorspace=bt709";
    if (const std::string order = of("field_order"); !order.empty() && order != "progressive") filters += ",bwdif=0";
    constexpr std::array<std::string_view, 3> kSquare = {"", "1:1", "0:1"};
    if (std::ranges::find(kSquare, of("sample_aspect_ratio")) == kSquare.end())
      filters += ",scale=iw*max(sar\\,1):ih/min(sar\\,1),setsar=1";  // the shorter side of a pixel grows
    return filters;
  }

  // `isDepth`: the video is a depth.
  Notes notes(bool isDepth) const {
    const std::string transfer = of("color_transfer"), primaries = of("color_primaries");
    Notes notes;
    if (transfer == "smpte2084" || transfer == "arib-std-b67")
      addNote(notes, "its tone curve for HDR (PQ or HLG) is ignored: sRGB assumed");
    if (primaries == "bt2020" || primaries == "smpte431" || primaries == "smpte432")
      addNote(notes, "its wide colours (" + std::string(primaries == "bt2020" ? "BT.2020" : "P3") +
                         ") are ignored: sRGB assumed");
    constexpr std::string_view kGrey = "gray";
    constexpr int kByte = 8, kWord = 16;
    const std::string format = of("pix_fmt");
    const int bits = format.starts_with(kGrey) ? leadingNumber<int>(format.substr(kGrey.size())).value_or(0) : 0;
    if (isDepth && bits > kByte && bits < kWord)
      addNote(notes, formatted("its %d bits are read as 16: numbers are %d times as large", bits, 1 << (kWord - bits)));
    if (const float rate = variableRate(); rate > 0.0f)
      addNote(notes,
              formatted("its frames last unequal times: shown at %.4g frames a second", static_cast<double>(rate)));
    return notes;
  }

  // The frame rate if frames last unequal times; else 0. The mean, or the finest if a long gap makes the mean useless.
  float variableRate() const {
    constexpr float kEqual = 1.01f, kLeastMean = 1.0f;
    const float mean = rateOf("avg_frame_rate"), finest = rateOf("r_frame_rate");
    if (mean <= 0.0f || finest <= kEqual * mean) return 0.0f;
    return mean < kLeastMean ? finest : mean;
  }

 private:
  float rateOf(const char* key) const {
    const auto [frames, seconds] = fractionOf(of(key));
    return seconds > 0 ? static_cast<float>(frames) / static_cast<float>(seconds) : 0.0f;
  }

  std::string lines_;
};

// The frame rate of the video in a folder, in frames a second; 0: unknown. If it is constant, the time base of ffmpeg's
// framecrc, "#tb 0: 1001/30000", else the mean rate.
float rateIn(const fs::path& folder) try {
  constexpr std::string_view kKey = "#tb 0: ";
  if (const float mean = StreamFacts(folder).variableRate(); mean > 0.0f) return mean;
  const std::string text = textIn(folder / kRateFile);
  const auto at = text.find(kKey);
  if (at == text.npos) return 0.0f;
  const auto [seconds, frames] = fractionOf(std::string_view(text).substr(at + kKey.size()));
  return seconds > 0 ? static_cast<float>(frames) / static_cast<float>(seconds) : 0.0f;
} catch (const std::runtime_error&) {
  return 0.0f;
}

// Notes on the decoded video `file`, with the last error of ffmpeg. `isDepth`: the video is a depth.
Notes notesOf(const fs::path& folder, const std::string& file, bool isDepth) {
  const std::string error = textIn(folder / kErrorFile);
  Notes notes = StreamFacts(folder).notes(isDepth);
  if (!error.empty()) addNote(notes, "frames may be missing or damaged: ffmpeg: " + excerpt(error, 300));
  return inFile(file, notes);
}

std::string inputName(const std::string& file) {
  return "file:" + fs::absolute(file).string();  // a name such as "http:x" is still a file
}

// Writes kStreamFile, if ffprobe is there and knows the file. Throws std::runtime_error if it has no video stream.
void probe(const std::string& file, const fs::path& folder, const std::stop_token& stop) {
  std::vector<std::string> command = splitText(
      "ffprobe -v error -protocol_whitelist file,pipe -select_streams V:0 -show_entries "
      "stream=codec_name,pix_fmt,width,height,sample_aspect_ratio,color_space,color_transfer,color_primaries,field_"
      "order,"
      "r_frame_rate,avg_frame_rate:stream_tags=alpha_mode "
      "-of default=nw=1 -o",
      ' ');
  command.push_back((folder / kStreamFile).string());
  command.push_back(inputName(file));
  try {
    runTool(command, {.stop = stop});
  } catch (const std::runtime_error&) {  // decoding the film reports what is damaged
    return;
  }
  if (isThere(folder / kStreamFile) && textIn(folder / kStreamFile).empty())
    throw std::runtime_error("it holds no moving picture");
}

// Decodes at most `frames` frames of a video into a folder, with what ffprobe says about it. Returns the last error of
// ffmpeg, or an empty string.
std::string decode(const std::string& file, long frames, const fs::path& folder, const DecodeWatch& how) {
  probe(file, folder, how.stop);
  const StreamFacts stream(folder);
  FrameCounter counter(folder, how.onFrames);
  std::vector<std::string> command =
      splitText("ffmpeg -nostdin -hide_banner -loglevel error -progress pipe:1 -protocol_whitelist file,pipe", ' ');
  if (const std::string decoder = stream.decoder(); !decoder.empty()) command.insert(command.end(), {"-c:v", decoder});
  command.emplace_back("-i");
  const auto add = [&](std::string path, const std::string& options) {
    command.push_back(std::move(path));
    std::ranges::copy(splitText(options, ' '), std::back_inserter(command));
  };
  add(inputName(file),
      "-map 0:V:0 -fps_mode passthrough -vf " + stream.filters() + " -frames:v " + std::to_string(frames));
  add(outputPattern(folder), "-map 0:V:0 -frames:v 1 -f framecrc");
  add((folder / kRateFile).string(), "");
  return runTool(command,
                 {.stop = how.stop, .onOutput = [&](const std::string&) { counter.update(); }, .errorsApart = true});
}

}  // namespace

Picture firstFrameOf(const std::string& video, const DecodeWatch& how) {
  const WorkFolder work(cacheFolder("films"));
  decode(video, 1, work.path(), how);
  return readPicture(frameFile((work.path() / kFrameFile).string(), 1));
}

namespace {

// The cache folder with the frames of a video, which are decoded if they are missing. `where` begins the text of an
// error.
fs::path decodedFrames(const std::string& where, const std::string& file, long frames, const DecodeWatch& how) try {
  if (!videoMissing().empty()) throw std::runtime_error("a video is decoded by ffmpeg: " + videoMissing());
  readFileHead(file, 1);
  constexpr std::uintmax_t kMaxKeptBytes = std::uintmax_t{32} << 30;
  const fs::path films = cacheFolder("films");
  std::error_code unknown;
  const std::string key =
      fileState(fs::canonical(file, unknown)) + ' ' + std::to_string(frames) + ' ' + kDecoderVersion;
  fs::path folder = films / hashed(key);
  touchCached(folder);
  if (isWhole(folder, how.stop)) return folder;
  pruneCache(films, kMaxKeptBytes);
  const WorkFolder work(films);
  const fs::path written = work.path() / "frames";
  createFolders(written);
  const std::string error = decode(file, frames, written, how);
  if (!isThere(frameFile((written / kFrameFile).string(), 1))) throw std::runtime_error("ffmpeg found no frame in it");
  if (!error.empty()) writeWholeFile(written / kErrorFile, error);
  writeWholeFile(written / kSizesFile, sizesOf(written, how.stop));
  claimFolder(written, folder, [&](const fs::path& kept) { return isWhole(kept, how.stop); });
  touchCached(folder);
  return folder;
} catch (const std::runtime_error& error) {
  throw std::runtime_error(where + " " + excerpt(file) + ": " + error.what());
}

// The pattern "frame%04d.png" of frame0001.png. The last digits of the stem are the number.
std::optional<std::string> patternOf(const std::string& name) {
  constexpr const char* kDigits = "0123456789";
  const std::size_t last = fs::path(name).stem().string().find_last_of(kDigits);
  if (last == name.npos || name.find('%') != name.npos) return std::nullopt;
  const std::size_t before = name.find_last_not_of(kDigits, last), from = before == name.npos ? 0 : before + 1;
  const std::string width = name[from] == '0' ? "0" + std::to_string(last + 1 - from) : "";
  std::string counted = name.substr(0, from) + "%" + width + "d" + name.substr(last + 1);
  return hasFrameNumber(counted) ? std::optional(counted) : std::nullopt;
}

// The pattern "folder/frame%04d.png" of a folder whose images are frame0001.png and so on. Throws UsageError for
// others.
std::string patternOfFolder(const std::string& option, const std::string& folder) {
  std::vector<fs::path> images;
  for (const fs::path& file : entriesOf(folder))
    if (!file.filename().string().starts_with('.') && isImageFile(file)) images.push_back(file);
  if (images.empty()) throw UsageError(option + " " + pathText(folder) + ": the folder has no image");
  std::ranges::sort(images);
  if (const auto frames = nameOfFrames(images)) return *frames;
  throw UsageError(option + " " + pathText(folder) + ": its images are no numbered frames without a gap, such as " +
                   "frame0001.png; name those meant as " + pathText(folder) + "/NAME%04d.png");
}

// The frames of a film, or 0; the frames a second of a video, or 0.
struct FilmLength {
  long frames = 0;
  float framesPerSecond = 0;
};

FilmLength lengthOf(const std::string& where, const std::string& name, float framesPerSecond) {
  return {isFrameName(name) ? findFrames(where, name).count : 0, framesPerSecond};
}

// Notes if a film and its depth differ in the number or rate of their frames.
Notes notesOnDepth(const std::string& depth, const FilmLength& ofDepth, const FilmLength& film) {
  Notes notes;
  constexpr const char* kByNumber = ": depth and film are matched by the numbers of their frames";
  constexpr float kEqualRates = 0.002f;
  if (film.frames > 0 && ofDepth.frames > 0 && film.frames != ofDepth.frames)
    addNote(notes, formatted("it has %ld frames, the film %ld", ofDepth.frames, film.frames) + kByNumber);
  const double rate = film.framesPerSecond, rateOfDepth = ofDepth.framesPerSecond;
  if (rate > 0 && rateOfDepth > 0 && std::abs(rate - rateOfDepth) > kEqualRates * rate)
    addNote(notes, formatted("it has %.4g frames a second, the film %.4g", rateOfDepth, rate) + kByNumber);
  return inFile(depth, notes);
}

// decodedFrames() with its progress on stderr. A signal ends the program.
fs::path decodedWithProgress(const std::string& option, const std::string& file, long frames) {
  std::stop_source stop;
  const Termination termination([&] { stop.request_stop(); });
  Progress progress;
  const std::string what = "decoding " + excerpt(fs::path(file).filename().string()) + ": frame";
  try {
    return decodedFrames(option, file, frames, {stop.get_token(), [&](long done) { progress.show(what, done, 0); }});
  } catch (const ToolStopped&) {
    endBy(termination.signal());
    throw;
  }
}

}  // namespace

bool isFilm(const std::string& name) { return isVideoInput(name) || isFrameName(name); }

std::optional<std::string> nameOfFrames(const std::vector<fs::path>& images) {
  const auto counted = images.empty() ? std::nullopt : patternOf(images.front().filename().string());
  if (!counted) return std::nullopt;
  const std::string name = (images.front().parent_path() / *counted).string();
  const FrameRange frames = findFrames("", name);
  for (std::size_t i = 0; i < images.size(); ++i)
    if (std::ranges::find(images, fs::path(frameFile(name, frames.first + static_cast<int>(i)))) == images.end())
      return std::nullopt;
  return frames.count == static_cast<int>(images.size()) ? std::optional(name) : std::nullopt;
}

fs::path depthOfFilmBeside(const fs::path& film) {
  if (isFrameName(film.string())) {
    const int first = findFrames("cannot open", film.string()).first;
    const fs::path depth = depthBeside(frameFile(film.string(), first), false);
    const auto counted = patternOf(depth.filename().string());
    const fs::path name = counted ? depth.parent_path() / *counted : fs::path();
    return counted && frameFile(name.string(), first) == depth ? name : fs::path();
  }
  for (const fs::path& file : entriesOf(folderOf(film)))
    if (isVideoInput(file) && photoOfDepth(file).filename() == film.stem()) return file;
  return {};
}

ImageSettings InputFilm::frame(ImageSettings image, int number) const {
  Settings settings;
  settings.scene.image = std::move(image);
  settings.scene.image.file = file;
  settings.scene.image.depth = depth;
  ImageSettings named;
  named.file = asked.file;
  named.depth = asked.depth;
  return atFrame(settings, number, named).scene.image;
}

InputFilm openFilm(const RecentImage& asked, const DecodeWatch& how) {
  constexpr const char* kWhere = "cannot open";
  if (!isFilm(asked.file.text))
    throw UsageError(std::string(kWhere) + " " + excerpt(asked.depth.text) +
                     ": the depth is a film, but the image is none");
  InputFilm film;
  const auto use = [&](const FilePath& file, FilePath& named, FilePath& frames) {
    if (!file.none()) named.text = absolutePath(file.text).string();
    if (isFolder(named.text)) named.text = patternOfFolder(kWhere, named.text);
    frames = named;
    if (!isVideoInput(named.text)) return lengthOf(kWhere, named.text, 0.0f);
    const fs::path folder = decodedFrames(kWhere, named.text, kMaxVideoFrames, how);
    if (film.framesPerSecond <= 0) film.framesPerSecond = rateIn(folder);
    addNotes(film.notes, notesOf(folder, named.text, &file == &asked.depth));
    frames.text = (folder / kFrameFile).string();
    return lengthOf(kWhere, frames.text, rateIn(folder));
  };
  const FilmLength length = use(asked.file, film.asked.file, film.file);
  const FilmLength ofDepth = use(asked.depth, film.asked.depth, film.depth);
  film.frames = findFrames(kWhere, film.file.text).count;
  addNotes(film.notes, notesOnDepth(film.asked.depth.text, ofDepth, length));
  return film;
}

void useDepthOfFilmBeside(CommandLine& line) {
  if (line.given("--depth")) return;
  const auto image = std::ranges::find(line.files, "--image", &decltype(line.files)::value_type::first);
  if (image == line.files.end() || image->second.size() != 1 || !isFilm(image->second.front())) return;
  if (settingsShow(line, image->second.front())) return;
  const std::string depth = depthOfFilmBeside(image->second.front()).string();
  if (depth.empty() && line.settingsPath.empty()) return;
  if (!depth.empty()) line.files.emplace_back("--depth", std::vector{depth});
  line.options.emplace_back("--depth", depth);
}

void useFilms(CommandLine& line) {
  const long frames = line.frames > 0 ? line.frames : kMaxVideoFrames;  // ranges of a film share them
  FilmLength film, depth;
  for (auto& [option, values] : line.files) {
    if ((option != "--image" && option != "--depth") || values.size() != 1) continue;
    std::string& value = values.front();
    const bool isImage = option == "--image";
    float framesPerSecond = 0;
    (isImage ? line.film.file : line.film.depth).text = value;
    if (isVideoInput(value)) {
      const fs::path folder = decodedWithProgress(option, value, frames);
      framesPerSecond = rateIn(folder);
      addNotes(line.notes, notesOf(folder, value, !isImage));
      value = (folder / kFrameFile).string();
    } else if (line.headless && line.writesFrames() && isFolder(value)) {
      value = patternOfFolder(option, value);
    }
    for (auto& [name, text] : line.options)
      if (name == option) text = value;
    (isImage ? film : depth) = lengthOf(option, value, framesPerSecond);
  }
  if (line.framesPerSecond <= 0) line.framesPerSecond = film.framesPerSecond;
  if (line.framesPerSecond <= 0) line.framesPerSecond = depth.framesPerSecond;
  for (FilmLength* const each : {&film, &depth}) each->frames = std::min(each->frames, frames);
  addNotes(line.notes, notesOnDepth(line.film.depth.text, depth, film));
}

}  // namespace satdof
