#pragma once
#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/about.h"
#include "app/io/depth_image.h"
#include "app/io/exif.h"
#include "app/io/file_limits.h"
#include "app/io/image_text.h"
#include "app/io/layer_file.h"
#include "app/io/photograph.h"
#include "app/io/picture.h"

// The formats of image files, one row a format: what opens, drops, captures and lists files walks the rows.
namespace satdof {

// What the pixels of a written file are.
enum class Content {
  displayed,  // as on the screen: exposed, tone-mapped, sRGB
  light,      // linear light before exposure
  channels,   // linear light R, G, B and A; Z in metres; coc.Y; with the layered lens near.Y
};

// The pixels of a file to write, bottom row first.
struct Pixels {
  glm::ivec2 size{0};
  std::vector<std::uint8_t> rgb8;  // Content::displayed: one of these two
  std::vector<std::uint16_t> rgb16;
  std::vector<float> light;  // Content::light: RGB
  std::vector<float> alpha;  // of Content::displayed, whose colours are divided by it; empty: opaque
  std::vector<std::vector<float>> channels;  // Content::channels
  std::vector<LayerImage> layers;            // files beside it
};

// What a written file says beside its pixels.
struct Metadata {
  std::vector<ImageText> texts;
  std::string exif;  // of a photograph: a TIFF structure; empty: none
};

struct WriteOptions {
  int bits = 0;      // a channel, as in a CaptureChoice
  int quality = 92;  // of a lossy format, 1 to 100
};

// A way to write a format, in the Capture panel.
struct CaptureChoice {
  const char* name;
  const char* help;
  int bits = 0;                      // a channel, for --bit-depth; 0: the format has its own
  std::optional<Content> content{};  // other than the codec's
};

// A format. A null function: the format has no such thing. Functions throw std::runtime_error with the reason alone.
struct Codec {
  const char* name;                                  // "PNG", after "a" in messages
  std::vector<std::string> extensions;               // in lower case, ".png"; captures get the first
  bool (*begins)(std::string_view bytes) = nullptr;  // whether a file begins so; null: tried after all others
  FormatSupport about;

  // Reading. `bytes` is the file; where only its head is needed, its first part is enough.
  Picture (*picture)(std::string_view bytes, const FileLimits& limits);
  glm::ivec2 (*size)(std::string_view head, const FileLimits& limits);  // of the image, as shown
  DepthImage (*depth)(std::string_view bytes,
                      const FileLimits& limits) = nullptr;  // of a file with depth alone
  const char* noDepth = nullptr;                            // why there is no such file
  Photograph (*photograph)(std::string_view bytes,
                           const FileLimits& limits) = nullptr;  // with depth beside the picture
  bool (*oneChannel)(std::string_view head) = nullptr;           // whether a file looks like depth
  bool needsWholeFile = false;  // as a head, too: what tells the size may stand at the end
  bool isLight = false;         // can be an environment: linear, without an upper end
  std::string (*exif)(std::string_view head) = nullptr;  // a TIFF structure; empty: none
  std::optional<std::string> (*text)(std::string_view head, std::string_view keyword) = nullptr;
  std::string (*library)() =
      nullptr;  // that reads it, with its version; empty: this program was built without

  // Writing. No choices: the format is only read. write() may take values out of the pixels.
  std::vector<CaptureChoice> choices{};
  Content content = Content::displayed;
  bool lossy = false;    // WriteOptions::quality applies
  bool showsUi = false;  // --with-ui may draw the panels
  bool alpha = false;    // holds transparency
  std::string (*write)(Pixels& pixels, const Metadata& metadata, const WriteOptions& options) = nullptr;
  // A file with one layer: all, or colour alone.
  std::string (*layer)(Layer layer, const LayerImage& image, const std::vector<ImageText>& texts) = nullptr;
  bool colourLayerOnly = false;

  bool isWritten() const { return write != nullptr; }
  Content contentOf(int bits) const;  // of a choice; 0: the first
  std::string bitDepths() const;      // of the choices: "8 or 16"
  bool holds(Layer each) const { return layer != nullptr && (!colourLayerOnly || each == Layer::colour); }
};

// All formats, in the order of the Capture panel.
std::span<const Codec> codecs();

// The format whose files begin so; null: none.
const Codec* codecByContent(std::string_view head);
// The format of the extension, in any case; null: none.
const Codec* codecByExtension(const std::filesystem::path& path);
// The first `most` bytes of a file, or all that its format needs as a head.
std::string readHead(const std::filesystem::path& path, std::size_t most);
// The format that reads the bytes: codecByContent(), or the one that has no beginning.
const Codec& readerOf(std::string_view bytes);
// The format that a capture to `path` has. Throws UsageError listing the extensions.
const Codec& writerOf(const std::filesystem::path& path);

// The choices of all formats.
struct CodecChoice {
  const Codec* codec;
  const CaptureChoice* choice;
};
std::vector<CodecChoice> captureChoices();
// The choice with the name; the first one if there is none.
CodecChoice captureChoice(std::string_view name);

// "PNG, JPEG and EXR", of the formats for which `has` holds.
std::string codecNames(bool (*has)(const Codec&), const char* last);
// All their extensions.
std::vector<std::string> extensionsOf(bool (*has)(const Codec&));
// ".png, .jpg or .exr": their first extensions.
std::string codecExtensions(bool (*has)(const Codec&), const char* last);

// Adds a format, while the object lives: for tests.
class AddedCodec {
 public:
  explicit AddedCodec(Codec codec);
  ~AddedCodec();
  AddedCodec(const AddedCodec&) = delete;
  AddedCodec& operator=(const AddedCodec&) = delete;
};

}  // namespace satdof
