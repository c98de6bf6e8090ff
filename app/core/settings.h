#pragma once
#include <algorithm>
#include <concepts>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/compact/variants.h"
#include "cuda/convolve/variants.h"
#include "cuda/nbody/variants.h"
#include "cuda/scan/variants.h"
#include "cuda/sort/variants.h"

// All settings, as plain values. The command line, saved settings, tests and sliders write them; the renderer reads
// them. describe() in app/core/fields.h lists every field with its option, range and help.
namespace satdof {

enum class DeviceId { automatic, cuda, glCompute, glFragment, cpu, cpuSequential, cudaEmulated };
enum class TableFormat { uint32, float32, float32Mean };
enum class LensKind { automatic, box, tent, gems, layered, reference };
// Where the blur is computed; see LensRow::readsLensOn.
enum class LensOn { automatic, openGl, cpu, cuda, cudaDirect, cudaSeparable };
// Whether the scene is drawn with a margin around the image; see app/render/overscan.h.
enum class Overscan { automatic, off, on };
// Where the autofocus measures: in a square, at a point, or on a clicked surface (Scene::anchorAt()).
enum class AutofocusOn { centre, point, area, nearest, tracked };
// The scenes. Each has a row in app/scene/registry.cpp.
enum class SceneKind { teapots, bodies, image, model };
// How teapots outside the image are culled. Every choice gives the same image.
enum class Culling { automatic, none, cpu, glCompute };
// The solvers of the scene `bodies`. Each has a row in app/scene/bodies/solver.cpp.
enum class BodySolver {
  automatic,
  cpuLoop,
  cpu,
  cpuTree,
  glCompute,
  cudaNaive,
  cudaTiled,
  cudaTree,
  cudaTiledEmulated,
  cudaTreeEmulated
};
// The initial states of the bodies. Each has a row in app/scene/bodies/initial.cpp.
enum class InitialState { plummer, galaxies, collapse, disc };
enum class BodyColour { speed, mass };
// The quantity that a depth image stores; see app/scene/image/depth_map.h.
enum class DepthMeaning { automatic, metres, inverseMetres, disparity, relative };
// The background of a scene: its sky, transparent, or white with black surfaces (1 - alpha).
enum class Background { scene, transparent, matte };
// An overlay that shows an aspect ratio; see app/ui/image/aspect_frame.h.
enum class AspectFrame { none, wide, scope, square };
enum class View {
  final,
  sharp,
  coc,
  depth,
  table,
  difference,
  peaking,
  near,
  fill,
  layers,
  weights,
  sprites,
  tableError,
  footprint,
  focusPlane
};

// The implementations of the filter that follows the lens.
enum class FilterVariant {
  automatic,
  cudaTiled,
  cudaConstant,
  cudaNaive,
  glFragment,
  cpu,
  cpuSequential,
  cudaEmulated
};
// How a mask is applied: as a whole, or as two one-dimensional factors if it is separable.
enum class FilterForm { automatic, direct, separable };

template <class E>
struct EnumEntry {
  E value;
  const char* name;     // on the command line
  const char* summary;  // in --list and tooltips
};

std::span<const EnumEntry<DeviceId>> entries(DeviceId);
std::span<const EnumEntry<TableFormat>> entries(TableFormat);
std::span<const EnumEntry<LensKind>> entries(LensKind);
std::span<const EnumEntry<LensOn>> entries(LensOn);
std::span<const EnumEntry<Overscan>> entries(Overscan);
std::span<const EnumEntry<AutofocusOn>> entries(AutofocusOn);
std::span<const EnumEntry<AspectFrame>> entries(AspectFrame);
std::span<const EnumEntry<SceneKind>> entries(SceneKind);
std::span<const EnumEntry<Culling>> entries(Culling);
std::span<const EnumEntry<BodySolver>> entries(BodySolver);
std::span<const EnumEntry<InitialState>> entries(InitialState);
std::span<const EnumEntry<BodyColour>> entries(BodyColour);
std::span<const EnumEntry<DepthMeaning>> entries(DepthMeaning);
std::span<const EnumEntry<Background>> entries(Background);
std::span<const EnumEntry<View>> entries(View);

std::span<const EnumEntry<FilterVariant>> entries(FilterVariant);
std::span<const EnumEntry<FilterForm>> entries(FilterForm);

template <class E>
const char* name(E value) {
  for (const auto& entry : entries(E{}))
    if (entry.value == value) return entry.name;
  return "?";
}

// How the table is built. A device ignores fields that its DeviceOptions do not list (app/device/device.h).
struct TableSpec {
  TableFormat format = TableFormat::uint32;
  Scan scan = Scan::fused;
  int blockSize = 256;   // threads per block, a power of two; see ScanInfo::hasBlockSize
  int reducePasses = 3;  // gl-fragment: reduce passes before doubling (39.2.6); 0: Hensley et al. 2005
  bool operator==(const TableSpec&) const = default;
};

// The lens model, and where its blur is computed.
struct LensSpec {
  LensKind kind = LensKind::automatic;
  LensOn on = LensOn::automatic;
  bool operator==(const LensSpec&) const = default;
};

// Bokeh sprites: images of the aperture, drawn for bright pixels out of focus.
struct BokehSpec {
  bool enabled = true;
  Compaction compaction = Compaction::decoupledLookback;  // collects the bright pixels on CUDA
  Sort sort = Sort::onesweep;                             // orders the sprites by depth on CUDA
  bool operator==(const BokehSpec&) const = default;
};

// How one image is computed and shown: side A or side B of the split.
struct Technique {
  DeviceId device = DeviceId::automatic;
  TableSpec table = {};
  LensSpec lens = {};
  BokehSpec bokeh = {};
  View view = View::final;
  bool operator==(const Technique&) const = default;
};

// The path of a file, relative to the working directory; empty: none. The option of a field "scene.NAME.*" of this type
// also selects the scene NAME.
struct FilePath {
  std::string text;
  bool none() const { return text.empty(); }
  bool operator==(const FilePath&) const = default;
};

struct LensSettings {
  float focusDistanceM = 1.7f;
  float focalLengthMm = 50.0f;
  float fNumber = 1.2f;
  float sensorHeightMm = 24.0f;

  // Autofocus; see app/render/focus.h.
  bool autofocus = false;
  AutofocusOn autofocusOn = AutofocusOn::centre;
  float autofocusX = 0.5f, autofocusY = 0.5f;               // position, 0 to 1 from the top left of the image
  float autofocusSize = 0.1f;                               // side of the square, in image heights
  float autofocusSpeed = 4.0f;                              // largest speed, in diopters a second
  float autofocusDelayS = 0.2f;                             // how long a jump of the distance must last
  int trackedObject = 0;                                    // 0: no tracked point. Else 1 + object, in films 1 + frame
  float trackedX = 0.0f, trackedY = 0.0f, trackedZ = 0.0f;  // tracked point in the space of its object

  float gemsFocusRangeM = 0.5f;  // gems: metres from the focus plane to full blur
  float nearScale = 1.0f;        // factor of the blur in front of the focus plane
  float farScale = 1.0f;         // factor of the blur behind the focus plane
  float anamorphicRatio = 1.0f;  // width over height of the aperture; anamorphic lenses: below 1
  int kernelSteps = 3;           // layered: boxes of the staircase disc, 1 (a square) to 5
  // layered: depth layers. 2 also blurs surfaces hidden behind the nearest one; 0: 2 in the best image, else 1.
  int layers = 0;

  // The aperture of the reference and of bokeh sprites.
  int blades = 0;  // sides; below 3: a disc
  float bladeRotationDegrees = 0.0f;
  float bladeCurvature = 0.0f;  // 0: straight sides, 1: a disc
  FilePath apertureImage = {};  // replaces the blades

  // Aberrations.
  float spherical = 0.0f;       // diopters by which the edge of the aperture focuses nearer than its centre
  bool diffraction = false;     // at the edge of the aperture
  float catEye = 0.0f;          // offset of a second stop 21.6 mm off the axis, in aperture radii
  float vignetting = 0.0f;      // fraction of the light blocked by the second stop that darkens the image
  float tiltXDegrees = 0.0f;    // about the horizontal axis: the focus plane leans back at the top
  float tiltYDegrees = 0.0f;    // about the vertical axis: the focus plane leans back at the right
  float fieldCurvature = 0.0f;  // diopters by which focus is nearer 45 degrees off the axis
  float breathing = 0.0f;       // 1: the field of view narrows as a thin lens focuses nearer
  float axialColour = 0.0f;     // diopters from the focus of red to the nearer focus of blue
  // Percent by which red is larger and blue smaller than green, 12 mm off the axis.
  float lateralColour = 0.0f;

  float highlightThreshold = 0.75f;  // linear luminance above which light is drawn as bokeh sprites
  int lensSamples = 256;             // reference: points on the aperture
  int lensSeed = 0;                  // reference: random seed
  bool jitter = false;               // reference: one sample a pixel and view, jittered within the pixel
  float gemsMaxRadiusPx = 12.0f;     // gems: half-width of the full blur at an image height of 1080
  Overscan overscan = Overscan::automatic;
  bool linkFieldOfView = true;  // panels: focal length, sensor height and field of view move together
  bool operator==(const LensSettings&) const = default;
};

// Each scene has a group of settings with the name of the scene.
struct TeapotsSettings {
  int count = 12;
  bool lamps = true;
  Culling culling = Culling::automatic;
  bool operator==(const TeapotsSettings&) const = default;
};

// Units of the simulation: the gravitational constant and the total mass are 1. app/scene/bodies/simulation.h defines
// the state as a function of these settings and the time.
struct BodiesSettings {
  int count = 8192;
  BodySolver solver = BodySolver::automatic;
  InitialState initial = InitialState::galaxies;
  int seed = 1;
  float softening = 0.02f;                                // Plummer radius
  float timeStep = 1.0f / 128;                            // of the leapfrog
  float speed = 0.25f;                                    // units of simulated time per second
  float startS = 0.0f;                                    // animation time at which the simulation starts
  float openingAngle = 0.6f;                              // trees: a cell is opened if size / distance exceeds this
  Traversal traversal = Traversal::depthFirst;            // cuda-tree
  Sort sort = Sort::onesweep;                             // cuda-tree
  Scan scan = Scan::decoupledLookback;                    // cuda-tree
  Compaction compaction = Compaction::decoupledLookback;  // cuda-tree
  BodyColour colour = BodyColour::speed;
  bool operator==(const BodiesSettings&) const = default;
};

// How the numbers of a depth file are interpreted. For a disparity d, the radius R = K (1 - (d + offset) / (d_S +
// offset)) needs no metric scale: only the focus distance in metres depends on baseline and focal length.
struct DepthReading {
  DepthMeaning meaning = DepthMeaning::automatic;
  bool inverted = false;       // relative: small numbers are near
  float scale = 1.0f;          // metres, inverse metres: value of the number 1 in the file
  float nearM = 1.0f;          // relative: distance of the nearest number
  float farM = 10.0f;          // relative: distance of the farthest number
  float baselineMm = 100.0f;   // disparity: distance between the two cameras
  float focalLengthPx = 0.0f;  // disparity: in pixels of the depth image; 0: its width
  float offsetPx = 0.0f;       // disparity: added to every number, `doffs` of Middlebury's calib.txt
  // Levels of the inverse distance, as a fraction of the nearest: levelFar maps to infinity, levelNear to the nearest.
  float levelFar = 0.0f, levelNear = 1.0f, levelGamma = 1.0f;
  float skyBelow = 0.0f;  // smaller fractions are infinitely far
  bool operator==(const DepthReading&) const = default;
};

// What the meaning of the numbers of a depth file depends on, if neither settings nor file state it.
struct DepthFacts {
  float low, high;  // smallest and largest finite number
  bool lengths;     // else relative depth
  bool negative;    // lengths lie along a z axis that points to the viewer
  bool holes;       // 0 of relative integers marks pixels without depth
  bool operator==(const DepthFacts&) const = default;
};

// An image with its depth.
struct ImageSettings : DepthReading {
  // A frame of a film: its files, its depth after temporal smoothing, empty without smoothing, and the depth of the
  // first frame.
  struct FilmFrame {
    FilePath file, depth, made;
    std::optional<DepthFacts> first{};
    bool operator==(const FilmFrame&) const = default;
  };

  FilePath file;
  FilePath depth;                // empty: the depth in the image file
  int edgeRadiusPx = 4;          // how far depth edges may move to edges of the image; 0: off
  float edgeContrast = 0.05f;    // smallest edge of the image: a difference of sRGB values from 0 to 1
  int smoothFrames = 0;          // films: earlier frames over which depth is averaged
  float highlights = 4.0f;       // linear light that white of an 8- or 16-bit image becomes; 1: off
  float highlightsFrom = 0.75f;  // linear light above which highlights are restored
  float parallax = 0.0f;         // motion of the nearest surface in the animation, in image widths; 0: none
  FilmFrame filmFrame{};         // has no field: derived from the other members and the film
  bool operator==(const ImageSettings&) const = default;
};

// Returns `image` with another interpretation of its depth.
inline ImageSettings withReading(ImageSettings image, const DepthReading& reading) {
  static_cast<DepthReading&>(image) = reading;
  return image;
}

// A glTF or OBJ model in the light of an environment.
struct ModelSettings {
  FilePath file;                     // empty: the built-in model
  int camera = 1;                    // camera in the file, from 1 on; 0: placed by the model's size
  int clip = 1;                      // animation in the file, from 1 on; 0: at rest
  float scale = 0.0f;                // metres a unit of the file; 0: 1, or fitted to a very small or large model
  FilePath environment;              // .hdr or .exr, or the name of a built-in environment; empty: `evening`
  float environmentDegrees = 0.0f;   // rotation about the vertical axis
  float environmentStrength = 1.0f;  // factor of the light
  bool ground = false;               // a ground below the model that shows its shadow
  bool operator==(const ModelSettings&) const = default;
};

// Paths of fields that the user has set. They do not change the image, so all values compare equal.
struct TypedFields {
  std::vector<std::string> paths;
  void add(std::string_view path) {
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.emplace_back(path);
  }
  bool operator==(const TypedFields&) const { return true; }
};

struct SceneSettings {
  SceneKind kind = SceneKind::teapots;
  TeapotsSettings teapots;
  BodiesSettings bodies;
  ImageSettings image;
  ModelSettings model;
  bool frame = true;  // place camera and focus to fit the scene's file once it is read
  TypedFields typed;  // fields that `frame` does not change; not saved
  Background background = Background::scene;
  int samples = 0;  // samples per pixel; 0: 4, or 1 on software OpenGL
  bool animate = true;
  float timeS = 0.0f;  // animation time of the first frame
  bool operator==(const SceneSettings&) const = default;
};

// The mask of the image filter: a row of filterMasks(), or the path of a .json file (app/filter/mask.h).
struct MaskName {
  static constexpr const char* kNone = "none";
  std::string text = kNone;
  bool none() const { return text == kNone; }
  bool isFile() const { return text.ends_with(".json"); }
  bool operator==(const MaskName&) const = default;
};

struct MaskEntry {
  const char* name;  // as on the command line
  const char* summary;
};
std::span<const MaskEntry> filterMasks();

// The filter of the finished image, in linear light, after the lens.
struct FilterSettings {
  MaskName mask;
  int radiusPx = 4;  // blur, sharpen: half-width of the mask
  FilterVariant variant = FilterVariant::automatic;
  FilterForm form = FilterForm::automatic;
  bool operator==(const FilterSettings&) const = default;
};

// An orbit camera around a target.
struct CameraSettings {
  float yawDegrees = 12.0f;
  float pitchDegrees = 7.0f;
  float rollDegrees = 0.0f;  // about the view axis; positive: the image turns clockwise
  float distanceM = 1.8f;
  float targetXM = 0.0f, targetYM = 0.14f, targetZM = 0.0f;
  float verticalFovDegrees = 27.0f;
  float shiftX = 0.0f;  // offset of the target to the right of the image centre, in image widths
  float shiftY = 0.0f;  // offset of the target above the image centre, in image heights
  bool operator==(const CameraSettings&) const = default;
};

// The split: A (Settings::technique) left of `position` (0 to 1), B right of it.
struct SplitSettings {
  bool enabled = false;
  float position = 0.5f;
  bool ownLens = false;  // B uses the following f-number and focus distance
  float fNumber = 8.0f;
  float focusDistanceM = 1.7f;
  Technique b;
  bool operator==(const SplitSettings&) const = default;
};

// Adaptive quality of a window; see app/run/quality.h.
struct QualitySettings {
  bool adaptive = true;         // at rest: the best of all automatic choices
  bool lowerResolution = true;  // while something moves: a lower resolution if frames are slow
  bool converge = true;         // after a longer rest: the reference
  bool operator==(const QualitySettings&) const = default;
};

struct PresentSettings {
  float exposureStops = 0.0f;
  AspectFrame frame = AspectFrame::none;  // overlay of a window
  bool vsync = true;
  bool fullScreen = false;
  bool showUi = true;
  bool operator==(const PresentSettings&) const = default;
};

struct Settings {
  glm::ivec2 size{1280, 720};  // of the image in pixels; initial size of a window
  Technique technique;
  LensSettings lens;
  FilterSettings filter;
  SceneSettings scene;
  CameraSettings camera;
  SplitSettings split;
  QualitySettings quality;
  PresentSettings present;
  bool operator==(const Settings&) const = default;
};

// Whether the image depends on technique B.
inline bool showsB(const Settings& settings) {
  return settings.split.enabled || settings.technique.view == View::difference;
}

// Returns the lens settings of side B.
inline LensSettings lensOfB(const Settings& settings) {
  LensSettings lens = settings.lens;
  if (settings.split.ownLens) {
    lens.fNumber = settings.split.fNumber;
    lens.focusDistanceM = settings.split.focusDistanceM;
    lens.autofocus = false;
  }
  return lens;
}

// Returns settings that draw side B alone.
template <std::derived_from<Settings> S>
S settingsOfB(S settings) {
  settings.lens = lensOfB(settings);
  settings.technique = settings.split.b;
  return settings;
}

}  // namespace satdof
