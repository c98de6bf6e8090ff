#pragma once
#include <sstream>
#include <stdexcept>

#include "satdof/cpu.h"

namespace satdof::cpu {

// Throws std::invalid_argument with the words, written one after the other, unless `holds`.
template <class... Words>
void require(bool holds, const Words&... words) {
  if (holds) return;
  std::ostringstream text;
  (text << ... << words);
  throw std::invalid_argument(text.str());
}

template <class T>
void requireImage(const Image<T>& image, const char* name) {
  require(image.data != nullptr, name, " has no data");
  require(image.width > 0 && image.height > 0 && image.channels > 0, name, " is empty: ", image.width, " x ",
          image.height, " pixels of ", image.channels, " channels");
  require(static_cast<std::int64_t>(image.width) * image.height < (std::int64_t{1} << 31), name, " has ",
          image.width, " x ", image.height, " pixels: the limit is 2^31 - 1");
}

template <class T, class U>
void requireSize(const Image<T>& image, const char* name, const Image<U>& of, const char* ofName,
                 int more = 0, bool channels = true) {
  requireImage(image, name);
  require(image.width - more == of.width && image.height - more == of.height, name, " has ", image.width,
          " x ", image.height, " pixels, but ", ofName, " has ", of.width, " x ", of.height,
          more ? ": give one more each way" : "");
  const int wanted = channels ? of.channels : 1;
  require(image.channels == wanted, name, " has ", image.channels, " channels instead of ", wanted);
}

}  // namespace satdof::cpu
