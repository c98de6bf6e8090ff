#include "app/core/text/foreign_text.h"
#include "app/core/usage_error.h"
#include "app/run/film/video.h"

namespace satdof {

void requireVideo(const std::filesystem::path& path) {
  throw UsageError("cannot write " + pathText(path) + ": videos need Linux; write images with --sequence");
}

std::string alphaMissing(const std::filesystem::path&) { return {}; }

std::vector<std::string> encoderOptions(const std::filesystem::path&, const VideoFormat&) { return {}; }

std::vector<std::filesystem::path> unfinishedOf(const std::filesystem::path&) { return {}; }

std::unique_ptr<Video> startVideo(const std::filesystem::path& path, const VideoFormat&, bool) {
  requireVideo(path);
  return nullptr;
}

}  // namespace satdof
