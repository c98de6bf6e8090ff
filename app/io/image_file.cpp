#include "app/io/image_file.h"

#include <stb_image_write.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <stdexcept>

#include "app/core/files.h"
#include "app/core/usage_error.h"

namespace satdof {

namespace fs = std::filesystem;

ImageFormat imageFormat(const fs::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".png") return ImageFormat::png;
  if (extension == ".hdr") return ImageFormat::hdr;
  if (extension == ".pfm") return ImageFormat::pfm;
  throw UsageError("cannot write " + path.string() + ": expected a name ending in .png, .hdr or .pfm");
}

void requireCapturePath(const fs::path& path, bool withUi) {
  if (imageFormat(path) != ImageFormat::png && withUi)
    throw UsageError("cannot write " + path.string() +
                     " with --with-ui: only .png holds the panels; expected a name ending in .png");
  requireWritable(path);
}

fs::path claimNumberedPath(const fs::path& path) {
  constexpr int kLast = 999999999;
  const std::string stem = path.stem().string() + "-", extension = path.extension().string();
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  int highest = 0;
  std::error_code ignored;  // an unreadable folder has no numbers; claimFile() reports the reason
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(stem) || entry.path().extension() != extension) continue;
    int number = 0, length = 0;
    const std::string digits = entry.path().stem().string().substr(stem.size());
    if (std::sscanf(digits.c_str(), "%9d%n", &number, &length) == 1 &&
        length == static_cast<int>(digits.size()))
      highest = std::max(highest, number);
  }
  while (highest < kLast) {
    char number[16];
    std::snprintf(number, sizeof number, "%04d", ++highest);
    const fs::path next = path.parent_path() / (stem + number + extension);
    if (claimFile(next)) return next;
  }
  throw std::runtime_error("cannot number another " + path.string() + ": " + std::to_string(kLast) +
                           " is taken; choose another name");
}

std::string encodeLinear(ImageFormat format, const std::vector<float>& rgb, glm::ivec2 size) {
  std::string bytes;
  if (format == ImageFormat::hdr) {
    const auto rowFloats = static_cast<size_t>(size.x) * 3;
    std::vector<float> topFirst;
    topFirst.reserve(rgb.size());
    for (size_t end = rgb.size(); end > 0; end -= rowFloats)
      topFirst.insert(topFirst.end(), rgb.begin() + static_cast<std::ptrdiff_t>(end - rowFloats),
                      rgb.begin() + static_cast<std::ptrdiff_t>(end));
    const auto append = [](void* to, void* data, int count) {
      static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<size_t>(count));
    };
    if (stbi_write_hdr_to_func(append, &bytes, size.x, size.y, 3, topFirst.data()) == 0)
      throw std::runtime_error("cannot encode an image of " + std::to_string(size.x) + "x" +
                               std::to_string(size.y) + " as .hdr: stb_image_write failed; try .pfm");
    return bytes;
  }
  const char* scale = std::endian::native == std::endian::little ? "-1.0" : "1.0";
  bytes = "PF\n" + std::to_string(size.x) + " " + std::to_string(size.y) + "\n" + scale + "\n";
  return bytes.append(reinterpret_cast<const char*>(rgb.data()), rgb.size() * sizeof(float));
}

}  // namespace satdof
