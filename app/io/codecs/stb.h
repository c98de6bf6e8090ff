#pragma once
#include <string>
#include <string_view>

#include "app/io/codec.h"

// Readers by stb_image. They throw std::runtime_error with only the reason.
namespace satdof {

Picture pictureByStb(std::string_view bytes, const FileLimits& limits, const std::string& profile);
glm::ivec2 sizeByStb(std::string_view head, const FileLimits& limits);
DepthImage depthByStb(std::string_view bytes, const FileLimits& limits);

// Callback of stb_image_write: appends `count` bytes to a std::string.
void appendTo(void* string, void* data, int count);

}  // namespace satdof
