#include <algorithm>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <thread>

#include "bench/bench.h"

namespace satdof::bench {

namespace {

// cv::integral over `channels` interleaved channels of bytes.
Result integral(Size size, int channels, int depth, int threads) {
  cv::setNumThreads(threads);
  cv::Mat picture(size.height, size.width, CV_8UC(channels)), table;
  cv::randu(picture, 0, 256);
  const Measurement time = timeOnCpu([&] { cv::integral(picture, table, depth); });
  return {time, size.pixels() * channels * (1 + 4)};
}

}  // namespace

void addOpenCvTables() {
  benchmark::AddCustomContext("peer OpenCV", cv::getVersionString());
  const int most = std::max(1u, std::thread::hardware_concurrency());
  for (const Size size : kSizes)
    for (const auto& [type, depth] : {std::pair{"uint32", CV_32S}, {"float32", CV_32F}})
      for (const int channels : {1, 4})
        for (const int threads : most > 1 ? std::vector{1, most} : std::vector{1})
          addRow(path({"table", "opencv-" + std::to_string(channels), type, nameOf(size),
                       "threads:" + std::to_string(threads)}),
                 [=, depth = depth] { return integral(size, channels, depth, threads); });
}

}  // namespace satdof::bench
