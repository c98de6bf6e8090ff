#include "app/run/window/files/thumbnail_maker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <memory>
#include <stdexcept>

#include "app/core/files/video_formats.h"
#include "app/core/pixels.h"
#include "app/gl/transfer.h"
#include "app/io/light.h"
#include "app/run/film/film_input.h"
#include "app/run/small_settings.h"
#include "app/ui/presets.h"

namespace satdof {

namespace {

constexpr gl::TexelLayout kRgbaBytes{GL_RGBA, GL_UNSIGNED_BYTE, 4};
constexpr int kSamples = 4;  // a pixel of a thumbnail in each direction

}  // namespace

SmallImage reduced(const Picture& picture, int side) {
  const glm::dvec2 of = picture.size;
  const double scale = std::min(1.0, side / std::max(of.x, of.y));
  SmallImage small{glm::max(glm::ivec2(glm::round(scale * of)), glm::ivec2(1)), {}};
  small.rgba.reserve(4 * pixelCount(small.size));
  const glm::dvec2 step = of / glm::dvec2(small.size);
  for (int y = 0; y < small.size.y; ++y)
    for (int x = 0; x < small.size.x; ++x) {
      glm::vec3 sum(0.0f);
      for (int i = 0; i < kSamples * kSamples; ++i) {
        const glm::ivec2 sample(i % kSamples, i / kSamples);
        const glm::dvec2 within = (glm::dvec2(sample) + 0.5) / static_cast<double>(kSamples);
        const glm::ivec2 at = glm::min(glm::ivec2(step * (glm::dvec2(x, y) + within)), picture.size - 1);
        sum += lightAt(picture, pixelIndex(picture.size, at));
      }
      const glm::vec3 mean = sum / static_cast<float>(kSamples * kSamples);
      for (int c = 0; c < 3; ++c)
        small.rgba.push_back(encodeSrgb(picture.photograph ? mean[c] : 1.0f - std::exp(-mean[c])));
      small.rgba.push_back(255);
    }
  return small;
}

ThumbnailMaker::ThumbnailMaker()
    : loading_([](const Thumbnails::Key& key, LoadProgress& progress) {
        const Picture picture =
            isVideoInput(key.file)
                ? firstFrameOf(key.file.string(), {.onFrames = [&](long) { progress.throwIfCancelled(); }})
                : readPicture(key.file);
        progress.throwIfCancelled();
        return std::make_shared<const SmallImage>(reduced(picture, key.side));
      }) {}

bool ThumbnailMaker::serve(Thumbnails& thumbnails) {
  bool made = false;
  if (job_) {
    loading_.request(*job_, false);
    made = !loading_.status();
    if (!made && std::ranges::find(thumbnails.wanted(), *job_) != thumbnails.wanted().end()) return false;
    if (made) put(thumbnails, loading_.failure() ? nullptr : loading_.result().get());
    loading_.forget();
    job_.reset();
  }
  const auto next = std::ranges::find_if(
      thumbnails.wanted(), [&](const Thumbnails::Key& key) { return key.look.empty() && !thumbnails.made(key); });
  if (next != thumbnails.wanted().end()) {
    job_ = *next;
    loading_.request(*job_, false);
  }
  return made;
}

bool ThumbnailMaker::drawLook(Thumbnails& thumbnails, const Settings& settings, glm::ivec2 photo, Renderer& renderer) {
  if (photo == glm::ivec2(0)) return false;
  for (const Thumbnails::Key& key : thumbnails.wanted()) {
    const auto look = std::ranges::find(readyLooks(), key.look, &ReadyLook::name);
    if (look == readyLooks().end()) continue;
    Settings small = smallSettings(withLook(settings, *look), photo, Thumbnails::kSide);
    small.camera.shiftX = small.camera.shiftY = 0.0f;
    small.technique.view = Technique().view;
    Thumbnail& thumbnail = looks_[key.look];
    if (thumbnail.shows(small) && thumbnails.made(key)) continue;
    try {
      thumbnails.put(key, {thumbnail.draw(renderer, small, false, untimed_), small.size});
    } catch (const std::runtime_error&) {  // drawing the image reports it
      thumbnails.put(key, {});
    }
    return true;
  }
  return false;
}

void ThumbnailMaker::put(Thumbnails& thumbnails, const SmallImage* image) {
  gl::Texture texture;
  if (image != nullptr) {
    texture = gl::Texture(GL_RGBA8, image->size);
    gl::upload(texture, kRgbaBytes, image->rgba.data());
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
      glTextureParameteri(texture.name(), filter, GL_LINEAR);
  }
  thumbnails.put(*job_, {texture.name(), texture.size()});
  made_.emplace_back(*job_, std::move(texture));
  const auto& wanted = thumbnails.wanted();
  const auto oldest = std::ranges::find_if(made_, [&](const auto& made) {
    return std::ranges::find(wanted, made.first) == wanted.end() &&
           (made_.size() > kMax || made.first.side > Thumbnails::kSide);
  });
  if (oldest == made_.end()) return;
  thumbnails.forget(oldest->first);
  made_.erase(oldest);
}

}  // namespace satdof
