#include "app/lab/measurements.h"

#include <algorithm>
#include <utility>

#include "app/core/pixels.h"
#include "app/device/gl/scan.h"
#include "app/gl/objects.h"
#include "app/gl/transfer.h"
#include "app/lab/runner.h"

namespace satdof::lab {

namespace {

class CpuMeasurement : public Measurement {
 public:
  CpuMeasurement(std::function<void()> work, std::function<void()> reset)
      : work_(std::move(work)), reset_(std::move(reset)) {}

  double kernelUs() override {
    constexpr double kMinUs = 50, kMaxRepeats = 256;
    const int repeats = lastUs_ > 0 && !reset_ ? static_cast<int>(std::clamp(kMinUs / lastUs_, 1.0, kMaxRepeats)) : 1;
    if (reset_) reset_();
    const double startUs = Runner::wallClockUs();
    for (int i = 0; i < repeats; ++i) work_();
    return lastUs_ = (Runner::wallClockUs() - startUs) / repeats;
  }
  double endToEndUs() override { return kernelUs(); }

 private:
  std::function<void()> work_, reset_;
  double lastUs_ = 0;
};

gl::Query timestamp() {
  GLuint query = 0;
  glCreateQueries(GL_TIMESTAMP, 1, &query);
  return gl::Query(query);
}

class GlMeasurement : public Measurement {
 public:
  explicit GlMeasurement(GlSteps steps) : steps_(std::move(steps)) {
    steps_.upload();
    steps_.work();
    glFinish();
  }

  double kernelUs() override {
    glQueryCounter(begin_.name(), GL_TIMESTAMP);
    steps_.work();
    glQueryCounter(end_.name(), GL_TIMESTAMP);
    GLuint64 beginNs = 0, endNs = 0;
    glGetQueryObjectui64v(begin_.name(), GL_QUERY_RESULT, &beginNs);
    glGetQueryObjectui64v(end_.name(), GL_QUERY_RESULT, &endNs);
    return static_cast<double>(endNs - beginNs) * 1e-3;
  }

  double endToEndUs() override {
    glFinish();
    const double startUs = Runner::wallClockUs();
    steps_.upload();
    steps_.work();
    steps_.download();
    glFinish();
    return Runner::wallClockUs() - startUs;
  }

 private:
  GlSteps steps_;
  gl::Query begin_ = timestamp(), end_ = timestamp();
};

}  // namespace

std::vector<std::uint32_t> randomWords(std::size_t count, std::uint64_t limit) {
  std::vector<std::uint32_t> words(count);
  std::uint64_t state = 0x9e3779b97f4a7c15u + count;
  for (std::uint32_t& word : words) {
    // xorshift64* (Vigna 2016). Scales the upper 32 bits to [0, limit).
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    word = static_cast<std::uint32_t>(((state * 0x2545f4914f6cdd1du >> 32) * limit) >> 32);
  }
  return words;
}

std::vector<float> randomFloats(std::size_t count, std::uint32_t limit) {
  const auto words = randomWords(count, limit);
  return {words.begin(), words.end()};
}

std::vector<std::uint32_t> randomFlags(std::size_t count, double percent) {
  constexpr std::uint32_t kLimit = 1 << 20;
  const auto limit = static_cast<std::uint32_t>(percent / 100 * kLimit);
  auto flags = randomWords(count, kLimit);
  for (std::uint32_t& flag : flags) flag = flag < limit ? 1 : 0;
  return flags;
}

std::vector<std::uint16_t> randomHalves(std::size_t count) {
  constexpr std::uint16_t kOne = 0x3c00;
  const auto words = randomWords(count, kOne);
  return {words.begin(), words.end()};
}

std::unique_ptr<Measurement> measureOnProcessor(std::function<void()> work, std::function<void()> reset) {
  return std::make_unique<CpuMeasurement>(std::move(work), std::move(reset));
}

std::unique_ptr<Measurement> measureOnGl(GlSteps steps) { return std::make_unique<GlMeasurement>(std::move(steps)); }

std::unique_ptr<Measurement> measureFolded(std::uint32_t count,
                                           const std::function<std::vector<std::uint32_t>(std::size_t n)>& words,
                                           const std::function<FoldedWork(int width)>& work) {
  static constexpr gl::TexelLayout kWord{GL_RED_INTEGER, GL_UNSIGNED_INT, 4};
  constexpr std::uint32_t kMaxColumns = 4096;
  struct Parts {
    std::vector<std::uint32_t> host;
    FoldedWork work;
    gl::Texture folded;
    const gl::Texture* result = nullptr;
  };
  const auto width = static_cast<int>(std::min(kMaxColumns, count));
  const glm::ivec2 size = foldedSize(width, count);
  const auto parts = std::make_shared<Parts>(Parts{words(pixelCount(size)), work(width), {GL_R32UI, size}});
  return measureOnGl({.upload = [parts] { gl::upload(parts->folded, kWord, parts->host.data()); },
                      .work = [parts] { parts->result = &parts->work(parts->folded); },
                      .download =
                          [parts] {
                            std::vector<std::uint32_t> out(parts->host.size());
                            gl::download(*parts->result, kWord, out.data());
                          }});
}

}  // namespace satdof::lab
