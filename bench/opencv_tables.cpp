#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "app/core/system/thread_pool.h"
#include "bench/bench.h"

namespace satdof::bench {

namespace {

struct Elements {
  const char* name;
  int image, table;
};
constexpr Elements kElements[] = {{"uint32", CV_8U, CV_32S}, {"float32", CV_32F, CV_32F}, {"float64", CV_32F, CV_64F}};

// An image as planes with interleaved channels; one cv::integral() per plane.
struct Layout {
  const char* name;
  std::size_t planes;
  int channels;
};
constexpr Layout kLayouts[] = {{"opencv-1", 1, 1}, {"opencv-4x1", 4, 1}, {"opencv-4", 1, 4}};

Result integral(Size size, const Elements& elements, const Layout& layout, int threads) {
  cv::setNumThreads(threads);
  std::vector<cv::Mat> images, tables(layout.planes);
  for (std::size_t i = 0; i < layout.planes; ++i) {
    images.emplace_back(size.height, size.width, CV_MAKETYPE(elements.image, layout.channels));
    cv::randu(images.back(), 0, elements.image == CV_8U ? 256 : 1);
  }
  const Measurement time = timeOnCpu([&] {
    for (std::size_t i = 0; i < layout.planes; ++i) cv::integral(images[i], tables[i], elements.table);
  });
  const double texelBytes = static_cast<double>(images[0].elemSize() + tables[0].elemSize());
  return {time, size.pixels() * static_cast<double>(layout.planes) * texelBytes};
}

}  // namespace

void addOpenCvTables() {
  benchmark::AddCustomContext("peer OpenCV", cv::getVersionString());
  const int most = hardwareThreads();
  for (const Size size : kCpuSizes)
    for (const Elements& elements : kElements)
      for (const Layout& layout : kLayouts)
        for (const int threads : most > 1 ? std::vector{1, most} : std::vector{1})
          addRow(path({"table", layout.name, elements.name, nameOf(size), "threads:" + std::to_string(threads)}),
                 [=, &elements, &layout] { return integral(size, elements, layout, threads); });
}

}  // namespace satdof::bench
