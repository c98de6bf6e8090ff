#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <cstring>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "app/gl/context.h"
#include "app/gl/debug.h"
#include "app/gl/gl.h"
#include "app/run/limits.h"
#include "app/run/system/headless_context.h"

namespace satdof {

namespace {

struct Candidate {
  EGLDisplay display;
  const char* what;
};

template <class F>
F load(const char* function) {
  return reinterpret_cast<F>(eglGetProcAddress(function));
}

// The displays to try, in order: devices in the driver's order (GPUs before software), Mesa's surfaceless platform, the
// default display.
std::vector<Candidate> candidates() {
  std::vector<Candidate> found;
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto getDisplay = load<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  if (extensions != nullptr && getDisplay != nullptr) {
    const auto queryDevices = load<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (std::strstr(extensions, "EGL_EXT_platform_device") && queryDevices && queryDevices(16, devices, &count))
      for (int i = 0; i < count; ++i)
        found.push_back({getDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr), "device"});
    if (std::strstr(extensions, "EGL_MESA_platform_surfaceless"))
      found.push_back({getDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr), "surfaceless"});
  }
  found.push_back({eglGetDisplay(EGL_DEFAULT_DISPLAY), "default"});
  return found;
}

// The newest core context of a display, for an error message: "OpenGL 3.3 of llvmpipe".
std::string offeredVersion(EGLDisplay display, EGLConfig config) {
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
  const auto getString = load<const GLubyte* (*)(GLenum)>("glGetString");
  std::string offered = "no OpenGL";
  if (context != EGL_NO_CONTEXT && getString != nullptr &&
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    const auto text = [&](GLenum what) {
      const GLubyte* found = getString(what);
      return std::string(found == nullptr ? "unknown" : reinterpret_cast<const char*>(found));
    };
    offered = "OpenGL " + text(GL_VERSION) + " of " + text(GL_RENDERER);
  }
  eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
  return offered;
}

EGLConfig configOf(EGLDisplay display) {
  const EGLint attributes[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = EGL_NO_CONFIG_KHR;
  EGLint count = 0;
  eglChooseConfig(display, attributes, &config, 1, &count);
  return count > 0 ? config : EGL_NO_CONFIG_KHR;
}

// An OpenGL 4.5 core context, with notification of resets if the driver offers it; EGL_NO_CONTEXT if there is none.
EGLContext createContext(EGLDisplay display, EGLConfig config, bool debug) {
  if (!eglBindAPI(EGL_OPENGL_API)) return EGL_NO_CONTEXT;
  const std::vector<EGLint> attributes = {EGL_CONTEXT_MAJOR_VERSION,
                                          4,
                                          EGL_CONTEXT_MINOR_VERSION,
                                          5,
                                          EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                          EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                          EGL_CONTEXT_OPENGL_DEBUG,
                                          debug ? EGL_TRUE : EGL_FALSE,
                                          EGL_NONE};
  const EGLint resets[] = {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET};
  std::vector<EGLint> robust = attributes;
  robust.insert(robust.end() - 1, std::begin(resets), std::end(resets));
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, robust.data());
  return context != EGL_NO_CONTEXT ? context : eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
}

}  // namespace

struct HeadlessContext::Native {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
};

HeadlessContext::HeadlessContext(bool debug) : native_(std::make_unique<Native>()) {
  requireResources();
  std::string tried;
  for (const auto& [display, what] : candidates()) {
    EGLint major = 0, minor = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor)) {
      tried += std::string(" ") + what + ": no display;";
      continue;
    }
    const EGLConfig config = configOf(display);
    EGLContext context = createContext(display, config, debug);
    if (context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      native_->display = display;
      native_->context = context;
      break;
    }
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    tried += std::string(" ") + what + ": " + offeredVersion(display, config) + ";";
    eglTerminate(display);
  }
  if (native_->context == EGL_NO_CONTEXT)
    throw std::runtime_error("cannot create a headless OpenGL 4.5 core context: EGL offers" + tried +
                             " update the graphics driver, or install libgl1-mesa-dri and libegl1");
  if (!gl::loadContext(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)))
    throw std::runtime_error("cannot load the OpenGL 4.5 functions through EGL; update the graphics driver");
  if (debug) gl::enableDebugOutput();
}

HeadlessContext::~HeadlessContext() {
  if (native_->context == EGL_NO_CONTEXT) return;
  eglMakeCurrent(native_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(native_->display, native_->context);
  eglTerminate(native_->display);
}

}  // namespace satdof
