// Refocuses an image with its depth, both portable float maps: refocus IMAGE DEPTH OUTPUT [OPTION VALUE]...
// refocus photo.pfm depth.pfm out.pfm focus 1.7 f-number 1.4 lens layered
#include <satdof/lens.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Map {
  int width = 0, height = 0, channels = 1;
  std::vector<float> values;  // bottom row first

  // From the top row on.
  template <class T>
  satdof::cpu::Image<T> image() {
    const std::ptrdiff_t row = std::ptrdiff_t{width} * channels;
    return {values.data() + (height - 1) * row, width, height, channels, -row};
  }
};

Map read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string kind;
  float scale = 0.0f;
  Map map;
  if (!(file >> kind >> map.width >> map.height >> scale) || scale >= 0.0f)
    throw std::runtime_error(std::string("cannot read ") + path);
  map.channels = kind == "PF" ? 3 : 1;
  file.get();
  map.values.resize(static_cast<std::size_t>(map.width) * map.height * map.channels);
  file.read(reinterpret_cast<char*>(map.values.data()), map.values.size() * sizeof(float));
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  return map;
}

void write(const char* path, const Map& map) {
  std::ofstream file(path, std::ios::binary);
  file << "PF\n" << map.width << ' ' << map.height << "\n-1.0\n";
  file.write(reinterpret_cast<const char*>(map.values.data()), map.values.size() * sizeof(float));
}

// A number, a switch or a name.
satdof::lens::Option option(const char* name, const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (*end == '\0') return {name, number};
  if (value == "true" || value == "false") return {name, value == "true"};
  return {name, std::string_view(value)};
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 4 || argc % 2 != 0) throw std::runtime_error("refocus IMAGE DEPTH OUTPUT [OPTION VALUE]...");
  Map image = read(argv[1]), depth = read(argv[2]);
  const std::vector<std::string> values(argv + 4, argv + argc);
  std::vector<satdof::lens::Option> options;
  for (std::size_t i = 0; i < values.size(); i += 2) options.push_back(option(values[i].c_str(), values[i + 1]));
  satdof::lens::refocus(image.image<const float>(), depth.image<const float>(),
                        std::span<const satdof::lens::Option>(options), image.image<float>());
  write(argv[3], image);
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
