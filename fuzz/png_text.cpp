// The settings in the text chunks of a PNG.
#include "app/io/formats/png.h"
#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = pngText(fuzz::textOf(data, size), kSettingsKeyword);
  fuzz::require(!text || text->size() <= (std::size_t{1} << 20), "text has at most 1 MB");
  return 0;
}
