#include <array>
#include <utility>

#include "app/device/cuda/conversions.h"
#include "app/device/cuda/table_store.h"
#include "app/lens/cuda.h"
#include "app/lens/tent/plan.h"
#include "app/lens/tent/tent.h"
#include "cuda/lens/tent.h"
#include "cuda/sat/table_builder.h"

namespace satdof::on_cuda {

namespace {

class CudaTentBlur final : public CudaBlur {
 public:
  explicit CudaTentBlur(const Technique& technique) : spec_(technique.table) {
    spec_.format = TableFormat::uint32;
  }

  void resize(glm::ivec2 size, CudaCrossing<cudaArray*>& crossing) override {
    tent_ = &crossing.own(cuda::makeTent(size.x, size.y));
    for (int shrink = 1; Tables & tables : tables_) {
      tables.resize(spec_, (size + shrink - 1) / shrink, crossing);
      ++shrink;
    }
    planned_.reset();
  }

  bool plan(const LensInputs& inputs, CudaTextures& shared) override {
    const TentPlan plan = tentPlan(inputs.lens, inputs.scene);
    Tables& tables = tables_[static_cast<size_t>(plan.shrink - 1)];
    tables.twice.plan(inputs.wantsTable, shared);
    const Plan now{{plan.blur.lens, tables.size, plan.shrink, plan.widest, plan.scale, plan.ceiling}};
    return std::exchange(planned_, now) != planned_;
  }

  void enqueue(const CudaImages& images, std::span<cudaArray* const> others, CUstream_st* stream) override {
    const glsl::TentRule& rule = planned_->rule;
    Tables& tables = tables_[static_cast<size_t>(rule.shrink - 1)];
    tent_->quantise(images.colour, rule, tables.cells.data(), stream);
    tables.first->build(tables.cells.data(), cuda::ImageFormat::uint4, {}, tables.once.data(), stream);
    tables.second->build(tables.once.data(), cuda::ImageFormat::uint4, {}, tables.twice.rows(), stream);
    tables.twice.copy(others, stream);
    tent_->blur({images.colour, images.depth, images.blurred}, tables.twice.rows(), tables.transposed(), rule,
                stream);
  }

  Table table() const override {
    if (!planned_) return {};
    return tables_[static_cast<size_t>(planned_->rule.shrink - 1)].twice.table(
        {.quantisation = {.scale = planned_->rule.scale}});
  }

 private:
  struct Plan {
    glsl::TentRule rule;
    bool operator==(const Plan& other) const {
      const glsl::TentRule &a = rule, &b = other.rule;
      return a.lens == b.lens && a.size == b.size && a.shrink == b.shrink && a.widest == b.widest &&
             a.scale == b.scale && a.ceiling_ == b.ceiling_;
    }
  };
  static cuda::DeviceArray<cuda::Texel> texels(glm::ivec2 size) {
    return cuda::DeviceArray<cuda::Texel>(static_cast<size_t>(size.x) * static_cast<size_t>(size.y));
  }
  // The cells, their table, and the table of this table. The two transpositions cancel if both builders transpose.
  struct Tables {
    glm::ivec2 size{0};
    cuda::DeviceArray<cuda::Texel> cells, once;
    CudaTableStore twice;
    cuda::TableBuilder *first = nullptr, *second = nullptr;

    bool transposed() const { return first->transposed() != second->transposed(); }
    void resize(const TableSpec& spec, glm::ivec2 newSize, CudaCrossing<cudaArray*>& crossing) {
      size = newSize;
      first = &crossing.own(cuda::makeTableBuilder(tableOptions(spec, size)));
      const glm::ivec2 onceSize = first->transposed() ? glm::ivec2(size.y, size.x) : size;
      second = &crossing.own(cuda::makeTableBuilder(tableOptions(spec, onceSize)));
      cells = texels(size);
      once = texels(size);
      twice.resize(spec.format, size, transposed());
    }
  };

  TableSpec spec_;
  cuda::Tent* tent_ = nullptr;
  std::array<Tables, 2> tables_;  // at full size and at half the size
  std::optional<Plan> planned_;
};

}  // namespace

std::unique_ptr<CudaBlur> makeTentBlur(const Technique& technique) {
  return std::make_unique<CudaTentBlur>(technique);
}

}  // namespace satdof::on_cuda
