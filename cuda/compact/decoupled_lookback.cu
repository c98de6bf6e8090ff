#include "cuda/compact/decoupled_lookback.cuh"

#include "cuda/compact/factories.h"

namespace satdof::cuda {

namespace {

template <class Tiles>
class DecoupledLookbackCompactor : public CompactorOf<DecoupledLookbackCompactor<Tiles>> {
 public:
  explicit DecoupledLookbackCompactor(std::uint32_t count) : pass_(count) {}

  template <class Source>
  void enqueue(const std::uint32_t* flags, Source source, typename Source::Element* out, std::uint32_t* kept,
               CUstream_st* stream) const {
    pass_.enqueue(flags, source, out, kept, stream);
  }

 private:
  single_pass::SinglePass<Tiles> pass_;
};

}  // namespace

std::unique_ptr<Compactor> makeDecoupledLookbackCompactor(std::uint32_t count) {
  return single_pass::withTiles(count, [&]<class Tiles>(Tiles) -> std::unique_ptr<Compactor> {
    return std::make_unique<DecoupledLookbackCompactor<Tiles>>(count);
  });
}

}  // namespace satdof::cuda
