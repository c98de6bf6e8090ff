#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "app/core/descriptor_posix.h"
#include "app/core/file_names.h"
#include "app/core/files.h"
#include "app/core/usage_error.h"
#include "app/io/image_file.h"
#include "app/run/video.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "ffmpeg";
constexpr int kOutput = 3;  // descriptor of the video in ffmpeg

struct Container {
  const char* extension;
  const char* format;  // of ffmpeg
};
constexpr std::array kContainers = {Container{".mp4", "mp4"}, Container{".mov", "mov"},
                                    Container{".mkv", "matroska"}, Container{".webm", "webm"}};

// Even sides, as 4:2:0 needs them; BT.709, as players assume for video of this size.
constexpr const char* kFilters =
    "vflip,pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p";

const Container& containerOf(const fs::path& path) {
  const std::string extension = path.extension().string();
  const auto* const found =
      std::ranges::find_if(kContainers, [&](const Container& row) { return extension == row.extension; });
  if (found == kContainers.end())
    throw UsageError("cannot write " + path.string() +
                     ": expected a name ending in .mp4, .mov, .mkv or .webm");
  return *found;
}

// Whether the folders of PATH hold ffmpeg.
bool installed() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((fs::path(folder.empty() ? "." : folder) / kProgram).c_str(), X_OK) == 0) return true;
  return false;
}

// The last line of what ffmpeg said.
std::string lastLine(int file) {
  std::array<char, 4096> text{};
  const off_t end = ::lseek(file, 0, SEEK_END), from = std::max<off_t>(0, end - off_t{4000});
  const ssize_t count = ::pread(file, text.data(), text.size(), from);
  std::string said(text.data(), static_cast<size_t>(std::max<ssize_t>(count, 0)));
  while (!said.empty() && said.back() == '\n') said.pop_back();
  said.erase(0, said.rfind('\n') + 1);
  return said.empty() ? "it gave no reason" : said;
}

class EncodedVideo final : public Video {
 public:
  EncodedVideo(const fs::path& path, const VideoFormat& format, bool numbered);
  ~EncodedVideo() override;
  EncodedVideo(const EncodedVideo&) = delete;
  EncodedVideo& operator=(const EncodedVideo&) = delete;

  void append(const std::vector<unsigned char>& rgb) override;
  fs::path finish() override;

 private:
  [[noreturn]] void fail();
  // Ends the input; returns the exit status of ffmpeg.
  int wait();

  fs::path path_;
  bool numbered_;
  PendingFile file_;
  Descriptor input_;   // a socket
  Descriptor errors_;  // what ffmpeg says
  pid_t child_ = -1;
};

}  // namespace

std::string videoMissing() { return installed() ? "" : "ffmpeg is not installed"; }

void requireVideo(const fs::path& path) {
  containerOf(path);
  requireWritable(path);
  if (const std::string missing = videoMissing(); !missing.empty())
    throw UsageError("cannot write " + path.string() + ": " + missing +
                     "; install it, or write images with --sequence");
}

EncodedVideo::EncodedVideo(const fs::path& path, const VideoFormat& format, bool numbered)
    : path_(path), numbered_(numbered), file_(folderOf(numbered ? path : linkTarget(path))) {
  std::array<int, 2> ends{-1, -1};
  errors_ = Descriptor(::memfd_create("ffmpeg", MFD_CLOEXEC));
  // A socket, not a pipe: writing to an ended ffmpeg must fail, not end this program.
  if (!errors_.open() || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::runtime_error(std::string("cannot start ffmpeg: ") + std::strerror(errno));
  input_ = Descriptor(ends[0]);
  const Descriptor inputOfChild(ends[1]);
  char dimensions[32], rate[32];
  std::snprintf(dimensions, sizeof dimensions, "%dx%d", format.size.x, format.size.y);
  std::snprintf(rate, sizeof rate, "%.9g", static_cast<double>(format.framesPerSecond));
  const std::string output = "file:/proc/self/fd/" + std::to_string(kOutput);
  const std::vector<const char*> arguments = {kProgram,
                                              "-hide_banner",
                                              "-nostdin",
                                              "-loglevel",
                                              "error",
                                              "-y",
                                              "-f",
                                              "rawvideo",
                                              "-pixel_format",
                                              "rgb24",
                                              "-video_size",
                                              dimensions,
                                              "-framerate",
                                              rate,
                                              "-i",
                                              "pipe:0",
                                              "-vf",
                                              kFilters,
                                              "-colorspace",
                                              "bt709",
                                              "-color_primaries",
                                              "bt709",
                                              "-color_trc",
                                              "bt709",
                                              "-f",
                                              containerOf(path).format,
                                              output.c_str(),
                                              nullptr};
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, inputOfChild.get(), STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors_.get(), STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, file_.descriptor(), kOutput);
  const int error = ::posix_spawnp(&child_, kProgram, &actions, nullptr,
                                   const_cast<char* const*>(arguments.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    child_ = -1;
    throw std::runtime_error("cannot write " + path.string() + ": ffmpeg does not start: " +
                             std::strerror(error) + "; install it, or write images with --sequence");
  }
}

EncodedVideo::~EncodedVideo() {
  if (child_ > 0) ::kill(child_, SIGKILL);
  wait();
}

int EncodedVideo::wait() {
  input_ = Descriptor();
  int status = 0;
  if (child_ > 0)
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
  child_ = -1;
  return status;
}

void EncodedVideo::fail() {
  wait();
  throw std::runtime_error("cannot write " + path_.string() + ": ffmpeg failed: " + lastLine(errors_.get()));
}

void EncodedVideo::append(const std::vector<unsigned char>& rgb) {
  for (size_t done = 0; done < rgb.size();) {
    const ssize_t count = ::send(input_.get(), rgb.data() + done, rgb.size() - done, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    done += static_cast<size_t>(count);
  }
}

fs::path EncodedVideo::finish() {
  if (wait() != 0) fail();
  if (numbered_) return file_.take(numberedNames(path_));
  file_.replace(path_);
  return path_;
}

std::unique_ptr<Video> startVideo(const fs::path& path, const VideoFormat& format, bool numbered) {
  return std::make_unique<EncodedVideo>(path, format, numbered);
}

}  // namespace satdof
