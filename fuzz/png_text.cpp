// The text chunks of a PNG. The mutator repairs the checksums, so that mutations reach behind them.
#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "app/io/png.h"
#include "fuzz/fuzz.h"

using namespace satdof;

namespace {

constexpr std::size_t kSignature = 8, kLengthAndName = 8, kCrc = 4;

std::uint32_t bigEndian(const std::uint8_t* at) {
  return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

void repairChecksums(std::uint8_t* data, std::size_t size) {
  for (std::size_t at = kSignature; at + kLengthAndName + kCrc <= size;) {
    const std::size_t length = bigEndian(data + at);
    if (length > size - at - kLengthAndName - kCrc) return;
    const std::uint8_t* name = data + at + 4;
    std::uint8_t* crc = data + at + kLengthAndName + length;
    const auto sum = static_cast<std::uint32_t>(crc32(0, name, static_cast<uInt>(length + 4)));
    for (int i = 0; i < 4; ++i) crc[i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
    at += kLengthAndName + length + kCrc;
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                               unsigned seed) {
  size = LLVMFuzzerMutate(data, size, maxSize);
  constexpr std::uint8_t kPng[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  constexpr unsigned kKeepDamage = 16;  // one mutation in this many stays as it is
  if (seed % kKeepDamage == 0) return size;
  std::memcpy(data, kPng, std::min(size, sizeof kPng));
  repairChecksums(data, size);
  return size;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = pngText(fuzz::textOf(data, size), kSettingsKeyword);
  fuzz::require(!text || text->size() <= (std::size_t{1} << 20), "text has at most 1 MB");
  return 0;
}
