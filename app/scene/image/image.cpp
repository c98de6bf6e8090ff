#include "app/scene/image/image.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/gtc/packing.hpp>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "app/core/file_names.h"
#include "app/core/foreign_text.h"
#include "app/core/pixels.h"
#include "app/core/resources.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/gl/transfer.h"
#include "app/io/codec.h"
#include "app/io/depth_image.h"
#include "app/io/jpeg.h"
#include "app/io/orientation.h"
#include "app/io/photograph.h"
#include "app/scene/image/hidden.h"
#include "app/scene/image/kept_aligned.h"
#include "app/scene/loading.h"
#include "app/scene/output.h"

namespace satdof {

namespace {

// The settings that decide what is read; the others are uniforms.
struct WantedImage {
  ImageSettings settings;
  bool needsDepth = true;  // else an image without depth is flat
  bool operator==(const WantedImage&) const = default;
};

WantedImage wantedBy(const ImageSettings& image, bool needsDepth) {
  ImageSettings settings = withReadDepth(image);
  settings.highlights = settings.highlightsFrom = settings.parallax = 0.0f;
  settings.smoothFrames = 0;
  return {settings, needsDepth || (!settings.depth.none() && !isCorrection(settings))};
}

// What was read, at the size of the picture.
struct Loaded {
  std::shared_ptr<const Picture> picture;
  bool lacksDepth = false, guessesDepth = false;
  std::shared_ptr<EditableDepth> depth = std::make_shared<EditableDepth>();
  DepthMeaning meaning = DepthMeaning::automatic;
  std::vector<SceneReading> readings;
  Notes notes;
  std::string exif;
};

std::string pixelsText(glm::ivec2 of) { return std::to_string(of.x) + " x " + std::to_string(of.y); }

SceneReading paintedReading(glm::ivec2 depth) {
  return {"Depth", pixelsText(depth) + ", painted", "What the brush made of the depth before"};
}

std::vector<SceneReading> readingsOf(glm::ivec2 picture, SceneReading depth, const std::string& meaning) {
  return {{"Image", pixelsText(picture), "Pixels of the file"},
          std::move(depth),
          {"Taken for", meaning, "Choose another meaning above if the blur looks wrong"}};
}

// An image that nothing but its colours is known of. Brushes can pull it nearer and push it farther.
std::shared_ptr<const Loaded> flatImage(Picture picture, std::string exif) {
  constexpr float kDistanceM = 2.0f, kDepth = 0.5f;
  auto loaded = std::make_shared<Loaded>();
  loaded->lacksDepth = true;
  loaded->depth->map = {picture.size, std::vector<float>(picture.rgba.size() / 4, kDepth),
                        kDepth * kDistanceM, "none", 0};
  loaded->readings = {
      {"Image", pixelsText(picture.size), "Pixels of the file"},
      {"Depth", "none",
       "Drop the depth of the photograph on the window, type its path above, let a program estimate it, or "
       "paint it: the brush begins at an even distance"}};
  loaded->notes = picture.notes;
  loaded->exif = std::move(exif);
  loaded->picture = std::make_shared<const Picture>(std::move(picture));
  loaded->depth->hidden = {glm::ivec2(1), std::vector<std::uint16_t>(4), {0.0f}};
  return loaded;
}

std::shared_ptr<const Loaded> readAsked(const WantedImage& wanted, LoadProgress& progress) {
  const ImageSettings& settings = wanted.settings;
  progress.report(0.0f, "decoding the image");
  Photograph photograph = readPhotograph(settings.file.text, settings.depth.none());
  const bool lacksDepth = settings.depth.none() && !photograph.depth;
  if (lacksDepth && wanted.needsDepth)
    throw std::runtime_error("cannot refocus \"" + pathText(settings.file.text) +
                             "\": it holds no depth; give the depth image with --depth FILE");
  constexpr double kSceneBytes = 50.0;  // a pixel: maps of depth, what they hide, and textures
  const glm::ivec2 pixels = photograph.picture.size;
  try {
    requireMemory(kSceneBytes * pixels.x * pixels.y);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot refocus \"" + pathText(settings.file.text) + "\": " + error.what());
  }
  if (lacksDepth) return flatImage(std::move(photograph.picture), std::move(photograph.exif));
  progress.report(0.4f, "decoding the depth");
  const std::string state = fileState(settings.depth.text);
  const bool own = settings.depth.none();
  DepthImage depth = own ? *std::move(photograph.depth) : readDepth(settings.depth.text);
  const std::string& origin = (own ? settings.file : settings.depth).text;
  auto loaded = std::make_shared<Loaded>();
  loaded->exif = std::move(photograph.exif);
  loaded->picture = std::make_shared<const Picture>(std::move(photograph.picture));
  const Picture& picture = *loaded->picture;
  loaded->depth->state = state;
  // By a program that did not turn the photograph.
  const int orientation = exifOrientation(loaded->exif);
  const bool turned = !own && orientation > 4 && !sameAspect(depth.size, picture.size) &&
                      sameAspect({depth.size.y, depth.size.x}, picture.size);
  if (turned) turn(depth.values, depth.size, 1, orientation);
  DepthMap& shown = loaded->depth->map;
  try {
    loaded->meaning = meaningOf(depth, settings);
    loaded->guessesDepth = depth.meaning == DepthMeaning::automatic;
    DepthMap map = depthMap(depth, settings);
    ThreadPool threads(hardwareThreads());
    const bool done = depth.corrected && map.size == picture.size;
    const auto aligning = [&](float part) {
      progress.report(0.5f + 0.4f * part, "aligning the depth with the image");
    };
    aligning(0.0f);
    shown = done ? std::move(map) : keptAligned(picture, std::move(map), settings, threads, aligning);
    progress.report(0.9f, "filling what its surfaces hide");
    loaded->depth->hidden = hiddenLayer(picture, shown, threads, progress);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot use the depth of \"" + origin + "\": " + error.what());
  }
  const bool stretched = !sameAspect(depth.size, picture.size);
  loaded->readings = readingsOf(
      picture.size,
      depth.corrected
          ? paintedReading(depth.size)
          : SceneReading{"Depth", pixelsText(depth.size) + (stretched ? ", stretched to the image" : ""),
                         "Pixels without valid depth, filled: " + std::to_string(shown.filled) +
                             (stretched ? "; the depth has another aspect than the image" : "")},
      shown.meaning);
  Notes of = shown.notes;
  if (turned) addNote(of, "its depth is turned as the image is");
  if (stretched)
    addNote(of, "its depth of " + pixelsText(depth.size) + " is stretched to the image of " +
                    pixelsText(picture.size));
  loaded->notes = picture.notes;
  addNotes(loaded->notes, depth.notes);
  addNotes(loaded->notes, inFile(origin, of));
  return loaded;
}

// In place of a correction that cannot be read, the photograph has the depth from which brushes began.
std::shared_ptr<const Loaded> read(const WantedImage& wanted, LoadProgress& progress) {
  try {
    return readAsked(wanted, progress);
  } catch (const std::runtime_error& error) {
    if (!isCorrection(wanted.settings)) throw;
    WantedImage other = wanted;
    other.settings.depth.text = depthBeside(wanted.settings.file.text, false).string();
    try {
      auto loaded = std::make_shared<Loaded>(*readAsked(other, progress));
      loaded->depth->damage = std::string(error.what()) + "; the photograph is shown without this correction";
      addNote(loaded->notes, loaded->depth->damage);
      return loaded;
    } catch (const std::runtime_error&) {
    }
    throw;
  }
}

LastLoaded<WantedImage, Loaded>& images() {
  static LastLoaded<WantedImage, Loaded> last(read);
  return last;
}

// What a window has read of the image, whatever has become of the file since; null: nothing.
std::shared_ptr<const Loaded> lastOf(const ImageSettings& image) {
  return images().find(wantedBy(image, false));
}

// On the GPU.
struct Shown {
  gl::Texture colour, depth, hidden, hiddenDepth;
  float nearM = 1.0f, nearestDepth = 1.0f;
  float centreM = 1.0f;  // median distance of the middle
  bool photograph = false;
  int edits = 0, hiddenEdits = 0;  // EditableDepth

  float nearestM() const { return distanceM(nearM, nearestDepth); }
};

void uploadHidden(Shown& shown, const HiddenLayer& hidden) {
  shown.hidden = gl::Texture(GL_RGBA16F, hidden.size);
  shown.hiddenDepth = gl::Texture(GL_R32F, hidden.size);
  gl::upload(shown.hidden, gl::kRgbaHalf, hidden.rgba.data());
  gl::upload(shown.hiddenDepth, gl::kRedFloat, hidden.depth.data());
}

Shown uploaded(const Picture& picture, const DepthMap& map, const HiddenLayer& hidden) {
  Shown shown{gl::Texture(GL_RGBA16F, picture.size),
              gl::Texture(GL_R32F, map.size),
              {},
              {},
              map.nearM,
              std::ranges::max(map.depth),
              medianCentreM(map),
              picture.photograph};
  gl::upload(shown.colour, gl::kRgbaHalf, picture.rgba.data());
  gl::upload(shown.depth, gl::kRedFloat, map.depth.data());
  uploadHidden(shown, hidden);
  return shown;
}

// The textures of `loaded`, shared by all renderers of the context.
std::shared_ptr<Shown> shownOf(const Loaded& loaded) {
  static std::pair<std::weak_ptr<const EditableDepth>, std::weak_ptr<Shown>> last;
  if (auto same = last.second.lock(); same && last.first.lock() == loaded.depth) return same;
  EditableDepth& depth = *loaded.depth;
  auto shown = std::make_shared<Shown>(uploaded(*loaded.picture, depth.map, depth.hidden));
  shown->edits = depth.edits;
  shown->hiddenEdits = depth.hiddenEdits;
  depth.changed = {};
  last = {loaded.depth, shown};
  return shown;
}

// Takes what brushes have changed.
void follow(Shown& shown, EditableDepth& depth) {
  if (shown.hiddenEdits != depth.hiddenEdits) {
    uploadHidden(shown, depth.hidden);
    shown.hiddenEdits = depth.hiddenEdits;
  }
  if (shown.edits == depth.edits) return;
  shown.edits = depth.edits;
  const auto [from, to] = std::exchange(depth.changed, {});
  const glm::ivec2 of = to - from;
  std::vector<float> part;
  part.reserve(pixelCount(of));
  for (int y = from.y; y < to.y; ++y) {
    const auto row = depth.map.depth.begin() + (static_cast<std::ptrdiff_t>(y) * depth.map.size.x + from.x);
    part.insert(part.end(), row, row + of.x);
  }
  if (part.empty()) return;
  glTextureSubImage2D(shown.depth.name(), 0, from.x, from.y, of.x, of.y, GL_RED, GL_FLOAT, part.data());
  shown.nearestDepth = std::ranges::max(depth.map.depth);
}

// A chart for a scene without files: squares that stand ever farther from left to right.
Shown chart() {
  constexpr glm::ivec2 kSize{320, 180};
  constexpr int kSquarePx = 20;
  Picture picture{kSize, {}, false, {}};
  DepthMap map{kSize, {}, 1.0f, {}, 0};
  for (int y = 0; y < kSize.y; ++y)
    for (int x = 0; x < kSize.x; ++x) {
      const bool light = (x / kSquarePx + y / kSquarePx) % 2 == 0;
      for (const float v : {light ? 0.6f : 0.05f, light ? 0.6f : 0.1f, light ? 0.5f : 0.2f, 1.0f})
        picture.rgba.push_back(glm::packHalf1x16(v));
      const int square = x / kSquarePx;
      map.depth.push_back(1.0f - 0.9f * static_cast<float>(square * kSquarePx) / static_cast<float>(kSize.x));
    }
  ThreadPool alone(1);
  return uploaded(picture, map, hiddenLayer(picture, map, alone));
}

// Grey in the shape of an image that is not read yet.
Shown ground(const ImageSettings& image) {
  constexpr double kLongestSide = 64.0;
  constexpr float kGrey = 0.05f;
  glm::ivec2 size{16, 9};
  try {
    const glm::dvec2 of = pictureSize(image.file.text);
    size = glm::max(glm::round(of * (kLongestSide / std::max(of.x, of.y))), 1.0);
  } catch (const std::runtime_error&) {  // reading it says why
  }
  const auto pixels = pixelCount(size);
  Picture picture{size, {}, false, {}};
  for (std::size_t i = 0; i < pixels; ++i)
    for (const float v : {kGrey, kGrey, kGrey, 1.0f}) picture.rgba.push_back(glm::packHalf1x16(v));
  return uploaded(picture, {size, std::vector<float>(pixels, 1.0f), 1.0f, {}, 0},
                  {glm::ivec2(1), std::vector<std::uint16_t>(4), {0.0f}});
}

class ImageScene final : public Scene {
 public:
  SceneFrame draw(const SceneView& view, Targets& targets, Timings& timings) override {
    update(view);
    const glm::ivec2 size = targets.size(), of = shown_->colour.size();
    const Fit fit = fitted(of, view.wholeSize(size), view.camera);
    const SceneLook look{shown_->photograph, view.scene.image.highlights, view.scene.image.highlightsFrom,
                         fit.from - view.part.from, fit.to - view.part.from};
    const Pinhole pinhole = makePinhole(view.camera, size, shown_->nearM, {}, view.part);
    const float nearestM = shown_->nearestM();
    const Drawn now{shown_, shown_->edits,  shown_->hiddenEdits, fit,
                    look,   view.part.from, sway(view, of.x),    gl::shaderReloads()};
    const auto ofPhoto = [&](SceneFrame frame) {
      frame.photographPx = fit.to.y - fit.from.y;
      return frame;
    };
    if (view.behind == nullptr && imageNumber_ == targets.imageNumber() && drawn_ == now)
      return ofPhoto(targets.frame(pinhole, nearestM, look));
    const auto stage = timings.gpu("scene");
    shown_->colour.bind(0);
    shown_->depth.bind(1);
    parameters_.bind(0, Parameters{toneOf(look), fit.origin, fit.step, now.sway, view.part.from,
                                   shown_->nearM / shown_->centreM, shown_->nearestDepth});
    if (view.behind != nullptr) {
      view.behind->bind(kBehindUnit);
      shown_->hidden.bind(4);
      shown_->hiddenDepth.bind(5);
      hidden_.use();
      return ofPhoto(targets.fill(pinhole, nearestM, look));
    }
    program_.use();
    const SceneFrame frame = ofPhoto(targets.fill(pinhole, nearestM, look));
    drawn_ = now;
    imageNumber_ = targets.imageNumber();
    return frame;
  }

  std::optional<Framing> framing(const SceneView& view) override {
    if (!view.scene.frame) return std::nullopt;
    update(view);
    if (!loading_.result() || loading_.status() || !message().empty()) return std::nullopt;
    return Framing{
        .camera = view.camera, .focusDistanceM = shown_->centreM, .focalLengthMm = {}, .sensorHeightMm = {}};
  }

  float nearestM(const SceneView& view, glm::ivec2 /*size*/) override {
    update(view);
    return shown_->nearestM();
  }

  std::string message() const override {
    if (noFile_)
      return "no image is shown: type the path of an image and of its depth, drop both on the window, or "
             "start with --image FILE --depth FILE";
    return loading_.failure() ? loading_.failure()->reason : std::string();
  }
  std::optional<LoadStatus> loading() const override { return noFile_ ? std::nullopt : loading_.status(); }
  void cancelLoading() override { loading_.cancel(); }
  int contents() const override { return contents_; }
  SceneReport report(const SceneSettings& scene) const override {
    SceneReport report;
    if (!(scene.image.parallax > 0.0f)) report.whyStill = "an image without parallax stands still";
    const auto& loaded = loading_.result();
    if (loaded) report.readings = loaded->readings;
    if (noFile_ || !loaded) return report;
    report.fileSize = loaded->picture->size;
    report.lacksDepth = loaded->lacksDepth;
    report.guessesDepth = loaded->guessesDepth;
    report.depthCounts = {loaded->depth, &loaded->depth->map.counts};
    report.notes = loaded->notes;
    return report;
  }

 private:
  // Pixel `p` of the output shows the texels from origin + step p; `from` to `to` are the pixels inside the image.
  struct Fit {
    glm::vec2 origin, step;
    glm::ivec2 from, to;
    bool operator==(const Fit&) const = default;
  };
  // Parameters of shaders/scene/image/image.frag.
  struct Parameters {
    ToneLook look;
    glm::vec2 origin, texelStep, sway;
    glm::ivec2 firstPixel;
    float pivot, nearest;
  };
  // All that the drawn image depends on but the size.
  struct Drawn {
    std::shared_ptr<const Shown> shown;
    int edits = 0, hiddenEdits = 0;
    Fit fit;
    SceneLook look;
    glm::ivec2 firstPixel{0};
    glm::vec2 sway{0.0f};
    int reloads = 0;
    bool operator==(const Drawn&) const = default;
  };
  // The image fills the largest area whose middle the camera's shift moves: beside the panels of a window.
  static Fit fitted(glm::ivec2 image, glm::ivec2 size, const CameraSettings& camera) {
    const double step = texelsPerPixel(image, size, camera);
    const glm::dvec2 shown = glm::max(glm::round(glm::dvec2(image) / step), 1.0);
    const glm::ivec2 room = size - glm::ivec2(shown);
    const glm::ivec2 shift(glm::round(glm::vec2(camera.shiftX, camera.shiftY) * glm::vec2(size)));
    const glm::ivec2 from = glm::clamp(room / 2 + shift, glm::ivec2(0), room), to = from + glm::ivec2(shown);
    const glm::dvec2 steps = glm::dvec2(image) / shown;
    return {-glm::dvec2(from) * steps, steps, from, to};
  }

  // The viewpoint moves on a figure eight through its centre, where it is at the time 0; turns of the camera away from the
  // default move it, too. Returns texels of an image of `width` for the depth 1.
  glm::vec2 sway(const SceneView& view, int width) const {
    constexpr double kPeriodS = 6.0, kTurnDegrees = 20.0;
    const double angle = 2.0 * std::numbers::pi * view.timeS / kPeriodS;
    const CameraSettings centre;
    const glm::dvec2 turn(view.camera.yawDegrees - centre.yawDegrees,
                          view.camera.pitchDegrees - centre.pitchDegrees);
    const glm::dvec2 place =
        glm::dvec2(std::sin(angle), 0.5 * std::sin(2.0 * angle)) - glm::clamp(turn / kTurnDegrees, -1.0, 1.0);
    return place * static_cast<double>(view.scene.image.parallax * static_cast<float>(width) /
                                       std::max(shown_->nearestDepth, 1e-6f));
  }

  void update(const SceneView& view) {
    inWindow_ = inWindow_ || view.live;
    noFile_ = view.scene.image.file.none();
    const bool needsDepth = !inWindow_ && !lastOf(view.scene.image);
    if (!noFile_ && loading_.request(wantedBy(view.scene.image, needsDepth), !view.live)) {
      shown_ = shownOf(*loading_.result());
      waits_ = false;
      ++contents_;
    }
    if (!noFile_ && loading_.result()) follow();
    if (!shown_ || (noFile_ && waits_)) {
      waits_ = !noFile_;
      shown_ = std::make_shared<Shown>(waits_ ? ground(view.scene.image) : chart());
    }
  }

  void follow() {
    const EditableDepth& depth = *loading_.result()->depth;
    satdof::follow(*shown_, *loading_.result()->depth);
    if (std::exchange(followed_, {depth.edits, depth.hiddenEdits}) !=
        std::pair(depth.edits, depth.hiddenEdits))
      ++contents_;
  }

  gl::Program program_{{"common/fullscreen.vert", "scene/image/image.frag"}};
  gl::Program hidden_{{"common/fullscreen.vert", "scene/image/image.frag"}, {{"PEEL", "1"}}};
  gl::ParameterBlock parameters_{sizeof(Parameters)};
  Loading<WantedImage, Loaded> loading_{images()};
  std::shared_ptr<Shown> shown_;
  std::pair<int, int> followed_;  // edits and hiddenEdits of the depth
  Drawn drawn_;
  size_t imageNumber_ = 0;  // Targets::imageNumber() then
  bool noFile_ = true;
  bool waits_ = false;     // shown_ is the ground() of the first image
  bool inWindow_ = false;  // where images of a recording are not live, either
  int contents_ = 0;
};

}  // namespace

std::shared_ptr<const void> loadImage(const SceneSettings& scene, const SceneSettings& /*shown*/,
                                      LoadProgress& progress) {
  if (scene.image.file.none()) return nullptr;
  return images().load(wantedBy(scene.image, false), progress);
}

std::vector<std::string> imageExtensions() {
  return extensionsOf([](const Codec&) { return true; });
}

bool isImageFile(const std::filesystem::path& file) { return codecNamed(file) != nullptr; }

std::optional<glm::ivec2> imageSize(const SceneSettings& scene) {
  if (scene.image.file.none()) return std::nullopt;
  const auto last = lastOf(scene.image);
  return last ? last->picture->size : pictureSize(scene.image.file.text);
}

double texelsPerPixel(glm::ivec2 image, glm::ivec2 size, const CameraSettings& camera) {
  const glm::dvec2 covered = 2.0 * glm::abs(glm::dvec2(camera.shiftX, camera.shiftY));
  const glm::dvec2 ratio = glm::dvec2(image) / glm::max(glm::dvec2(size) * (1.0 - covered), 1.0);
  return std::max(ratio.x, ratio.y);
}

std::shared_ptr<DepthCorrection> correctionOf(const ImageSettings& image) {
  const auto last = lastOf(image);
  return last ? std::make_shared<DepthCorrection>(last->picture, last->depth) : nullptr;
}

std::shared_ptr<const void> nameCorrection(const DepthCorrection& correction, const ImageSettings& before,
                                           const ImageSettings& image) {
  const auto last = lastOf(before);
  if (!last || last->depth != correction.depth()) return nullptr;
  auto named = std::make_shared<Loaded>(*last);
  named->lacksDepth = named->guessesDepth = false;
  const glm::ivec2 size = named->picture->size;
  named->readings = readingsOf(size, paintedReading(size), "inverse metres");
  named->meaning = DepthMeaning::inverseMetres;
  images().put(wantedBy(image, false), named);
  return named;
}

bool isCorrection(const ImageSettings& image) {
  return !image.depth.none() &&
         correctedDepthOf(image.file.text).filename() == std::filesystem::path(image.depth.text).filename();
}

std::optional<DepthMeaning> depthMeaning(const ImageSettings& image) {
  if (image.meaning != DepthMeaning::automatic) return image.meaning;
  auto last = lastOf(image);
  if (!last) last = images().find(wantedBy(image, true));
  return last ? std::optional(last->meaning) : std::nullopt;
}

PhotographFacts imageFacts(const SceneSettings& scene, KeepMetadata keep) {
  const auto last = lastOf(scene.image);
  return last ? photographFacts(last->exif, keep) : readPhotographFacts(scene.image.file.text, keep);
}

std::unique_ptr<Scene> makeImageScene() { return std::make_unique<ImageScene>(); }

}  // namespace satdof
