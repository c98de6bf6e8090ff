#pragma once
#include <exception>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <string>

#include "app/core/settings.h"

namespace satdof {

// Throws std::runtime_error if this process may not have the threads and the memory with which software OpenGL starts.
// Call before making a context.
void requireResources();

// Bytes that images may still take: of video memory where OpenGL tells, else of main memory within all limits of this
// process. Infinity if nothing is known. Needs a current context, as do the next three.
double freeImageBytes();

// Throws std::runtime_error if the main memory that is free does not hold an image of `size`.
void requireMainMemory(glm::ivec2 size, double bytesPerPixel);

// Says why images of settings.size exceed the limits of the OpenGL driver or `freeBytes`; empty if they do not.
std::string shortage(const Settings& settings, double freeBytes);

// Returns settings.size, halved until there is no shortage().
glm::ivec2 sizeWithin(Settings settings, double freeBytes);

// The size of images that memory holds, from frame to frame.
class AffordableSize {
 public:
  // shortage() for the memory that is free now. Nothing, without measuring it, if size, techniques, layers and margin have not changed
  // since the last call.
  std::optional<std::string> check(const Settings& settings);
  // sizeWithin() of the settings that were checked.
  glm::ivec2 size() const { return size_; }

 private:
  struct Need {
    glm::ivec2 size;
    int samples, layers;
    Overscan overscan;
    Technique technique, ofB;
    bool showsB, filters;
    bool operator==(const Need&) const = default;
  };
  std::optional<Need> need_;
  glm::ivec2 size_{1};
};

// The driver was reset. No std::runtime_error: who reports an error and goes on cannot go on after this one.
class ContextLost : public std::exception {
 public:
  const char* what() const noexcept override {
    return "the graphics driver was reset and the OpenGL context is lost; start the program again, with a "
           "smaller size if it happens again";
  }
};

// Throws ContextLost if the driver was reset: nothing can be drawn any more.
void requireContext();

// Calls `draw`. Throws ContextLost instead of the error with which `draw` fails, if the driver was reset meanwhile.
void whileContextLasts(const std::function<void()>& draw);

// Throws ContextLost if the driver was reset, std::runtime_error if an OpenGL call failed since the last look. May wait
// for the driver.
void requireGlSuccess();

// Throws std::runtime_error with the first OpenGL error, if a debug context has reported one.
void requireNoGlErrors();

}  // namespace satdof
