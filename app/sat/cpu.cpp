#include <functional>
#include <stdexcept>
#include <thread>

#include "app/sat/backends.h"
#include "app/sat/cpu_table.h"

namespace satdof {

namespace {

constexpr size_t kChannels = 4;

class CpuBackend : public SatBackend {
 public:
  CpuBackend(SatFormat format, int threads) : format_(format) {
    if (threads > 0) builder_ = std::make_unique<CpuTableBuilder>(threads);
  }

  void resize(glm::ivec2 size) override {
    const auto elements = static_cast<size_t>(size.x) * static_cast<size_t>(size.y) * kChannels;
    picture_.assign(elements, 0);
    sums_.assign(elements, 0);
    table_ = gl::Texture(tableFormat(format_), size);
    if (builder_) builder_->resize(size);
  }

  SatView build(const SatSource& source, Timings& timings) override {
    const bool fixed = source.texture->format() == GL_RGBA32UI;
    const glm::ivec2 size = table_.size();
    const auto bytes = static_cast<GLsizei>(picture_.size() * (fixed ? sizeof(uint32_t) : sizeof(uint16_t)));
    {
      const auto scope = timings.cpu("download");
      glGetTextureImage(source.texture->name(), 0, fixed ? GL_RGBA_INTEGER : GL_RGBA,
                        fixed ? GL_UNSIGNED_INT : GL_HALF_FLOAT, bytes, picture_.data());
    }
    const ElementRule rule{format_, source.scale, source.ceiling, source.mean};
    CpuPicture picture{picture_.data(), size};
    if (!fixed) picture.texels = reinterpret_cast<const uint16_t*>(picture_.data());
    {
      const auto scope = timings.cpu("table");
      if (builder_)
        builder_->build(picture, rule, sums_.data());
      else
        sumTable(picture, rule, sums_.data());
    }
    {
      const auto scope = timings.cpu("upload");
      const bool integer = format_ == SatFormat::uint32;
      glTextureSubImage2D(table_.name(), 0, 0, 0, size.x, size.y, integer ? GL_RGBA_INTEGER : GL_RGBA,
                          integer ? GL_UNSIGNED_INT : GL_FLOAT, sums_.data());
    }
    return describeTable(table_, format_, source);
  }

  std::string state() const override {
    if (!builder_) return "1 thread";
    return std::to_string(builder_->threads()) + " threads" + (hasFastCpuTable() ? ", AVX2" : "");
  }

 private:
  SatFormat format_;
  std::unique_ptr<CpuTableBuilder> builder_;  // null: sequential
  std::vector<uint32_t> picture_, sums_;
  gl::Texture table_;
};

}  // namespace

std::unique_ptr<SatBackend> makeCpuBackend(const Method& method) {
  return std::make_unique<CpuBackend>(method.format,
                                      std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

std::unique_ptr<SatBackend> makeCpuSequentialBackend(const Method& method) {
  return std::make_unique<CpuBackend>(method.format, 0);
}

}  // namespace satdof
