#pragma once
#include <array>
#include <cstddef>
#include <glm/vec2.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/core/shot/shutter.h"
#include "app/io/metadata/exif.h"
#include "app/scene/scene.h"

namespace satdof {

// Settings of the Capture panel.
struct CaptureSettings {
  std::string format;  // name of a CaptureChoice (app/io/codec.h); an unknown name: the first choice
  int quality = 92;    // for lossy formats
  KeepMetadata keep = KeepMetadata::noGps;  // metadata of a photograph
  bool windowSize = true;                   // captures have the size of the window, or the full size of a photograph
  glm::ivec2 size{3840, 2160};              // size of captures without windowSize
  bool withUi = false;                      // include the panels; only with windowSize
  int sequenceFrames = 120;
  float framesPerSecond = 30.0f;
  std::string name;                  // name of the files before their number; empty: captureName()
  std::string folder;                // empty: the working folder
  bool video = true;                 // record a video if ffmpeg is installed; else numbered images
  std::string videoFormat = ".mp4";  // one of kVideoOutputs
  Shutter shutter;                   // for films of the timeline

  bool recordsPanels() const { return windowSize && withUi; }
};

// Parameters of the ready-made shots.
struct ReadyNumbers {
  float lengthS = 4.0f;
  float turnDegrees = 360.0f;  // turntable
  float pullToM = 0.0f;        // end of a rack focus; 0: the surface that is clicked next
  float dollyFactor = 2.0f;    // dolly zoom: final distance relative to the first
};

// An image that was shown with its depth.
struct RecentImage {
  FilePath file, depth;
  DepthReading reading{};          // how the numbers of the depth were read
  std::optional<Settings> left{};  // focus of a photograph and, if `hasLook`, its look in a strip
  bool hasLook = false;
  bool operator==(const RecentImage&) const = default;
};

// The preset that was chosen or saved last.
struct ChosenPreset {
  std::string name;
  Settings settings;
};

// Camera and lens of a scene when another scene was chosen.
struct LeftScene {
  Framing framing;
  bool frame = true;  // SceneSettings::frame: the scene's file is not framed yet
};

// What the window remembers besides the settings.
struct Preferences {
  static constexpr std::size_t kBookmarks = 6;
  static constexpr std::size_t kRecentImages = 200;
  static constexpr float kNarrowestPanel = 240.0f, kWidestPanel = 640.0f;
  static constexpr float kMinUiScale = 0.6f, kMaxUiScale = 2.5f;
  float panelWidth = 320.0f;  // in pixels of a display without scaling
  float uiScale = 1.0f;
  std::map<std::string, bool> openSections;
  CaptureSettings capture;
  std::array<std::optional<CameraSettings>, kBookmarks> bookmarks;
  std::vector<RecentImage> recentImages;  // newest first
  std::optional<RecentImage> film;        // film that the scene `image` shows, with the names that the user gave
  static constexpr std::size_t kStripPhotos = 2000;
  std::vector<std::string> strip;  // files of the strip; empty if there are more than kStripPhotos
  std::optional<ChosenPreset> preset;
  std::map<SceneKind, LeftScene> leftScenes;
  static constexpr std::size_t kFocusMarks = 6;
  std::array<std::optional<float>, kFocusMarks> focusMarks;  // in metres
  float pullS = 1.5f;                                        // duration of a focus pull to a mark
  ReadyNumbers ready;
  bool hintSeen = false;  // the hint of the first start was shown
  // Command that estimates the depth of a photograph: app/run/system/depth_command.h.
  std::string depthCommand;
  std::string crashTold;           // names of the crash reports that were there when a window reported one
  std::vector<std::string> typed;  // SceneSettings::typed of a window that ended before its file was framed
};

}  // namespace satdof
