#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "app/core/files/descriptor_linux.h"
#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/files/files.h"
#include "app/core/files/video_formats.h"
#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/formatted.h"
#include "app/core/text/letters.h"
#include "app/core/usage_error.h"
#include "app/io/image_file.h"
#include "app/run/film/video.h"
#include "app/run/system/child_linux.h"
#include "app/run/system/pipes_linux.h"
#include "app/run/system/tool.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "ffmpeg";
constexpr int kFileInChild = 3;  // descriptor of the video file in ffmpeg
constexpr const char *kFile = "file:/proc/self/fd/3", *kStdout = "file:/proc/self/fd/1";

// How a container stays playable if the encoder ends early: in fragments, which some players refuse, or in clusters.
// A GIF does not: its palette is known only after the last frame.
enum class Pieces { fragments, clusters, palette };
// An encoder of ffmpeg for frames with alpha.
struct AlphaEncoder {
  const char* name;
  const char* pixels;
  const char* option = "";
};
constexpr AlphaEncoder kProRes{"prores_ks", "yuva444p10le", " -profile:v 4444"}, kFfv1{"ffv1", "bgra"},
    kVp9{"libvpx-vp9", "yuva420p", " -auto-alt-ref 0"};

struct Container {
  const char* extension;
  const char* format;  // name of the container in ffmpeg
  Pieces pieces = Pieces::clusters;
  const AlphaEncoder* alpha = nullptr;  // null: the container holds no alpha
};
constexpr std::array kContainers = {
    Container{".mp4", "mp4", Pieces::fragments}, Container{".mov", "mov", Pieces::fragments, &kProRes},
    Container{".mkv", "matroska", Pieces::clusters, &kFfv1}, Container{".webm", "webm", Pieces::clusters, &kVp9},
    Container{".gif", "gif", Pieces::palette}};
static_assert(kContainers.size() == kVideoOutputs.size());

// The options of ffmpeg that encode frames: even sides for 4:2:0, colours of BT.709, which players assume for videos of
// this size. `first`: filters of the frames before, each with a comma.
std::string encodingOf(Pieces pieces, const AlphaEncoder* alpha, const std::string& first) {
  if (pieces == Pieces::palette) return "-vf " + first + "split[a][b];[a]palettegen[p];[b][p]paletteuse";
  std::string options =
      "-vf " + first + "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=black@0,scale=out_color_matrix=bt709:out_range=tv,format=";
  options.append(alpha == nullptr ? "yuv420p" : alpha->pixels);
  options.append(" -colorspace bt709 -color_primaries bt709 -color_trc bt709");
  if (alpha != nullptr) options.append(" -c:v ").append(alpha->name).append(alpha->option);
  return options;
}

// The options of ffmpeg for fragments or clusters of 1 s.
std::string optionsOf(Pieces pieces) {
  if (pieces == Pieces::palette) return "";
  return pieces == Pieces::fragments ? " -movflags empty_moov+default_base_moof -frag_duration 1000000"
                                     : " -cluster_time_limit 1000";
}

// ffmpeg keeps all frames of a GIF until it knows the palette.
constexpr double kMaxGifPixels = 1 << 28;
constexpr float kMaxGifRate = 50;  // players show faster ones slowly

// Throws std::runtime_error for a GIF of too many pixels or frames a second.
void requireGifLimits(const Container& container, const VideoFormat& format, long frames) {
  if (container.pieces != Pieces::palette) return;
  const double pixels = static_cast<double>(format.size.x) * format.size.y;
  if (pixels * static_cast<double>(frames) > kMaxGifPixels)
    throw std::runtime_error("a GIF of " + std::to_string(format.size.x) + " x " + std::to_string(format.size.y) +
                             " pixels has at most " + std::to_string(static_cast<long>(kMaxGifPixels / pixels)) +
                             " frames; write fewer or smaller frames, or .mp4");
  if (format.framesPerSecond > kMaxGifRate)
    throw std::runtime_error("a GIF has at most 50 frames a second; lower the frame rate, or write .mp4");
}

const Container& containerOf(const fs::path& path) {
  const std::string extension = lowerCase(path.extension().string());
  const auto* const found =
      std::ranges::find_if(kContainers, [&](const Container& row) { return extension == row.extension; });
  if (found == kContainers.end())
    throw UsageError("cannot write " + pathText(path) + ": expected a name ending in " + videoOutputNames());
  return *found;
}

// Extended attribute of an unfinished video: files of users may have such names, too. On a file system without extended
// attributes, unfinished videos of killed programs are never removed.
constexpr const char* kUnfinished = "user.satdof.unfinished";

// "film-unfinished" for film.mp4, of which a killed program leaves film-unfinished-0001.mp4. A long name is cut to
// leave room for the number.
std::string unfinishedStem(const fs::path& video) {
  constexpr std::size_t kLongest = 255, kNumber = std::string_view("-000000000").size();
  const std::string end = "-unfinished";
  const std::size_t others = end.size() + kNumber + video.extension().string().size();
  return video.stem().string().substr(0, kLongest - others) + end;
}

// numberedNames() of this path are the names of an unfinished video.
fs::path unfinishedName(const fs::path& path) {
  return path.parent_path() / (unfinishedStem(path) + path.extension().string());
}

// Removes what killed programs left of a video. A file whose encoder still runs is locked and stays.
void removeUnfinished(const fs::path& video) {
  for (const fs::path& part : unfinishedOf(video)) {
    const Descriptor file(::open(part.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file.open() && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(part.c_str());
  }
}

// Whether ffmpeg is in PATH.
bool isInstalled() {
  const char* const path = std::getenv("PATH");
  for (const std::string& folder : splitText(path == nullptr ? "/usr/bin:/bin" : path, ':'))
    if (::access((fs::path(folder.empty() ? "." : folder) / kProgram).c_str(), X_OK) == 0) return true;
  return false;
}

// Whether ffmpeg has the encoder. The first call encodes a frame. Thread-safe; a call waits for another one.
bool hasEncoder(const AlphaEncoder& encoder) {
  static std::mutex mutex;
  static std::map<std::string, bool> known;  // with `mutex`
  const std::scoped_lock lock(mutex);
  const auto [found, isNew] = known.emplace(encoder.name, false);
  if (!isNew) return found->second;
  constexpr double kSilentS = 10.0;
  try {
    runTool({kProgram, "-hide_banner", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "color=size=64x64",
             "-frames:v", "1", "-pix_fmt", encoder.pixels, "-c:v", encoder.name, "-f", "null", "-"},
            {.silentS = kSilentS});
    found->second = true;
  } catch (const std::runtime_error&) {
  }
  return found->second;
}

// Renews the timer if the size of the file differs from `size`, which it updates.
void renewIfGrown(const PendingFile& file, off_t& size, StallTimer& stall) {
  struct stat status {};
  if (::fstat(file.descriptor(), &status) == 0 && std::exchange(size, status.st_size) != status.st_size) stall.renew();
}

// An ffmpeg process that encodes frames into a file.
class Encoder {
 public:
  Encoder(const Container& container, const VideoFormat& format, const PendingFile& file);

  void send(std::string_view bytes, StallTimer& stall);
  // Closes the input and waits until ffmpeg ends.
  void finish(StallTimer& stall);

 private:
  // Throws std::runtime_error with the last line of ffmpeg's errors.
  [[noreturn]] void fail(StallTimer& stall);

  const PendingFile& file_;
  off_t size_ = 0;  // of the file when it last grew
  Descriptor input_;
  std::optional<PipeText> errors_;
  std::optional<Child> child_;
};

Encoder::Encoder(const Container& container, const VideoFormat& format, const PendingFile& file) : file_(file) {
  // A socket, not a pipe: writing to an ffmpeg that has ended must fail and not raise SIGPIPE.
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::runtime_error(std::string("cannot start ffmpeg: ") + std::strerror(errno));
  input_ = Descriptor(ends[0]);
  const Descriptor inputOfChild(ends[1]);
  auto [errors, errorsOfChild] = makePipe();
  errors_.emplace(std::move(errors));
  const std::string command =
      formatted(
          "ffmpeg -hide_banner -nostdin -loglevel error -y -f rawvideo -pixel_format %s -video_size %dx%d "
          "-framerate %.9g -i pipe:0 -flush_packets 1 ",
          format.alpha ? "rgba" : "rgb24", format.size.x, format.size.y, static_cast<double>(format.framesPerSecond)) +
      encodingOf(container.pieces, format.alpha ? container.alpha : nullptr, "vflip,") + optionsOf(container.pieces) +
      " -f " + container.format + " " + kFile;
  child_.emplace(
      splitText(command, ' '),
      std::vector<Child::Redirection>{
          {inputOfChild.get(), STDIN_FILENO}, {errorsOfChild.get(), STDERR_FILENO}, {file.descriptor(), kFileInChild}},
      Child::IfKilled::goesOn);  // to the end of its input
}

void Encoder::fail(StallTimer& stall) {
  while (!child_->status()) stall.wait({{errors_->descriptor(), POLLIN, 0}});
  errors_->read();
  throw std::runtime_error("failed: " + errors_->lastLine());
}

void Encoder::send(std::string_view bytes, StallTimer& stall) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(input_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      stall.renew();
      continue;
    }
    if (count < 0 && errno != EAGAIN && errno != EINTR) fail(stall);
    errors_->read();
    renewIfGrown(file_, size_, stall);
    stall.wait({{input_.get(), POLLOUT, 0}});
  }
}

void Encoder::finish(StallTimer& stall) {
  input_ = Descriptor();
  std::optional<int> status;
  while (!(status = child_->status())) {
    errors_->read();
    renewIfGrown(file_, size_, stall);
    stall.wait({});
  }
  if (*status != 0) fail(stall);
}

// An ffmpeg process that reads a film that it wrote.
PipedChild readerOf(const PendingFile& film, const std::vector<std::string>& output,
                    std::vector<Child::Redirection> redirections) {
  std::vector<std::string> command{kProgram, "-hide_banner", "-nostdin", "-loglevel", "error", "-xerror",
                                   "-y",     "-i",           kFile,      "-map",      "0:v:0"};
  command.insert(command.end(), output.begin(), output.end());
  redirections.push_back({film.descriptor(), kFileInChild});
  return {command, std::move(redirections), true};
}

void requireRead(int status, const PipedChild& reader) {
  if (status != 0) throw std::runtime_error("cannot read the film that it wrote: " + reader.errors().lastLine());
}

// Copies a fragmented video into a file without fragments, which every player reads.
void defragment(const Container& container, const PendingFile& from, const PendingFile& to, StallTimer& stall) {
  PipedChild reader =
      readerOf(from, {"-c", "copy", "-f", container.format, kStdout}, {{to.descriptor(), STDOUT_FILENO}});
  off_t size = 0;
  requireRead(reader.finish(stall, [&](bool) { renewIfGrown(to, size, stall); }), reader);
}

// Decodes the file. Returns its number of frames.
long countFrames(const PendingFile& file, StallTimer& stall) {
  PipedChild reader = readerOf(file, {"-progress", "pipe:1", "-f", "null", "-"}, {});
  const auto frames = [&] {
    constexpr std::string_view kKey = "frame=";
    const std::string& progress = reader.output().text();
    const std::size_t at = progress.rfind(kKey);
    return at == progress.npos ? 0 : std::atol(progress.c_str() + at + kKey.size());
  };
  long last = 0;
  requireRead(reader.finish(stall,
                            [&](bool) {
                              const long now = frames();
                              if (std::exchange(last, now) < now) stall.renew();
                            }),
              reader);
  return frames();
}

// Feeds ffmpeg from a thread, so that an ffmpeg that hangs blocks only this thread.
class EncodedVideo final : public Video {
 public:
  EncodedVideo(const fs::path& path, const VideoFormat& format, bool numbered)
      : path_(path),
        container_(containerOf(path)),
        format_(format),
        numbered_(numbered),
        file_(readWithTimeout(path,
                              [path, numbered] { return std::make_unique<PendingFile>(folderOf(path, numbered)); })),
        encoder_(container_, format, *file_),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}

  bool ready(double waitS) override {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::duration<double>(waitS), [&] { return !waiting_ || failure_; });
  }
  void append(std::vector<unsigned char> rgb) override {
    const std::scoped_lock lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    requireGifLimits(container_, format_, frames_ + 1);
    waiting_ = std::move(rgb);
    ++frames_;
    changed_.notify_all();
  }
  void end() override {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  std::optional<fs::path> finished(double waitS) override {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::duration<double>(waitS), [&] { return written_ || failure_; });
    if (failure_) std::rethrow_exception(failure_);
    return written_;
  }

 private:
  void run(const std::stop_token& stop);
  // Waits for the next frame; nothing after end().
  std::optional<std::vector<unsigned char>> nextFrame(const std::stop_token& stop);
  void encode(const std::stop_token& stop);
  // Gives the finished file its name.
  fs::path publish();
  static fs::path folderOf(const fs::path& path, bool numbered) {
    return satdof::folderOf(numbered ? path : linkTarget(path));
  }
  fs::path folder() const { return folderOf(path_, numbered_); }

  const fs::path path_;
  const Container& container_;
  const VideoFormat format_;
  const bool numbered_;
  std::unique_ptr<PendingFile> file_;
  Encoder encoder_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  // Guarded by mutex_:
  std::optional<std::vector<unsigned char>> waiting_;
  long frames_ = 0;
  bool ended_ = false;
  std::optional<fs::path> written_;
  std::exception_ptr failure_;
  std::jthread thread_;
};

std::optional<std::vector<unsigned char>> EncodedVideo::nextFrame(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait(lock, stop, [&] { return waiting_ || ended_; })) throw StopRequested();
  auto frame = std::exchange(waiting_, std::nullopt);
  changed_.notify_all();
  return frame;
}

void EncodedVideo::encode(const std::stop_token& stop) try {
  bool shown = false;
  while (const auto frame = nextFrame(stop)) {
    StallTimer stall(stop, format_.stallS);
    encoder_.send({reinterpret_cast<const char*>(frame->data()), frame->size()}, stall);
    // From now on, the encoder finishes the file even if this program is killed.
    if (std::exchange(shown, true)) continue;
    ::flock(file_->descriptor(), LOCK_SH);
    ::fsetxattr(file_->descriptor(), kUnfinished, "", 0, 0);
    file_->show(numberedNames(folder() / unfinishedName(path_).filename()));
  }
  StallTimer stall(stop, format_.stallS);
  encoder_.finish(stall);
  const PendingFile* encoded = file_.get();
  std::unique_ptr<PendingFile> whole;
  if (container_.pieces == Pieces::fragments) {
    whole = std::make_unique<PendingFile>(folder());
    defragment(container_, *file_, *whole, stall);
    encoded = whole.get();
  }
  if (const long found = countFrames(*encoded, stall); found != frames_)
    throw std::runtime_error("wrote " + std::to_string(found) + " of " + std::to_string(frames_) + " frames");
  ::fremovexattr(file_->descriptor(), kUnfinished);
  if (whole) std::swap(file_, whole);
} catch (const std::runtime_error& error) {
  throw std::runtime_error("cannot write " + pathText(path_) + ": ffmpeg " + error.what());
}

fs::path EncodedVideo::publish() {
  if (numbered_) return file_->take(numberedNames(path_));
  file_->replace(path_);
  removeUnfinished(path_);
  return path_;
}

void EncodedVideo::run(const std::stop_token& stop) {
  std::optional<fs::path> written;
  std::exception_ptr failure;
  try {
    encode(stop);
    written = publish();
  } catch (const StopRequested&) {
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  const std::scoped_lock lock(mutex_);
  written_ = std::move(written);
  failure_ = std::move(failure);
  changed_.notify_all();
}

}  // namespace

std::vector<fs::path> unfinishedOf(const fs::path& video) try {
  const std::string start = unfinishedStem(video) + "-";
  std::vector<fs::path> parts = entriesOf(folderOf(linkTarget(video)));
  std::erase_if(parts, [&](const fs::path& file) {
    const std::string name = file.stem().string();
    return file.extension() != video.extension() || !name.starts_with(start) ||
           name.find_first_not_of("0123456789", start.size()) != name.npos ||
           ::lgetxattr(file.c_str(), kUnfinished, nullptr, 0) < 0;
  });
  return parts;
} catch (const std::runtime_error&) {  // writing the video reports it
  return {};
}

std::string videoMissing() { return isInstalled() ? "" : "ffmpeg is not installed"; }

std::string alphaMissing(const fs::path& path) {
  const Container& container = containerOf(path);
  const std::string background = "the transparent background is black in a " + std::string(container.extension);
  if (container.alpha == nullptr) {
    std::string others;
    for (const Container& each : kContainers)
      if (each.alpha != nullptr) others += (others.empty() ? "" : ", ") + std::string(each.extension);
    return background + ", which holds none: " + others + " do";
  }
  if (hasEncoder(*container.alpha)) return "";
  return background + ": ffmpeg has no encoder " + container.alpha->name;
}

std::vector<std::string> encoderOptions(const fs::path& path, const VideoFormat& format) try {
  const Container& container = containerOf(path);
  requireGifLimits(container, format, format.frames);
  return splitText(encodingOf(container.pieces, format.alpha ? container.alpha : nullptr, ""), ' ');
} catch (const std::runtime_error& error) {
  throw std::runtime_error("cannot write " + pathText(path) + ": " + error.what());
}

void requireVideo(const fs::path& path) {
  containerOf(path);
  requireWritable(path);
  if (const std::string missing = videoMissing(); !missing.empty())
    throw UsageError("cannot write " + pathText(path) + ": " + missing +
                     "; install it, or write images with --sequence");
}

std::unique_ptr<Video> startVideo(const fs::path& path, const VideoFormat& format, bool numbered) try {
  requireGifLimits(containerOf(path), format, format.frames);
  return std::make_unique<EncodedVideo>(path, format, numbered);
} catch (const std::runtime_error& error) {
  throw std::runtime_error("cannot write " + pathText(path) + ": " + error.what() +
                           (videoMissing().empty() ? "" : "; install ffmpeg, or write images with --sequence"));
}

}  // namespace satdof
