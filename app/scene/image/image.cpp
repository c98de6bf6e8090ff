#include "app/scene/image/image.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/gtc/packing.hpp>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "app/core/files/file_names.h"
#include "app/core/pixels.h"
#include "app/core/system/loading.h"
#include "app/core/system/resources.h"
#include "app/core/text/foreign_text.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/gl/transfer.h"
#include "app/io/codec.h"
#include "app/io/depth_image.h"
#include "app/io/formats/jpeg.h"
#include "app/io/metadata/orientation.h"
#include "app/io/photograph.h"
#include "app/scene/image/aligned_cache.h"
#include "app/scene/image/hidden.h"

namespace satdof {

namespace {

// The request for an image: the settings that affect reading. The others are uniforms of the shader.
struct WantedImage {
  ImageSettings settings;
  bool needsDepth = true;  // false: an image without depth is flat
  bool operator==(const WantedImage&) const = default;
};

// Whether the depth is named after the image, as those that are found beside it.
bool isBeside(const ImageSettings& image) {
  const std::filesystem::path depth = image.depth.text;
  std::vector<std::filesystem::path> files{image.file.text, depth};
  leaveOutDepths(files);
  return isCorrection(image) || std::ranges::find(files, depth) == files.end();
}

WantedImage wantedBy(const ImageSettings& image, bool needsDepth) {
  ImageSettings settings = withReadDepth(image);
  settings.highlights = settings.highlightsFrom = settings.parallax = 0.0f;
  settings.smoothFrames = 0;
  return {settings, needsDepth || (!settings.depth.none() && !isBeside(settings))};
}

// A picture and its depth, at the size of the picture.
struct LoadedImage {
  std::shared_ptr<const Picture> picture;
  bool lacksDepth = false, guessesDepth = false;
  bool readAsFirst = false;  // the first frame of the film gives the values of the depth other depths than this frame
  std::shared_ptr<EditableDepth> depth = std::make_shared<EditableDepth>();
  DepthMeaning meaning = DepthMeaning::automatic;
  float unitM = 1.0f;  // see unitM()
  std::vector<SceneReading> readings;
  Notes notes;
  std::string exif;
  std::shared_ptr<const LoadedImage> original{};  // the contents that brushes have changed
};

std::string pixelsText(glm::ivec2 size) { return std::to_string(size.x) + " x " + std::to_string(size.y); }

SceneReading paintedReading(glm::ivec2 depth) {
  return {"Depth", pixelsText(depth) + ", painted", "Depth that was edited by brushes"};
}

std::vector<SceneReading> readingsOf(glm::ivec2 picture, SceneReading depth, const std::string& meaning) {
  return {{"Image", pixelsText(picture), "Pixels of the file"},
          std::move(depth),
          {"Taken for", meaning, "Choose another meaning above if the blur looks wrong"}};
}

// An image without depth, at a constant distance. Depth 0.5 lets brushes pull surfaces nearer and push them farther.
std::shared_ptr<const LoadedImage> flatImage(Picture picture, std::string exif) {
  constexpr float kDistanceM = 2.0f, kDepth = 0.5f;
  auto loaded = std::make_shared<LoadedImage>();
  loaded->lacksDepth = true;
  loaded->depth->map = {picture.size, std::vector<float>(picture.rgba.size() / 4, kDepth), kDepth * kDistanceM, "none",
                        0};
  loaded->readings = {
      {"Image", pixelsText(picture.size), "Pixels of the file"},
      {"Depth", "none",
       "Drop the depth of the photograph on the window, type its path above, let a program estimate it, or "
       "paint it: the brush begins at an even distance"}};
  loaded->notes = picture.notes;
  loaded->exif = std::move(exif);
  loaded->picture = std::make_shared<const Picture>(std::move(picture));
  loaded->depth->hidden = {glm::ivec2(1), std::vector<std::uint16_t>(4), {0.0f}, {0}};
  return loaded;
}

// Turns a depth image like the photograph: a program that wrote it may have ignored the EXIF orientation. Returns
// whether it did.
bool turnLikePhotograph(DepthImage& depth, glm::ivec2 picture, const std::string& exif) {
  const int orientation = exifOrientation(exif);
  const bool turned =
      orientation > 4 && !sameAspect(depth.size, picture) && sameAspect({depth.size.y, depth.size.x}, picture);
  if (turned) applyOrientation(depth.values, depth.size, 1, orientation);
  return turned;
}

// Converts the depth, aligns it with the picture and fills the hidden layer.
void setDepth(const DepthImage& depth, const ImageSettings& settings, LoadProgress& progress, LoadedImage& loaded) {
  const Picture& picture = *loaded.picture;
  loaded.meaning = meaningOf(depth, settings);
  loaded.unitM = unitM(depth, settings);
  loaded.guessesDepth = depth.meaning == DepthMeaning::automatic;
  DepthMap map = depthMap(depth, settings);
  ThreadPool threads(hardwareThreads());
  const bool isAligned = depth.corrected && map.size == picture.size;
  const auto aligning = [&](float part) { progress.report(0.5f + 0.4f * part, "aligning the depth with the image"); };
  aligning(0.0f);
  DepthMap& aligned = loaded.depth->map;
  aligned = isAligned ? std::move(map) : cachedAlignedTo(picture, std::move(map), settings, threads, aligning);
  aligned.exactEdges = settings.edgeRadiusPx == 0 || edgesAreUnmixed(picture, aligned, threads);
  progress.report(0.9f, "filling the layer behind its surfaces");
  loaded.depth->hidden = hiddenLayer(picture, aligned, threads, progress);
}

// Sets the readings and notes. `origin`: the file of the depth; `turned`: by turnLikePhotograph().
void describeDepth(const DepthImage& depth, const std::string& origin, bool turned, LoadedImage& loaded) {
  const Picture& picture = *loaded.picture;
  const DepthMap& map = loaded.depth->map;
  const bool stretched = !sameAspect(depth.size, picture.size);
  loaded.readings = readingsOf(
      picture.size,
      depth.corrected ? paintedReading(depth.size)
                      : SceneReading{"Depth", pixelsText(depth.size) + (stretched ? ", stretched to the image" : ""),
                                     "Pixels without valid depth, filled: " + std::to_string(map.filled) +
                                         (stretched ? "; the depth has another aspect than the image" : "")},
      map.meaning);
  Notes ofDepth = map.notes;
  if (turned) addNote(ofDepth, "its depth is turned as the image is");
  if (stretched) addNote(ofDepth, "its depth of " + pixelsText(depth.size) + kStretchedNote + pixelsText(picture.size));
  loaded.notes = picture.notes;
  addNotes(loaded.notes, depth.notes);
  addNotes(loaded.notes, inFile(origin, ofDepth));
}

std::shared_ptr<const LoadedImage> readWanted(const WantedImage& wanted, LoadProgress& progress) {
  const ImageSettings& settings = wanted.settings;
  progress.report(0.0f, "decoding the image");
  Photograph photograph = readPhotograph(settings.file.text, settings.depth.none(), {}, isCorrection(settings));
  const bool lacksDepth = settings.depth.none() && !photograph.depth;
  if (lacksDepth && wanted.needsDepth)
    throw std::runtime_error("cannot refocus \"" + pathText(settings.file.text) +
                             "\": it holds no depth; give the depth image with --depth FILE");
  constexpr double kSceneBytes = 50.0;  // per pixel: depth maps, hidden layer and textures
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
  DepthImage depth = own ? *std::move(photograph.depth) : readDepth(settings.depth.text, settings.meaning);
  const DepthFacts ownFacts = factsOf(depth);
  depth.facts = settings.filmFrame.first.value_or(ownFacts);
  const std::string& origin = (own ? settings.file : settings.depth).text;
  auto loaded = std::make_shared<LoadedImage>();
  loaded->exif = std::move(photograph.exif);
  loaded->picture = std::make_shared<const Picture>(std::move(photograph.picture));
  loaded->depth->state = state;
  loaded->depth->content = photograph.content;
  if (isCorrection(settings)) loaded->depth->paintedOn = depth.paintedOn;
  loaded->readAsFirst = !readsAlike(depth, settings, ownFacts);
  const bool turned = !own && turnLikePhotograph(depth, loaded->picture->size, loaded->exif);
  try {
    setDepth(depth, settings, progress, *loaded);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot use the depth of \"" + origin + "\": " + error.what());
  }
  describeDepth(depth, origin, turned, *loaded);
  if (loaded->depth->isOfAnother())
    addNotes(loaded->notes, inFile(origin, {"it was painted on another image of this name"}));
  return loaded;
}

// Reads an image. If the corrected depth cannot be read, falls back to the depth that was corrected; a window falls
// back from a depth beside the image to the image without depth.
std::shared_ptr<const LoadedImage> read(const WantedImage& wanted, LoadProgress& progress) {
  try {
    const std::string state = fileState(wanted.settings.file.text);
    auto loaded = readWanted(wanted, progress);
    loaded->depth->photoState = state;
    return loaded;
  } catch (const std::runtime_error& error) {
    const ImageSettings& settings = wanted.settings;
    const bool corrected = isCorrection(settings);
    if (settings.depth.none() || (!corrected && wanted.needsDepth)) throw;
    WantedImage other = wanted;
    other.settings.depth = {};
    other.settings.filmFrame.first.reset();
    if (corrected) other.settings.depth.text = depthBeside(settings.file.text, false).string();
    try {
      auto loaded = std::make_shared<LoadedImage>(*read(other, progress));
      loaded->depth->damage =
          std::string(error.what()) + "; the photograph is shown without this " + (corrected ? "correction" : "depth");
      addNote(loaded->notes, loaded->depth->damage);
      return loaded;
    } catch (const std::runtime_error&) {
    }
    throw;
  }
}

HeldResults<WantedImage, LoadedImage>& images() {
  static HeldResults<WantedImage, LoadedImage> held(read);
  return held;
}

// The contents of the image, even if the file has changed since; null if they are not in memory.
std::shared_ptr<const LoadedImage> held(const ImageSettings& image) {
  auto found = images().findHeld(wantedBy(image, false));
  return found ? found : images().findHeld(wantedBy(image, true));
}

// A picture and its depth in OpenGL.
struct GpuImage {
  gl::Texture colour, depth, hidden, hiddenDepth, mixed;
  float nearM = 1.0f, nearestDepth = 1.0f;
  float centreM = 1.0f;  // medianCentreM()
  bool photograph = false;
  int edits = 0, hiddenEdits = 0;  // of the EditableDepth that is uploaded

  float nearestM() const { return distanceM(nearM, nearestDepth); }
};

constexpr gl::TexelLayout kRedByte{GL_RED, GL_UNSIGNED_BYTE, 1};

void uploadHidden(GpuImage& image, const HiddenLayer& hidden) {
  image.hidden = gl::Texture(GL_RGBA16F, hidden.size);
  image.hiddenDepth = gl::Texture(GL_R32F, hidden.size);
  gl::upload(image.hidden, gl::kRgbaHalf, hidden.rgba.data());
  gl::upload(image.hiddenDepth, gl::kRedFloat, hidden.depth.data());
  image.mixed = gl::Texture(GL_R8, hidden.size);
  gl::upload(image.mixed, kRedByte, hidden.mixed.data());
}

GpuImage upload(const Picture& picture, const DepthMap& map, const HiddenLayer& hidden) {
  GpuImage image{gl::Texture(GL_RGBA16F, picture.size),
                 gl::Texture(GL_R32F, map.size),
                 {},
                 {},
                 {},
                 map.nearM,
                 std::ranges::max(map.depth),
                 medianCentreM(map),
                 picture.photograph};
  gl::upload(image.colour, gl::kRgbaHalf, picture.rgba.data());
  gl::upload(image.depth, gl::kRedFloat, map.depth.data());
  uploadHidden(image, hidden);
  return image;
}

// The textures of `loaded`, which all renderers of the context share.
std::shared_ptr<GpuImage> gpuImage(const LoadedImage& loaded) {
  static std::pair<std::weak_ptr<const EditableDepth>, std::weak_ptr<GpuImage>> last;
  if (auto same = last.second.lock(); same && last.first.lock() == loaded.depth) return same;
  EditableDepth& depth = *loaded.depth;
  auto image = std::make_shared<GpuImage>(upload(*loaded.picture, depth.map, depth.hidden));
  image->edits = depth.edits;
  image->hiddenEdits = depth.hiddenEdits;
  depth.changed = {};
  last = {loaded.depth, image};
  return image;
}

// Uploads the changes by brushes.
void uploadEdits(GpuImage& image, EditableDepth& depth) {
  if (image.hiddenEdits != depth.hiddenEdits) {
    uploadHidden(image, depth.hidden);
    image.hiddenEdits = depth.hiddenEdits;
  }
  if (image.edits == depth.edits) return;
  image.edits = depth.edits;
  const auto [from, size] = std::exchange(depth.changed, {});
  std::vector<float> part;
  part.reserve(pixelCount(size));
  for (int y = from.y; y < from.y + size.y; ++y) {
    const auto row = depth.map.depth.begin() + (static_cast<std::ptrdiff_t>(y) * depth.map.size.x + from.x);
    part.insert(part.end(), row, row + size.x);
  }
  if (part.empty()) return;
  glTextureSubImage2D(image.depth.name(), 0, from.x, from.y, size.x, size.y, GL_RED, GL_FLOAT, part.data());
  image.nearestDepth = std::ranges::max(depth.map.depth);
}

// The image of a scene without files: columns of squares whose distances increase from left to right.
GpuImage testChart() {
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
  map.exactEdges = true;
  ThreadPool singleThread(1);
  return upload(picture, map, hiddenLayer(picture, map, singleThread));
}

// A grey image with the aspect of an image that is not read yet.
GpuImage greyImage(const ImageSettings& image) {
  constexpr double kLongestSide = 64.0;
  constexpr float kGrey = 0.05f;
  glm::ivec2 size{16, 9};
  try {
    const glm::dvec2 full = pictureSize(image.file.text);
    size = glm::max(glm::round(full * (kLongestSide / std::max(full.x, full.y))), 1.0);
  } catch (const std::runtime_error&) {  // reading the image reports the reason
  }
  const auto pixels = pixelCount(size);
  Picture picture{size, {}, false, {}};
  for (std::size_t i = 0; i < pixels; ++i)
    for (const float v : {kGrey, kGrey, kGrey, 1.0f}) picture.rgba.push_back(glm::packHalf1x16(v));
  return upload(picture, {size, std::vector<float>(pixels, 1.0f), 1.0f, {}, 0},
                {glm::ivec2(1), std::vector<std::uint16_t>(4), {0.0f}, {0}});
}

class ImageScene final : public Scene {
 public:
  SceneFrame draw(const SceneView& view, Targets& targets, Timings& timings) override {
    update(view);
    const glm::ivec2 size = targets.size(), imageSize = gpu_->colour.size();
    const Fit fit = fitted(imageSize, view.wholeSize(size), view.camera);
    const SceneLook look{gpu_->photograph, view.scene.image.highlights, view.scene.image.highlightsFrom,
                         fit.area.from - view.part.from, fit.area.to() - view.part.from};
    const Pinhole pinhole = makePinhole(view.camera, size, gpu_->nearM, {}, view.part);
    const float nearestM = gpu_->nearestM();
    const float blurM = noFile_ || view.scene.image.edgeRadiusPx == 0 ? 0.0f : view.blurM;
    const glm::vec2 blur(blurM / gpu_->nearM * static_cast<float>(fit.area.size.y), gpu_->nearM / view.focusM);
    const DrawKey key{gpu_, gpu_->edits,    gpu_->hiddenEdits,       fit,
                      look, view.part.from, sway(view, imageSize.x), gl::shaderReloads()};
    const auto ofPhoto = [&](SceneFrame frame) {
      frame.photographPx = fit.area.size.y;
      return frame;
    };
    const bool blurMoves = std::exchange(blur_, blur) != blur && view.live;
    const bool isDrawn = view.behind == nullptr && imageNumber_ == targets.imageNumber() && drawKey_ == key;
    if (isDrawn && (blurMoves || drawnBlur_ == blur)) {
      SceneFrame frame = ofPhoto(targets.frame(pinhole, nearestM, look));
      frame.isDraft = drawnBlur_ != blur;
      return frame;
    }
    const auto stage = timings.gpu("scene");
    gpu_->colour.bind(0);
    gpu_->depth.bind(1);
    parameters_.bind(0, Parameters{toneOf(look), fit.origin, fit.step, key.sway, view.part.from,
                                   gpu_->nearM / gpu_->centreM, gpu_->nearestDepth, blur, isDrawn ? 1 : 0});
    gpu_->hidden.bind(4);
    gpu_->hiddenDepth.bind(5);
    gpu_->mixed.bind(6);
    if (view.behind != nullptr) {
      view.behind->bind(kBehindUnit);
      hidden_.use();
      return ofPhoto(targets.fill(pinhole, nearestM, look));
    }
    program_.use();
    const SceneFrame frame = ofPhoto(targets.fill(pinhole, nearestM, look));
    drawKey_ = key;
    drawnBlur_ = blur;
    imageNumber_ = targets.imageNumber();
    return frame;
  }

  std::optional<Framing> framing(const SceneView& view) override {
    if (!view.scene.frame) return std::nullopt;
    update(view);
    if (!loading_.result() || loading_.status() || !message().empty()) return std::nullopt;
    return Framing{.camera = view.camera, .focusDistanceM = gpu_->centreM, .focalLengthMm = {}, .sensorHeightMm = {}};
  }

  float nearestM(const SceneView& view, glm::ivec2 /*size*/) override {
    update(view);
    return gpu_->nearestM();
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
    report.depthDamage = loaded->depth->damage;
    report.guessesDepth = loaded->guessesDepth;
    report.depthCounts = {loaded->depth, &loaded->depth->map.counts};
    report.notes = loaded->notes;
    return report;
  }

 private:
  // Placement of the image in the output: pixel p shows the texels from
  // origin + step * p. `area`: the pixels inside the image.
  struct Fit {
    glm::vec2 origin, step;
    PixelRectangle area;
    bool operator==(const Fit&) const = default;
  };
  // Parameters of shaders/scene/image/image.frag.
  struct Parameters {
    ToneLook look;
    glm::vec2 origin, texelStep, sway;
    glm::ivec2 firstPixel;
    float pivot, nearest;
    glm::vec2 blur;
    int onlyMixed;
  };
  // What a drawn image depends on, without its size and blur.
  struct DrawKey {
    std::shared_ptr<const GpuImage> image;
    int edits = 0, hiddenEdits = 0;
    Fit fit;
    SceneLook look;
    glm::ivec2 firstPixel{0};
    glm::vec2 sway{0.0f};
    int reloads = 0;
    bool operator==(const DrawKey&) const = default;
  };
  static Fit fitted(glm::ivec2 image, glm::ivec2 size, const CameraSettings& camera) {
    const PixelRectangle fit = fittedPhotograph(image, size, camera);
    const glm::dvec2 steps = glm::dvec2(image) / glm::dvec2(fit.size);
    return {-glm::dvec2(fit.from) * steps, steps, fit};
  }

  // Parallax: the viewpoint moves on a figure eight through the centre, where it is at time 0. Turning the camera away
  // from its default moves the viewpoint, too. Returns the shift of a surface of depth 1, in texels of an image of
  // `width`.
  glm::vec2 sway(const SceneView& view, int width) const {
    constexpr double kPeriodS = 6.0, kTurnDegrees = 20.0;
    const double angle = 2.0 * std::numbers::pi * view.timeS / kPeriodS;
    const CameraSettings centre;
    const glm::dvec2 turn(view.camera.yawDegrees - centre.yawDegrees, view.camera.pitchDegrees - centre.pitchDegrees);
    const glm::dvec2 place =
        glm::dvec2(std::sin(angle), 0.5 * std::sin(2.0 * angle)) - glm::clamp(turn / kTurnDegrees, -1.0, 1.0);
    return place * static_cast<double>(view.scene.image.parallax * static_cast<float>(width) /
                                       std::max(gpu_->nearestDepth, 1e-6f));
  }

  void update(const SceneView& view) {
    inWindow_ = inWindow_ || view.live;
    noFile_ = view.scene.image.file.none();
    const bool needsDepth = !inWindow_ && !images().find(wantedBy(view.scene.image, false));
    if (!noFile_ && loading_.request(wantedBy(view.scene.image, needsDepth), !view.live)) {
      gpu_ = gpuImage(*loading_.result());
      showsGrey_ = false;
      ++contents_;
    }
    if (!noFile_ && loading_.result()) {
      EditableDepth& depth = *loading_.result()->depth;
      uploadEdits(*gpu_, depth);
      const std::pair edits(depth.edits, depth.hiddenEdits);
      if (std::exchange(edits_, edits) != edits) ++contents_;
    }
    if (!gpu_ || (noFile_ && showsGrey_)) {
      showsGrey_ = !noFile_;
      gpu_ = std::make_shared<GpuImage>(showsGrey_ ? greyImage(view.scene.image) : testChart());
    }
  }

  gl::Program program_{{"common/fullscreen.vert", "scene/image/image.frag"}};
  gl::Program hidden_{{"common/fullscreen.vert", "scene/image/image.frag"}, {{"PEEL", "1"}}};
  gl::ParameterBlock parameters_{sizeof(Parameters)};
  Loading<WantedImage, LoadedImage> loading_{images()};
  std::shared_ptr<GpuImage> gpu_;
  std::pair<int, int> edits_;    // EditableDepth::edits and hiddenEdits of the last update
  DrawKey drawKey_;              // of the last image
  glm::vec2 drawnBlur_{0.0f};    // Parameters::blur of the last image
  glm::vec2 blur_{0.0f};         // and of the last view
  std::size_t imageNumber_ = 0;  // Targets::imageNumber() of the last image
  bool noFile_ = true;
  bool showsGrey_ = false;
  bool inWindow_ = false;  // stays true for recordings of a window, which are not live
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

bool isImageFile(const std::filesystem::path& file) { return codecByExtension(file) != nullptr; }

std::optional<glm::ivec2> imageSize(const SceneSettings& scene) {
  if (scene.image.file.none()) return std::nullopt;
  const auto loaded = held(scene.image);
  return loaded ? loaded->picture->size : pictureSize(scene.image.file.text);
}

double texelsPerPixel(glm::ivec2 image, glm::ivec2 size, const CameraSettings& camera) {
  const glm::dvec2 covered = 2.0 * glm::abs(glm::dvec2(camera.shiftX, camera.shiftY));
  const glm::dvec2 ratio = glm::dvec2(image) / glm::max(glm::dvec2(size) * (1.0 - covered), 1.0);
  return std::max(ratio.x, ratio.y);
}

PixelRectangle fittedPhotograph(glm::ivec2 image, glm::ivec2 size, const CameraSettings& camera) {
  const double step = texelsPerPixel(image, size, camera);
  const glm::ivec2 shown(glm::max(glm::round(glm::dvec2(image) / step), 1.0)), room = size - shown;
  const glm::ivec2 shift(glm::round(glm::vec2(camera.shiftX, camera.shiftY) * glm::vec2(size)));
  return {glm::clamp(room / 2 + shift, glm::ivec2(0), room), shown};
}

std::shared_ptr<DepthCorrection> correctionOf(const ImageSettings& image) {
  const auto loaded = held(image);
  return loaded ? std::make_shared<DepthCorrection>(loaded->picture, loaded->depth) : nullptr;
}

std::shared_ptr<const void> nameCorrection(const DepthCorrection& correction, const ImageSettings& before,
                                           const ImageSettings& image) {
  const auto loaded = held(before);
  if (!loaded || loaded->depth != correction.depth()) return nullptr;
  auto named = std::make_shared<LoadedImage>(*loaded);
  if (!named->original) named->original = loaded;
  named->lacksDepth = named->guessesDepth = false;
  const glm::ivec2 size = named->picture->size;
  named->readings = readingsOf(size, paintedReading(size), "inverse metres");
  named->meaning = DepthMeaning::inverseMetres;
  images().put(wantedBy(image, false), named);
  return named;
}

std::shared_ptr<const void> nameOriginal(const DepthCorrection& correction, const ImageSettings& before,
                                         const ImageSettings& image) {
  const auto loaded = held(before);
  if (!loaded || loaded->depth != correction.depth() || !loaded->original) return nullptr;
  images().put(wantedBy(image, false), loaded->original);
  return loaded->original;
}

bool isCorrection(const ImageSettings& image) {
  return !image.depth.none() &&
         correctedDepthOf(image.file.text).filename() == std::filesystem::path(image.depth.text).filename();
}

std::optional<DepthMeaning> depthMeaning(const ImageSettings& image) {
  if (image.meaning != DepthMeaning::automatic) return image.meaning;
  const auto loaded = held(image);
  return loaded ? std::optional(loaded->meaning) : std::nullopt;
}

float usedScale(const ImageSettings& image) {
  const auto loaded = held(image);
  return loaded && loaded->meaning == DepthMeaning::metres ? loaded->unitM : image.scale;
}

ImageSettings withMeaning(ImageSettings image, DepthMeaning meaning) {
  if (meaning == DepthMeaning::metres) image.scale = usedScale(image);
  image.meaning = meaning;
  return image;
}

PhotographFacts imageFacts(const SceneSettings& scene, KeepMetadata keep) {
  const auto loaded = held(scene.image);
  PhotographFacts facts =
      loaded ? photographFacts(loaded->exif, keep) : readPhotographFacts(scene.image.file.text, keep);
  if (loaded && loaded->readAsFirst)
    facts.texts.push_back({kFilmKeyword, "the first frame of the film says what the numbers of its depth mean"});
  return facts;
}

std::unique_ptr<Scene> makeImageScene() { return std::make_unique<ImageScene>(); }

}  // namespace satdof
