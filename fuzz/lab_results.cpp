// Results of the laboratory as JSON. Accepted results can be written in every format and read back.
#include <stdexcept>

#include "app/lab/files.h"
#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lab::Results results;
  try {
    results = lab::decodeJson(fuzz::textOf(data, size), "lab.json");
  } catch (const std::runtime_error& error) {
    fuzz::requireReadable(error.what());
    return 0;
  }
  (void)lab::encode(lab::FileFormat::csv, results);
  (void)lab::encode(lab::FileFormat::svg, results);
  const lab::Results again = lab::decodeJson(lab::encode(lab::FileFormat::json, results), "written.json");
  fuzz::require(again.experiments.size() == results.experiments.size(), "written results read back");
  return 0;
}
