#include <stdexcept>

#include "app/device/cpu/cpu.h"
#include "app/device/cpu/cpu_table.h"
#include "app/gl/transfer.h"

namespace satdof {

namespace {

constexpr GLsizeiptr kChannels = 4;
constexpr GLuint64 kForever = ~GLuint64{0};

// A persistently mapped OpenGL buffer in main memory.
struct Mapped {
  Mapped() = default;
  explicit Mapped(GLsizeiptr bytes) {
    constexpr GLbitfield kFlags = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    buffer = gl::Buffer(bytes, nullptr, kFlags | GL_CLIENT_STORAGE_BIT);
    memory = glMapNamedBufferRange(buffer.name(), 0, bytes, kFlags);
    if (memory == nullptr)
      throw std::runtime_error("cannot map a buffer of " + std::to_string(bytes) +
                               " bytes for tables on the CPU: OpenGL refused; choose a smaller --size");
  }
  gl::Buffer buffer;
  void* memory = nullptr;
};

void waitForOpenGL() {
  const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, kForever);
  glDeleteSync(fence);
}

class CpuTable : public TableBuilder {
 public:
  CpuTable(TableFormat format, int threads) : format_(format) {
    if (threads > 0) builder_ = std::make_unique<CpuTableBuilder>(threads);
  }

  void resize(glm::ivec2 size) override {
    const auto bytes = static_cast<GLsizeiptr>(sizeof(uint32_t)) * kChannels * size.x * size.y;
    image_ = Mapped(bytes);
    sums_ = Mapped(bytes);
    table_ = gl::Texture(internalFormat(format_), size);
    if (builder_) builder_->resize(size);
  }

  Table build(const TableSource& source, Timings& timings) override {
    const glm::ivec2 size = table_.size();
    const bool words = source.texture->format() == GL_RGBA32UI;
    {
      const auto scope = timings.cpu("wait");
      waitForOpenGL();
    }
    {
      const auto scope = timings.cpu("download");
      glBindBuffer(GL_PIXEL_PACK_BUFFER, image_.buffer.name());
      gl::download(*source.texture, words ? gl::kRgbaWords : gl::kRgbaHalf, nullptr);
      glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
      waitForOpenGL();
    }
    {
      const auto scope = timings.cpu("table");
      const ElementRule rule{format_, source.quantisation};
      CpuImage image{static_cast<const uint16_t*>(image_.memory), size};
      if (words) image.texels = static_cast<const uint32_t*>(image_.memory);
      if (builder_)
        builder_->build(image, rule, sums_.memory);
      else
        sumTable(image, rule, sums_.memory);
    }
    {
      const auto scope = timings.cpu("upload");
      glBindBuffer(GL_PIXEL_UNPACK_BUFFER, sums_.buffer.name());
      gl::upload(table_, format_ == TableFormat::uint32 ? gl::kRgbaWords : gl::kRgbaFloat, nullptr);
      glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    }
    return describeTable(table_, format_, source);
  }

  std::string state() const override {
    return builder_ ? std::to_string(builder_->threads()) + " threads" + (hasFastCpuTable() ? ", AVX2" : "")
                    : "1 thread";
  }

 private:
  TableFormat format_;
  std::unique_ptr<CpuTableBuilder> builder_;  // null: sumTable()
  Mapped image_;                              // the wait for its download also waits for the last upload from sums_
  Mapped sums_;
  gl::Texture table_;
};

}  // namespace

std::unique_ptr<TableBuilder> makeCpuTableBuilder(const TableSpec& spec) {
  return std::make_unique<CpuTable>(spec.format, hardwareThreads());
}

std::unique_ptr<TableBuilder> makeCpuSequentialTableBuilder(const TableSpec& spec) {
  return std::make_unique<CpuTable>(spec.format, 0);
}

}  // namespace satdof
