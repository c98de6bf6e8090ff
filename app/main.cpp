#include <cstdio>
#include <cstdlib>
#include <exception>

#include "app/cli.h"
#include "app/gl/gl.h"
#include "app/headless.h"
#include "app/usage_error.h"

int main(int argc, char** argv) try {
  const satdof::CommandLine line = satdof::parse(argc, argv);
  if (line.help) {
    std::fputs(satdof::helpText().c_str(), stdout);
    return 0;
  }
  if (line.version) {
    std::puts("satdof " SATDOF_VERSION);
    return 0;
  }
  satdof::HeadlessContext context(false);
  std::puts(reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
} catch (const satdof::UsageError& error) {
  std::fprintf(stderr, "satdof: %s\n", error.what());
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "satdof: %s\n", error.what());
  return 1;
}
