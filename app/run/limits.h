#pragma once
#include <exception>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <string>

#include "app/core/settings.h"

namespace satdof {

// Throws std::runtime_error if limits of this process forbid the threads or memory that software OpenGL needs to
// start. Call before creating a context.
void requireResources();

// Bytes that images may still take: free video memory if OpenGL reports it, else a part of the free main memory
// within all limits of this process. Infinity if neither is known. Needs a current context, like the next three
// functions.
double freeImageBytes();

// Throws std::runtime_error if free main memory does not hold an image of `size`.
void requireMainMemory(glm::ivec2 size, double bytesPerPixel);

// A message that images of settings.size exceed the limits of the OpenGL driver or `freeBytes`; empty if they do not.
std::string shortage(const Settings& settings, double freeBytes);

// Returns settings.size, halved until there is no shortage().
glm::ivec2 sizeWithin(Settings settings, double freeBytes);

// The size of images that fit into memory, from frame to frame.
class AffordableSize {
 public:
  // Returns shortage() for the free memory. Returns nothing, and measures nothing, if the need for memory has not
  // changed since the last call.
  std::optional<std::string> check(const Settings& settings);
  // sizeWithin() for the settings of the last check().
  glm::ivec2 size() const { return size_; }

 private:
  // The settings that determine the need for memory.
  struct Need {
    glm::ivec2 size;
    int samples, layers;
    Overscan overscan;
    Technique a, b;
    bool showsB, filters;
    bool operator==(const Need&) const = default;
  };
  std::optional<Need> need_;
  glm::ivec2 size_{1};
};

// Thrown after a reset of the driver. Not a std::runtime_error: code that reports such errors and continues must not
// catch it.
class ContextLost : public std::exception {
 public:
  const char* what() const noexcept override {
    return "the graphics driver was reset and the OpenGL context is lost; start the program again, with a "
           "smaller size if it happens again";
  }
};

// Throws ContextLost if the driver was reset.
void requireContext();

// Calls draw(). If it throws because the driver was reset meanwhile, throws ContextLost instead.
void whileContextLasts(const std::function<void()>& draw);

// Throws ContextLost if the driver was reset, and std::runtime_error if an OpenGL call has failed since the last
// check. May wait for the driver.
void requireGlSuccess();

// Throws std::runtime_error with the first OpenGL error, if a debug context has reported one.
void requireNoGlErrors();

}  // namespace satdof
