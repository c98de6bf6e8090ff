// A shader with includes. Input: files separated by zero bytes: the shader 0.glsl, then 1.glsl, 2.glsl, ...
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "app/gl/shader_source.h"
#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> files(1);
  for (const char c : fuzz::textOf(data, size))
    if (c == '\0')
      files.emplace_back();
    else
      files.back() += c;
  std::vector<std::string> read;
  const auto readFile = [&](const std::string& file) {
    fuzz::require(std::ranges::find(read, file) == read.end(), "each file is read once");
    fuzz::require(!file.starts_with('/') && ("/" + file).find("/../") == std::string::npos,
                  "no file is outside shaders/");
    read.push_back(file);
    for (std::size_t i = 0; i < files.size(); ++i)
      if (file == std::to_string(i).append(".glsl")) return files[i];
    throw std::runtime_error("cannot read " + file);
  };
  try {
    const auto source = gl::expandIncludes("0.glsl", {{"SIZE", "4"}}, readFile);
    fuzz::require(source.files == read, "the files are listed in the order of their numbers");
    std::set<std::string, std::less<>> names;
    gl::collectUniforms(source.text, names);
    for (const auto& name : names)
      fuzz::require(!name.empty() && source.text.find(name) != source.text.npos, "uniforms stand in the source");
  } catch (const std::runtime_error&) {
  }
  return 0;
}
