#include "cuda/sat/multipass.h"

#include <algorithm>

#include "cuda/runtime/device_array.h"
#include "cuda/runtime/texels.cuh"
#include "cuda/runtime/timed_work.h"
#include "cuda/sat/planes.h"
#include "cuda/scan/scan.h"

namespace satdof::cuda {

namespace {

std::unique_ptr<RowScan> makePlaneScan(const TableOptions& options, PlaneShape shape) {
  return makeRowScan(
      {options.scan, options.type, true, shape.width, kPlanes * shape.height, shape.pitch, options.blockSize});
}

class MultipassTableBuilder : public TimedWork<TableBuilder> {
 public:
  explicit MultipassTableBuilder(const TableOptions& options)
      : TimedWork({"de-interleave", "scan rows", "transpose", "scan columns", "interleave"}),
        type_(options.type),
        shape_(static_cast<unsigned>(options.width), static_cast<unsigned>(options.height)),
        rowScan_(makePlaneScan(options, shape_)),
        columnScan_(makePlaneScan(options, shape_.transposed())),
        planes_(std::max(shape_.elements(), shape_.transposed().elements())),
        scanned_(planes_.size()) {}

  void build(const Texels& image, ImageFormat format, const Quantisation& quantisation, const Texels& table,
             CUstream_st* stream) override {
    timer_.begin(stream);
    deinterleave(handleOf(image, surfaces_), format, type_, quantisation, shape_, planes_.data(), stream);
    timer_.next(stream);
    rowScan_->run(planes_.data(), scanned_.data(), stream);
    timer_.next(stream);
    transpose(scanned_.data(), shape_, planes_.data(), stream);
    timer_.next(stream);
    columnScan_->run(planes_.data(), scanned_.data(), stream);
    timer_.next(stream);
    interleave(scanned_.data(), shape_.transposed(), handleOf(table, surfaces_), stream);
    timer_.next(stream);
  }

  bool transposed() const override { return true; }

 private:
  ElementType type_;
  PlaneShape shape_;
  std::unique_ptr<RowScan> rowScan_, columnScan_;
  DeviceArray<unsigned> planes_, scanned_;
};

}  // namespace

std::unique_ptr<TableBuilder> makeMultipassTableBuilder(const TableOptions& options) {
  return std::make_unique<MultipassTableBuilder>(options);
}

}  // namespace satdof::cuda
