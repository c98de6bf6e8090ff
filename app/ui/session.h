#pragma once
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <string>

#include "app/core/settings.h"

namespace satdof {

constexpr float kNoticeS = 1.6f;
constexpr float kFocusMarkerS = 0.9f;

enum class CaptureFormat { png8, png16, hdr, pfm };

// What the Capture panel edits.
struct CaptureSettings {
  CaptureFormat format = CaptureFormat::png8;
  bool windowSize = true;
  glm::ivec2 size{3840, 2160};  // unless windowSize
  bool withUi = false;          // at window size only
  int sequenceFrames = 120;
  float framesPerSecond = 30.0f;
};

// A numbered sequence being written, one image a frame.
struct Sequence {
  int frames = 0;
  int written = 0;
};

// Everything between the person and the frame loop: keys, mouse and panels edit it, the loop acts on it.
struct Session {
  Settings settings;
  CaptureSettings capture;
  float frameS = 0.0f;  // duration of the last frame
  bool showKeys = false;

  bool quit = false;
  bool reloadShaders = false;
  bool captureNow = false;
  bool benchmarking = false;  // TableBenchmark advances every frame
  std::optional<Sequence> sequence;
  std::optional<glm::vec2> focusAt;  // 0 to 1 from the image's bottom left

  glm::vec2 focusMarker{0.0f};  // where focusAt last was
  float focusMarkerAgeS = kFocusMarkerS;
  std::string notice;  // a line that is shown for a moment
  float noticeAgeS = kNoticeS;
  std::string error;  // stays until closed or mended

  void say(std::string text) {
    notice = std::move(text);
    noticeAgeS = 0.0f;
  }
};

}  // namespace satdof
