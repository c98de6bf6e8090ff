#include "app/run/film/steady_frames.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "app/core/files/cache.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/settings_json.h"
#include "app/core/system/resources.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/formatted.h"
#include "app/io/formats/exr.h"
#include "app/io/layer_file.h"
#include "app/io/photograph.h"
#include "app/run/dropped.h"
#include "app/run/inputs.h"
#include "app/run/system/depth_command.h"
#include "app/scene/image/depth_map.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

// Identifies the depth of a frame: settings, and state of all files that they name.
std::string stateOf(const ImageSettings& image) {
  Settings settings;
  settings.scene.image = image;
  std::string state = settingsToJson(settings);
  for (const fs::path& file : inputsOf(settings)) state += ' ' + fileState(file);
  if (const auto& first = image.filmFrame.first)
    state += formatted(" %a %a %d %d", static_cast<double>(first->low), static_cast<double>(first->high),
                       first->lengths ? 1 : 0, first->negative ? 1 : 0);
  return state;
}

// The depth of a frame, from its file or from inside `photograph`; without DepthImage::facts.
DepthImage depthImageOf(const ImageSettings& image, const Photograph& photograph) {
  if (image.depth.none() && !photograph.depth)
    throw std::runtime_error("cannot smooth the depth of \"" + pathText(image.file.text) + "\": it holds no depth");
  return image.depth.none() ? *photograph.depth : readDepth(image.depth.text, image.meaning);
}

DepthFrame frameOf(const ImageSettings& image) {
  const Photograph photograph = readPhotograph(image.file.text, image.depth.none());
  ThreadPool threads(hardwareThreads());
  DepthImage depth = depthImageOf(image, photograph);
  depth.facts = image.filmFrame.first;
  DepthMap map = alignedTo(photograph.picture, depthMap(depth, image), image, threads);
  return {map.size, colourRoots(photograph.picture, threads), map.nearM, std::move(map.depth)};
}

}  // namespace

const DepthFrame& SteadyFrames::read(int frame) {
  auto& depth = frames_.at(frame).depth;
  if (!depth) depth = std::make_shared<const DepthFrame>(frameOf(frames_.at(frame).files));
  return *depth;
}

ImageSettings SteadyFrames::smoothingKey(ImageSettings image) {
  if (image.smoothFrames == 0) return {};
  const ImageSettings none;
  image.file = image.depth = none.file;
  image.filmFrame = none.filmFrame;
  image.highlights = none.highlights;
  image.highlightsFrom = none.highlightsFrom;
  image.parallax = none.parallax;
  return withoutLevels(std::move(image));
}

ImageSettings SteadyFrames::of(ImageSettings image, int frame, const Files& filesOf) {
  const ImageSettings files = filesOf(frame);
  image.file = files.file;
  image.depth = files.depth;
  image.filmFrame = {image.file, image.depth, {}, firstFacts(filesOf)};
  if (image.smoothFrames == 0) return image;
  if (const ImageSettings now = smoothingKey(image); std::exchange(key_, now) != now) frames_.clear();
  image.filmFrame.made.text = depthOf(frame, filesOf).string();
  return image;
}

std::optional<DepthFacts> SteadyFrames::firstFacts(const Files& filesOf) try {
  const ImageSettings files = filesOf(0);
  const bool own = files.depth.none();
  if (auto state = fileState((own ? files.file : files.depth).text); std::exchange(firstState_, state) != state) {
    first_.reset();
    first_ = factsOf(depthImageOf(files, own ? readPhotograph(files.file.text, true) : Photograph()));
  }
  return first_;
} catch (const std::runtime_error&) {  // the frame itself reports what it lacks
  return std::nullopt;
}

fs::path SteadyFrames::depthOf(int frame, const Files& filesOf) {
  const int first = std::max(frame - key_.smoothFrames, 0);
  std::erase_if(frames_, [&](const auto& each) { return each.first < first || each.first > frame; });
  std::string state = formatted("%d %d ", kAlignedVersion, key_.smoothFrames);
  for (int i = first; i <= frame; ++i) {
    Frame& each = frames_[i];
    if (each.state.empty()) {
      const ImageSettings files = filesOf(i);
      each.files = key_;
      each.files.file = files.file;
      each.files.depth = files.depth;
      each.files.filmFrame.first = first_;
      each.state = stateOf(each.files);
    }
    state += each.state;
  }
  constexpr std::uintmax_t kMaxKeptBytes = std::uintmax_t{8} << 30;
  const fs::path folder = cacheFolder("steady");
  fs::path file = folder / (hashed(state) + ".exr");
  touchCached(file);
  if (holdsDepth(file)) return file;

  const DepthFrame& now = read(frame);
  std::vector<const DepthFrame*> earlier;
  for (int i = first; i < frame; ++i)
    if (const DepthFrame& other = read(i); other.size == now.size) earlier.push_back(&other);
  ThreadPool threads(hardwareThreads());
  ExrImage exr{.size = now.size, .channels = {}, .texts = {}};
  const float contrast = frames_.at(frame).files.edgeContrast;
  exr.channels = {{kInverseDepthChannel, false, steadyDepth(now, earlier, contrast, threads)}};
  exr.texts = {{kNearKeyword, formatted("%.9g", static_cast<double>(now.nearM))},
               {kCorrectedKeyword, "averaged over frames"}};
  pruneCache(folder, kMaxKeptBytes);
  createFolders(folder);
  writeWholeFile(file, encodeExr(exr));
  holdCached(file);
  return file;
}

}  // namespace satdof
