#include "app/io/formats/jpeg_cmyk.h"

#include <stdexcept>

#if SATDOF_HAS_JPEG
#include <csetjmp>
#include <cstddef>
#include <cstdio>

#include <jpeglib.h>

#include "app/core/text/foreign_text.h"
#endif

namespace satdof {

int jpegChannels(std::string_view bytes) {
  constexpr unsigned kScan = 0xda, kFill = 0xff;
  const auto byteAt = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  for (std::size_t at = 2; at + 10 <= bytes.size();) {
    const unsigned marker = byteAt(at + 1);
    if (byteAt(at) != 0xff || marker == kFill) {
      ++at;
      continue;
    }
    // Start of frame. c4 (Huffman tables), c8 (extension) and cc (arithmetic coding) are other markers in this range.
    if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc) return byteAt(at + 9);
    if (marker == kScan) break;
    at += 2 + (std::size_t{byteAt(at + 2)} << 8 | byteAt(at + 3));
  }
  return 0;
}

#if SATDOF_HAS_JPEG

namespace {

struct Errors {
  jpeg_error_mgr manager;
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

void leave(j_common_ptr info) {
  auto* const errors = reinterpret_cast<Errors*>(info->err);
  info->err->format_message(info, errors->message);
  std::longjmp(errors->back, 1);  // NOLINT(cert-err52-cpp): libjpeg is C
}

// Limits the number of scans: each scan of a progressive image updates all pixels.
void limitScans(j_common_ptr info) {
  constexpr int kMaxScans = 100;
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= kMaxScans) return;
  auto* const errors = reinterpret_cast<Errors*>(info->err);
  std::snprintf(errors->message, sizeof errors->message, "more than %d scans", kMaxScans);
  std::longjmp(errors->back, 1);  // NOLINT(cert-err52-cpp): libjpeg is C
}

// Functions that call setjmp() own no objects with destructors, because longjmp() would skip them.
bool start(jpeg_decompress_struct& info, Errors& errors, jpeg_progress_mgr& progress, std::string_view bytes) {
  if (setjmp(errors.back) != 0) return false;  // NOLINT(cert-err52-cpp): libjpeg is C
  jpeg_create_decompress(&info);
  progress.progress_monitor = limitScans;
  info.progress = &progress;
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_CMYK;
  return true;
}

bool readRows(jpeg_decompress_struct& info, Errors& errors, std::uint8_t* rows) {
  if (setjmp(errors.back) != 0) return false;  // NOLINT(cert-err52-cpp): libjpeg is C
  jpeg_start_decompress(&info);
  const std::size_t stride = std::size_t{4} * info.output_width;
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = rows + (info.output_height - 1 - info.output_scanline) * stride;
    jpeg_read_scanlines(&info, &row, 1);
  }
  return true;
}

struct Decoder {
  jpeg_decompress_struct info{};
  Errors errors{};
  jpeg_progress_mgr progress{};
  Decoder() {
    info.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = leave;
    errors.manager.emit_message = [](j_common_ptr, int) {};
  }
  ~Decoder() { jpeg_destroy_decompress(&info); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  [[noreturn]] void refuse() const { throw std::runtime_error("libjpeg: " + excerpt(errors.message, 200)); }
};

}  // namespace

bool readsJpegCmyk() { return true; }

JpegCmyk decodeJpegCmyk(std::string_view bytes, const FileLimits& limits) {
  constexpr double kMaxPixelsPerByte = 4096.0,
                   kPixelBytes = 16.0;  // coefficients of a progressive image in libjpeg, and the rows
  Decoder decoder;
  if (!start(decoder.info, decoder.errors, decoder.progress, bytes)) decoder.refuse();
  JpegCmyk inks;
  inks.size = {static_cast<int>(decoder.info.image_width), static_cast<int>(decoder.info.image_height)};
  requireSize(inks.size, limits, bytes.size(), kMaxPixelsPerByte);
  requireRoomToDecode(inks.size, kPixelBytes);
  inks.rows.resize(std::size_t{4} * decoder.info.image_width * decoder.info.image_height);
  if (!readRows(decoder.info, decoder.errors, inks.rows.data())) decoder.refuse();
  // With the Adobe marker, 255 means no ink.
  if (decoder.info.saw_Adobe_marker != 0)
    for (std::uint8_t& ink : inks.rows) ink = static_cast<std::uint8_t>(255 - ink);
  return inks;
}

#else

bool readsJpegCmyk() { return false; }

JpegCmyk decodeJpegCmyk(std::string_view, const FileLimits&) {
  throw std::runtime_error("this program was built without libjpeg");
}

#endif

}  // namespace satdof
