#include "app/quality/live_comparison.h"

namespace satdof {

LiveComparison::LiveComparison(glm::ivec2 size)
    : size_(size), reads_(static_cast<size_t>(size.x) * static_cast<size_t>(size.y) * 4, 2) {
  for (auto& picture : pictures_) {
    picture.texture = gl::Texture(GL_RGBA32F, size);
    picture.framebuffer = gl::Framebuffer(picture.texture);
    picture.rgb.resize(static_cast<size_t>(size.x) * static_cast<size_t>(size.y) * 3);
  }
  thread_ = std::jthread([this](std::stop_token stop) { measure(stop); });
}

LiveComparison::~LiveComparison() = default;

void LiveComparison::request(const PresentPass& present, const gl::Texture& a, const gl::Texture& b) {
  const std::array<const gl::Texture*, 2> sources = {&a, &b};
  for (size_t i = 0; i < 2; ++i) {
    pictures_[i].texels = {};
    present.draw(*sources[i], pictures_[i].framebuffer.name(), size_,
                 {.exposureStops = subject_->settings.present.exposureStops});
    reads_.request(pictures_[i].texture, {0, 0}, size_, 4);
  }
}

void LiveComparison::update(const PresentPass& present, const gl::Texture& a, const gl::Texture& b,
                            const Settings& settings, float progress) {
  const std::lock_guard lock(mutex_);
  if (measured_) {
    result_ = {*measured_, subject_->progress};
    measured_.reset();
  }
  if (measuring_) return;
  if (reads_.inFlight() > 0) {
    for (auto& picture : pictures_)
      if (picture.texels.empty() && (picture.texels = reads_.poll()).empty()) return;
    measuring_ = true;
    wake_.notify_one();
  } else if (const Subject now{settings, progress}; subject_ != now) {
    subject_ = now;
    request(present, a, b);
  }
}

void LiveComparison::measure(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [&] { return measuring_; })) {
    lock.unlock();
    for (auto& picture : pictures_)
      for (size_t i = 0, n = picture.rgb.size() / 3; i < n; ++i)
        for (size_t channel = 0; channel < 3; ++channel)
          picture.rgb[3 * i + channel] = picture.texels[4 * i + channel];
    const Likeness likeness = likenessOf(pictures_[0].rgb, pictures_[1].rgb, size_);
    lock.lock();
    measured_ = likeness;
    measuring_ = false;
  }
}

}  // namespace satdof
