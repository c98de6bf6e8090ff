#pragma once
#include <optional>

#include "cuda/sat/fused.h"
#include "cuda/sat/stage_timer.h"
#include "cuda/surface.h"

namespace satdof::cuda {

struct FusedJob {
  cudaSurfaceObject_t picture, table;
  int width, height;
  Quantisation quantisation;
};

// Tiles of 128x48 and of 64x64 pixels of half floats; of integers 64x32.
enum class FusedShape { large, small };

// Small up to two tiles for each that can be resident at once.
FusedShape fusedShapeFor(int width, int height);

// What every fused design shares: surfaces of the arrays, and the time from the first kernel's start to the
// last one's end.
class FusedBuilder : public TableBuilder {
 public:
  FusedBuilder(const TableOptions& options, std::optional<FusedShape> shape);
  void build(cudaArray* picture, PictureFormat format, const Quantisation& quantisation, cudaArray* table,
             CUstream_st* stream) final;
  void forgetArrays() final { surfaces_.forget(); }
  bool transposed() const final { return false; }
  std::vector<StageTime> stageTimes() const final { return timer_.times(); }

 protected:
  virtual void enqueue(const FusedJob& job, PictureFormat format, cudaStream_t stream) = 0;

  TableOptions options_;
  FusedShape shape_;

 private:
  SurfaceCache surfaces_;
  StageTimer timer_{{"fused"}};
};

std::unique_ptr<TableBuilder> makeFusedTwoPass(const TableOptions& options, std::optional<FusedShape> shape);
std::unique_ptr<TableBuilder> makeFusedSinglePass(const TableOptions& options,
                                                  std::optional<FusedShape> shape);

}  // namespace satdof::cuda
