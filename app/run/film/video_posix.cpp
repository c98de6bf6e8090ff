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

#include "app/core/answers.h"
#include "app/core/count_text.h"
#include "app/core/descriptor_posix.h"
#include "app/core/file_names.h"
#include "app/core/files.h"
#include "app/core/foreign_text.h"
#include "app/core/formatted.h"
#include "app/core/letters.h"
#include "app/core/usage_error.h"
#include "app/core/video_formats.h"
#include "app/io/image_file.h"
#include "app/run/film/video.h"
#include "app/run/system/child_posix.h"
#include "app/run/system/pipes_posix.h"
#include "app/run/system/tool.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "ffmpeg";
constexpr int kFileInChild = 3;  // descriptor of the video in ffmpeg
constexpr const char *kFile = "file:/proc/self/fd/3", *kStdout = "file:/proc/self/fd/1";

// How a file is made that plays what has been encoded, if the encoder ends early: in pieces, which some players refuse, or in
// clusters. A palette is known after the last frame alone.
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
  const char* format;  // of ffmpeg
  Pieces pieces = Pieces::clusters;
  const AlphaEncoder* alpha = nullptr;  // null: the format holds none
};
constexpr std::array kContainers = {
    Container{".mp4", "mp4", Pieces::fragments}, Container{".mov", "mov", Pieces::fragments, &kProRes},
    Container{".mkv", "matroska", Pieces::clusters, &kFfv1},
    Container{".webm", "webm", Pieces::clusters, &kVp9}, Container{".gif", "gif", Pieces::palette}};
static_assert(kContainers.size() == kVideoOutputs.size());

// The options of ffmpeg. Even sides, as 4:2:0 needs them; BT.709, as players assume for video of this size. Pieces of 1 s.
std::string optionsOf(Pieces pieces, const AlphaEncoder* alpha) {
  if (pieces == Pieces::palette) return " -vf vflip,split[a][b];[a]palettegen[p];[b][p]paletteuse";
  std::string options =
      " -vf vflip,pad=ceil(iw/2)*2:ceil(ih/2)*2:color=black@0,scale=out_color_matrix=bt709:out_range=tv,"
      "format=";
  options.append(alpha == nullptr ? "yuv420p" : alpha->pixels);
  options.append(" -colorspace bt709 -color_primaries bt709 -color_trc bt709");
  if (alpha != nullptr) options.append(" -c:v ").append(alpha->name).append(alpha->option);
  return options + (pieces == Pieces::fragments
                        ? " -movflags empty_moov+default_base_moof -frag_duration 1000000"
                        : " -cluster_time_limit 1000");
}

// ffmpeg keeps all frames of a GIF until it knows the palette.
constexpr double kMostGifPixels = 1 << 28;
constexpr float kMostGifRate = 50;  // players slow down faster ones

void requireShort(const Container& container, const VideoFormat& format, long frames) {
  if (container.pieces != Pieces::palette) return;
  const double pixels = static_cast<double>(format.size.x) * format.size.y;
  if (pixels * static_cast<double>(frames) > kMostGifPixels)
    throw std::runtime_error("a GIF of " + std::to_string(format.size.x) + " x " +
                             std::to_string(format.size.y) + " pixels has at most " +
                             std::to_string(static_cast<long>(kMostGifPixels / pixels)) +
                             " frames; write fewer or smaller frames, or .mp4");
  if (format.framesPerSecond > kMostGifRate)
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

// Of a file that is no whole video yet: users may have others of such names. Where the file system has no such attributes, the
// files of killed programs stay.
constexpr const char* kUnfinished = "user.satdof.unfinished";

// What a killed program leaves of film.mp4 is film-unfinished-0001.mp4: this stem and a number. Of a long name it has the start.
std::string unfinishedStem(const fs::path& video) {
  constexpr std::size_t kLongest = 255, kNumber = std::string_view("-000000000").size();
  const std::string end = "-unfinished";
  const std::size_t others = end.size() + kNumber + video.extension().string().size();
  return video.stem().string().substr(0, kLongest - others) + end;
}

// The video of a program that ends early: its numberedNames().
fs::path unfinished(const fs::path& path) {
  return path.parent_path() / (unfinishedStem(path) + path.extension().string());
}

// Removes what killed programs have left of a video. The lock of one that goes on lasts as long as its encoder.
void removeUnfinished(const fs::path& video) {
  for (const fs::path& part : entriesOf(folderOf(video))) {
    if (!isUnfinished(part, video)) continue;
    const Descriptor file(::open(part.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file.open() && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(part.c_str());
  }
}

// Whether the folders of PATH hold ffmpeg.
bool installed() {
  const char* const path = std::getenv("PATH");
  for (const std::string& folder : partsOf(path == nullptr ? "/usr/bin:/bin" : path, ':'))
    if (::access((fs::path(folder.empty() ? "." : folder) / kProgram).c_str(), X_OK) == 0) return true;
  return false;
}

// Whether ffmpeg has the encoder: encodes a frame once.
bool hasEncoder(const AlphaEncoder& encoder) {
  static std::map<std::string, bool> known;  // videos are started on one thread
  const auto [found, isNew] = known.emplace(encoder.name, false);
  if (!isNew) return found->second;
  constexpr double kSilentS = 10.0;
  try {
    runTool(
        {kProgram, "-hide_banner", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "color=size=64x64",
         "-frames:v", "1", "-pix_fmt", encoder.pixels, "-c:v", encoder.name, "-f", "null", "-"},
        {.silentS = kSilentS});
    found->second = true;
  } catch (const std::runtime_error&) {
  }
  return found->second;
}

// Renews the patience if the file no longer has `size` bytes.
void lookAt(const PendingFile& file, off_t& size, Patience& patience) {
  struct stat status {};
  if (::fstat(file.descriptor(), &status) == 0 && std::exchange(size, status.st_size) != status.st_size)
    patience.renew();
}

// ffmpeg, encoding frames into a file.
class Encoder {
 public:
  Encoder(const Container& container, const VideoFormat& format, const PendingFile& file);

  void send(std::string_view bytes, Patience& patience);
  // Ends the input and waits for the end.
  void finish(Patience& patience);

 private:
  [[noreturn]] void fail(Patience& patience);

  const PendingFile& file_;
  off_t size_ = 0;  // of the file
  Descriptor input_;
  std::optional<Said> errors_;
  std::optional<Child> child_;
};

Encoder::Encoder(const Container& container, const VideoFormat& format, const PendingFile& file)
    : file_(file) {
  // A socket, not a pipe: writing to an ended ffmpeg must fail, not end this program.
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
          "-framerate %.9g -i pipe:0 -flush_packets 1",
          format.alpha ? "rgba" : "rgb24", format.size.x, format.size.y,
          static_cast<double>(format.framesPerSecond)) +
      optionsOf(container.pieces, format.alpha ? container.alpha : nullptr) + " -f " + container.format +
      " " + kFile;
  child_.emplace(partsOf(command, ' '),
                 std::vector<Child::Redirection>{{inputOfChild.get(), STDIN_FILENO},
                                                 {errorsOfChild.get(), STDERR_FILENO},
                                                 {file.descriptor(), kFileInChild}},
                 Child::IfKilled::goesOn);  // to the end of its input
}

void Encoder::fail(Patience& patience) {
  while (!child_->status()) patience.wait({{errors_->descriptor(), POLLIN, 0}});
  errors_->read();
  throw std::runtime_error("failed: " + errors_->lastLine());
}

void Encoder::send(std::string_view bytes, Patience& patience) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(input_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      bytes.remove_prefix(static_cast<size_t>(count));
      patience.renew();
      continue;
    }
    if (count < 0 && errno != EAGAIN && errno != EINTR) fail(patience);
    errors_->read();
    lookAt(file_, size_, patience);
    patience.wait({{input_.get(), POLLOUT, 0}});
  }
}

void Encoder::finish(Patience& patience) {
  input_ = Descriptor();
  std::optional<int> status;
  while (!(status = child_->status())) {
    errors_->read();
    lookAt(file_, size_, patience);
    patience.wait({});
  }
  if (*status != 0) fail(patience);
}

// Copies what is encoded into a file that every player reads.
void join(const Container& container, const PendingFile& from, const PendingFile& to, Patience& patience) {
  auto [errors, errorsOfChild] = makePipe();
  Child child({kProgram, "-hide_banner", "-nostdin", "-loglevel", "error", "-xerror", "-y", "-i", kFile,
               "-map", "0:v:0", "-c", "copy", "-f", container.format, kStdout},
              {{errorsOfChild.get(), STDERR_FILENO},
               {to.descriptor(), STDOUT_FILENO},
               {from.descriptor(), kFileInChild}});
  errorsOfChild = Descriptor();
  Said reason(std::move(errors));
  off_t size = 0;
  std::optional<int> status;
  while (!(status = child.status())) {
    reason.read();
    lookAt(to, size, patience);
    patience.wait({{reason.descriptor(), POLLIN, 0}});
  }
  reason.read();
  if (*status != 0) throw std::runtime_error("cannot read the film that it wrote: " + reason.lastLine());
}

// Decodes the file. Returns how many frames it shows.
long countFrames(const PendingFile& file, Patience& patience) {
  auto [said, saidByChild] = makePipe();
  auto [errors, errorsOfChild] = makePipe();
  Child child({kProgram, "-hide_banner", "-nostdin", "-loglevel", "error", "-xerror", "-i", kFile, "-map",
               "0:v:0", "-progress", "pipe:1", "-f", "null", "-"},
              {{saidByChild.get(), STDOUT_FILENO},
               {errorsOfChild.get(), STDERR_FILENO},
               {file.descriptor(), kFileInChild}});
  saidByChild = Descriptor();
  errorsOfChild = Descriptor();
  Said progress(std::move(said)), reason(std::move(errors));
  long frames = 0;
  const auto look = [&] {
    progress.read();
    reason.read();
    const size_t at = progress.text().rfind("frame=");
    const long now = at == std::string::npos ? 0 : std::atol(progress.text().c_str() + at + 6);
    if (std::exchange(frames, now) < now) patience.renew();
  };
  std::optional<int> status;
  while (!(status = child.status())) {
    look();
    patience.wait({{progress.descriptor(), POLLIN, 0}});
  }
  look();
  if (*status != 0) throw std::runtime_error("cannot read the film that it wrote: " + reason.lastLine());
  return frames;
}

// A thread feeds ffmpeg, so that one that hangs stops nobody else.
class EncodedVideo final : public Video {
 public:
  EncodedVideo(const fs::path& path, const VideoFormat& format, bool numbered)
      : path_(path),
        container_(containerOf(path)),
        format_(format),
        numbered_(numbered),
        file_(answered(path,
                       [path, numbered] { return std::make_unique<PendingFile>(folderOf(path, numbered)); })),
        encoder_(container_, format, *file_),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}

  bool ready(double waitS) override {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::duration<double>(waitS),
                             [&] { return !waiting_ || failure_; });
  }
  void append(std::vector<unsigned char> rgb) override {
    const std::scoped_lock lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    requireShort(container_, format_, frames_ + 1);
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
  // Waits for the next frame; none after the last one.
  std::optional<std::vector<unsigned char>> next(const std::stop_token& stop);
  void encode(const std::stop_token& stop);
  fs::path name();
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
  // With the mutex.
  std::optional<std::vector<unsigned char>> waiting_;
  long frames_ = 0;
  bool ended_ = false;
  std::optional<fs::path> written_;
  std::exception_ptr failure_;
  std::jthread thread_;
};

std::optional<std::vector<unsigned char>> EncodedVideo::next(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait(lock, stop, [&] { return waiting_ || ended_; })) throw Abandoned();
  auto frame = std::exchange(waiting_, std::nullopt);
  changed_.notify_all();
  return frame;
}

void EncodedVideo::encode(const std::stop_token& stop) try {
  bool shown = false;
  while (const auto frame = next(stop)) {
    Patience patience(stop, format_.stallS);
    encoder_.send({reinterpret_cast<const char*>(frame->data()), frame->size()}, patience);
    // If this program is killed, the encoder still ends its file.
    if (std::exchange(shown, true)) continue;
    ::flock(file_->descriptor(), LOCK_SH);
    ::fsetxattr(file_->descriptor(), kUnfinished, "", 0, 0);
    file_->show(numberedNames(folder() / unfinished(path_).filename()));
  }
  Patience patience(stop, format_.stallS);
  encoder_.finish(patience);
  const PendingFile* encoded = file_.get();
  std::unique_ptr<PendingFile> joined;
  if (container_.pieces == Pieces::fragments) {
    joined = std::make_unique<PendingFile>(folder());
    join(container_, *file_, *joined, patience);
    encoded = joined.get();
  }
  if (const long found = countFrames(*encoded, patience); found != frames_)
    throw std::runtime_error("wrote " + std::to_string(found) + " of " + std::to_string(frames_) + " frames");
  ::fremovexattr(file_->descriptor(), kUnfinished);
  if (joined) std::swap(file_, joined);
} catch (const std::runtime_error& error) {
  throw std::runtime_error("cannot write " + pathText(path_) + ": ffmpeg " + error.what());
}

fs::path EncodedVideo::name() {
  if (numbered_) return file_->take(numberedNames(path_));
  file_->replace(path_);
  removeUnfinished(folder() / path_.filename());
  return path_;
}

void EncodedVideo::run(const std::stop_token& stop) {
  std::optional<fs::path> written;
  std::exception_ptr failure;
  try {
    encode(stop);
    written = name();
  } catch (const Abandoned&) {
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  const std::scoped_lock lock(mutex_);
  written_ = std::move(written);
  failure_ = std::move(failure);
  changed_.notify_all();
}

}  // namespace

bool isUnfinished(const fs::path& file, const fs::path& video) {
  const std::string name = file.stem().string(), start = unfinishedStem(video) + "-";
  return file.extension() == video.extension() && name.starts_with(start) &&
         name.find_first_not_of("0123456789", start.size()) == name.npos &&
         ::lgetxattr(file.c_str(), kUnfinished, nullptr, 0) >= 0;
}

std::string videoMissing() { return installed() ? "" : "ffmpeg is not installed"; }

std::string alphaMissing(const fs::path& path) {
  const Container& container = containerOf(path);
  const std::string background =
      "the transparent background is black in a " + std::string(container.extension);
  if (container.alpha == nullptr) {
    std::string others;
    for (const Container& each : kContainers)
      if (each.alpha != nullptr) others += (others.empty() ? "" : ", ") + std::string(each.extension);
    return background + ", which holds none: " + others + " do";
  }
  if (hasEncoder(*container.alpha)) return "";
  return background + ": ffmpeg has no encoder " + container.alpha->name;
}

void requireVideo(const fs::path& path) {
  containerOf(path);
  requireWritable(path);
  if (const std::string missing = videoMissing(); !missing.empty())
    throw UsageError("cannot write " + pathText(path) + ": " + missing +
                     "; install it, or write images with --sequence");
}

std::unique_ptr<Video> startVideo(const fs::path& path, const VideoFormat& format, bool numbered) try {
  requireShort(containerOf(path), format, format.frames);
  return std::make_unique<EncodedVideo>(path, format, numbered);
} catch (const std::runtime_error& error) {
  throw std::runtime_error(
      "cannot write " + pathText(path) + ": " + error.what() +
      (videoMissing().empty() ? "" : "; install ffmpeg, or write images with --sequence"));
}

}  // namespace satdof
