#include "app/trace/cuda.h"

#include <algorithm>
#include <cmath>

#include "cuda/compact/compactor.h"
#include "cuda/convolve/convolve.h"
#include "cuda/nbody/gravity.h"
#include "cuda/runtime/device_array.h"
#include "cuda/sat/fused.h"
#include "cuda/sat/planes.h"
#include "cuda/scan/scan.h"
#include "cuda/sort/sorter.h"
#ifdef SATDOF_EMULATED
#include "app/trace/what_if.h"
#endif

namespace satdof::on_cuda {

namespace {

using trace::Job;
using trace::NamedMemory;
using trace::Request;
using Words = std::vector<std::uint32_t>;
using DeviceWords = cuda::DeviceArray<std::uint32_t>;

DeviceWords uploaded(const Words& words) {
  DeviceWords made(words.size());
  SATDOF_CUDA(cudaMemcpy(made.data(), words.data(), made.bytes(), cudaMemcpyHostToDevice));
  return made;
}

// `count` words of 0.
DeviceWords cleared(std::size_t count) { return uploaded(Words(count)); }

Words downloaded(const DeviceWords& words) {
  Words all(words.size());
  SATDOF_CUDA(cudaMemcpy(all.data(), words.data(), words.bytes(), cudaMemcpyDeviceToHost));
  return all;
}

// Runs work(in, out) on an input and an output buffer.
template <class Work>
class InOutJob : public Job {
 public:
  InOutJob(DeviceWords in, std::size_t outWords, unsigned inBytes, unsigned outBytes, Work work)
      : in_(std::move(in)), out_(cleared(outWords)), inBytes_(inBytes), outBytes_(outBytes), work_(std::move(work)) {}
  void run() override {
    work_(in_.data(), out_.data());
    SATDOF_CUDA(cudaDeviceSynchronize());
  }
  std::vector<NamedMemory> memory() const override {
    return {{"in", in_.data(), in_.bytes(), inBytes_}, {"out", out_.data(), out_.bytes(), outBytes_}};
  }
  Words result() const override { return downloaded(out_); }

 private:
  DeviceWords in_, out_;
  unsigned inBytes_, outBytes_;  // bytes of an element
  Work work_;
};

template <class Work>
std::unique_ptr<Job> inOut(const Words& in, std::size_t outWords, Work work, unsigned inBytes = 4,
                           unsigned outBytes = 4) {
  return std::make_unique<InOutJob<Work>>(uploaded(in), outWords, inBytes, outBytes, std::move(work));
}

std::unique_ptr<Job> makeScan(int variant, const Request& request, const Words& input) {
  const cuda::ScanOptions options{.scan = static_cast<Scan>(variant),
                                  .inclusive = false,
                                  .length = request.elements,
                                  .pitch = request.elements,
                                  .blockSize = request.blockSize};
  std::unique_ptr<cuda::RowScan> scan;
#ifdef SATDOF_EMULATED
  scan = cuda::makeWhatIf(request.whatIf, options);
#endif
  if (scan == nullptr) scan = cuda::makeRowScan(options);
  return inOut(input, input.size(),
               [scan = std::move(scan)](const std::uint32_t* in, std::uint32_t* out) { scan->run(in, out, nullptr); });
}

class CompactJob : public Job {
 public:
  CompactJob(int variant, const Request& request, const Words& input)
      : compactor_(cuda::makeCompactor(static_cast<Compaction>(variant), request.elements)),
        flags_(uploaded(flagsOf(input))),
        indices_(cleared(input.size())),
        kept_(cleared(1)) {}
  void run() override {
    compactor_->run(flags_.data(), indices_.data(), kept_.data(), nullptr);
    SATDOF_CUDA(cudaDeviceSynchronize());
  }
  std::vector<NamedMemory> memory() const override {
    return {{"in", flags_.data(), flags_.bytes(), 4},
            {"out", indices_.data(), indices_.bytes(), 4},
            {"kept", kept_.data(), kept_.bytes(), 4}};
  }
  Words result() const override {
    Words indices = downloaded(indices_);
    indices.resize(downloaded(kept_).front());
    return indices;
  }

 private:
  static Words flagsOf(Words input) {
    for (std::uint32_t& word : input) word &= 1;
    return input;
  }

  std::unique_ptr<cuda::Compactor> compactor_;
  DeviceWords flags_, indices_, kept_;
};

std::unique_ptr<Job> makeCompaction(int variant, const Request& request, const Words& input) {
  return std::make_unique<CompactJob>(variant, request, input);
}

std::unique_ptr<Job> makeSort(int variant, const Request& request, const Words& input) {
  auto sorter = cuda::makeSorter(static_cast<Sort>(variant), request.elements);
  return inOut(input, input.size(), [sorter = std::move(sorter)](const std::uint32_t* in, std::uint32_t* out) {
    sorter->run({in}, {out}, nullptr);
  });
}

std::unique_ptr<Job> makeConvolution(int variant, const Request& request, const Words& input) {
  auto convolver = cuda::makeConvolver<std::int32_t>(
      static_cast<Convolve>(variant), {static_cast<int>(request.elements), 1}, {{5, 1, {1, 2, 3, 2, 1}}});
  return inOut(input, input.size(), [convolver = std::move(convolver)](const std::uint32_t* in, std::uint32_t* out) {
    convolver->run(reinterpret_cast<const std::int32_t*>(in), reinterpret_cast<std::int32_t*>(out), nullptr);
  });
}

// A pass over a square image whose four channels are equal, or over its planes.
std::unique_ptr<Job> makeTablePass(int variant, const Request& request, const Words& input) {
  const auto side = static_cast<unsigned>(std::lround(std::sqrt(request.elements)));
  const auto pass = static_cast<trace::TablePass>(variant);
  const cuda::PlaneShape shape(side, side, pass == trace::TablePass::transpose ? 1 : cuda::kPlanes);
  Words texels, planes(shape.elements());
  for (const std::uint32_t word : input) texels.insert(texels.end(), 4, word);
  for (unsigned row = 0; row < side * shape.planes; ++row)
    std::copy_n(input.data() + std::size_t{row % side} * side, side,
                planes.begin() + static_cast<std::ptrdiff_t>(row * shape.pitch));
  const auto image = [](const std::uint32_t* memory) {
    return reinterpret_cast<cuda::Texel*>(const_cast<std::uint32_t*>(memory));
  };
  using enum trace::TablePass;
  if (pass == deinterleave)
    return inOut(
        texels, planes.size(),
        [=](const std::uint32_t* in, std::uint32_t* out) {
          cuda::deinterleave(image(in), cuda::ImageFormat::uint4, cuda::ElementType::uint32, {}, shape, out, nullptr);
        },
        16, 4);
  if (pass == transpose)
    return inOut(planes, planes.size(),
                 [=](const std::uint32_t* in, std::uint32_t* out) { cuda::transpose(in, shape, out, nullptr); });
  if (pass == interleave)
    return inOut(
        planes, texels.size(),
        [=](const std::uint32_t* in, std::uint32_t* out) { cuda::interleave(in, shape, image(out), nullptr); }, 4, 16);
  auto builder = cuda::makeFusedTableBuilder({.width = static_cast<int>(side), .height = static_cast<int>(side)});
  return inOut(
      texels, texels.size(),
      [=, builder = std::move(builder)](const std::uint32_t* in, std::uint32_t* out) {
        builder->build(image(in), cuda::ImageFormat::uint4, {}, image(out), nullptr);
      },
      16, 16);
}

// Bodies of mass 1 at (i, element i, 0).
std::unique_ptr<Job> makeForces(int variant, const Request& request, const Words& input) {
  const bool tiled = static_cast<trace::AllPairs>(variant) == trace::AllPairs::tiled;
  auto gravity = cuda::makeGravity({.method = tiled ? cuda::GravityMethod::tiled : cuda::GravityMethod::naive,
                                    .bodies = request.elements,
                                    .softening = 0.5f});
  Words bodies;
  for (std::size_t i = 0; i < input.size(); ++i)
    for (const float value : {static_cast<float>(i), static_cast<float>(input[i]), 0.0f, 1.0f})
      bodies.push_back(std::bit_cast<std::uint32_t>(value));
  return inOut(
      bodies, bodies.size(),
      [gravity = std::move(gravity)](const std::uint32_t* in, std::uint32_t* out) {
        gravity->run(reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out), false, nullptr);
      },
      16, 16);
}

constexpr struct {
  trace::Family family;
  std::unique_ptr<Job> (*make)(int variant, const Request& request, const Words& input);
} kFamilies[] = {
    {trace::Family::scan, makeScan},       {trace::Family::compact, makeCompaction},
    {trace::Family::sort, makeSort},       {trace::Family::convolve, makeConvolution},
    {trace::Family::table, makeTablePass}, {trace::Family::gravity, makeForces},
};

}  // namespace

std::unique_ptr<Job> makeJob(const Request& request, const Words& input) {
  const trace::Kernel& kernel = trace::kernelNamed(request.kernel);
  const auto family = std::ranges::find(kFamilies, kernel.family, [](const auto& row) { return row.family; });
  return family->make(kernel.variant, request, input);
}

}  // namespace satdof::on_cuda
